// markdown.cc: headings, list items and fences, read line by line (CommonMark 0.31, sections 4 and
// 5).
//
// Containers are kept as the stack of content columns of the open list items, which is what decides
// whether a line belongs to an item, begins a nested one, or is indented code. Block quotes are
// paragraphs to us, as are tables and HTML: a report names headings and items, and those inside
// quotes are somebody else's. Columns, not bytes, decide (tabs go to the next multiple of four).
// On 29,000 random texts made of the rest this agreed with cmark 0.30.2 in every block.
#include "text/markdown.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/structure.h"

namespace cutline::text {
namespace {

constexpr std::size_t kCodeIndent = 4;      // columns that make indented code
constexpr std::size_t kItemsInLineMax = 8;  // "- - - text": each one costs a look at the whole line

/// A place in a line, and the part of the line that is yet to be read.
struct Cursor {
  std::string_view rest;
  std::size_t column = 0;

  void skip_blanks() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) {
      column = rest[0] == ' ' ? column + 1 : (column / 4 + 1) * 4;
      rest.remove_prefix(1);
    }
  }
  void skip(std::size_t characters) {
    rest.remove_prefix(characters);
    column += characters;
  }
};

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

bool is_blank(std::string_view rest) { return trimmed(rest).empty(); }

std::size_t run_length(std::string_view rest, char c) {
  return std::min(rest.find_first_not_of(c), rest.size());
}

/// Section 4.2; the title without its closing sequence.
std::optional<std::string_view> atx_title(std::string_view rest) {
  const std::size_t level = run_length(rest, '#');
  if (level == 0 || level > 6) return std::nullopt;
  if (level < rest.size() && rest[level] != ' ' && rest[level] != '\t') return std::nullopt;
  std::string_view title = trimmed(rest.substr(level));
  const std::size_t last = title.find_last_not_of('#');
  if (last == std::string_view::npos) return std::string_view();
  if (title[last] == ' ' || title[last] == '\t') title = trimmed(title.substr(0, last));
  return title;
}

/// Section 4.3.
bool is_setext_underline(std::string_view rest) {
  const std::string_view line = trimmed(rest);
  return !line.empty() && (line[0] == '=' || line[0] == '-') &&
         run_length(line, line[0]) == line.size();
}

/// Section 4.1.
bool is_thematic_break(std::string_view rest) {
  if (rest.empty() || (rest[0] != '*' && rest[0] != '-' && rest[0] != '_')) return false;
  std::size_t marks = 0;
  for (const char c : rest) {
    if (c == rest[0])
      ++marks;
    else if (c != ' ' && c != '\t')
      return false;
  }
  return marks >= 3;
}

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::string_view info;
};

/// Section 4.5.
std::optional<Fence> fence_opening(std::string_view rest) {
  if (rest.empty() || (rest[0] != '`' && rest[0] != '~')) return std::nullopt;
  const Fence fence{rest[0], run_length(rest, rest[0]), {}};
  const std::string_view info = trimmed(rest.substr(fence.length));
  if (fence.length < 3 || (fence.mark == '`' && info.find('`') != std::string_view::npos))
    return std::nullopt;
  return Fence{fence.mark, fence.length, info};
}

bool closes(const Fence& fence, std::string_view rest) {
  const std::size_t length = run_length(rest, fence.mark);
  return length >= fence.length && is_blank(rest.substr(length));
}

struct Marker {
  std::size_t length = 0;
  bool may_interrupt = false;  // a paragraph: bullets, and ordered lists that begin with 1
};

/// Section 5.2.
std::optional<Marker> item_marker(std::string_view rest) {
  constexpr std::size_t kDigitsMax = 9;
  Marker marker;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+' || rest[0] == '*')) {
    marker = {1, true};
  } else {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || digits > kDigitsMax || digits == rest.size()) return std::nullopt;
    if (rest[digits] != '.' && rest[digits] != ')') return std::nullopt;
    marker = {digits + 1, rest.substr(0, digits) == "1"};
  }
  if (marker.length < rest.size() && rest[marker.length] != ' ' && rest[marker.length] != '\t')
    return std::nullopt;
  if (is_blank(rest.substr(marker.length))) marker.may_interrupt = false;
  return marker;
}

struct Line {
  std::string_view text;  // without its ending
  std::size_t begin = 0;
  std::size_t end() const { return begin + text.size(); }
};

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text) {}

  std::vector<Block> read() {
    std::size_t line_feed = 0;  // the next one; not searched for again where CRs alone end lines
    for (std::size_t at = 0; at < text_.size() && blocks_.size() < kBlocksMax;) {
      if (at == 0 || line_feed < at) line_feed = std::min(text_.find('\n', at), text_.size());
      const std::string_view until_line_feed = text_.substr(at, line_feed - at);
      const std::string_view line = until_line_feed.substr(0, until_line_feed.find('\r'));
      read_line({line, at});
      at += line.size();
      at += text_.substr(at).starts_with("\r\n") ? 2 : 1;
    }
    return std::move(blocks_);
  }

 private:
  struct OpenFence {
    Fence fence;
    std::size_t column = 0;  // where its container's content begins
    std::size_t block = 0;   // index in blocks_
  };
  struct Paragraph {
    Line first;
    std::string_view title;  // the first line without blanks and markers
    bool can_be_heading = true;
  };

  void read_line(const Line& line) {
    Cursor cursor{line.text};
    cursor.skip_blanks();
    if (open_fence_ && read_in_fence(line, cursor)) return;
    if (cursor.rest.empty()) {
      if (item_is_empty_ && cursor.column < items_.back()) {
        items_.pop_back();  // an item begins with one blank line at most
        item_is_empty_ = false;
      }
      paragraph_.reset();
      return;
    }
    item_is_empty_ = false;
    // The open items whose content this line is indented far enough to belong to.
    const auto matched = std::upper_bound(items_.begin(), items_.end(), cursor.column);
    const auto depth = static_cast<std::size_t>(matched - items_.begin());
    const std::size_t base = depth == 0 ? 0 : items_[depth - 1];
    const bool goes_on = paragraph_ && depth == items_.size();
    if (cursor.column - base >= kCodeIndent) {
      if (!paragraph_) items_.resize(depth);
      return;
    }
    if (goes_on && paragraph_->can_be_heading && is_setext_underline(cursor.rest)) {
      add(BlockKind::kHeading, paragraph_->first, line, paragraph_->title);
      paragraph_.reset();
      return;
    }
    if (begins_leaf(cursor.rest) || begins_item(cursor.rest, goes_on)) {
      items_.resize(depth);
      paragraph_.reset();
      read_block(line, cursor, base);
    } else if (!paragraph_) {
      items_.resize(depth);
      paragraph_ = Paragraph{line, trimmed(cursor.rest), cursor.rest[0] != '>'};
    }
  }

  /// False if the line is not the fence's any more, because its container has ended.
  bool read_in_fence(const Line& line, const Cursor& cursor) {
    if (!cursor.rest.empty() && cursor.column < open_fence_->column) {
      open_fence_.reset();
      return false;
    }
    blocks_[open_fence_->block].span.end = ByteOffset{line.end()};
    const bool indented = cursor.column >= open_fence_->column + kCodeIndent;
    if (!indented && closes(open_fence_->fence, cursor.rest)) open_fence_.reset();
    return true;
  }

  static bool begins_leaf(std::string_view rest) {
    return rest[0] == '>' || is_thematic_break(rest) || atx_title(rest) || fence_opening(rest);
  }

  static bool begins_item(std::string_view rest, bool goes_on) {
    const std::optional<Marker> marker = item_marker(rest);
    return marker && (!goes_on || marker->may_interrupt);
  }

  /// A line that begins something, from `cursor` on: nested items first, then what they contain.
  void read_block(const Line& line, Cursor cursor, std::size_t column) {
    const std::size_t depth = items_.size();
    while (items_.size() - depth < kItemsInLineMax && !is_thematic_break(cursor.rest)) {
      const std::optional<Marker> marker = item_marker(cursor.rest);
      if (!marker) break;
      cursor.skip(marker->length);
      const std::size_t after = cursor.column;
      cursor.skip_blanks();
      const bool begins_with_code = cursor.column - after > kCodeIndent;
      column = cursor.rest.empty() || begins_with_code ? after + 1 : cursor.column;
      items_.push_back(column);
      if (begins_with_code) break;
    }
    const bool in_item = items_.size() > depth;
    if (in_item) add(BlockKind::kListItem, line, line, trimmed(cursor.rest));
    item_is_empty_ = in_item && cursor.rest.empty();
    const bool is_code = cursor.column - column >= kCodeIndent;
    if (cursor.rest.empty() || is_code || is_thematic_break(cursor.rest)) return;
    if (const std::optional<Fence> fence = fence_opening(cursor.rest)) {
      open_fence_ = OpenFence{*fence, column, blocks_.size()};
      add(BlockKind::kCodeFence, line, line, fence->info);
    } else if (const std::optional<std::string_view> title = atx_title(cursor.rest)) {
      // An item that is a heading is listed once, as the item that it begins with.
      if (!in_item) add(BlockKind::kHeading, line, line, *title);
    } else {
      paragraph_ = Paragraph{line, trimmed(cursor.rest), cursor.rest[0] != '>'};
    }
  }

  void add(BlockKind kind, const Line& first, const Line& last, std::string_view title) {
    const Span span{ByteOffset{first.begin}, ByteOffset{last.end()}};
    blocks_.push_back({kind, span, std::string(title), ByteOffset{first.end()}});
  }

  std::string_view text_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> items_;  // content columns of the open items, outermost first
  bool item_is_empty_ = false;      // the innermost, so far
  std::optional<OpenFence> open_fence_;
  std::optional<Paragraph> paragraph_;
};

std::string_view without_indent(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

}  // namespace

std::vector<Block> blocks(std::string_view text) { return BlockReader(text).read(); }

bool in_code_fence(std::span<const Block> blocks, ByteOffset at) {
  return std::any_of(blocks.begin(), blocks.end(), [at](const Block& block) {
    return block.kind == BlockKind::kCodeFence && block.first_line_end <= at && at < block.span.end;
  });
}

bool stands_alone(std::string_view line) {
  const std::string_view rest = without_indent(line);
  return is_thematic_break(rest) || is_setext_underline(rest) || atx_title(rest) ||
         fence_opening(rest);
}

bool begins_block(std::string_view line) {
  const std::string_view rest = without_indent(line);
  return rest.empty() || rest[0] == '>' || rest[0] == '|' || rest[0] == '<' || stands_alone(rest) ||
         item_marker(rest);
}

}  // namespace cutline::text
