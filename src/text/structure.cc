// structure.cc: the sentence around a cut, and what stands behind it.
#include "text/structure.h"

#include <algorithm>
#include <memory>

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "base/assert.h"
#include "base/defer.h"
#include "text/character.h"
#include "text/markdown.h"
#include "text/names.h"

namespace cutline::text {
namespace {

/// `span` without the white space at its ends.
Span trimmed(std::string_view text, Span span) {
  std::size_t begin = span.begin.value;
  std::size_t end = span.end.value;
  const std::string_view head = text.substr(0, end);
  while (begin < end) {
    const Character first = character_at(head, begin);
    if (u_isUWhiteSpace(first.value) == 0) break;
    begin = first.end;
  }
  while (begin < end) {
    const std::size_t last = begin_before(head, end);
    if (u_isUWhiteSpace(character_at(head, last).value) == 0) break;
    end = last;
  }
  return {ByteOffset{begin}, ByteOffset{end}};
}

/// A line break ends a sentence for ICU (rule SB4). That is right after headings, items and verses,
/// and wrong in prose that was wrapped by hand, as in most docstrings: there, the line before is
/// about as long as lines get, and the next one goes on in the same paragraph. `in_line`: the first
/// line began before the window, so that its length is not known.
std::string with_wrapped_lines_joined(std::string_view window, bool in_line) {
  constexpr std::size_t kWrappedBytesMin = 50;
  std::string joined(window);
  std::size_t begin = 0;
  for (std::size_t end = window.find('\n'); end != std::string_view::npos;
       end = window.find('\n', begin)) {
    const std::string_view line = window.substr(begin, end - begin);
    const std::string_view next = window.substr(end + 1, window.find('\n', end + 1) - end - 1);
    const bool is_long = line.size() >= kWrappedBytesMin || (begin == 0 && in_line);
    if (is_long && !stands_alone(line) && !begins_block(next)) {
      joined[end] = ' ';
      if (line.ends_with('\r')) joined[end - 1] = ' ';
    }
    begin = end + 1;
  }
  return joined;
}

struct Found {
  Span sentence;
  bool whole = false;  // it ends inside the window, not with it
};

/// sentence_at with a window of `reach` bytes to either side.
Found sentence_within(std::string_view text, ByteOffset at, std::size_t reach) {
  std::size_t from = at.value > reach ? at.value - reach : 0;
  std::size_t to = at.value + std::min(reach, text.size() - at.value);
  while (!is_character_boundary(text, ByteOffset{from})) ++from;
  while (!is_character_boundary(text, ByteOffset{to})) --to;
  const bool in_line = from > 0 && text[from - 1] != '\n';
  const std::string window = with_wrapped_lines_joined(text.substr(from, to - from), in_line);

  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  UText opened = UTEXT_INITIALIZER;
  utext_openUTF8(&opened, window.data(), static_cast<std::int64_t>(window.size()), &status);
  const Defer close([&opened] { utext_close(&opened); });
  CUTLINE_ASSERT(U_SUCCESS(status));
  breaks->setText(&opened, status);
  CUTLINE_ASSERT(U_SUCCESS(status));

  std::int32_t end = breaks->following(static_cast<std::int32_t>(at.value - from));
  if (end == icu::BreakIterator::DONE) return {{at, at}, to == text.size()};
  std::int32_t begin = breaks->previous();
  breaks->next();
  for (; end != icu::BreakIterator::DONE; begin = end, end = breaks->next()) {
    const std::size_t first = from + static_cast<std::size_t>(begin);
    const std::size_t last = from + static_cast<std::size_t>(end);
    const Span sentence = trimmed(text, {ByteOffset{first}, ByteOffset{last}});
    if (sentence.end <= at || sentence.end == sentence.begin) continue;
    const bool begins_inside = first > from || from == 0;
    const bool ends_inside = last < to || to == text.size();
    return {sentence, begins_inside && ends_inside};
  }
  return {{at, at}, to == text.size()};
}

}  // namespace

Span sentence_at(std::string_view text, ByteOffset at) {
  CUTLINE_ASSERT(is_character_boundary(text, at));
  // Most sentences are short, and ICU reads all that stands before the place it is asked for.
  constexpr std::size_t kFirstReach = 512;
  const Found near = sentence_within(text, at, kFirstReach);
  return near.whole ? near.sentence : sentence_within(text, at, kContextBytesMax).sentence;
}

Outline outline_of(std::string_view text, std::span<const std::string> names) {
  return {blocks(text), first_uses(text, names)};
}

Loss loss_at(std::string_view text, ByteOffset at, const Outline& outline) {
  Loss loss;
  loss.sentence = sentence_at(text, at);
  loss.in_sentence = loss.sentence.begin < at && at < loss.sentence.end;
  loss.in_code_fence = in_code_fence(outline.blocks, at);
  for (const Block& block : outline.blocks) {
    if (block.span.begin < at) continue;
    if (block.kind == BlockKind::kHeading) loss.headings.push_back(block.title);
    if (block.kind == BlockKind::kListItem) loss.items.push_back(block.title);
  }
  for (const Outline::Use& use : outline.uses)
    if (use.first.end > at) loss.names.push_back(use.name);
  return loss;
}

Loss loss_at(std::string_view text, ByteOffset at, std::span<const std::string> names) {
  return loss_at(text, at, outline_of(text, names));
}

}  // namespace cutline::text
