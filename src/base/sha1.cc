// sha1.cc: SHA-1 as FIPS 180-4 writes it down, section 6.1; own code for the reason that sha256.cc
// gives.
#include "base/sha1.h"

#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/fips180.h"

namespace cutline {
namespace {

using State = std::array<std::uint32_t, 5>;

/// Function and constant of round t (sections 4.1.1 and 4.2.1).
std::uint32_t mixed(std::size_t t, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

void add_block(State& state, std::string_view block) {
  std::array<std::uint32_t, 80> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = sha_word(block, t);
  for (std::size_t t = 16; t < w.size(); ++t)
    w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  auto [a, b, c, d, e] = state;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const std::uint32_t next = std::rotl(a, 5) + mixed(t, b, c, d) + e + w[t];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  const State added = {a, b, c, d, e};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::string sha1_hex(std::string_view bytes) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  each_sha_block(bytes, [&state](std::string_view block) { add_block(state, block); });
  std::string hex;
  for (const std::uint32_t word : state) hex += fmt::format("{:08x}", word);
  return hex;
}

}  // namespace cutline
