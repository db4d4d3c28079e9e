// session.cc: matching answers with requests, and telling everything else apart.
#include "mcp/session.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "mcp/requests.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

using wire::MessageKind;

std::optional<int> as_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// An id that names ours as a string: "1" for 1. Clients in JavaScript take it for the number.
std::optional<int> as_quoted_number(std::string_view id) {
  if (id.size() < 3 || id.front() != '"' || id.back() != '"') return std::nullopt;
  return as_number(id.substr(1, id.size() - 2));
}

/// A line that begins like one of JSON-RPC: a broken message rather than a stray print.
bool meant_as_message(std::string_view line) {
  return line.starts_with('{') && line.substr(0, 200).find("\"jsonrpc\"") != std::string_view::npos;
}

}  // namespace

Session::Session(const Limits& limits, IncidentLog& incidents)
    : limits_(limits), incidents_(incidents), reader_(limits.message_bytes_max) {}

int Session::ask(std::string_view method, std::string_view params) {
  const int id = ++last_id_;
  asked_.emplace(id, Asked{.method = std::string(method)});
  ++unanswered_;
  output_ += wire::request_line(std::to_string(id), method, params);
  return id;
}

void Session::tell(std::string_view method) { output_ += wire::notification_line(method, {}); }

std::string Session::take_output() { return std::exchange(output_, {}); }

bool Session::answered(int request) const {
  const auto asked = asked_.find(request);
  return asked != asked_.end() && asked->second.answered;
}

std::vector<wire::Line> Session::split(std::string_view bytes) {
  unfinished_bytes_ = 0;
  return reader_.feed(bytes);
}

std::vector<Event> Session::read(const wire::Line& line) {
  if (line.too_long) return too_long();
  if (line.crlf)
    incidents_.note("crlf", {}, "its lines end in CR LF where the protocol has LF alone");

  json::Limits json_limits;
  json_limits.bytes_max = limits_.message_bytes_max;
  json_limits.values_max = limits_.message_values_max;
  json_limits.depth_max = limits_.message_levels_max;
  std::vector<Event> events;
  bool answers = false;
  bool batch = false;
  for (const wire::Message& message : wire::parse_line(line.bytes, json_limits)) {
    if (message.over_limit) return too_complex(message, line.length);
    batch = batch || message.in_batch;
    const bool noise =
        message.kind == MessageKind::kNotJson || message.kind == MessageKind::kNotRpc;
    std::vector<Event> more =
        noise ? read_noise(message, line.bytes) : read_message(message, line.length);
    for (Event& event : more) {
      answers = answers || event.kind == Event::Kind::kAnswer;
      events.push_back(std::move(event));
    }
  }
  if (batch && !batches_allowed_) {
    incidents_.note("batch", {},
                    "it sends several messages as one array, which only revision "
                    "2025-03-26 allows");
  }
  if (!answers && count_idle(line.length))
    events.push_back({.kind = Event::Kind::kFlood, .message = {}, .detail = {}});
  return events;
}

std::vector<Event> Session::too_long() const {
  const std::string limit = count(limits_.message_bytes_max, "byte");
  incidents_.note("line-too-long", {}, fmt::format("a line is longer than {}", limit));
  return {{.kind = Event::Kind::kTooLong,
           .message = {},
           .detail = fmt::format("a message of more than {}", limit)}};
}

/// Whose answer it is cannot be told, but it may be the one that is waited for.
std::vector<Event> Session::too_complex(const wire::Message& message,
                                        std::size_t line_bytes) const {
  incidents_.note(
      "message-too-complex", {},
      fmt::format("a message of {} was not read: {}", count(line_bytes, "byte"), message.problem));
  return {{.kind = Event::Kind::kTooLong,
           .message = {},
           .detail = fmt::format("a message over a limit ({})", message.problem)}};
}

std::vector<Event> Session::read_message(const wire::Message& message, std::size_t line_bytes) {
  if (!message.problem.empty()) {
    incidents_.note("loose-json-rpc", message.problem,
                    fmt::format("a {} is not as JSON-RPC has it: {}; strict clients drop it",
                                name(message.kind), harmless(message.problem)));
  }
  switch (message.kind) {
    case MessageKind::kResult:
    case MessageKind::kError:
      return read_answer(message, line_bytes);
    case MessageKind::kRequest:
      return read_request(message);
    case MessageKind::kNotification:
      read_notification(message);
      return {};
    case MessageKind::kNotJson:
    case MessageKind::kNotRpc:
      break;
  }
  return {};
}

std::vector<Event> Session::read_answer(const wire::Message& message, std::size_t line_bytes) {
  std::optional<int> id = as_number(message.id);
  const bool in_quotes = !id;
  if (in_quotes) id = as_quoted_number(message.id);
  if (in_quotes && id && asked_.contains(*id)) {
    incidents_.note("wrong-id", "type",
                    fmt::format("it answers the id {} as {}; clients that compare strictly wait "
                                "for ever",
                                *id, message.id));
  }
  const auto asked = id ? asked_.find(*id) : asked_.end();
  if (asked != asked_.end() && !asked->second.answered) {
    asked->second.answered = true;
    ++answers_;
    --unanswered_;
    return {{.request = *id, .message = message, .line_bytes = line_bytes, .detail = {}}};
  }

  ++stray_answers_;
  if (asked != asked_.end()) {
    incidents_.note("duplicate-answer", asked->second.method,
                    fmt::format("it answers {} twice", asked->second.method));
    if (first_stray_.empty()) first_stray_ = fmt::format("a second one for {}", *id);
    return {};
  }
  if (message.id.empty() || message.id == "null") {
    const std::string error = message.error ? error_words(*message.error) : "a result";
    incidents_.note("null-id", {}, fmt::format("it sends {} without the id of a request", error));
    if (first_stray_.empty()) first_stray_ = fmt::format("{} without an id", error);
    return doubt(fmt::format("it sent {} without the id of the request", error));
  }
  const std::string wrong = quoted(message.id, 20);
  incidents_.note("wrong-id", "value",
                  fmt::format("it answers a request with the id {}, which was never sent", wrong));
  if (first_stray_.empty()) first_stray_ = fmt::format("with the id {}", wrong);
  return doubt(fmt::format("it sent an answer with the id {}", wrong));
}

std::vector<Event> Session::read_request(const wire::Message& message) {
  if (const auto id = as_number(message.id)) {
    const auto asked = asked_.find(*id);
    // Never answered: a program that sends back what it is sent would make an answer of it.
    if (asked != asked_.end() && asked->second.method == message.method) {
      incidents_.note("echo", {}, "it sends back what it is sent");
      return {{.kind = Event::Kind::kEcho, .message = {}, .detail = {}}};
    }
  }
  const bool ping = message.method == method::kPing;
  if (stage_ == Stage::kModern) {
    incidents_.note("server-request", message.method,
                    fmt::format("it sends the request {}; modern servers send none, and clients "
                                "do not answer",
                                quoted(message.method)));
    return {};
  }
  if (stage_ == Stage::kOpening && !ping) {
    incidents_.note("early-request", message.method,
                    fmt::format("it sends the request {} before the handshake is done",
                                quoted(message.method)));
  }
  output_ +=
      ping ? wire::result_line(message.id, "{}")
           : wire::error_line(message.id, wire::error_code::kMethodNotFound, "Method not found");
  return {};
}

void Session::read_notification(const wire::Message& message) {
  if (stage_ == Stage::kModern) {
    incidents_.note("unasked-notification", message.method,
                    fmt::format("it sends the notification {}, which nobody asked for",
                                quoted(message.method)));
  } else if (stage_ == Stage::kOpening && message.method != method::kLogMessage) {
    incidents_.note("early-notification", message.method,
                    fmt::format("it sends the notification {} before the handshake is done",
                                quoted(message.method)));
  }
}

std::vector<Event> Session::read_noise(const wire::Message& message, std::string_view line) {
  const bool broken = meant_as_message(line);
  const bool json = message.kind == MessageKind::kNotRpc;
  ++noise_lines_;
  if (first_noise_.empty()) first_noise_ = quoted(line);
  const std::string problem =
      message.problem.empty() ? "" : fmt::format(" ({})", harmless(message.problem));
  if (broken) {
    incidents_.note("malformed-message", {},
                    fmt::format("a message is broken{}: {}", problem, quoted(line)));
    return doubt(fmt::format("it sent a broken message{}: {}", problem, quoted(line)));
  }
  incidents_.note(json ? "not-json-rpc" : "noise-on-stdout", {},
                  fmt::format("a line on its standard output is no {}: {}",
                              json ? "JSON-RPC message" : "JSON", quoted(line)));
  return {};
}

std::vector<Event> Session::doubt(std::string detail) {
  if (unanswered_ == 0) return {};
  return {{.kind = Event::Kind::kDoubt, .message = {}, .detail = std::move(detail)}};
}

bool Session::count_idle(std::size_t bytes) {
  ++idle_lines_;
  idle_bytes_ += bytes;
  if (idle_lines_ <= limits_.noise_lines_max && idle_bytes_ <= limits_.noise_bytes_max)
    return false;
  incidents_.note("flood", {},
                  fmt::format("it wrote {} ({} bytes) that answer nothing; we stopped listening",
                              count(idle_lines_, "line"),
                              with_separators(static_cast<std::int64_t>(idle_bytes_))));
  return true;
}

void Session::pause() {
  unfinished_bytes_ = reader_.rest().size();
  if (unread_bytes_ == 0) return;
  incidents_.note("never-reads", {},
                  fmt::format("it does not read: {} of what it was sent {} still waiting",
                              count(unread_bytes_, "byte"), unread_bytes_ == 1 ? "is" : "are"));
}

void Session::end() {
  const std::string_view rest = reader_.rest();
  unfinished_bytes_ = rest.size();
  if (rest.empty()) return;
  incidents_.note("partial-line", {},
                  fmt::format("its last {} have no line feed, so that clients drop them: {}",
                              count(rest.size(), "byte"), quoted(rest)));
}

std::string Session::seen() const {
  std::vector<std::string> words;
  if (noise_lines_ > 0) {
    words.push_back(fmt::format("it wrote {} that {} no JSON-RPC (first: {})",
                                count(noise_lines_, "line"), noise_lines_ == 1 ? "is" : "are",
                                first_noise_));
  }
  if (stray_answers_ > 0) {
    words.push_back(fmt::format("it sent {} that fit{} no request (first: {})",
                                count(stray_answers_, "answer"), stray_answers_ == 1 ? "s" : "",
                                first_stray_));
  }
  if (unfinished_bytes_ > 0) {
    words.push_back(
        fmt::format("it wrote {} without a line feed", count(unfinished_bytes_, "byte")));
  }
  if (unread_bytes_ > 0) {
    words.push_back(
        fmt::format("it has not read {} of what it was sent", count(unread_bytes_, "byte")));
  }
  const std::size_t others = idle_lines_ - std::min(idle_lines_, noise_lines_ + stray_answers_);
  if (others > 0) words.push_back(fmt::format("it sent {}", count(others, "other message")));
  return joined(words);
}

}  // namespace cutline::mcp
