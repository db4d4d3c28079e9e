// limits.h: the bounds of a conversation with a server. All can be lowered in tests.
#pragma once

#include <chrono>
#include <cstddef>

namespace cutline::mcp {

struct Limits {
  std::size_t message_bytes_max = std::size_t{64} << 20;  // --max-message
  /// A value takes 16 bytes, however short it is in the message.
  std::size_t message_values_max = std::size_t{4} << 20;
  std::size_t message_levels_max = 512;                // of nesting
  std::chrono::milliseconds probe_timeout{10'000};     // --probe-timeout
  std::chrono::milliseconds total_timeout{60'000};     // --timeout
  std::size_t pages_max = 1'000;                       // of one list
  std::size_t list_bytes_max = std::size_t{64} << 20;  // of all pages of one list
  std::size_t tools_max = 10'000;                      // that are read, good or bad
  std::size_t listed_max = 10'000;                     // the same for each of the other lists
  std::size_t noise_lines_max = 10'000;  // lines that answer nothing, then we stop listening
  std::size_t noise_bytes_max = std::size_t{64} << 20;  // the same in bytes
  /// How long we still wait for a proper answer after something that was meant to be one.
  std::chrono::milliseconds doubt_grace{500};
  /// The same for a program that sends back what it is sent: a server behind a terminal that echoes
  /// answers as well, once it has started.
  std::chrono::milliseconds echo_grace{2'000};
  /// How long a modern server may take over `initialize` before a second process is asked.
  std::chrono::milliseconds second_handshake_timeout{3'000};
};

inline constexpr std::size_t kStderrTailBytes = 16 << 10;

}  // namespace cutline::mcp
