// compare.h: is a prediction what was measured?
#pragma once

#include <string>
#include <vector>

#include "delivery/delivery.h"

namespace cutline::delivery {

struct Difference {
  PieceId piece;          // of the whole delivery: server and tool empty, `what` says it
  std::string what;       // "state", "request", "place", "text", "frame", "name", "handshake", …
  std::string predicted;  // for people; texts with the context of the first byte that differs
  std::string measured;
};

struct Comparison {
  std::vector<Difference> differences;
  std::vector<std::string> unpredicted;  // what the profile does not know, so nothing was compared
  std::size_t compared = 0;              // pieces
  bool equal() const { return differences.empty(); }
};

/// Texts to the byte. State kAtStartOrDeferred agrees with both; kUnknown, an empty place and an
/// empty frame of the prediction are "unpredicted", not different. A deferred tool whose definition
/// was never fetched agrees with a deferred prediction; its text is then not compared.
Comparison compare(const Delivery& predicted, const Delivery& measured);

}  // namespace cutline::delivery
