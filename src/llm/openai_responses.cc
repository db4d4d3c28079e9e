// openai_responses.cc: OpenAI's Responses API, as its clients use it.
//
// Tools are defined in the request and, from some item of the input on, by items: what a search for
// tools has found, and what a client adds in the middle. Those of an item are seen from then on,
// even if they say that they are deferred. A namespace of tools has a description, which the model
// reads like the tools themselves, so it stands where they do: before the instructions, or in the
// turn of its item.
#include "llm/openai_responses.h"

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

constexpr std::string_view kSpaceJoint = "__";

// --- Reading ------------------------------------------------------------------------------------

/// Where a tool is defined; what a search brought is loaded by that.
enum class Defined { kAtOnce, kInInput, kBySearch };

Role role_of(const Value& message) {
  const std::string role = text_member(message, "role");
  if (role == "assistant") return Role::kAssistant;
  if (role == "developer") return Role::kDeveloper;
  return role == "system" ? Role::kSystemMessage : Role::kUser;
}

class Reading {
 public:
  explicit Reading(Pieces& pieces) : pieces_(pieces), request_(pieces.request) {}

  void of(const Value& root) {
    pieces_.read_settings(root, "max_output_tokens");
    if (const auto tools = root.find("tools")) read_tools("tools", *tools, Defined::kAtOnce);
    if (const auto words = root.find("instructions"))
      pieces_.add_texts(Role::kSystem, "instructions", *words);
    if (const auto input = root.find("input")) read_input(*input);
  }

 private:
  void read_input(const Value& input) {
    request_.turns = input.is(Type::kString) ? 1 : 0;
    pieces_.add(Role::kUser, "input", input);
    if (!input.is(Type::kArray)) return;
    request_.turns = input.size();
    for (const Value& item : input.elements()) {
      read_item(fmt::format("input[{}]", pieces_.turn), item);
      ++pieces_.turn;
    }
    pieces_.turn = 0;
  }

  /// Messages, results and tools. What else there is (the model's own calls and thoughts) holds no
  /// text of a server.
  void read_item(const std::string& path, const Value& item) {
    const std::string type = text_member(item, "type");
    if (type == "additional_tools" || type == "tool_search_output") {
      const Defined how = type == "additional_tools" ? Defined::kInInput : Defined::kBySearch;
      if (const auto tools = item.find("tools")) read_tools(path + ".tools", *tools, how);
    } else if (type.ends_with("_output") || type == "mcp_call") {
      if (const auto output = item.find("output"))
        pieces_.add_texts(Role::kToolResult, path + ".output", *output);
    } else if (type.empty() || type == "message") {
      if (const auto content = item.find("content"))
        pieces_.add_texts(role_of(item), path + ".content", *content);
    }
  }

  void read_tools(const std::string& path, const Value& tools, Defined how) {
    if (!tools.is(Type::kArray)) return;
    std::size_t index = 0;
    for (const Value& value : tools.elements()) {
      std::string place = fmt::format("{}[{}]", path, index++);
      if (text_member(value, "type") == "namespace")
        read_namespace(place, value, how);
      else
        read_tool(std::move(place), value, how, is_true(value, "defer_loading"), {});
    }
  }

  void read_namespace(const std::string& path, const Value& space, Defined how) {
    if (const auto words = space.find("description"))
      pieces_.add(Role::kNamespace, path + ".description", *words);
    const auto tools = member(space, "tools", Type::kArray);
    if (!tools) return;
    const bool defers = is_true(space, "defer_loading");
    const std::string name = text_member(space, "name");
    std::size_t index = 0;
    for (const Value& value : tools->elements()) {
      read_tool(fmt::format("{}.tools[{}]", path, index++), value, how,
                defers || is_true(value, "defer_loading"), name);
    }
  }

  void read_tool(std::string path, const Value& value, Defined how, bool deferred,
                 std::string_view space) {
    const std::string type = text_member(value, "type");
    Tool tool = tool_of(value, std::move(path), "parameters");
    tool.deferred = how == Defined::kBySearch || (how == Defined::kAtOnce && deferred);
    if (type == "custom") {
      tool.form = ToolForm::kFreeform;
    } else if (type == "tool_search" && text_member(value, "execution") == "client") {
      tool.form = ToolForm::kSearch;
      tool.name = type;
    } else if (!type.empty() && type != "function") {
      tool.provided = true;
      tool.name = type;
    }
    if (!space.empty() && !tool.name.empty()) {
      tool.name = fmt::format("{}{}{}", space, kSpaceJoint, tool.name);
      tool.space_bytes = space.size();
    }
    if (how == Defined::kBySearch) request_.tool_references.push_back(tool.name);
    pieces_.add_tool(std::move(tool));
  }

  Pieces& pieces_;
  Request& request_;
};

// --- Writing ------------------------------------------------------------------------------------

enum class Progress { kBegun, kDone };

/// The one item of an answer's output, in its making or whole.
class Item {
 public:
  Item(const Request& request, const Reply& reply) : number_(reply.number) {
    if (const auto* text = std::get_if<TextReply>(&reply.content)) text_ = text->text;
    const auto* call = std::get_if<ToolCall>(&reply.content);
    if (call == nullptr) return;
    const Tool* tool = request.tool(call->tool);
    form_ = tool != nullptr ? tool->form : ToolForm::kFunction;
    name_ = call->tool;
    if (tool != nullptr && tool->space_bytes > 0) {
      space_ = name_.substr(0, tool->space_bytes);
      name_ = name_.substr(tool->space_bytes + kSpaceJoint.size());
    }
    text_ = form_ == ToolForm::kFreeform ? freeform_input(*call) : object_of(*call);
  }

  bool is_message() const { return !form_; }
  ToolForm form() const { return form_.value_or(ToolForm::kFunction); }
  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }

  std::string id() const { return fmt::format("{}_cutline_{}", words().id, number_); }

  void write(json::Writer& json, Progress progress) const {
    const bool done = progress == Progress::kDone;
    json.begin_object().member("id", id()).member("type", words().type);
    json.member("status", done ? "completed" : "in_progress");
    if (is_message())
      write_message(json, done);
    else
      write_call(json, done);
    json.end_object();
  }

  void write_part(json::Writer& json, bool done) const {
    json.begin_object().member("type", "output_text").member("text", done ? text_ : "");
    json.key("annotations").begin_array().end_array().end_object();
  }

 private:
  /// What the API calls such an item, in its id and in its type.
  struct Words {
    std::string_view id, type;
  };
  Words words() const {
    if (is_message()) return {.id = "msg", .type = "message"};
    switch (form()) {
      case ToolForm::kFunction:
        return {.id = "fc", .type = "function_call"};
      case ToolForm::kFreeform:
        return {.id = "ctc", .type = "custom_tool_call"};
      case ToolForm::kSearch:
        return {.id = "tsc", .type = "tool_search_call"};
    }
    return {};
  }

  void write_message(json::Writer& json, bool done) const {
    json.member("role", "assistant").key("content").begin_array();
    if (done) write_part(json, true);
    json.end_array();
  }

  void write_call(json::Writer& json, bool done) const {
    json.member("call_id", fmt::format("call_cutline_{}", number_));
    if (form() == ToolForm::kSearch) {
      json.member("execution", "client").key("arguments").raw(text_);
      return;
    }
    if (!space_.empty()) json.member("namespace", space_);
    json.member("name", name_);
    json.member(form() == ToolForm::kFreeform ? "input" : "arguments", done ? text_ : "");
  }

  std::size_t number_;
  std::optional<ToolForm> form_;  // nothing: a message
  std::string name_, space_, text_;
};

/// Appends events, each with its type and its number.
class Events {
 public:
  template <class Members>
  void add(std::string_view type, const Members& members) {
    json::Writer json;
    json.begin_object().member("type", type).member("sequence_number", number_++);
    members(json);
    wire::append_event(out_, type, json.end_object().take());
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t number_ = 0;
};

void add_text(Events& events, const Item& item) {
  const auto at = [&](json::Writer& json) -> json::Writer& {
    return json.member("item_id", item.id()).member("output_index", 0).member("content_index", 0);
  };
  events.add("response.content_part.added",
             [&](json::Writer& json) { item.write_part(at(json).key("part"), false); });
  events.add("response.output_text.delta",
             [&](json::Writer& json) { at(json).member("delta", item.text()); });
  events.add("response.output_text.done",
             [&](json::Writer& json) { at(json).member("text", item.text()); });
  events.add("response.content_part.done",
             [&](json::Writer& json) { item.write_part(at(json).key("part"), true); });
}

void add_arguments(Events& events, const Item& item) {
  const bool freeform = item.form() == ToolForm::kFreeform;
  const std::string type =
      freeform ? "response.custom_tool_call_input" : "response.function_call_arguments";
  const auto at = [&](json::Writer& json) -> json::Writer& {
    return json.member("item_id", item.id()).member("output_index", 0);
  };
  events.add(type + ".delta", [&](json::Writer& json) { at(json).member("delta", item.text()); });
  events.add(type + ".done", [&](json::Writer& json) {
    if (!freeform) json.member("name", item.name());
    at(json).member(freeform ? "input" : "arguments", item.text());
  });
}

// --- The dialect --------------------------------------------------------------------------------

class OpenAiResponses final : public OpenAi {
 public:
  OpenAiResponses()
      : OpenAi({.input = "input_tokens",
                .input_details = "input_tokens_details",
                .output = "output_tokens",
                .output_details = "output_tokens_details"}) {}

  std::string_view name() const override { return "openai-responses"; }

  std::optional<Endpoint> endpoint(std::string_view method, std::string_view path) const override {
    const std::string_view place = path_of(path);
    if (method == "POST" && place.ends_with("/responses")) return Endpoint::kGenerate;
    if (method == "POST" && place.ends_with("/responses/input_tokens"))
      return Endpoint::kCountTokens;
    return is_models(method, path) ? std::optional(Endpoint::kModels) : std::nullopt;
  }

  Result<Request> read(std::string_view, std::string body) const override {
    return read_request(std::move(body),
                        [](const Value& root, Pieces& pieces) { Reading(pieces).of(root); });
  }

  Answer write(const Request& request, const Reply& reply) const override {
    if (const auto* problem = std::get_if<ErrorReply>(&reply.content)) return error(*problem);
    const Item item(request, reply);
    if (request.stream) return events_answer(streamed(request, reply, item));
    json::Writer json;
    write_response(json, request, reply, &item);
    return {.body = json.take()};
  }

 private:
  std::string streamed(const Request& request, const Reply& reply, const Item& item) const {
    Events events;
    events.add("response.created", [&](json::Writer& json) {
      write_response(json.key("response"), request, reply, nullptr);
    });
    // A client's own search comes without its making, as its arguments are no text.
    if (item.form() != ToolForm::kSearch) {
      events.add("response.output_item.added", [&](json::Writer& json) {
        item.write(json.member("output_index", 0).key("item"), Progress::kBegun);
      });
      item.is_message() ? add_text(events, item) : add_arguments(events, item);
    }
    events.add("response.output_item.done", [&](json::Writer& json) {
      item.write(json.member("output_index", 0).key("item"), Progress::kDone);
    });
    events.add("response.completed", [&](json::Writer& json) {
      write_response(json.key("response"), request, reply, &item);
    });
    return events.take();
  }

  /// Without its item it has only begun.
  void write_response(json::Writer& json, const Request& request, const Reply& reply,
                      const Item* item) const {
    json.begin_object().member("id", fmt::format("resp_cutline_{}", reply.number));
    json.member("object", "response").member("created_at", 0);
    json.member("status", item != nullptr ? "completed" : "in_progress");
    json.key("error").null().key("incomplete_details").null();
    json.member("model", request.model).key("output").begin_array();
    if (item != nullptr) item->write(json, Progress::kDone);
    json.end_array();
    if (item != nullptr)
      write_usage(json, reply.usage);
    else
      json.key("usage").null();
    json.end_object();
  }
};

}  // namespace

const Dialect& openai_responses() {
  static const OpenAiResponses dialect;
  return dialect;
}

}  // namespace cutline::llm
