// openai.cc: the places and shapes that Chat Completions and Responses have in common.
#include "llm/openai.h"

#include "base/utf8.h"
#include "llm/reading.h"
#include "llm/writing.h"

namespace cutline::llm {
namespace {

constexpr std::string_view kModels = "/models";

/// The API's words for a status; "" is null.
struct ErrorWords {
  std::string_view type, code;
};
ErrorWords words_for(int status) {
  switch (status) {
    case 401:
      return {.type = "invalid_request_error", .code = "invalid_api_key"};
    case 429:
      return {.type = "requests", .code = "rate_limit_exceeded"};
    default:
      return {.type = status >= 500 ? "server_error" : "invalid_request_error", .code = {}};
  }
}

}  // namespace

/// Anthropic's clients may send such a header, too, but not without the version.
bool OpenAi::speaks(const wire::HttpRequest& request) const {
  return wire::find_header(request.headers, "authorization") &&
         !wire::find_header(request.headers, "anthropic-version");
}

bool OpenAi::is_models(std::string_view method, std::string_view path) {
  if (method != "GET") return false;
  return path_of(path).ends_with(kModels) || !rest_after(path, "/models/").empty();
}

Answer OpenAi::count(const Request&, std::size_t tokens) const {
  json::Writer json;
  json.begin_object().member("object", "response.input_tokens").member("input_tokens", tokens);
  return {.body = json.end_object().take()};
}

/// No model is better than another here: the list is empty, and any that is asked for is there.
Answer OpenAi::models(std::string_view path) const {
  json::Writer json;
  const std::string_view model = rest_after(path, "/models/");
  json.begin_object();
  if (model.empty()) {
    json.member("object", "list").key("data").begin_array().end_array();
  } else {
    json.member("id", repair_utf8(model).text).member("object", "model");
    json.member("created", 0).member("owned_by", "cutline");
  }
  return {.body = json.end_object().take()};
}

/// The API has no such place.
Answer OpenAi::health() const { return {.body = "{}"}; }

Answer OpenAi::error(const ErrorReply& error) const {
  // A script's own word is both, as with "insufficient_quota".
  const ErrorWords words = error.type.empty() ? words_for(error.status)
                                              : ErrorWords{.type = error.type, .code = error.type};
  json::Writer json;
  json.begin_object().key("error").begin_object();
  json.member("message", error.message).member("type", words.type).key("param").null();
  json.key("code");
  words.code.empty() ? json.null() : json.string(words.code);
  return {.status = error.status, .body = json.end_object().end_object().take()};
}

void OpenAi::write_usage(json::Writer& json, const Usage& usage) const {
  json.key("usage").begin_object().member(keys_.input, usage.input_tokens);
  json.key(keys_.input_details).begin_object().member("cached_tokens", 0).end_object();
  json.member(keys_.output, usage.output_tokens);
  json.key(keys_.output_details).begin_object().member("reasoning_tokens", 0).end_object();
  json.member("total_tokens", usage.input_tokens + usage.output_tokens).end_object();
}

/// Of a stream the last word counts. Figures include what was cached, and what was thought.
std::optional<Usage> OpenAi::usage(std::string_view content_type, std::string_view body) const {
  std::optional<Usage> usage;
  const auto take = [&](const json::Value& holder) {
    const auto reported = member(holder, "usage", json::Type::kObject);
    if (!reported) return;
    usage = {.input_tokens = tokens_member(*reported, keys_.input),
             .output_tokens = tokens_member(*reported, keys_.output)};
  };
  each_document(content_type, body, [&](std::string_view, const json::Value& document) {
    take(document);
    if (const auto response = document.find("response")) take(*response);
  });
  return usage;
}

}  // namespace cutline::llm
