// program.h: cutline as one function, so that main.cc has nothing to get wrong.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutline::cli {

/// The same as the project's version in CMakeLists.txt (program_test.cc holds it to that).
inline constexpr std::string_view kProgramVersion = "0.1.0";

/// `words` are the command line without the program's name. Gives the exit code; throws nothing.
int run_program(std::span<const std::string> words) noexcept;

}  // namespace cutline::cli
