// shim.h: standing between a client and its server, and writing down what they say.
//
// The client is told to start `cutline shim … -- COMMAND`, which starts the server and hands every
// byte on at once, unchanged, in both directions. What was said is appended to a log, a JSON object
// a line; several shims may write to one log.
//
// With a socket the server is not started here but by whoever listens there (ShimHost): the shim
// then stands in the client's sandbox, and the server outside of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/offer.h"
#include "store/evidence.h"
#include "sys/loop.h"
#include "sys/process.h"

namespace cutline::run {

struct ShimOptions {
  std::string server;  // its name in the client's configuration
  std::string log_file;
  std::optional<std::string> socket;
  sys::Command command;  // not with a socket
};

/// Until the server or its client ends; the exit code is the server's (128 + the signal's number).
/// Signals that end us end the server first.
Result<int> run_shim(const ShimOptions& options);

/// Starts a server for each shim that connects, outside of any sandbox.
class ShimHost {
 public:
  /// Problem "sys.listen".
  static Result<std::unique_ptr<ShimHost>> start(sys::Loop& loop, const std::string& socket,
                                                 sys::Command command);
  ~ShimHost();  // ends the servers, too

 private:
  struct Impl;
  explicit ShimHost(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads a log, in order of time; at_us is since `start_us` (CLOCK_MONOTONIC, as in the log). A
/// last line that was cut short is left out. Problem "run.shim_log" with the line.
Result<std::vector<store::Message>> read_shim_log(std::string_view log, std::int64_t start_us);

/// What the server sent in that run: instructions of both eras and tools, by the answers to
/// initialize, server/discover and the lists. Of a server that was started several times, what it
/// said last to each question.
Result<mcp::Offer> recorded_offer(const std::vector<store::Message>& messages,
                                  std::string_view server);

/// What the client asked first and then, and how long until it had the text, for the delivery.
struct RecordedHandshake {
  std::string handshake;  // "server/discover, then initialize"
  std::size_t process_starts = 0;
  std::optional<mcp::Era> era;           // whose answer the client went on with
  std::optional<std::int64_t> ready_us;  // the answer that the client took, since the start
  std::optional<std::string> offers;     // the version that the client named last in initialize
};
RecordedHandshake recorded_handshake(const std::vector<store::Message>& messages,
                                     std::string_view server);

}  // namespace cutline::run
