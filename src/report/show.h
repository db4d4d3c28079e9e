// show.h: exactly what the model gets of one piece: bytes for a pipe, a marked text for a terminal.
#pragma once

#include <string>

#include "delivery/delivery.h"
#include "delivery/profile.h"
#include "report/style.h"

namespace cutline::report {

enum class Shown {
  kFramed,  // with what the client puts around it
  kBare,    // what was kept, and the marker
  kLost,    // what was cut off, or all of a text that never arrives
};

/// Byte for byte, with nothing added, not even a line feed. Empty if there is nothing of it.
std::string show_bytes(const delivery::Delivered& piece, Shown shown);

/// The same, sanitised, with the frame dimmed and the cut marked; ends with a line feed.
std::string show_screen(const delivery::Delivered& piece, Shown shown, const Style& style);

/// One line on what is shown: client, state, place, how much of it.
std::string show_heading(const delivery::Profile& profile, const delivery::Delivery& delivery,
                         const delivery::Delivered& piece, const Style& style);

}  // namespace cutline::report
