// interview.h: a client that asks a server everything we want to know, in one or both eras.
//
// A pure state machine over the lives of a server process: bytes and times in, bytes to send and a
// wish out. The driver (run/audit) owns the process and the clock; tests script both.
//
// The way: probe with server/discover as the first message; a good DiscoverResult means modern:
// list everything with the version in _meta. Any other answer, silence or nonsense means legacy:
// initialize, initialized, lists. An exit means a new process, which gets initialize first. In
// EraWish::kBoth a modern server is then asked initialize as well, on the same process if it takes
// it, else in a second one. (MCP 2026-07-28, "Transports: stdio" and "Versioning"; the traps that
// real servers set are in docs/protocol.md.)
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/limits.h"
#include "mcp/offer.h"

namespace cutline::mcp {

using Time = std::chrono::steady_clock::time_point;

enum class EraWish { kAuto, kBoth, kLegacy, kModern };
std::string_view name(EraWish wish);
std::optional<EraWish> era_wish_named(std::string_view name);

struct InterviewOptions {
  EraWish era = EraWish::kBoth;
  Limits limits;
};

class Interview {
 public:
  Interview(InterviewOptions options, Time now);
  Interview(Interview&&) noexcept;
  Interview& operator=(Interview&&) noexcept;
  ~Interview();

  enum class Wants {
    kGoOn,     // send take_output(), then wait for input or deadline()
    kRestart,  // end this process, start a new one, call started()
    kDone,     // end this process; the offer is complete
  };
  Wants wants() const;

  /// Bytes for the server's standard input; empty if there is nothing to send.
  std::string take_output();
  /// When to call tick() if nothing else happens before.
  Time deadline() const;

  // What happened. Each may change wants().
  void started(Time now);
  void received(std::string_view bytes, Time now);
  /// The server has not taken what we wrote (nothing is lost; it is told so that silence can be
  /// named: "never-reads").
  void blocked(std::size_t bytes_waiting);
  /// Its standard output ended. `exit` is known if the process ended too.
  void ended(std::optional<Exit> exit, Time now);
  void tick(Time now);

  /// The offer so far; complete once wants() is kDone. Leaves the interview empty.
  Offer take_offer(Time now);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cutline::mcp
