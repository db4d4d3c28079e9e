// sha1.h: the hash with which some clients make tool names unique (FIPS 180-4). Not for secrets.
#pragma once

#include <string>
#include <string_view>

namespace cutline {

/// 40 digits of lower-case hex.
std::string sha1_hex(std::string_view bytes);

}  // namespace cutline
