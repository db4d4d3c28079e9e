// utf8.h: telling UTF-8 from what is not, and making it so.
//
// What a server sends is text to us even where its bytes are not: each ill-formed part becomes one
// U+FFFD, and we say where it was. Parts are "maximal subparts" (Unicode 15, section 3.9, table
// 3-7), as the decoders of browsers and Node have them; surrogates in three bytes, overlong forms
// and values over U+10FFFF are ill-formed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutline {

/// U+FFFD in UTF-8.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// The length of the longest beginning that is valid UTF-8, in bytes. Linear.
std::size_t valid_utf8_prefix(std::string_view bytes);

/// The length of the ill-formed part that `bytes` begins with (1 to 3). Precondition (asserted):
/// they are not empty and do not begin with a valid character.
std::size_t ill_formed_prefix(std::string_view bytes);

bool is_valid_utf8(std::string_view bytes);

struct Utf8Repair {
  std::string text;                     // valid UTF-8: U+FFFD for each ill-formed part
  std::vector<std::size_t> invalid_at;  // where each part began, in the bytes as they were given
};

/// Linear.
Utf8Repair repair_utf8(std::string_view bytes);

/// Appends a code point. Precondition (asserted): it is at most U+10FFFF and no surrogate.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace cutline
