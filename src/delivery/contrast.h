// contrast.h: in what two predictions for the same server differ.
//
// Not compare(): that holds a prediction against the wire, which has the last word and knows no
// "unknown". Here neither side is right, and each may not know what the other does.
#pragma once

#include <string>
#include <vector>

#include "delivery/delivery.h"

namespace cutline::delivery {

struct Contrast {
  PieceId piece;  // of the connection: server and tool empty
  /// "handshake", "process-starts", "connection"; of a piece "arrival", "kept", "place", "name",
  /// "text", "frame (opening)", …
  std::string what;
  std::string first, second;  // for people; texts with the context of the first byte that differs
};

struct Contrasted {
  std::vector<Contrast> differences;
  /// What one of the two does not know, or both; it is then neither alike nor different.
  std::vector<Contrast> unknown;
  std::size_t pieces = 0, alike = 0;  // alike: no difference, and nothing unknown
};

/// The instructions' differences before those of the tools, which are in the order of the offer.
Contrasted contrast(const Delivery& first, const Delivery& second);

}  // namespace cutline::delivery
