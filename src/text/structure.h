// structure.h: what a cut did to the meaning: the sentence it falls in, and what was lost with the
// tail. Sentences come from ICU (so texts without spaces work too); Markdown is read line by line
// as CommonMark does for headings, list items and fences, which is all that a report needs.
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

/// How far sentence_at looks to either side.
inline constexpr std::size_t kContextBytesMax = 4096;

/// The sentence that contains the character before `at` and the one after it; when `at` is the
/// border of two sentences (white space between them belongs to it), the one that would come next,
/// and an empty span if none does. Without the white space at its ends. Lines that were wrapped by
/// hand are read as one. Looks at most kContextBytesMax to either side, so that it is cheap in a
/// text of any size; a longer sentence ends there.
Span sentence_at(std::string_view text, ByteOffset at);

enum class BlockKind { kHeading, kListItem, kCodeFence };

struct Block {
  BlockKind kind;
  /// The whole lines, without the last one's ending: a heading or an item with its marker; a fence
  /// with its content.
  Span span;
  /// Heading or item text of the first line without marker; a fence's info string.
  std::string title;
  ByteOffset first_line_end;  // before its ending
  bool operator==(const Block&) const = default;
};

/// More than anybody wrote by hand; what comes after in a text that has more is not listed.
inline constexpr std::size_t kBlocksMax = 100'000;

/// Headings (ATX and setext), list items (each its own first line) and fenced code, in order.
/// Linear. Lines inside a fence are neither headings nor items. Block quotes, tables and HTML are
/// not looked into.
std::vector<Block> blocks(std::string_view text);

/// Is `at` inside a fenced code block (after its opening line, before the end of its closing one)?
bool in_code_fence(std::span<const Block> blocks, ByteOffset at);

/// What a reader of the head alone would not know.
struct Loss {
  Span sentence;             // the sentence that the cut falls in
  bool in_sentence = false;  // false: the cut falls exactly between two sentences
  bool in_code_fence = false;
  std::vector<std::string> headings;  // titles that begin after the cut
  std::vector<std::string> items;     // list items that begin after the cut
  std::vector<std::string> names;  // of `names`: those that occur in the tail and not in the head
};

/// What loss_at looks up of a text: made once, it serves any number of cuts of that text.
struct Outline {
  struct Use {
    std::string name;
    Span first;  // where it occurs first
  };
  std::vector<Block> blocks;
  std::vector<Use> uses;  // of the names that occur, in the order they were given
};

/// The longest name that is looked for.
inline constexpr std::size_t kNameBytesMax = 256;

/// `names` are tool names; a name occurs where it stands as a whole word: its neighbours are not
/// letters, digits, '_' or '-'. Letters are Latin ones: in texts without spaces, kana or Hangul
/// follow a name directly. Linear in the text.
Outline outline_of(std::string_view text, std::span<const std::string> names);

/// A name that the cut splits is lost, too.
Loss loss_at(std::string_view text, ByteOffset at, const Outline& outline);
Loss loss_at(std::string_view text, ByteOffset at, std::span<const std::string> names);

}  // namespace cutline::text
