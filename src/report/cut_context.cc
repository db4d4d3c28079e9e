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
constexpr std::string_view kClipped = "…\u00A0";  // no line is broken there
constexpr std::string_view kBar = "    │ ";
constexpr std::size_t kLinesBefore = 2;
constexpr std::size_t kLinesAfter = 1;
constexpr std::size_t kEllipsis = 4;         // with the scissors, and half a wide character
constexpr std::size_t kBytesPerColumn = 32;  // looked at, so that no text is too long
constexpr std::size_t kNarrowest = 20;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The byte after the last space that lets a clipped text begin with a whole word; 0 where there is
/// none near, as in texts without spaces.
std::size_t whole_word(std::string_view clipped) {
  constexpr std::size_t kLongestWord = 24;
  const std::size_t space = clipped.find(' ');
  return space < kLongestWord ? space + 1 : 0;
}

/// The end of `text` of at most `columns`, with kClipped where it is clipped.
std::string clipped_tail(std::string_view text, std::size_t columns) {
  std::size_t from = text.size() - std::min(text.size(), columns * kBytesPerColumn);
  while (from < text.size() && is_continuation(text[from])) ++from;
  std::string line = text::sanitise_line(text.substr(from));
  std::string_view shown = text::tail_columns(line, columns);
  if (from == 0 && shown.size() == line.size()) return line;
  const std::string_view skipped = std::string_view(line).substr(0, line.size() - shown.size());
  if (!skipped.ends_with(' ')) shown.remove_prefix(whole_word(shown));
  return std::string(kClipped) + std::string(shown);
}

/// The beginning of `text`, of at most `columns`, with " …" where it is clipped.
std::string clipped_head(std::string_view text, std::size_t columns) {
  const text::ByteOffset near = text::prefix(text, text::Unit::kBytes, columns * kBytesPerColumn);
  std::string line = text::sanitise_line(text.substr(0, near.value));
  const std::string_view shown = text::head_columns(line, columns);
  const bool clipped = near.value < text.size() || shown.size() < line.size();
  if (!clipped) return line;
  const std::size_t space = shown.rfind(' ');
  return std::string(shown.substr(0, space)) + " …";
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
  // A sentence that is cut is shown from its beginning, if that is more than a line.
  const std::size_t begin = loss.in_sentence ? loss.sentence.begin.value : at.value;
  const std::size_t sentence = text::columns(
      text::sanitise_line(text.substr(begin, std::min(at.value - begin, width * kBytesPerColumn))));
  const std::size_t wanted =
      std::clamp(sentence, width - kEllipsis, width * kLinesBefore - kEllipsis);
  const std::string before = clipped_tail(text.substr(0, at.value), wanted);
  const std::string after = clipped_head(text.substr(at.value), width * kLinesAfter - kEllipsis);
  std::size_t theirs = scissors_in(before);

  std::string out;
  bool lost = false;
  std::vector<std::string> lines = text::wrap(before + std::string(kScissors) + after, width);
  if (lines.front().starts_with(kClipped)) lines.front().replace(0, kClipped.size(), "… ");
  for (const std::string& line : lines) {
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

std::string cut_line(std::string_view text, text::ByteOffset at, std::size_t columns) {
  const std::size_t width = std::max(kNarrowest, columns) - 2 * kEllipsis;
  const std::string before = clipped_tail(text.substr(0, at.value), width / 2);
  const std::string after =
      clipped_head(text.substr(at.value), width - std::min(width, text::columns(before)));
  return plain_spaces(before) + std::string(kScissors) + after;
}

}  // namespace cutline::report
