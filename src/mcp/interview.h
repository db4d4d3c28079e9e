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

/// kAuto: as a client of both eras does. kBoth: the same, then the other era too. kLegacy: only
/// initialize. kModern: only server/discover, with all the time there is to answer it.
enum class EraWish { kAuto, kBoth, kLegacy, kModern };
std::string_view name(EraWish wish);  // "auto", "both", "legacy", "modern"
std::optional<EraWish> era_wish_named(std::string_view name);

struct InterviewOptions {
  EraWish era = EraWish::kBoth;
  Limits limits;
};

class Interview {
 public:
  /// The first process starts at `now`, with output to take; started() is for those after it.
  Interview(InterviewOptions options, Time now);
  Interview(Interview&&) noexcept;
  Interview& operator=(Interview&&) noexcept;
  Interview(const Interview&) = delete;
  Interview& operator=(const Interview&) = delete;
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

  // What happened. Each may change wants(). Only started() and tick() mean anything while a restart
  // is wanted, and nothing once all is done.
  void started(Time now);
  void received(std::string_view bytes, Time now);
  /// The server has not taken what we wrote (nothing is lost; it is told so that silence can be
  /// named: "never-reads"). 0 when it has.
  void blocked(std::size_t bytes_waiting);
  /// Its standard output ended. `exit` is known if the process ended too; as that usually comes a
  /// moment later, the driver waits a little for it.
  void ended(std::optional<Exit> exit, Time now);
  void tick(Time now);

  /// The offer so far; complete once wants() is kDone. Leaves the interview empty: it may only be
  /// destroyed or assigned to. The command and the standard error are the driver's to add.
  Offer take_offer(Time now);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace cutline::mcp
