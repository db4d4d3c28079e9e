// punycode.h: Unicode in ASCII letters, as domain names have it (RFC 3492). Some clients write tool
// names so.
#pragma once

#include <string>
#include <string_view>

namespace cutline::text {

/// The encoding alone: no "xn--" before it, nothing folded or normalised. `utf8` is valid.
std::string punycode(std::string_view utf8);

}  // namespace cutline::text
