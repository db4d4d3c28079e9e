// number.cc: thousands separators and percentages, independent of the locale.
#include "base/number.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cutline {

std::string with_separators(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  std::uint64_t tenths =
      whole == 0 ? 0 : static_cast<std::uint64_t>(std::llround(part * 1000.0L / whole));
  if (part < whole) tenths = std::min<std::uint64_t>(tenths, 999);  // nearly all is not all
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

std::string count(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_separators(static_cast<std::int64_t>(number)), noun,
                     number == 1 ? "" : "s");
}

}  // namespace cutline
