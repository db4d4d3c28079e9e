// handshake.cc: which of a server's answers a client uses, and when it has them.
//
// The offer says how the server answered server/discover as the first message; the profile says
// what the client sends first and what it does after each kind of answer.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/behaviour.h"

namespace cutline::delivery {
namespace {

constexpr std::string_view kDiscover = "server/discover";
constexpr std::string_view kInitialize = "initialize";

/// The key of the fact handshake.probe for an answer; empty where the answer is a modern one.
std::string_view probe_key(const mcp::Probe& probe) {
  switch (probe.answer) {
    case mcp::ProbeAnswer::kNotAsked:
    case mcp::ProbeAnswer::kModern:
      return {};
    case mcp::ProbeAnswer::kOtherVersion:
      return probe.error_code ? "refused_other_version" : "result_without_ours";
    case mcp::ProbeAnswer::kLegacyOnly:
      return probe.error_code ? "refused_legacy_version" : "result_without_ours";
    case mcp::ProbeAnswer::kError:
      return "error";
    case mcp::ProbeAnswer::kWrongShape:
      return "wrong_shape";
    case mcp::ProbeAnswer::kSilence:
      return "silence";
    case mcp::ProbeAnswer::kExit:
      return "exit";
    case mcp::ProbeAnswer::kNonsense:
      return "nonsense";
  }
  return {};
}

Connection failed(Connection connection, std::string reason) {
  connection.connected = false;
  connection.reason = std::move(reason);
  return connection;
}

Connection unknown(Connection connection, std::string reason) {
  connection.known = false;
  connection.connected = false;
  connection.reason = std::move(reason);
  return connection;
}

/// Milliseconds from the start of the process to the answer of initialize, without the time that
/// our own probe waited.
std::optional<double> initialize_ms(const mcp::Offer& offer) {
  if (!offer.times.handshake) return std::nullopt;
  const bool waited = offer.probe.answer == mcp::ProbeAnswer::kSilence;
  return offer.times.handshake->count() - (waited ? offer.probe.elapsed.count() : 0);
}

/// After that time the client surely waits no more.
bool is_given_up(const Behaviour& behaviour, const std::optional<double>& ready_ms) {
  const config::Node* wait = behaviour.value("wait.startup");
  const config::Node* limit = wait ? wait->find("gives_up_ms") : nullptr;
  return limit && ready_ms && *ready_ms > static_cast<double>(limit->elements.back().integer);
}

/// Some clients try a silent server once more.
void start_again(const Behaviour& behaviour, Connection& connection) {
  const auto starts = behaviour.integer("wait.startup", "gives_up_starts");
  if (starts) connection.process_starts = static_cast<std::size_t>(*starts);
}

Connection by_initialize(Connection connection, const Behaviour& behaviour,
                         const mcp::Offer& offer) {
  if (!offer.legacy) {
    if (!offer.times.first_answer) start_again(behaviour, connection);
    return failed(
        std::move(connection),
        fmt::format("{} asks initialize, and the server has no answer to it", behaviour.program()));
  }
  const std::string_view odd = behaviour.text("instructions.odd", "wrong_type");
  if (offer.legacy->instructions_wrong_type && odd == "connection-fails") {
    return failed(std::move(connection),
                  fmt::format("the instructions are {}, so the client refuses the whole answer",
                              *offer.legacy->instructions_wrong_type));
  }
  connection.era = mcp::Era::kLegacy;
  connection.ready_ms = initialize_ms(offer);
  if (is_given_up(behaviour, connection.ready_ms)) start_again(behaviour, connection);
  return connection;
}

Connection by_discover(Connection connection, const Behaviour& behaviour, const mcp::Offer& offer) {
  const std::string_view key = probe_key(offer.probe);
  if (key.empty() && offer.modern) {
    const std::string_view odd = behaviour.text("instructions.odd", "wrong_type");
    if (offer.modern->instructions_wrong_type && odd == "connection-fails") {
      return failed(std::move(connection),
                    fmt::format("the instructions are {}, so the client refuses the whole answer",
                                *offer.modern->instructions_wrong_type));
    }
    connection.era = mcp::Era::kModern;
    if (behaviour.text("handshake.probe", "answered") == "restart") connection.process_starts = 2;
    if (offer.times.probe) connection.ready_ms = offer.times.probe->count();
    return connection;
  }
  // An offer that was read from a dump does not say how the probe was answered: with an error, as
  // nearly all servers of one era do.
  const std::string_view next = behaviour.text("handshake.probe", key.empty() ? "error" : key);
  connection.because.push_back(behaviour.fact("handshake.probe"));
  if (next.empty()) {
    connection.handshake = fmt::format("{}, perhaps {} after it", kDiscover, kInitialize);
    return unknown(std::move(connection),
                   fmt::format("what {} does after this answer to {} is not known",
                               behaviour.program(), kDiscover));
  }
  if (next == "fails") {
    return failed(std::move(connection), fmt::format("{} gives up after this answer to {}",
                                                     behaviour.program(), kDiscover));
  }
  connection.handshake = fmt::format("{}, then {}", kDiscover, kInitialize);
  if (next == "restart") connection.process_starts = 2;
  connection = by_initialize(std::move(connection), behaviour, offer);
  const config::Node* probe = behaviour.value("handshake.probe");
  const config::Node* silence = probe ? probe->find("silence_ms") : nullptr;
  const bool waits = key == "silence" && silence && !silence->elements.empty();
  if (connection.ready_ms && waits)
    *connection.ready_ms += static_cast<double>(silence->elements.back().integer);
  return connection;
}

Connection by(std::string_view method, const Behaviour& behaviour, const mcp::Offer& offer) {
  Connection connection;
  connection.handshake = method;
  connection.because.push_back(behaviour.fact("handshake.first"));
  return method == kDiscover ? by_discover(std::move(connection), behaviour, offer)
                             : by_initialize(std::move(connection), behaviour, offer);
}

/// The method that a variable of the user asks for; empty if none does.
std::string_view method_by_variable(const Behaviour& behaviour) {
  const config::Node* variables = behaviour.value("handshake.variables");
  if (!variables) return {};
  for (const config::Node& variable : variables->elements) {
    if (behaviour.variable(variable.find("name")->string) == variable.find("value")->string)
      return variable.find("method")->string;
  }
  return {};
}

/// Has the user switched off the wait for servers?
bool no_wait(const Behaviour& behaviour) {
  const std::string_view name = behaviour.text("wait.variable", "name");
  return behaviour.truth("wait.variable", "honoured").value_or(false) &&
         behaviour.variable(name) == behaviour.text("wait.variable", "value");
}

/// Instructions then never come with the first request; the tools of a fast server may.
Arrival arrival_without_wait(const Behaviour& behaviour, Channel channel,
                             const std::optional<double>& ready_ms) {
  const std::int64_t late_ms = behaviour.integer("wait.variable", "late_ms").value_or(0);
  const std::int64_t request = behaviour.integer("wait.variable", "request").value_or(1);
  const bool late = ready_ms && *ready_ms >= static_cast<double>(late_ms);
  if (channel == Channel::kInstructions || late) {
    return {.state = State::kInRequest,
            .request = static_cast<std::size_t>(request),
            .reason = fmt::format(
                "the client does not wait for servers: request {} at the earliest", request)};
  }
  return {.state = State::kUnknown,
          .reason = "without the wait, tools of a server that is ready in less than " +
                    with_separators(late_ms) + " ms may come with the first request or later"};
}

bool same_text(const mcp::EraOffer& a, const mcp::EraOffer& b) {
  if (a.instructions.has_value() != b.instructions.has_value()) return false;
  if (a.instructions && a.instructions->value != b.instructions->value) return false;
  return std::ranges::equal(a.tools, b.tools, [](const mcp::Tool& x, const mcp::Tool& y) {
    const auto text = [](const mcp::Tool& tool) {
      return tool.description ? std::string_view(tool.description->value) : std::string_view();
    };
    return x.name == y.name && text(x) == text(y);
  });
}

/// On a terminal, with a prompt given at the start.
Arrival interactive_arrival(const Behaviour& behaviour) {
  const auto request = behaviour.integer("wait.interactive", "request");
  if (!request) {
    return {.state = State::kUnknown,
            .reason = fmt::format("which request of {} on a terminal comes after its servers are "
                                  "ready is not known",
                                  behaviour.program())};
  }
  return {.state = State::kInRequest,
          .request = static_cast<std::size_t>(*request),
          .reason = fmt::format("{} on a terminal does not wait for its servers before a prompt "
                                "that it is started with",
                                behaviour.program())};
}

}  // namespace

Connection connect(const Behaviour& behaviour, const mcp::Offer& offer) {
  std::string_view method = method_by_variable(behaviour);
  if (method.empty()) method = behaviour.text("handshake.first", "method");
  if (!method.empty()) return by(method, behaviour, offer);

  // Which one comes first is not known; it need not be, if both lead to the same.
  Connection legacy = by(kInitialize, behaviour, offer);
  const Connection modern = by(kDiscover, behaviour, offer);
  const bool falls_back = !offer.modern && (offer.probe.answer == mcp::ProbeAnswer::kError ||
                                            offer.probe.answer == mcp::ProbeAnswer::kNotAsked);
  const bool same = offer.modern && offer.legacy && same_text(*offer.modern, *offer.legacy);
  const bool alike = legacy.connected && modern.connected && modern.era == legacy.era;
  if (falls_back || alike || (legacy.connected && same)) {
    legacy.handshake = fmt::format("{}, perhaps {} before it", kInitialize, kDiscover);
    return legacy;
  }
  return unknown(std::move(legacy),
                 fmt::format("whether {} asks {} or {} first is not known for this kind of "
                             "session, and it makes a difference to this server",
                             behaviour.program(), kInitialize, kDiscover));
}

Arrival arrival(const Behaviour& behaviour, Channel channel,
                const std::optional<double>& ready_ms) {
  const std::string ms =
      ready_ms ? with_separators(static_cast<std::int64_t>(*ready_ms)) : std::string();
  const std::optional<std::int64_t> sure_ms = behaviour.integer("wait.startup", "sure_ms");
  const config::Node* wait = behaviour.value("wait.startup");
  const config::Node* limit = wait ? wait->find("gives_up_ms") : nullptr;
  const bool over = ready_ms && sure_ms && *ready_ms > static_cast<double>(*sure_ms);
  if (over && limit && *ready_ms > static_cast<double>(limit->elements.back().integer)) {
    return {.state = State::kNever,
            .never = Never::kTooLate,
            .reason = fmt::format("{} gives up after {} ms at the most; this server needs {} ms",
                                  behaviour.program(),
                                  with_separators(limit->elements.back().integer), ms)};
  }
  if (behaviour.situation().interactive) return interactive_arrival(behaviour);
  const bool instructions = channel == Channel::kInstructions;
  const auto later =
      behaviour.integer("wait.startup", instructions ? "later_request" : "later_tools_request");
  const auto late_ms = behaviour.integer("wait.startup", "late_ms");
  const bool late = over && (!late_ms || *ready_ms >= static_cast<double>(*late_ms));
  if (late && later) {
    return {.state = State::kInRequest,
            .never = Never::kNo,
            .request = static_cast<std::size_t>(*later),
            .reason = fmt::format("{} waits some {} ms before its first request; this server needs "
                                  "{} ms and comes later",
                                  behaviour.program(), with_separators(*sure_ms), ms)};
  }
  if (over) {
    return {.state = State::kUnknown,
            .reason = fmt::format("whether {} waits {} ms for a server is not known",
                                  behaviour.program(), ms)};
  }
  return no_wait(behaviour) ? arrival_without_wait(behaviour, channel, ready_ms) : Arrival{};
}

}  // namespace cutline::delivery
