// shim_frames.h: what a shim in a sandbox and the ShimHost outside of it say to each other.
//
// One socket carries what pipes, a process id and an exit status are to a shim that has its server
// below it. A frame is its kind, the length of what follows in four bytes (little-endian), and
// that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace cutline::run {

enum class FrameKind : char {
  // To the server.
  kInput = 'i',
  kInputEnds = 'e',
  kTerminate = 't',
  // From it.
  kStarted = 'p',  // the process id
  kOutput = 'o',
  kOutputEnds = 'c',
  kErrors = 'r',
  kEnded = 'x',   // how: "c0", "s9"
  kFailed = 'f',  // a Problem: it could not be started
};

struct Frame {
  FrameKind kind;
  std::string payload;
};

/// Nobody sends longer ones.
inline constexpr std::size_t kFramePayloadBytesMax = std::size_t{1} << 20;

std::string frame(FrameKind kind, std::string_view payload = {});

std::string to_payload(const sys::ExitStatus& status);
/// Nothing in it if it is no such payload.
sys::ExitStatus exit_status_of(std::string_view payload);
std::string to_payload(const Problem& problem);
Problem problem_of(std::string_view payload);

/// Bytes in, frames out, wherever they were cut.
class FrameReader {
 public:
  /// Appends the frames that `bytes` complete. Problem "run.shim_host" for what is none; after it
  /// nothing more can be read.
  Result<void> feed(std::string_view bytes, std::vector<Frame>& frames);

 private:
  std::string pending_;
};

}  // namespace cutline::run
