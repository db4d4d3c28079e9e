// openai_chat.cc: OpenAI's Chat Completions API, as its clients use it.
//
// The system prompt is what the conversation begins with: messages of the role system, until
// another role has spoken. One that comes later is a turn among the others.
#include "llm/openai_chat.h"

#include <utility>

#include <fmt/format.h>

#include "llm/openai.h"
#include "llm/reading.h"
#include "llm/writing.h"
#include "wire/sse.h"

namespace cutline::llm {
namespace {

using json::Type;
using json::Value;

// --- Reading ------------------------------------------------------------------------------------

Role role_of(const Value& message, bool at_start) {
  const std::string role = text_member(message, "role");
  if (role == "system") return at_start ? Role::kSystem : Role::kSystemMessage;
  if (role == "developer") return Role::kDeveloper;
  if (role == "assistant") return Role::kAssistant;
  return role == "tool" || role == "function" ? Role::kToolResult : Role::kUser;
}

void read_messages(const Value& messages, Pieces& pieces) {
  if (!messages.is(Type::kArray)) return;
  pieces.request.turns = messages.size();
  bool at_start = true;
  for (const Value& message : messages.elements()) {
    const Role role = role_of(message, at_start);
    at_start = role == Role::kSystem;
    if (const auto content = message.find("content"))
      pieces.add_texts(role, fmt::format("messages[{}].content", pieces.turn), *content);
    ++pieces.turn;
  }
}

/// {"type": TYPE, TYPE: {"name": …}}; of another type than these two it is the provider's.
void read_tool(std::string path, const Value& value, Pieces& pieces) {
  const std::string type = text_member(value, "type");
  const bool freeform = type == "custom", provided = !freeform && type != "function";
  Tool tool;
  tool.path = std::move(path);
  if (provided) {
    tool.name = type;
    tool.provided = true;
  } else if (const auto definition = value.find(type)) {
    tool = tool_of(*definition, std::move(tool.path), "parameters");
    tool.form = freeform ? ToolForm::kFreeform : ToolForm::kFunction;
    tool.deferred = is_true(value, "defer_loading") || is_true(*definition, "defer_loading");
  }
  pieces.add_tool(std::move(tool));
}

void read_chat(const Value& root, Pieces& pieces) {
  pieces.read_settings(
      root, size_member(root, "max_completion_tokens") ? "max_completion_tokens" : "max_tokens");
  if (const auto messages = root.find("messages")) read_messages(*messages, pieces);
  const auto tools = member(root, "tools", Type::kArray);
  if (!tools) return;
  std::size_t index = 0;
  for (const Value& tool : tools->elements())
    read_tool(fmt::format("tools[{}]", index++), tool, pieces);
}

// --- Writing ------------------------------------------------------------------------------------

/// One reply; `call` is nothing where it is text.
struct Completion {
  const Request& request;
  const Reply& reply;
  const TextReply* text = std::get_if<TextReply>(&reply.content);
  const ToolCall* call = std::get_if<ToolCall>(&reply.content);

  std::string_view finish_reason() const { return call != nullptr ? "tool_calls" : "stop"; }

  /// Begins the object, up to its choices.
  void begin(json::Writer& json, std::string_view object) const {
    json.begin_object().member("id", fmt::format("chatcmpl-cutline_{}", reply.number));
    json.member("object", object).member("created", 0).member("model", request.model);
    json.key("choices").begin_array();
  }

  /// The calls of a message, or of a delta, where each has its index.
  void write_calls(json::Writer& json, bool indexed) const {
    const Tool* tool = request.tool(call->tool);
    const bool freeform = tool != nullptr && tool->form == ToolForm::kFreeform;
    const std::string_view type = freeform ? "custom" : "function";
    json.key("tool_calls").begin_array().begin_object();
    if (indexed) json.member("index", 0);
    json.member("id", fmt::format("call_cutline_{}", reply.number)).member("type", type);
    json.key(type).begin_object().member("name", call->tool);
    if (freeform)
      json.member("input", freeform_input(*call));
    else
      json.member("arguments", object_of(*call));
    json.end_object().end_object().end_array();
  }
};

// --- The dialect --------------------------------------------------------------------------------

class OpenAiChat final : public OpenAi {
 public:
  OpenAiChat()
      : OpenAi({.input = "prompt_tokens",
                .input_details = "prompt_tokens_details",
                .output = "completion_tokens",
                .output_details = "completion_tokens_details"}) {}

  std::string_view name() const override { return "openai-chat"; }

  std::optional<Endpoint> endpoint(std::string_view method, std::string_view path) const override {
    if (method == "POST" && path_of(path).ends_with("/chat/completions"))
      return Endpoint::kGenerate;
    return is_models(method, path) ? std::optional(Endpoint::kModels) : std::nullopt;
  }

  Result<Request> read(std::string_view, std::string body) const override {
    return read_request(std::move(body), read_chat);
  }

  Answer write(const Request& request, const Reply& reply) const override {
    if (const auto* problem = std::get_if<ErrorReply>(&reply.content)) return error(*problem);
    const Completion completion{.request = request, .reply = reply};
    if (request.stream) return events_answer(streamed(completion));
    json::Writer json;
    completion.begin(json, "chat.completion");
    json.begin_object().member("index", 0).key("message").begin_object();
    json.member("role", "assistant").key("content");
    completion.text != nullptr ? json.string(completion.text->text) : json.null();
    if (completion.call != nullptr) completion.write_calls(json, false);
    json.end_object().member("finish_reason", completion.finish_reason());
    json.end_object().end_array();
    write_usage(json, reply.usage);
    return {.body = json.end_object().take()};
  }

 private:
  /// Usage comes whether it is asked for or not: a client that did not ask passes it over.
  std::string streamed(const Completion& completion) const {
    std::string out;
    append(out, completion, {}, [&](json::Writer& json) {
      json.member("role", "assistant").key("content");
      completion.text != nullptr ? json.string("") : json.null();
    });
    append(out, completion, {}, [&](json::Writer& json) {
      if (completion.text != nullptr) json.member("content", completion.text->text);
      if (completion.call != nullptr) completion.write_calls(json, true);
    });
    append(out, completion, completion.finish_reason(), [](json::Writer&) {});
    json::Writer json;
    completion.begin(json, kChunk);
    json.end_array();
    write_usage(json, completion.reply.usage);
    wire::append_event(out, {}, json.end_object().take());
    wire::append_event(out, {}, "[DONE]");
    return out;
  }

  /// Appends a chunk with the delta {members…}; without a reason it is not the last of the choice.
  template <class Members>
  static void append(std::string& out, const Completion& completion, std::string_view reason,
                     const Members& members) {
    json::Writer json;
    completion.begin(json, kChunk);
    json.begin_object().member("index", 0).key("delta").begin_object();
    members(json);
    json.end_object().key("finish_reason");
    reason.empty() ? json.null() : json.string(reason);
    json.end_object().end_array();
    wire::append_event(out, {}, json.end_object().take());
  }

  static constexpr std::string_view kChunk = "chat.completion.chunk";
};

}  // namespace

const Dialect& openai_chat() {
  static const OpenAiChat dialect;
  return dialect;
}

}  // namespace cutline::llm
