// server.cc: a line in, its answers out, with the faults and delays that the settings ask for.
#include "lab/server.h"

#include <algorithm>

#include <fmt/format.h>

#include "lab/answer.h"
#include "lab/limits.h"
#include "lab/methods.h"
#include "wire/jsonrpc.h"

namespace cutline::lab {
namespace {

using std::chrono::milliseconds;
using wire::Message;
using wire::MessageKind;

constexpr int kFaultExitCode = 1;

/// What careless servers print before they speak: a banner, a log line for people, and one for
/// machines, which is JSON and yet no message.
constexpr std::string_view kNoise =
    "The lab is open.\n"
    "[info] lab: waiting for messages on standard input\n"
    R"({"level":30,"name":"lab","msg":"3 plugins loaded"})"
    "\n";

Action send(std::string bytes, milliseconds after) {
  return {.kind = Action::Kind::kSend, .after = after, .bytes = std::move(bytes)};
}

Action exit_with(int code, milliseconds after) {
  return {.kind = Action::Kind::kExit, .after = after, .bytes = {}, .exit_code = code};
}

template <class T>
const T* find(const std::map<std::string, T, std::less<>>& map, std::string_view key) {
  const auto at = map.find(key);
  return at == map.end() ? nullptr : &at->second;
}

/// An id that the client did not give to this request.
std::string_view wrong_id(std::string_view right) {
  return right == "999999999" ? "999999998" : "999999999";
}

/// The answer with its line padded to the length of the fault "huge"; longer ones stay as they are.
std::string huge_line(const Answer& right, const Settings& settings, std::string_view id) {
  std::string line = answer_line(right, settings, id, 1);
  if (line.size() >= kHugeLineBytes) return line;
  return answer_line(right, settings, id, 1 + kHugeLineBytes - line.size());
}

Answer fault_error(const Settings& settings, const Fault& fault, const Message& request) {
  if (fault.error_code == wire::error_code::kUnsupportedProtocolVersion)
    return unsupported_version(settings.eras, requested_version(request));
  Answer made;
  made.is_error = true;
  made.code = fault.error_code;
  made.message = "The lab was told to answer this";
  return made;
}

/// What is written instead of the right answer; nothing for a fault that writes nothing.
std::string faulty_bytes(const Settings& settings, const Texts& texts, const Fault& fault,
                         const Message& request) {
  const auto right = [&] { return answer(settings, texts, request); };
  switch (fault.kind) {
    case FaultKind::kExit:
    case FaultKind::kHang:
      return {};
    case FaultKind::kMalformed: {
      std::string line = answer_line(right(), settings, request.id);
      line.erase(line.rfind('}'), 1);
      return line;
    }
    case FaultKind::kNoise:
      return std::string(kNoise) + answer_line(right(), settings, request.id);
    case FaultKind::kWrongId:
      return answer_line(right(), settings, wrong_id(request.id));
    case FaultKind::kNullId:
      return wire::error_line("null", wire::error_code::kInvalidRequest, "Invalid Request");
    case FaultKind::kHuge:
      return huge_line(right(), settings, request.id);
    case FaultKind::kError:
      return answer_line(fault_error(settings, fault, request), settings, request.id);
  }
  return {};
}

}  // namespace

struct Server::State {
  Settings settings;
  Texts texts;
  bool first = true;  // no message has come yet

  const Fault* fault_for(const Message& message);
  void receive(const Message& message, std::vector<Action>& actions);
};

/// The fault of "unknown-first" goes before that of the message's own method.
const Fault* Server::State::fault_for(const Message& message) {
  const bool unknown_first = std::exchange(first, false) && message.method != "initialize";
  const Fault* fault = unknown_first ? find(settings.faults, kUnknownFirst) : nullptr;
  return fault ? fault : find(settings.faults, message.method);
}

void Server::State::receive(const Message& message, std::vector<Action>& actions) {
  const bool is_request = message.kind == MessageKind::kRequest;
  if (!is_request && message.kind != MessageKind::kNotification) return;
  const Fault* fault = fault_for(message);
  const milliseconds* delay = find(settings.delays, message.method);
  const milliseconds after = delay ? *delay : milliseconds(0);

  if (fault && fault->kind == FaultKind::kExit) {
    actions.push_back(exit_with(kFaultExitCode, after));
    return;
  }
  if (is_request) {
    std::string bytes = fault ? faulty_bytes(settings, texts, *fault, message)
                              : answer_line(answer(settings, texts, message), settings, message.id);
    if (bytes.empty()) return;
    actions.push_back(send(std::move(bytes), after));
  }
  if (settings.exit_after == message.method) actions.push_back(exit_with(0, after));
}

Server::Server(Settings settings, Texts texts)
    : state_(std::make_unique<State>(State{std::move(settings), std::move(texts)})) {}

Server::~Server() = default;

std::vector<Action> Server::receive(std::string_view line) {
  std::vector<Action> actions;
  for (const Message& message : wire::parse_line(line)) state_->receive(message, actions);
  return actions;
}

}  // namespace cutline::lab
