// string.cc: decoding escapes. Text between them is copied in runs; most strings are one run.
#include "json/string.h"

#include <algorithm>
#include <charconv>

#include "base/assert.h"
#include "base/utf8.h"

namespace cutline::json {
namespace {

bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// The four digits behind a "\u".
char32_t hex_unit(std::string_view digits) {
  std::uint16_t unit = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  CUTLINE_ASSERT(error == std::errc{} && end == digits.data() + 4);
  return unit;
}

char plain_escape(char kind) {
  switch (kind) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return kind;  // quote, backslash, slash
  }
}

/// Appends what the escape at the beginning of `rest` means, and returns its length.
std::size_t append_escape(std::string_view rest, Text& text) {
  if (rest[1] != 'u') {
    text.value += plain_escape(rest[1]);
    return 2;
  }
  const char32_t unit = hex_unit(rest.substr(2));
  if (is_high_surrogate(unit) && rest.substr(6).starts_with("\\u")) {
    const char32_t second = hex_unit(rest.substr(8));
    if (is_low_surrogate(second)) {
      append_utf8(text.value, 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00));
      return 12;
    }
  }
  if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
    text.value += kReplacementCharacter;
    ++text.replaced;
  } else {
    append_utf8(text.value, unit);
  }
  return 6;
}

}  // namespace

Text decode_string(const Tree& tree, const Node& node) {
  const std::string_view raw =
      std::string_view(tree.bytes).substr(node.begin + 1, node.end - node.begin - 2);
  const auto first = std::lower_bound(tree.replaced_at.begin(), tree.replaced_at.end(), node.begin);
  const auto last = std::lower_bound(first, tree.replaced_at.end(), node.end);
  // Where in `raw` the first replaced part stands; its end if there is none.
  const std::size_t bad = first == last ? raw.size() : *first - node.begin - 1;

  Text text;
  text.replaced = static_cast<std::size_t>(last - first);
  text.value.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t run = std::min(raw.find('\\', at), raw.size());
    if (bad >= at && bad < run) text.first_invalid_byte = text.value.size() + (bad - at);
    text.value.append(raw, at, run - at);
    at = run;
    if (at < raw.size()) at += append_escape(raw.substr(at), text);
  }
  return text;
}

}  // namespace cutline::json
