// terminal.cc: what a terminal would make of a character, and what we show instead.
//
// Widths follow what most terminals do: East Asian Width (Unicode Annex 11), marks without width,
// and a cluster of joined emoji as one wide picture. No two terminals agree on all of it; a wrong
// guess spoils an alignment and nothing else.
#include "text/terminal.h"

#include <algorithm>

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "base/utf8.h"
#include "text/character.h"
#include "text/clusters.h"

namespace cutline::text {
namespace {

bool is_variation_selector(CodePoint c) {
  return u_hasBinaryProperty(c, UCHAR_VARIATION_SELECTOR) != 0;
}

/// Would the character act on what stands around it, or not be seen at all? Default_Ignorable has
/// the bidi controls, zero-width, tag and filler characters.
bool is_hidden(CodePoint c) {
  if (c < 0x7F) return c < 0x20;
  switch (u_charType(c)) {
    case U_CONTROL_CHAR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return true;
    default:
      break;
  }
  const bool interlinear_annotation = c >= 0xFFF9 && c <= 0xFFFB;
  return interlinear_annotation || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

void append_picture(std::string& out, CodePoint c) {
  constexpr char32_t kControlPictures = 0x2400;
  constexpr char32_t kDeletePicture = 0x2421;
  if (c < 0x20) {
    append_utf8(out, kControlPictures + static_cast<char32_t>(c));
  } else if (c == 0x7F) {
    append_utf8(out, kDeletePicture);
  } else {
    out += fmt::format("\\u{{{:04X}}}", static_cast<unsigned>(c));
  }
}

std::string sanitised(std::string_view utf8, bool is_line) {
  std::string out;
  out.reserve(utf8.size());
  bool can_vary = false;  // the character before is seen and has no variation selector yet
  for (std::size_t at = 0; at < utf8.size();) {
    const auto [c, end] = character_at(utf8, at);
    const bool varies = can_vary && is_variation_selector(c);
    can_vary = false;
    if (c == '\n' || c == '\t') {
      if (is_line)
        out += c == '\n' ? "↵" : "→";
      else
        out += static_cast<char>(c);
    } else if (varies || !is_hidden(c)) {
      out.append(utf8, at, end - at);
      can_vary = !varies && c > 0x20;
    } else {
      append_picture(out, c);
    }
    at = end;
  }
  return out;
}

/// Columns of one character by itself.
std::size_t width(CodePoint c) {
  if (c < 0x300) return c < 0x20 || (c >= 0x7F && c < 0xA0) ? 0 : 1;
  const std::int8_t type = u_charType(c);
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK) return 0;
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) return 0;
  switch (u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE)) {
    case U_HST_VOWEL_JAMO:
    case U_HST_TRAILING_JAMO:
      return 0;
    default:
      break;
  }
  switch (u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH)) {
    case U_EA_WIDE:
    case U_EA_FULLWIDTH:
      return 2;
    default:
      return 1;
  }
}

/// Columns of one cluster: those of its characters, but a picture joined of several has two.
std::size_t cluster_width(std::string_view cluster) {
  constexpr CodePoint kEmojiSelector = 0xFE0F;
  const Character first = character_at(cluster, 0);
  if (first.end == cluster.size()) return first.value == '\t' ? 1 : width(first.value);
  const bool is_emoji = u_hasBinaryProperty(first.value, UCHAR_EMOJI) != 0;
  std::size_t sum = width(first.value);
  for (std::size_t at = first.end; at < cluster.size();) {
    const auto [c, end] = character_at(cluster, at);
    sum += c == kEmojiSelector && is_emoji ? 1 : width(c);
    at = end;
  }
  return is_emoji ? std::min<std::size_t>(sum, 2) : sum;
}

int line_break_class(std::string_view cluster) {
  return u_getIntPropertyValue(character_at(cluster, 0).value, UCHAR_LINE_BREAK);
}

/// Languages that have no spaces break lines anywhere, but closing punctuation and small kana do
/// not begin a line (JIS X 4051, in short).
bool may_begin_line(std::string_view cluster) {
  switch (line_break_class(cluster)) {
    case U_LB_CLOSE_PUNCTUATION:
    case U_LB_CLOSE_PARENTHESIS:
    case U_LB_CONDITIONAL_JAPANESE_STARTER:
    case U_LB_EXCLAMATION:
    case U_LB_INFIX_NUMERIC:
    case U_LB_NONSTARTER:
      return false;
    default:
      return true;
  }
}

/// Wraps one paragraph. Spaces at a break are dropped.
class Wrapper {
 public:
  Wrapper(std::size_t columns_max, std::vector<std::string>& lines)
      : columns_max_(columns_max), lines_(lines) {}

  void wrap(std::string_view paragraph) {
    bool after_wide = false;
    bool after_opening = false;  // bracket, which no line ends with
    for (ClusterReader clusters(paragraph); !clusters.done();) {
      const std::string_view cluster = clusters.next();
      const std::size_t columns = cluster_width(cluster);
      if (cluster == " " || cluster == "\t") {
        add_space();
        after_wide = after_opening = false;
        continue;
      }
      const bool is_wide = columns == 2;
      if ((after_wide || is_wide) && !after_opening && may_begin_line(cluster)) mark_break();
      add(cluster, columns);
      after_wide = is_wide;
      after_opening = line_break_class(cluster) == U_LB_OPEN_PUNCTUATION;
    }
    flush(line_.size());
  }

 private:
  void mark_break() {
    break_ = line_.size();
    break_column_ = column_;
  }

  void add_space() {
    if (line_.empty() && continued_) return;
    line_ += ' ';
    ++column_;
    if (has_word_) mark_break();
  }

  void add(std::string_view cluster, std::size_t columns) {
    while (column_ + columns > columns_max_ && !line_.empty()) {
      const bool has_break = break_ > 0;
      const std::size_t at = has_break ? break_ : line_.size();
      const std::string rest = line_.substr(at);
      const std::size_t rest_columns = has_break ? column_ - break_column_ : 0;
      flush(at);
      line_ = rest;
      column_ = rest_columns;
    }
    line_ += cluster;
    column_ += columns;
    has_word_ = true;
  }

  /// Ends the line after its first `size` bytes; what comes after is dropped.
  void flush(std::size_t size) {
    line_.resize(size);
    line_.resize(line_.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(line_));
    line_.clear();
    column_ = break_ = break_column_ = 0;
    continued_ = true;
    has_word_ = false;
  }

  std::size_t columns_max_;
  std::vector<std::string>& lines_;
  std::string line_;
  std::size_t column_ = 0;
  std::size_t break_ = 0;         // the last place in line_ where it may be broken; 0: none
  std::size_t break_column_ = 0;  // its column
  bool has_word_ = false;         // line_ is more than indentation
  bool continued_ = false;        // the paragraph has a line already
};

}  // namespace

std::string sanitise(std::string_view utf8) { return sanitised(utf8, false); }
std::string sanitise_line(std::string_view utf8) { return sanitised(utf8, true); }

std::size_t columns(std::string_view utf8) {
  std::size_t sum = 0;
  for (ClusterReader clusters(utf8); !clusters.done();) sum += cluster_width(clusters.next());
  return sum;
}

std::string_view head_columns(std::string_view utf8, std::size_t columns_max) {
  std::size_t end = 0;
  std::size_t used = 0;
  for (ClusterReader clusters(utf8); !clusters.done(); end = clusters.at()) {
    used += cluster_width(clusters.next());
    if (used > columns_max) break;
  }
  return utf8.substr(0, end);
}

std::string_view tail_columns(std::string_view utf8, std::size_t columns_max) {
  // A window at the end, made larger until it has too many columns; then its head is dropped.
  std::size_t begin = utf8.size();
  std::size_t used = 0;
  for (std::size_t bytes = 64; begin > 0 && used <= columns_max; bytes *= 2) {
    begin = bytes >= utf8.size() ? 0 : sure_boundary_before(utf8, utf8.size() - bytes);
    used = columns(utf8.substr(begin));
  }
  ClusterReader clusters(utf8.substr(begin));
  while (used > columns_max) used -= cluster_width(clusters.next());
  return utf8.substr(begin + clusters.at());
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t columns_max) {
  std::vector<std::string> lines;
  while (!utf8.empty()) {
    const std::size_t end = std::min(utf8.find('\n'), utf8.size());
    Wrapper(std::max<std::size_t>(columns_max, 1), lines).wrap(utf8.substr(0, end));
    utf8.remove_prefix(std::min(end + 1, utf8.size()));
  }
  return lines;
}

}  // namespace cutline::text
