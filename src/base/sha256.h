// sha256.h: the hash that names texts and makes their codewords (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cutline {

std::array<std::byte, 32> sha256(std::string_view bytes);

/// The same in lower-case hex.
std::string sha256_hex(std::string_view bytes);

}  // namespace cutline
