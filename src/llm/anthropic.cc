// anthropic.cc: Anthropic's Messages API (version 2023-06-01), as its clients use it.
#include "llm/anthropic.h"

#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "json/writer.h"
#include "llm/reading.h"
#include "llm/writing.h"
#include "wire/sse.h"

namespace cutline::llm {
namespace {

using json::Type;
using json::Value;

// --- Reading
// --------------------------------------------------------------------------------------

std::string type_of(const Value& block) { return text_member(block, "type"); }

Role role_of(const Value& message) {
  const std::string role = text_member(message, "role");
  if (role == "assistant") return Role::kAssistant;
  return role == "system" || role == "developer" ? Role::kSystemMessage : Role::kUser;
}

class Reading {
 public:
  explicit Reading(Pieces& pieces) : pieces_(pieces), request_(pieces.request) {}

  void of(const Value& root) {
    pieces_.read_settings(root, "max_tokens");
    if (const auto system = root.find("system")) read_content(Role::kSystem, "system", *system);
    if (const auto messages = root.find("messages")) read_messages(*messages);
    if (const auto tools = root.find("tools")) read_tools(*tools);
  }

 private:
  void read_messages(const Value& messages) {
    if (!messages.is(Type::kArray)) return;
    request_.turns = messages.size();
    for (const Value& message : messages.elements()) {
      if (const auto content = message.find("content"))
        read_content(role_of(message), fmt::format("messages[{}].content", pieces_.turn), *content);
      ++pieces_.turn;
    }
    pieces_.turn = 0;
  }

  void read_content(Role role, const std::string& path, const Value& content) {
    pieces_.add(role, path, content);
    if (!content.is(Type::kArray)) return;
    std::size_t index = 0;
    for (const Value& block : content.elements())
      read_block(role, fmt::format("{}[{}]", path, index++), block);
  }

  /// Texts, results of tools, and documents that are text. What else the model reads (images, its
  /// own calls and thoughts) holds no text of a server.
  void read_block(Role role, const std::string& path, const Value& block) {
    pieces_.add(role, path, block);
    const std::string type = type_of(block);
    if (type == "tool_reference") return add_reference(path, block);
    if (type == "document" || type == "search_result") {
      const auto source = block.find("source"), data = source ? source->find("data") : source;
      if (data && type_of(*source) == "text") pieces_.add(role, path + ".source.data", *data);
    }
    if (const auto text = block.find("text")) pieces_.add(role, path + ".text", *text);
    const auto content = type.ends_with("tool_result") ? block.find("content") : std::nullopt;
    if (!content || role == Role::kToolResult) return;  // results hold no results
    read_content(Role::kToolResult, path + ".content", *content);
    // The API's own search puts its references into an object.
    if (const auto references = content->find("tool_references"))
      read_content(Role::kToolResult, path + ".content.tool_references", *references);
  }

  void add_reference(const std::string& path, const Value& block) {
    std::optional<std::string> tool = json::string_member(block, "tool_name");
    if (tool && pieces_.one_more(path)) request_.tool_references.push_back(*std::move(tool));
  }

  void read_tools(const Value& tools) {
    if (!tools.is(Type::kArray)) return;
    std::size_t index = 0;
    for (const Value& value : tools.elements()) {
      Tool tool = tool_of(value, fmt::format("tools[{}]", index++), "input_schema");
      const std::string type = type_of(value);
      tool.deferred = is_true(value, "defer_loading");
      tool.provided = !type.empty() && type != "custom";
      pieces_.add_tool(std::move(tool));
    }
  }

  Pieces& pieces_;
  Request& request_;
};

// --- Writing
// --------------------------------------------------------------------------------------

void write_usage(json::Writer& json, std::size_t input_tokens, std::size_t output_tokens) {
  json.key("usage").begin_object();
  json.member("input_tokens", input_tokens);
  json.member("cache_creation_input_tokens", 0).member("cache_read_input_tokens", 0);
  json.member("output_tokens", output_tokens).end_object();
}

/// One reply in the form of one API; `call` is nothing where it is text.
struct Message {
  const Request& request;
  const Reply& reply;
  const TextReply* text = std::get_if<TextReply>(&reply.content);
  const ToolCall* call = std::get_if<ToolCall>(&reply.content);

  std::string_view stop_reason() const { return call != nullptr ? "tool_use" : "end_turn"; }

  void begin_block(json::Writer& json) const {
    json.begin_object().member("type", call != nullptr ? "tool_use" : "text");
    if (call == nullptr) return;
    json.member("id", fmt::format("toolu_cutline_{}", reply.number)).member("name", call->tool);
  }

  /// The members up to "stop_sequence"; a stream begins with a message that has no content yet.
  void write(json::Writer& json, bool whole) const {
    json.begin_object().member("id", fmt::format("msg_cutline_{}", reply.number));
    json.member("type", "message").member("role", "assistant").member("model", request.model);
    json.key("content").begin_array();
    if (whole) {
      begin_block(json);
      if (call != nullptr) json.key("input").raw(object_of(*call));
      if (text != nullptr) json.member("text", text->text);
      json.end_object();
    }
    json.end_array().key("stop_reason");
    whole ? json.string(stop_reason()) : json.null();
    json.key("stop_sequence").null();
    write_usage(json, reply.usage.input_tokens, whole ? reply.usage.output_tokens : 1);
    json.end_object();
  }
};

/// Appends the event {"type": type, …members}.
template <class Members>
void append(std::string& out, std::string_view type, const Members& members) {
  json::Writer json;
  json.begin_object().member("type", type);
  members(json);
  json.end_object();
  wire::append_event(out, type, json.take());
}

std::string streamed(const Message& message) {
  std::string out;
  append(out, "message_start",
         [&](json::Writer& json) { message.write(json.key("message"), false); });
  append(out, "content_block_start", [&](json::Writer& json) {
    json.member("index", 0).key("content_block");
    message.begin_block(json);
    if (message.call != nullptr) json.key("input").begin_object().end_object();
    if (message.text != nullptr) json.member("text", "");
    json.end_object();
  });
  append(out, "ping", [](json::Writer&) {});
  append(out, "content_block_delta", [&](json::Writer& json) {
    json.member("index", 0).key("delta").begin_object();
    if (message.call != nullptr)
      json.member("type", "input_json_delta").member("partial_json", object_of(*message.call));
    if (message.text != nullptr)
      json.member("type", "text_delta").member("text", message.text->text);
    json.end_object();
  });
  append(out, "content_block_stop", [](json::Writer& json) { json.member("index", 0); });
  append(out, "message_delta", [&](json::Writer& json) {
    json.key("delta").begin_object().member("stop_reason", message.stop_reason());
    json.key("stop_sequence").null().end_object();
    json.key("usage").begin_object();
    json.member("output_tokens", message.reply.usage.output_tokens).end_object();
  });
  append(out, "message_stop", [](json::Writer&) {});
  return out;
}

std::string_view error_type(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 402:
      return "billing_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 504:
      return "timeout_error";
    case 529:
      return "overloaded_error";
    default:
      return status >= 500 ? "api_error" : "invalid_request_error";
  }
}

// --- Usage of real answers
// ------------------------------------------------------------------------

/// Takes over what `object` reports. Of a stream the last word counts: its figures are totals.
void take_usage(const Value& object, std::optional<Usage>& usage) {
  const std::optional<Value> reported = member(object, "usage", Type::kObject);
  if (!reported) return;
  if (!usage) usage.emplace();
  const auto tokens = [&](std::string_view key) { return tokens_member(*reported, key); };
  if (size_member(*reported, "input_tokens"))
    usage->input_tokens = tokens("input_tokens") + tokens("cache_creation_input_tokens") +
                          tokens("cache_read_input_tokens");
  if (size_member(*reported, "output_tokens")) usage->output_tokens = tokens("output_tokens");
}

// --- The dialect
// ----------------------------------------------------------------------------------

constexpr std::string_view kModels = "/v1/models/";

class Anthropic final : public Dialect {
 public:
  std::string_view name() const override { return "anthropic-messages"; }

  /// Base URLs of clients may have a path of their own, so only the end of one counts.
  std::optional<Endpoint> endpoint(std::string_view method, std::string_view path) const override {
    path = path_of(path);
    const bool asks = method == "GET" || method == "HEAD";
    if (method == "POST" && path.ends_with("/v1/messages")) return Endpoint::kGenerate;
    if (method == "POST" && path.ends_with("/v1/messages/count_tokens"))
      return Endpoint::kCountTokens;
    if (method == "GET" && (path.ends_with("/v1/models") || !rest_after(path, kModels).empty()))
      return Endpoint::kModels;
    if ((asks && path.ends_with("/api/hello")) || (method == "HEAD" && path == "/"))
      return Endpoint::kHealth;
    return std::nullopt;
  }

  bool speaks(const wire::HttpRequest& request) const override {
    return wire::find_header(request.headers, "anthropic-version") ||
           wire::find_header(request.headers, "x-api-key");
  }

  Result<Request> read(std::string_view, std::string body) const override {
    return read_request(std::move(body),
                        [](const Value& root, Pieces& pieces) { Reading(pieces).of(root); });
  }

  Answer write(const Request& request, const Reply& reply) const override {
    if (const auto* problem = std::get_if<ErrorReply>(&reply.content)) return error(*problem);
    const Message message{.request = request, .reply = reply};
    if (request.stream) return events_answer(streamed(message));
    json::Writer json;
    message.write(json, true);
    return {.body = json.take()};
  }

  Answer count(const Request&, std::size_t tokens) const override {
    return {.body =
                json::Writer().begin_object().member("input_tokens", tokens).end_object().take()};
  }

  /// No model is better than another here: the list is empty, and any that is asked for is there.
  using Dialect::models;
  Answer models(std::string_view path) const override {
    json::Writer json;
    const std::string_view model = rest_after(path, kModels);
    json.begin_object();
    if (model.empty()) {
      json.key("data").begin_array().end_array().member("has_more", false);
      json.key("first_id").null().key("last_id").null();
    } else {
      const std::string id = repair_utf8(model).text;
      json.member("type", "model").member("id", id).member("display_name", id);
      json.member("created_at", "1970-01-01T00:00:00Z");
    }
    return {.body = json.end_object().take()};
  }

  Answer health() const override { return {.body = R"({"message":"hello"})"}; }

  Answer error(const ErrorReply& error) const override {
    json::Writer json;
    json.begin_object().member("type", "error").key("error").begin_object();
    json.member("type",
                error.type.empty() ? error_type(error.status) : std::string_view(error.type));
    json.member("message", error.message).end_object().end_object();
    return {.status = error.status, .body = json.take()};
  }

  std::optional<Usage> usage(std::string_view content_type, std::string_view body) const override {
    std::optional<Usage> usage;
    each_document(content_type, body, [&](std::string_view event, const Value& document) {
      if (!event.empty() && event != "message_start" && event != "message_delta") return;
      take_usage(document, usage);
      if (const auto message = document.find("message")) take_usage(*message, usage);
    });
    return usage;
  }
};

}  // namespace

const Dialect& anthropic_messages() {
  static const Anthropic dialect;
  return dialect;
}

}  // namespace cutline::llm
