// writing.cc: small things that every answer needs.
#include "llm/writing.h"

#include <utility>

#include "base/utf8.h"
#include "json/document.h"

namespace cutline::llm {

std::string object_of(const ToolCall& call) {
  const Result<json::Document> document = json::Document::parse(call.arguments);
  return document && document->root().is(json::Type::kObject) ? std::string(document->root().raw())
                                                              : "{}";
}

std::string freeform_input(const ToolCall& call) {
  const Result<json::Document> document = json::Document::parse(call.arguments);
  const auto input = document ? json::string_member(document->root(), "input") : std::nullopt;
  return input ? *input : repair_utf8(call.arguments).text;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view rest_after(std::string_view target, std::string_view marker) {
  const std::string_view path = path_of(target);
  const std::size_t at = path.find(marker);
  return at == path.npos ? std::string_view() : path.substr(at + marker.size());
}

Answer events_answer(std::string body) {
  return {.status = 200,
          .content_type = "text/event-stream; charset=utf-8",
          .body = std::move(body),
          .streamed = true};
}

}  // namespace cutline::llm
