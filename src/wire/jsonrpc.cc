// jsonrpc.cc: telling the kinds of messages apart, and writing them.
//
// Reading is lenient where the meaning is plain and says in `problem` what was wrong: real servers
// leave "jsonrpc" out, put a null "error" beside the result, or answer an error that is a string.
// What could be meant in two ways (a method and a result) is no message.
#include "wire/jsonrpc.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "json/writer.h"

namespace cutline::wire {
namespace {

using json::Type;
using json::Value;

void note(Message& message, std::string_view what) {
  if (!message.problem.empty()) message.problem += "; ";
  message.problem += what;
}

/// The member, unless it is absent or null.
std::optional<Value> given(const Value& object, std::string_view key) {
  const std::optional<Value> value = object.find(key);
  return value && !value->is(Type::kNull) ? value : std::nullopt;
}

/// Nothing if it is no string, integer or null.
std::optional<std::string> id_text(const Value& id) {
  switch (id.type()) {
    case Type::kNull:
      return "null";
    case Type::kString: {
      std::string text;
      json::append_string(text, id.string().value);
      return text;
    }
    case Type::kNumber: {
      if (const std::optional<std::int64_t> integer = id.int64()) return std::to_string(*integer);
      const bool huge = id.raw().find_first_of(".eE") == std::string_view::npos;
      return huge ? std::optional<std::string>(id.raw()) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

void read_error(const Value& error, Message& message) {
  RpcError read;
  const std::optional<Value> code = error.find("code");
  const std::optional<std::int64_t> number = code ? code->int64() : std::nullopt;
  if (error.is(Type::kObject)) {
    const std::optional<std::string> text = json::string_member(error, "message");
    if (!number) note(message, "the error has no integer as code");
    if (!text) note(message, "the error has no string as message");
    read = {.code = number.value_or(0), .message = text.value_or(""), .data = error.find("data")};
  } else {
    note(message, fmt::format("the error is a {}, not an object", name(error.type())));
    if (error.is(Type::kString)) read.message = error.string().value;
    read.data = error;
  }
  message.error = std::move(read);
}

/// Sets the kind and its members; leaves kNotRpc, with the problem, where it is neither kind.
void read_kind(const Value& object, Message& message) {
  const std::optional<Value> method = object.find("method"), result = object.find("result");
  const std::optional<Value> error = given(object, "error");
  if (method) {
    if (error || given(object, "result")) return note(message, "both a call and an answer");
    if (!method->is(Type::kString))
      return note(message, fmt::format("the method is a {}, not a string", name(method->type())));
    message.method = method->string().value;
    message.params = object.find("params");
    message.kind = message.id.empty() ? MessageKind::kNotification : MessageKind::kRequest;
    if (message.id == "null") note(message, "the id of a request is null");
    if (message.params && !message.params->is(Type::kObject) && !message.params->is(Type::kArray))
      note(message, fmt::format("params is a {}", name(message.params->type())));
  } else if (error) {
    if (given(object, "result")) return note(message, "both a result and an error");
    if (result) note(message, "a null result beside the error");
    message.kind = MessageKind::kError;
    read_error(*error, message);
  } else if (result) {
    if (message.id.empty()) return note(message, "a result without an id");
    if (object.find("error")) note(message, "a null error beside the result");
    message.kind = MessageKind::kResult;
    message.result = result;
  } else {
    note(message, "neither a method nor a result nor an error");
  }
}

Message no_message(MessageKind kind, std::shared_ptr<const json::Document> document) {
  Message message;
  message.kind = kind;
  message.document = std::move(document);
  return message;
}

Message read_message(const std::shared_ptr<const json::Document>& document, const Value& value) {
  Message message = no_message(MessageKind::kNotRpc, document);
  if (!value.is(Type::kObject)) {
    note(message, fmt::format("JSON, but a {} where a message is an object", name(value.type())));
    return message;
  }
  if (const std::optional<Value> id = value.find("id")) {
    std::optional<std::string> text = id_text(*id);
    if (!text) {
      note(message, fmt::format("the id is neither a string nor an integer: {:.40}", id->raw()));
      return message;
    }
    message.id = *std::move(text);
  }
  read_kind(value, message);
  if (json::string_member(value, "jsonrpc") != "2.0") note(message, R"(no "jsonrpc": "2.0")");
  return message;
}

std::vector<Message> read_batch(const std::shared_ptr<const json::Document>& document) {
  std::vector<Message> messages;
  const std::vector<Value> elements = document->root().elements();
  for (const Value& element : elements) {
    if (messages.size() == kBatchMessagesMax) break;
    messages.push_back(read_message(document, element));
  }
  if (elements.size() > kBatchMessagesMax || elements.empty()) {
    Message message = no_message(MessageKind::kNotRpc, document);
    note(message, elements.empty() ? "an empty batch"
                                   : "a batch of more than " + count(kBatchMessagesMax, "message"));
    messages.push_back(std::move(message));
  }
  for (Message& message : messages) message.in_batch = true;
  return messages;
}

/// Line feeds can stand only between tokens, where a blank does as well.
void append_on_one_line(std::string& out, std::string_view json) {
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  out += json;
  const auto breaks_line = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(out.begin() + begin, out.end(), breaks_line, ' ');
}

/// `members` are alternately a name and a JSON text; empty texts are left out with their names.
std::string line_of(std::initializer_list<std::string_view> members) {
  std::string line = R"({"jsonrpc":"2.0")";
  for (auto member = members.begin(); member != members.end(); member += 2) {
    if (member[1].empty()) continue;
    line += ",\"";
    line += member[0];
    line += "\":";
    append_on_one_line(line, member[1]);
  }
  line += "}\n";
  return line;
}

std::string literal(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

}  // namespace

std::string_view name(MessageKind kind) {
  switch (kind) {
    case MessageKind::kRequest:
      return "request";
    case MessageKind::kNotification:
      return "notification";
    case MessageKind::kResult:
      return "result";
    case MessageKind::kError:
      return "error";
    case MessageKind::kNotJson:
      return "not-json";
    case MessageKind::kNotRpc:
      return "not-rpc";
  }
  return "";
}

std::vector<Message> parse_line(std::string_view line, const json::Limits& limits) {
  Result<json::Document> parsed = json::Document::parse(line, limits);
  if (!parsed) {
    const Problem& problem = parsed.error();
    Message message = no_message(MessageKind::kNotJson, nullptr);
    note(message, problem.message);
    message.over_limit = problem.code == "json.too_deep" || problem.code == "json.too_large";
    if (!problem.place.empty()) message.problem += " at " + problem.place;
    return {message};
  }
  const auto document = std::make_shared<const json::Document>(*std::move(parsed));
  if (document->root().is(Type::kArray)) return read_batch(document);
  return {read_message(document, document->root())};
}

std::string request_line(std::string_view id, std::string_view method, std::string_view params) {
  return line_of({"id", id, "method", literal(method), "params", params});
}

std::string notification_line(std::string_view method, std::string_view params) {
  return line_of({"method", literal(method), "params", params});
}

std::string result_line(std::string_view id, std::string_view result) {
  return line_of({"id", id, "result", result});
}

std::string error_line(std::string_view id, std::int64_t code, std::string_view message,
                       std::string_view data) {
  std::string error = fmt::format(R"({{"code":{},"message":{})", code, literal(message));
  if (!data.empty()) {
    error += R"(,"data":)";
    error += data;
  }
  error += '}';
  return line_of({"id", id, "error", error});
}

}  // namespace cutline::wire
