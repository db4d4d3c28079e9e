// cut.cc: the one place where a text is cut as clients cut it.
#include "text/cut.h"

#include "base/assert.h"
#include "text/rewrite.h"

namespace cutline::text {
namespace {

Split split_at(std::string_view utf8, ByteOffset at) {
  if (at.value > 0 && at.value < utf8.size() && utf8[at.value - 1] == '\r' &&
      utf8[at.value] == '\n')
    return Split::kCrLf;
  return is_grapheme_boundary(utf8, at) ? Split::kNone : Split::kGrapheme;
}

/// A carriage return before the line feed, and other white space there, goes with the line's end.
std::string_view first_line(std::string_view utf8) {
  const std::size_t end = utf8.find('\n');
  if (end == std::string_view::npos) return utf8;
  const std::string_view line = utf8.substr(0, end);
  const std::string_view core = trimmed(line);
  const std::size_t before = core.empty() ? 0 : static_cast<std::size_t>(core.data() - line.data());
  return line.substr(0, before + core.size());
}

/// Were fewer than `size` units kept because the last one would have been half a character?
bool fell_short(const Place& kept, Unit unit, std::size_t size) {
  switch (unit) {
    case Unit::kUtf16:
      return kept.utf16.value < size;
    case Unit::kBytes:
      return kept.bytes.value < size;
    case Unit::kCodePoints:
    case Unit::kGraphemes:
      return false;
  }
  CUTLINE_ASSERT(false);
  return false;  // which the thread sanitizer hides from the compiler
}

}  // namespace

std::optional<Cut> cut(std::string_view utf8, const Place& whole, const Budget& budget) {
  const std::string_view shown = budget.first_line_only ? first_line(utf8) : utf8;
  std::size_t size = budget.size;
  ByteOffset end = prefix(shown, budget.unit, size);
  const bool over = end.value < shown.size();
  if (!over && shown.size() == utf8.size()) return std::nullopt;

  if (over && budget.marker_inside) {
    const std::size_t marker_size = length(budget.marker, budget.unit);
    size = size > marker_size ? size - marker_size : 0;
    end = prefix(shown, budget.unit, size);
  }
  Cut cut;
  cut.at = place_at(utf8, end);
  cut.lost = {ByteOffset{whole.bytes.value - cut.at.bytes.value},
              CodePointOffset{whole.code_points.value - cut.at.code_points.value},
              Utf16Offset{whole.utf16.value - cut.at.utf16.value}};
  cut.marker = over;
  cut.pair_protected = over && fell_short(cut.at, budget.unit, size);
  cut.splits = split_at(utf8, end);
  return cut;
}

std::string delivered(std::string_view utf8, const std::optional<Cut>& cut, const Budget& budget) {
  if (!cut) return std::string(utf8);
  std::string text(utf8.substr(0, cut->at.bytes.value));
  if (cut->marker) text += budget.marker;
  return text;
}

}  // namespace cutline::text
