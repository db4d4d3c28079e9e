// cut.h: cutting a text exactly as clients do.
//
// A text of at most `size` units is whole. Otherwise the head of `size` units is kept and the
// marker put after it, or, where the marker counts, head and marker together have `size`. A head
// that would end in half a character loses that half; nothing else is protected: accents are parted
// from their letters, families split, CR parted from LF. We show that damage, we do not repair it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/unit.h"

namespace cutline::text {

struct Budget {
  std::size_t size = 0;
  Unit unit = Unit::kUtf16;
  std::string marker;          // appended to what is kept, e.g. "… [truncated]"
  bool marker_inside = false;  // true: the marker counts against `size`
  bool first_line_only =
      false;  // true: only the first line is shown, without white space behind it
  bool operator==(const Budget&) const = default;
};

/// What a cut splits that a reader sees as one.
enum class Split { kNone, kGrapheme, kCrLf };

struct Cut {
  Place at;             // where the kept head ends
  Place lost;           // lengths of what is dropped, in the cheap units
  bool marker = false;  // whether the marker was appended (not after a mere first line)
  bool pair_protected =
      false;  // the limit fell inside a character and less than the limit was kept
  Split splits = Split::kNone;
  bool operator==(const Cut&) const = default;
};

/// Nothing if all of `utf8` is kept. Linear in the budget, plus once in the text for `lost`;
/// `whole` is measure(utf8), which callers have at hand.
std::optional<Cut> cut(std::string_view utf8, const Place& whole, const Budget& budget);

/// The kept head followed by the marker (or the text itself): exactly what arrives.
std::string delivered(std::string_view utf8, const std::optional<Cut>& cut, const Budget& budget);

}  // namespace cutline::text
