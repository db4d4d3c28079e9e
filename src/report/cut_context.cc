// cut_context.cc: choosing, clipping and painting the text around a cut.
//
// The line is made and wrapped as plain text first and painted after that, so that colours never
// count as width. A server may write scissors itself; ours are found by counting.
#include "report/cut_context.h"

#include <algorithm>

#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::string_view kScissors = "✂";
constexpr std::string_view kBar = "    │ ";
constexpr std::size_t kLinesBefore = 2;
constexpr std::size_t kLinesAfter = 2;
constexpr std::size_t kBytesPerColumn = 32;  // looked at, so that no text is too long
constexpr std::size_t kNarrowest = 20;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The end of `text`, at most `columns` wide, with "… " where it is clipped.
std::string clipped_tail(std::string_view text, std::size_t columns, bool more_before) {
  std::size_t from = text.size() - std::min(text.size(), columns * kBytesPerColumn);
  while (from < text.size() && is_continuation(text[from])) ++from;
  const std::string line = text::sanitise_line(text.substr(from));
  const std::string_view shown = text::tail_columns(line, columns);
  const bool clipped = more_before || from > 0 || shown.size() < line.size();
  return (clipped ? "… " : "") + std::string(shown);
}

std::string clipped_head(std::string_view text, std::size_t columns, bool more_after) {
  const text::ByteOffset near =
      text::prefix(text, text::Unit::kBytes, columns * kBytesPerColumn);
  const std::string line = text::sanitise_line(text.substr(0, near.value));
  const std::string_view shown = text::head_columns(line, columns);
  const bool clipped = more_after || near.value < text.size() || shown.size() < line.size();
  return std::string(shown) + (clipped ? " …" : "");
}

std::size_t scissors_in(std::string_view text) {
  std::size_t found = 0;
  for (std::size_t at = text.find(kScissors); at != std::string_view::npos;
       at = text.find(kScissors, at + kScissors.size()))
    ++found;
  return found;
}

/// The byte after the n-th scissors of `line` (from 0); npos if it has fewer, which `n` loses.
std::size_t nth_scissors(std::string_view line, std::size_t& n) {
  for (std::size_t at = line.find(kScissors); at != std::string_view::npos;
       at = line.find(kScissors, at + kScissors.size())) {
    if (n == 0) return at;
    --n;
  }
  return std::string_view::npos;
}

}  // namespace

std::string cut_context(std::string_view text, text::ByteOffset at, const text::Loss& loss,
                        const Style& style) {
  const std::size_t bar = text::columns(kBar);
  const std::size_t width = std::max(kNarrowest, style.columns - std::min(style.columns, bar));
  // A sentence that is cut is shown from its beginning; a whole one that was kept, by its end.
  const std::size_t begin = loss.in_sentence ? loss.sentence.begin.value : 0;
  const std::size_t end = std::max(at.value, loss.sentence.end.value);
  const std::size_t before_columns = width * (loss.in_sentence ? kLinesBefore : 1) - 4;
  const std::string before =
      clipped_tail(text.substr(begin, at.value - begin), before_columns, begin > 0);
  const std::string after = clipped_head(text.substr(at.value, end - at.value),
                                         width * kLinesAfter - 4, end < text.size());
  std::size_t theirs = scissors_in(before);

  std::string out;
  bool lost = false;
  for (const std::string& line : text::wrap(before + std::string(kScissors) + after, width)) {
    const std::size_t mark = lost ? std::string::npos : nth_scissors(line, theirs);
    out += paint(kBar, Ink::kDim, style);
    if (mark == std::string::npos) {
      out += paint(line, lost ? Ink::kDim : Ink::kPlain, style);
    } else {
      lost = true;
      out.append(line, 0, mark).append(paint(kScissors, Ink::kBad, style));
      out += paint(std::string_view(line).substr(mark + kScissors.size()), Ink::kDim, style);
    }
    out += '\n';
  }
  return out;
}

}  // namespace cutline::report
