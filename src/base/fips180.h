// fips180.h: what SHA-1 and SHA-256 have in common (FIPS 180-4, section 5.1.1). Internal to base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutline {

inline constexpr std::size_t kShaBlockBytes = 64;

/// The big-endian word of a block at that index.
inline std::uint32_t sha_word(std::string_view block, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word = (word << 8) | static_cast<unsigned char>(block[4 * index + i]);
  return word;
}

/// Every block of the padded message: one bit, zeros, and the length in bits as the last eight
/// bytes.
template <class AddBlock>
void each_sha_block(std::string_view bytes, AddBlock add_block) {
  const std::size_t whole = bytes.size() / kShaBlockBytes * kShaBlockBytes;
  for (std::size_t at = 0; at < whole; at += kShaBlockBytes)
    add_block(bytes.substr(at, kShaBlockBytes));
  std::string tail(bytes.substr(whole));
  tail += '\x80';
  while (tail.size() % kShaBlockBytes != kShaBlockBytes - 8) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    tail += static_cast<char>(static_cast<unsigned char>(bits >> shift));
  for (std::size_t at = 0; at < tail.size(); at += kShaBlockBytes)
    add_block(std::string_view(tail).substr(at, kShaBlockBytes));
}

}  // namespace cutline
