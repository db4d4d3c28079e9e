// number.h: numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutline {

/// 3811 -> "3,811".
std::string with_separators(std::int64_t number);

/// percent(3811, 5859) -> "65.0 %": one decimal, rounded half up, but 100.0 % only
/// of all; "0.0 %" of nothing.
std::string percent(std::uint64_t part, std::uint64_t whole);

/// count(1, "tool") -> "1 tool", count(1200, "tool") -> "1,200 tools".
std::string count(std::uint64_t number, std::string_view noun);

}  // namespace cutline
