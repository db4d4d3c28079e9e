// shim_log.h: writing down what passes a shim; shim.h reads it back.
//
// A JSON object a line, written at once, before what it tells of is passed on: a client may kill us
// as soon as it has what it wants. Members: at_us (CLOCK_MONOTONIC), server, pid, direction
// ("client", "server", "stderr", "started", "full", "ended"), line (without its line feed), or
// line_base64 where that is not UTF-8; cut_from_bytes where only the beginning is kept, unfinished
// where the stream ended before the line did; code or signal, or problem, of what has ended.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/files.h"
#include "sys/process.h"

namespace cutline::run {

/// Of a longer line only the beginning is kept; it passes whole.
inline constexpr std::size_t kRecordedLineBytesMax = std::size_t{16} << 20;
/// All that is kept of standard error.
inline constexpr std::size_t kRecordedErrorBytesMax = std::size_t{1} << 20;
/// All that a shim writes down of what is said; then it says that it is full.
inline constexpr std::size_t kRecordedBytesMax = std::size_t{128} << 20;

enum class Voice { kClient, kServer, kErrors };

class ShimLog {
 public:
  /// Problem "sys.file.write", as of everything here.
  static Result<ShimLog> open(const std::string& path, std::string_view server);

  Result<void> started(std::int64_t pid);
  /// Any part of a stream; lines are put together here.
  Result<void> heard(Voice voice, std::string_view bytes);
  /// The streams are over: writes down what is left of them, and how it ended.
  Result<void> ended(const Result<sys::ExitStatus>& status);

 private:
  /// A line that has not ended yet.
  struct Open {
    std::string bytes;       // as far as they are kept
    std::size_t length = 0;  // of all that came
  };

  ShimLog(sys::AppendFile file, std::string_view server);
  std::string end_line(Voice voice, bool finished);
  /// The records, as far as there is room for them all; otherwise the one that says so, once.
  std::string within_bound(std::string records);
  std::string head_of(std::string_view direction) const;

  sys::AppendFile file_;
  std::string server_;  // a JSON string
  std::int64_t pid_ = 0;
  std::array<Open, 3> open_;
  std::size_t error_bytes_ = 0;
  std::size_t recorded_bytes_ = 0;
  bool errors_full_ = false, full_ = false;
};

}  // namespace cutline::run
