// gemini.cc: Google's Gemini API (generateContent), as its clients use it.
//
// The path says which model is asked and how it answers; clients write members in camelCase or in
// snake_case, and the API takes one object where a list of them belongs. A stream without alt=sse
// is a JSON array.
#include "llm/gemini.h"

#include <algorithm>
#include <array>
#include <map>
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

// --- Places -------------------------------------------------------------------------------------

/// "M" and "generateContent" of "…/models/M:generateContent".
struct Place {
  std::string_view model, method;
};
Place place_of(std::string_view target) {
  std::string_view path = path_of(target);
  path.remove_prefix(std::min(path.rfind('/') + 1, path.size()));
  const std::size_t colon = path.rfind(':');
  if (colon == path.npos) return {};
  return {.model = path.substr(0, colon), .method = path.substr(colon + 1)};
}

bool has_parameter(std::string_view target, std::string_view wanted) {
  target.remove_prefix(path_of(target).size());
  while (!target.empty()) {
    target.remove_prefix(1);
    const std::string_view parameter = target.substr(0, target.find('&'));
    if (parameter == wanted) return true;
    target.remove_prefix(parameter.size());
  }
  return false;
}

/// "/ID" of "…/v1beta/models/ID", "" of the list of models; nothing of another place.
std::optional<std::string_view> models_rest(std::string_view path) {
  static constexpr std::array kLists = {std::string_view("/v1beta/models"),
                                        std::string_view("/v1beta1/models"),
                                        std::string_view("/v1/models")};
  for (const std::string_view list : kLists) {
    const std::size_t at = path.find(list);
    if (at == path.npos) continue;
    const std::string_view rest = path.substr(at + list.size());
    const bool one = rest.starts_with('/') && rest.size() > 1 && rest.find(':') == rest.npos;
    if (rest.empty() || one) return rest;
  }
  return std::nullopt;
}

// --- Reading ------------------------------------------------------------------------------------

struct Named {
  std::string_view name;
  Value value;
};
std::optional<Named> find_either(const Value& object, std::string_view camel,
                                 std::string_view snake) {
  if (const auto value = object.find(camel)) return Named{.name = camel, .value = *value};
  if (const auto value = object.find(snake)) return Named{.name = snake, .value = *value};
  return std::nullopt;
}

/// ".key", or ["a key"] where it is no word.
void append_key(std::string& path, std::string_view key) {
  constexpr std::string_view kWord =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  if (!key.empty() && key.find_first_not_of(kWord) == key.npos) {
    path += '.';
    path += key;
    return;
  }
  path += '[';
  json::append_string(path, key);
  path += ']';
}

/// Calls `read` for each of a list, or for the one that stands where a list belongs.
template <class Read>
void each_of(const Value& list, const std::string& path, const Read& read) {
  if (!list.is(Type::kArray)) return read(path, list);
  std::size_t index = 0;
  for (const Value& value : list.elements()) read(fmt::format("{}[{}]", path, index++), value);
}

class Reading {
 public:
  explicit Reading(Pieces& pieces) : pieces_(pieces), request_(pieces.request) {}

  void of(const Value& body, std::string_view target) {
    const Place place = place_of(target);
    request_.model = repair_utf8(place.model).text;
    request_.stream = place.method == "streamGenerateContent";
    request_.array_stream = request_.stream && !has_parameter(target, "alt=sse");
    // A count may be that of a whole request.
    const auto inner = find_either(body, "generateContentRequest", "generate_content_request");
    const bool nested = inner && inner->value.is(Type::kObject);
    read_request_in(nested ? inner->value : body, nested ? std::string(inner->name) + '.' : "");
  }

 private:
  void read_request_in(const Value& root, const std::string& prefix) {
    if (const auto config = find_either(root, "generationConfig", "generation_config"))
      if (const auto most = find_either(config->value, "maxOutputTokens", "max_output_tokens"))
        request_.max_tokens = size_member(config->value, most->name);
    if (const auto system = find_either(root, "systemInstruction", "system_instruction"))
      read_parts(Role::kSystem, fmt::format("{}{}", prefix, system->name), system->value);
    if (const auto contents = root.find("contents")) read_contents(prefix + "contents", *contents);
    if (const auto tools = root.find("tools"))
      each_of(*tools, prefix + "tools",
              [&](const std::string& path, const Value& tool) { read_tool(path, tool); });
  }

  void read_contents(const std::string& path, const Value& contents) {
    request_.turns = contents.is(Type::kArray) ? contents.size() : 1;
    each_of(contents, path, [&](const std::string& place, const Value& content) {
      const bool model = text_member(content, "role") == "model";
      read_parts(model ? Role::kAssistant : Role::kUser, place, content);
      ++pieces_.turn;
    });
    pieces_.turn = 0;
  }

  void read_parts(Role role, const std::string& path, const Value& content) {
    const auto parts = content.find("parts");
    if (!parts) return;
    each_of(*parts, path + ".parts", [&](const std::string& place, const Value& part) {
      const auto text = part.find("text");
      if (text && !is_true(part, "thought")) pieces_.add(role, place + ".text", *text);
      const auto result = find_either(part, "functionResponse", "function_response");
      const auto response = result ? result->value.find("response") : std::nullopt;
      if (!response) return;
      std::string at = fmt::format("{}.{}.response", place, result->name);
      read_strings(at, *response);
    });
  }

  /// A result is an object of the client's own making: every string in it is read. `path` is as it
  /// was when this returns; a copy a level would be too much of a deep one with long keys.
  void read_strings(std::string& path, const Value& value) {
    if (pieces_.full()) return;
    pieces_.add(Role::kToolResult, path, value);
    const std::size_t length = path.size();
    if (value.is(Type::kArray)) {
      std::size_t index = 0;
      for (const Value& element : value.elements()) {
        path += fmt::format("[{}]", index++);
        read_strings(path, element);
        path.resize(length);
      }
    } else if (value.is(Type::kObject)) {
      read_members(path, value);
    }
  }

  void read_members(std::string& path, const Value& object) {
    const std::size_t length = path.size();
    const std::vector<Value::Member> members = object.members();
    std::map<std::string_view, std::size_t> last;  // of a name given twice
    for (std::size_t i = 0; i < members.size(); ++i) last[members[i].key] = i;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (last[members[i].key] != i) continue;
      append_key(path, members[i].key);
      read_strings(path, members[i].value);
      path.resize(length);
    }
  }

  /// An object with the client's functions, or with a service of the provider's, or both.
  void read_tool(const std::string& path, const Value& tool) {
    if (!tool.is(Type::kObject)) return;
    for (const Value::Member& entry : tool.members()) {
      std::string place = path;
      append_key(place, entry.key);
      if (entry.key == "functionDeclarations" || entry.key == "function_declarations") {
        each_of(entry.value, place,
                [&](std::string at, const Value& value) { read_function(std::move(at), value); });
      } else {
        Tool provided;
        provided.name = entry.key;
        provided.path = std::move(place);
        provided.provided = true;
        pieces_.add_tool(std::move(provided));
      }
    }
  }

  void read_function(std::string path, const Value& function) {
    const auto schema = find_either(function, "parametersJsonSchema", "parameters_json_schema");
    pieces_.add_tool(tool_of(function, std::move(path), schema ? schema->name : "parameters"));
  }

  Pieces& pieces_;
  Request& request_;
};

// --- Writing ------------------------------------------------------------------------------------

std::string_view status_word(int status) {
  switch (status) {
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "PERMISSION_DENIED";
    case 404:
      return "NOT_FOUND";
    case 409:
      return "ABORTED";
    case 429:
      return "RESOURCE_EXHAUSTED";
    case 499:
      return "CANCELLED";
    case 501:
      return "UNIMPLEMENTED";
    case 503:
      return "UNAVAILABLE";
    case 504:
      return "DEADLINE_EXCEEDED";
    default:
      return status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT";
  }
}

std::string response_of(const Request& request, const Reply& reply) {
  json::Writer json;
  json.begin_object().key("candidates").begin_array().begin_object();
  json.key("content").begin_object().member("role", "model");
  json.key("parts").begin_array().begin_object();
  if (const auto* text = std::get_if<TextReply>(&reply.content)) json.member("text", text->text);
  if (const auto* call = std::get_if<ToolCall>(&reply.content)) {
    json.key("functionCall").begin_object().member("name", call->tool);
    json.key("args").raw(object_of(*call)).end_object();
  }
  json.end_object().end_array().end_object();
  json.member("finishReason", "STOP").member("index", 0).end_object().end_array();
  json.key("usageMetadata").begin_object();
  json.member("promptTokenCount", reply.usage.input_tokens);
  json.member("candidatesTokenCount", reply.usage.output_tokens);
  json.member("totalTokenCount", reply.usage.input_tokens + reply.usage.output_tokens).end_object();
  json.member("modelVersion", request.model);
  json.member("responseId", fmt::format("response_cutline_{}", reply.number));
  return json.end_object().take();
}

// --- The dialect --------------------------------------------------------------------------------

class Gemini final : public Dialect {
 public:
  std::string_view name() const override { return "gemini"; }

  std::optional<Endpoint> endpoint(std::string_view method, std::string_view path) const override {
    const std::string_view asked = place_of(path).method;
    if (method == "POST") {
      if (asked == "generateContent" || asked == "streamGenerateContent")
        return Endpoint::kGenerate;
      if (asked == "countTokens") return Endpoint::kCountTokens;
    }
    if (method == "GET" && models_rest(path_of(path))) return Endpoint::kModels;
    return std::nullopt;
  }

  /// The key may stand in the query.
  bool speaks(const wire::HttpRequest& request) const override {
    const std::string_view target = request.target, path = path_of(target);
    return wire::find_header(request.headers, "x-goog-api-key") ||
           wire::find_header(request.headers, "x-goog-api-client") ||
           path.find("/v1beta") != path.npos || target.find("?key=") != target.npos;
  }

  Result<Request> read(std::string_view target, std::string body) const override {
    return read_request(std::move(body), [&](const Value& root, Pieces& pieces) {
      Reading(pieces).of(root, target);
    });
  }

  Answer write(const Request& request, const Reply& reply) const override {
    if (const auto* problem = std::get_if<ErrorReply>(&reply.content)) return error(*problem);
    std::string response = response_of(request, reply);
    if (!request.stream) return {.body = std::move(response)};
    if (request.array_stream) return {.body = fmt::format("[{}]", response), .streamed = true};
    std::string events;
    wire::append_event(events, {}, response);
    return events_answer(std::move(events));
  }

  Answer count(const Request&, std::size_t tokens) const override {
    return {.body =
                json::Writer().begin_object().member("totalTokens", tokens).end_object().take()};
  }

  /// No model is better than another here: the list is empty, and any that is asked for is there.
  using Dialect::models;
  Answer models(std::string_view path) const override {
    const std::string_view rest = models_rest(path_of(path)).value_or("");
    json::Writer json;
    json.begin_object();
    if (rest.empty()) {
      json.key("models").begin_array().end_array();
    } else {
      const std::string id = repair_utf8(rest.substr(1)).text;
      json.member("name", "models/" + id).member("displayName", id);
      json.key("supportedGenerationMethods").begin_array();
      json.string("generateContent").string("countTokens").end_array();
    }
    return {.body = json.end_object().take()};
  }

  /// The API has no such place.
  Answer health() const override { return {.body = "{}"}; }

  Answer error(const ErrorReply& error) const override {
    json::Writer json;
    json.begin_object().key("error").begin_object();
    json.member("code", error.status).member("message", error.message);
    json.member("status",
                error.type.empty() ? status_word(error.status) : std::string_view(error.type));
    return {.status = error.status, .body = json.end_object().end_object().take()};
  }

  /// The last word counts: its figures are totals. Thoughts are answered tokens, results of the
  /// provider's tools asked ones.
  std::optional<Usage> usage(std::string_view content_type, std::string_view body) const override {
    std::optional<Usage> usage;
    each_document(content_type, body, [&](std::string_view, const Value& document) {
      each_of(document, {}, [&](const std::string&, const Value& response) {
        const auto reported = member(response, "usageMetadata", Type::kObject);
        if (!reported) return;
        const auto tokens = [&](std::string_view key) { return tokens_member(*reported, key); };
        usage = {.input_tokens = tokens("promptTokenCount") + tokens("toolUsePromptTokenCount"),
                 .output_tokens = tokens("candidatesTokenCount") + tokens("thoughtsTokenCount")};
      });
    });
    return usage;
  }
};

}  // namespace

const Dialect& gemini() {
  static const Gemini dialect;
  return dialect;
}

}  // namespace cutline::llm
