// log.h: what the lab remembers of a conversation: one JSON object a line.
//
// A client may start the server twice and kill the first, and several servers may write to one
// file, so every record says which process it is from and stands alone. The host opens the file for
// appending and writes what it gets here with one write() at once, before it goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutline::lab {

enum class Direction { kReceived, kSent };

struct LogEntry {
  std::chrono::system_clock::time_point time;
  std::int64_t pid = 0, parent_pid = 0;
  Direction direction = Direction::kReceived;
};

/// The records of one or more whole lines that were received or sent together (an action's bytes,
/// say), each with its line feed. docs/lab.md describes the members.
std::string log_records(const LogEntry& entry, std::string_view lines);

}  // namespace cutline::lab
