// structure.h: what a cut did to the meaning: the sentence it falls in, and what was lost with the
// tail. Sentences come from ICU (so texts without spaces work too); Markdown is read line by line as
// CommonMark does for headings, list items and fences, which is all that a report needs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/unit.h"

namespace cutline::text {

/// Byte range [begin, end) of a text.
struct Span {
  ByteOffset begin, end;
  bool operator==(const Span&) const = default;
};

inline std::string_view slice(std::string_view text, Span span) {
  return text.substr(span.begin.value, span.end.value - span.begin.value);
}

/// The sentence that contains the character before `at` and the one after it; when `at` is the
/// border of two sentences, the one that would come next. Without the white space at its ends.
/// Looks at most `context_bytes_max` to either side, so that it is cheap in a text of any size.
Span sentence_at(std::string_view text, ByteOffset at);

enum class BlockKind { kHeading, kListItem, kCodeFence };

struct Block {
  BlockKind kind;
  Span span;          // the whole lines: a heading or an item with its marker; a fence with its content
  std::string title;  // heading or item text of the first line without marker; a fence's info string
};

/// Headings (ATX and setext), list items (each its own first line) and fenced code, in order.
/// Linear. Lines inside a fence are neither headings nor items.
std::vector<Block> blocks(std::string_view text);

/// Is `at` inside a fenced code block (after its opening line, before the end of its closing one)?
bool in_code_fence(std::span<const Block> blocks, ByteOffset at);

/// What a reader of the head alone would not know.
struct Loss {
  Span sentence;                      // the sentence that the cut falls in
  bool in_sentence = false;           // false: the cut falls exactly between two sentences
  bool in_code_fence = false;
  std::vector<std::string> headings;  // titles that begin after the cut
  std::vector<std::string> items;     // list items that begin after the cut
  std::vector<std::string> names;     // of `names`: those that occur in the tail and not in the head
};

/// `names` are tool names; a name occurs where it stands as a whole word (its neighbours are not
/// letters, digits, '_' or '-').
Loss loss_at(std::string_view text, ByteOffset at, std::span<const std::string> names);

}  // namespace cutline::text
