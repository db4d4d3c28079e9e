// character.h: reading single characters of valid UTF-8, in either direction. Inside this room
// only.
//
// ICU's macros would do it and check as they go; the texts of this room are valid already, and the
// loops over them are where the time goes. What is not valid is misread, but never left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cutline::text {

/// As ICU's functions take it.
using CodePoint = std::int32_t;

struct Character {
  CodePoint value = 0;
  std::size_t end = 0;  // in bytes, behind the character
};

inline bool is_continuation(char byte) { return static_cast<signed char>(byte) < -0x40; }

/// The character that begins at `at`, which must be less than the size.
inline Character character_at(std::string_view utf8, std::size_t at) {
  const auto lead = static_cast<unsigned char>(utf8[at++]);
  if (lead < 0x80) return {lead, at};
  CodePoint value = lead & (lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07);
  for (; at < utf8.size() && is_continuation(utf8[at]); ++at)
    value = ((value & 0x7FFF) << 6) | (utf8[at] & 0x3F);
  return {value, at};
}

/// Where the character before `at`, which must be more than 0, begins.
inline std::size_t begin_before(std::string_view utf8, std::size_t at) {
  do --at;
  while (at > 0 && is_continuation(utf8[at]));
  return at;
}

}  // namespace cutline::text
