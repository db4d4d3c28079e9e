// utf8.h: making bytes from outside valid UTF-8, and telling where they were not: what base knows
// of it (base/utf8.h), with the offsets of this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/unit.h"

namespace cutline::text {

using cutline::append_utf8;
using cutline::is_valid_utf8;

struct Repaired {
  std::string text;                    // valid UTF-8: U+FFFD for each maximal ill-formed part
  std::vector<ByteOffset> invalid_at;  // where each part began, in the bytes as they were given
};

/// Linear. Surrogates encoded as UTF-8, overlong forms and values over U+10FFFF are ill-formed;
/// parts are formed as in Unicode 15, section 3.9, "maximal subparts".
Repaired repair_utf8(std::string_view bytes);

}  // namespace cutline::text
