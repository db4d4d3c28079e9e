// scripted_server.h: a server of a few lines, and a driver that holds an interview with it on a
// clock of its own.
//
// A server is a table from method to reaction: what it writes, how much later, whether it ends.
// Nothing runs, nothing waits: sixty seconds of silence take no time.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/interview.h"
#include "wire/jsonrpc.h"

namespace cutline::scripted {

using std::chrono::milliseconds;

struct Call {
  std::size_t life = 1;      // of the process
  std::size_t position = 1;  // among the messages of this life
  std::string id, method;    // the id as a JSON token
  std::string line;          // all of it, without the line feed
};

struct Action {
  milliseconds after{0};  // the one before it
  std::string bytes;
  std::optional<mcp::Exit> exit;
  bool closes = false;  // standard output ends, with `exit` or without
};
using Actions = std::vector<Action>;
using Reaction = std::function<Actions(const Call&)>;

inline Reaction raw(std::string bytes) {
  return [bytes = std::move(bytes)](const Call&) { return Actions{{.bytes = bytes, .exit = {}}}; };
}
inline Reaction line(const std::string& text) { return raw(text + "\n"); }
inline Reaction silence() {
  return [](const Call&) { return Actions{}; };
}
inline Reaction result(std::string json) {
  return [json = std::move(json)](const Call& call) {
    return Actions{{.bytes = wire::result_line(call.id, json), .exit = {}}};
  };
}
inline Reaction error(std::int64_t code, std::string data = {}, std::string message = "no") {
  return [=](const Call& call) {
    return Actions{{.bytes = wire::error_line(call.id, code, message, data), .exit = {}}};
  };
}
inline Reaction exits(int code) {
  return [code](const Call&) {
    return Actions{{.bytes = {}, .exit = mcp::Exit{.code = code, .signal = {}}, .closes = true}};
  };
}
inline Reaction closes() {
  return [](const Call&) { return Actions{{.bytes = {}, .exit = {}, .closes = true}}; };
}
/// One after the other.
inline Reaction then(Reaction first, Reaction second) {
  return [=](const Call& call) {
    Actions actions = first(call);
    for (Action& action : second(call)) actions.push_back(std::move(action));
    return actions;
  };
}
inline Reaction late(milliseconds after, Reaction reaction) {
  return [=](const Call& call) {
    Actions actions = reaction(call);
    if (!actions.empty()) actions.front().after += after;
    return actions;
  };
}
/// Another reaction in lives after the first.
inline Reaction in_first_life(Reaction first, Reaction later) {
  return [=](const Call& call) { return call.life == 1 ? first(call) : later(call); };
}

struct Server {
  std::map<std::string, Reaction, std::less<>> on;
  Reaction otherwise = error(-32601);
  std::string at_start;           // written before anything is asked
  std::optional<mcp::Exit> dead;  // ends at once, without reading
  bool echoes = false;

  Actions react(const Call& call) const {
    if (echoes) return {{.bytes = call.line + "\n", .exit = {}}};
    if (call.id.empty() || call.method.empty()) return {};  // a notification or an answer
    const auto found = on.find(call.method);
    return found == on.end() ? otherwise(call) : found->second(call);
  }
};

/// What came of an interview.
struct Held {
  mcp::Offer offer;
  std::vector<std::string> sent;  // "1:server/discover": life and method of all that we sent
  std::vector<std::string> lines;
  bool finished = true;  // false: it would have gone on for ever
};

class Driver {
 public:
  Driver(const Server& server, const mcp::InterviewOptions& options, bool bytewise)
      : server_(server), bytewise_(bytewise), interview_(options, now_) {}

  Held hold() {
    begin_life();
    for (int step = 0; step < 200'000; ++step) {
      using enum mcp::Interview::Wants;
      if (interview_.wants() == kDone) break;
      if (interview_.wants() == kRestart) {
        now_ += milliseconds(7);
        interview_.started(now_);
        ++life_;
        begin_life();
      }
      write(interview_.take_output());
      go_on();
    }
    held_.finished = interview_.wants() == mcp::Interview::Wants::kDone;
    held_.offer = interview_.take_offer(now_);
    return std::move(held_);
  }

 private:
  void begin_life() {
    coming_.clear();
    last_ = now_;
    position_ = 0;
    if (!server_.at_start.empty()) schedule({.bytes = server_.at_start, .exit = {}});
    if (server_.dead)
      schedule({.after = milliseconds(20), .bytes = {}, .exit = server_.dead, .closes = true});
  }

  void schedule(Action action) {
    last_ = std::max(last_, now_) + action.after;
    coming_.push_back({last_, std::move(action)});
  }

  void write(std::string_view output) {
    while (!output.empty()) {
      const std::size_t feed = output.find('\n');
      Call call{.life = life_,
                .position = ++position_,
                .id = {},
                .method = {},
                .line = std::string(output.substr(0, feed))};
      output.remove_prefix(feed + 1);
      const wire::Message message = wire::parse_line(call.line).at(0);
      call.id = message.id;
      call.method = message.method;
      held_.lines.push_back(call.line);
      held_.sent.push_back(std::to_string(life_) + ":" +
                           (call.method.empty() ? std::string("answer") : call.method));
      if (server_.dead) continue;
      for (Action& action : server_.react(call)) schedule(std::move(action));
    }
  }

  /// The next thing that happens: something comes, or the time is over.
  void go_on() {
    if (coming_.empty() || coming_.front().first > interview_.deadline()) {
      now_ = std::max(now_, interview_.deadline());
      interview_.tick(now_);
      return;
    }
    const auto [when, action] = std::move(coming_.front());
    coming_.pop_front();
    now_ = std::max(now_, when);
    if (!bytewise_) interview_.received(action.bytes, now_);
    for (std::size_t i = 0; bytewise_ && i < action.bytes.size(); ++i)
      interview_.received(std::string_view(action.bytes).substr(i, 1), now_);
    if (action.closes) interview_.ended(action.exit, now_);
  }

  const Server& server_;
  bool bytewise_;
  mcp::Time now_{};
  mcp::Time last_{};
  std::size_t life_ = 1, position_ = 0;
  std::deque<std::pair<mcp::Time, Action>> coming_;
  mcp::Interview interview_;
  Held held_;
};

inline Held hold(const Server& server, const mcp::InterviewOptions& options = {},
                 bool bytewise = false) {
  return Driver(server, options, bytewise).hold();
}

// --- A good server, to start from ---------------------------------------------------------------

inline constexpr std::string_view kTools =
    R"({"tools":[{"name":"lookup_part","description":"Finds a part.",)"
    R"("inputSchema":{"type":"object"}}]})";

/// `instructions` is a JSON text, or empty for none.
inline std::string initialize_result(std::string_view version, std::string_view instructions,
                                     std::string_view capabilities = R"({"tools":{}})") {
  std::string json = R"({"protocolVersion":")" + std::string(version) + R"(","capabilities":)" +
                     std::string(capabilities) +
                     R"(,"serverInfo":{"name":"shelf","version":"1.2"})";
  if (!instructions.empty()) json += R"(,"instructions":)" + std::string(instructions);
  return json + "}";
}

/// `versions` is a JSON array.
inline std::string discover_result(std::string_view versions, std::string_view instructions,
                                   std::string_view capabilities = R"({"tools":{}})") {
  std::string json = R"({"resultType":"complete","supportedVersions":)" + std::string(versions) +
                     R"(,"capabilities":)" + std::string(capabilities) +
                     R"(,"ttlMs":0,"cacheScope":"private","_meta":)"
                     R"({"io.modelcontextprotocol/serverInfo":{"name":"shelf","version":"1.2"}})";
  if (!instructions.empty()) json += R"(,"instructions":)" + std::string(instructions);
  return json + "}";
}

inline Server legacy_server() {
  Server server;
  server.on["initialize"] = result(initialize_result("2025-11-25", R"("the legacy text")"));
  server.on["tools/list"] = result(std::string(kTools));
  return server;
}

inline Server modern_server() {
  Server server;
  server.on["server/discover"] =
      result(discover_result(R"(["2026-07-28"])", R"("the modern text")"));
  server.on["initialize"] =
      error(-32022, R"({"supported":["2026-07-28"],"requested":"2025-11-25"})");
  server.on["tools/list"] = result(std::string(kTools));
  return server;
}

/// Locks to no era.
inline Server dual_server() {
  Server server = modern_server();
  server.on["initialize"] = legacy_server().on["initialize"];
  return server;
}

}  // namespace cutline::scripted
