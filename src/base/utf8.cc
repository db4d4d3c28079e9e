// utf8.cc: the one place that knows the well-formed byte sequences.
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

#include "base/assert.h"

namespace cutline {
namespace {

/// What a lead byte promises: the length of the sequence, and the range of the second byte, in
/// which alone overlong forms, surrogates and too large values differ from the rest (table 3-7).
struct Lead {
  std::size_t length;  // 0: no lead byte
  unsigned char second_min, second_max;
};

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

struct Part {
  std::size_t length;
  bool valid;
};

/// The character or ill-formed part that `bytes`, not empty, begin with.
Part first_part(std::string_view bytes) {
  const Lead promised = lead(static_cast<unsigned char>(bytes[0]));
  if (promised.length == 0) return {1, false};
  for (std::size_t i = 1; i < promised.length; ++i) {
    if (i == bytes.size()) return {i, false};
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const unsigned char least = i == 1 ? promised.second_min : 0x80;
    const unsigned char most = i == 1 ? promised.second_max : 0xBF;
    if (byte < least || byte > most) return {i, false};
  }
  return {promised.length, true};
}

std::size_t ascii_prefix(std::string_view bytes) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof eight <= bytes.size(); at += sizeof eight) {
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

}  // namespace

std::size_t valid_utf8_prefix(std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    at += ascii_prefix(bytes.substr(at));
    // Where one character is outside ASCII the next one probably is too.
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) >= 0x80) {
      const Part part = first_part(bytes.substr(at));
      if (!part.valid) return at;
      at += part.length;
    }
    if (at == bytes.size()) return at;
  }
}

std::size_t ill_formed_prefix(std::string_view bytes) {
  CUTLINE_ASSERT(!bytes.empty());
  const Part part = first_part(bytes);
  CUTLINE_ASSERT(!part.valid);
  return part.length;
}

bool is_valid_utf8(std::string_view bytes) { return valid_utf8_prefix(bytes) == bytes.size(); }

Utf8Repair repair_utf8(std::string_view bytes) {
  Utf8Repair repaired;
  repaired.text.reserve(bytes.size());
  std::size_t at = 0;
  while (true) {
    const std::size_t valid = valid_utf8_prefix(bytes.substr(at));
    repaired.text.append(bytes, at, valid);
    at += valid;
    if (at == bytes.size()) return repaired;
    repaired.invalid_at.push_back(at);
    repaired.text += kReplacementCharacter;
    at += ill_formed_prefix(bytes.substr(at));
  }
}

void append_utf8(std::string& out, char32_t code_point) {
  CUTLINE_ASSERT(code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF));
  const auto tail = [code_point](unsigned shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += {static_cast<char>(0xC0 | (code_point >> 6)), tail(0)};
  } else if (code_point < 0x10000) {
    out += {static_cast<char>(0xE0 | (code_point >> 12)), tail(6), tail(0)};
  } else {
    out += {static_cast<char>(0xF0 | (code_point >> 18)), tail(12), tail(6), tail(0)};
  }
}

}  // namespace cutline
