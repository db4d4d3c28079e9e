// limits.h: the bounds of what the lab can be told to be; far beyond what any client takes.
#pragma once

#include <chrono>
#include <cstddef>

namespace cutline::lab {

inline constexpr std::size_t kSampleUnitsMax = std::size_t{64} << 20;  // of one sample text
inline constexpr std::size_t kToolsMax = 100'000;
inline constexpr std::size_t kTextBytesMax = std::size_t{512}
                                             << 20;  // of all tool descriptions together
inline constexpr std::chrono::milliseconds kDelayMax = std::chrono::hours(24);

/// How long the line of the fault "huge" is, with its line feed: below the 10 MiB a line that the
/// TypeScript SDKs take, and far above what anybody expects.
inline constexpr std::size_t kHugeLineBytes = 10'000'000;

}  // namespace cutline::lab
