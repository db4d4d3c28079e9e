// reading.cc: members by their shape, and the bounds of what is read.
#include "llm/reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "base/utf8.h"
#include "wire/sse.h"

namespace cutline::llm {
namespace {

using json::Type;
using json::Value;

// A real request has hundreds of parts and tools, and some ten thousand values.
constexpr std::size_t kPiecesMax = 100'000;
constexpr json::Limits kJsonLimits = {.bytes_max = std::size_t{128} << 20,
                                      .values_max = std::size_t{1} << 20};
// Where a path holds names of the client's, each of many texts could repeat the longest of them.
constexpr std::size_t kPathBytesMax = std::size_t{64} << 20;
constexpr std::size_t kPlaceBytesMax = 256;
constexpr std::size_t kEventBytesMax = std::size_t{32} << 20;

Problem problem(std::string message, std::string place) {
  return {
      .code = "llm.request", .message = std::move(message), .place = std::move(place), .hint = {}};
}

}  // namespace

std::optional<Value> member(const Value& object, std::string_view key, Type type) {
  const std::optional<Value> value = object.find(key);
  return value && value->is(type) ? value : std::nullopt;
}

std::string text_member(const Value& object, std::string_view key) {
  return json::string_member(object, key).value_or("");
}

bool is_true(const Value& object, std::string_view key) {
  const std::optional<Value> value = member(object, key, Type::kBool);
  return value && value->boolean();
}

std::optional<std::size_t> size_member(const Value& object, std::string_view key) {
  const std::optional<Value> value = member(object, key, Type::kNumber);
  const std::optional<std::int64_t> number = value ? value->int64() : std::nullopt;
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

Tool tool_of(const Value& definition, std::string path, std::string_view schema_key) {
  Tool tool{.name = text_member(definition, "name"),
            .path = std::move(path),
            .description = text_member(definition, "description"),
            .schema = {}};
  if (const auto schema = definition.find(schema_key)) tool.schema = schema->raw();
  return tool;
}

void Pieces::read_settings(const Value& root, std::string_view max_tokens_key) {
  request.model = text_member(root, "model");
  request.stream = is_true(root, "stream");
  request.max_tokens = size_member(root, max_tokens_key);
}

bool Pieces::full() const { return pieces_ > kPiecesMax || path_bytes_ > kPathBytesMax; }

bool Pieces::one_more(const std::string& path) {
  if (full()) return false;
  ++pieces_;
  path_bytes_ += path.size();
  if (!full()) return true;
  const std::string_view place = std::string_view(path).substr(0, kPlaceBytesMax);
  full_at_ = place.substr(0, valid_utf8_prefix(place));
  return false;
}

void Pieces::add(Role role, const std::string& path, const Value& text) {
  if (!text.is(Type::kString) || !one_more(path)) return;
  request.parts.push_back({role, path, text.string().value, turn});
}

void Pieces::add_texts(Role role, const std::string& path, const Value& content) {
  add(role, path, content);
  if (!content.is(Type::kArray)) return;
  std::size_t index = 0;
  for (const Value& part : content.elements()) {
    const std::string place = fmt::format("{}[{}]", path, index++);
    add(role, place, part);
    if (const auto text = part.find("text")) add(role, place + ".text", *text);
  }
}

void Pieces::add_tool(Tool tool) {
  if (!tool.name.empty() && one_more(tool.path)) request.tools.push_back(std::move(tool));
}

Result<Request> read_request(std::string body,
                             const std::function<void(const Value&, Pieces&)>& read) {
  Result<json::Document> document = json::Document::parse(body, kJsonLimits);
  Pieces pieces;
  pieces.request.body_bytes = body.size();
  std::string().swap(body);  // the document has its own; texts of this size are not kept thrice
  if (!document) {
    Problem& why = document.error();
    return fail(problem("the body is not JSON: " + why.message, std::move(why.place)));
  }
  const Value root = document->root();
  if (!root.is(Type::kObject))
    return fail(problem(fmt::format("the body is of type {}, not an object", name(root.type())),
                        fmt::format("byte {}", root.offset())));
  read(root, pieces);
  if (pieces.pieces_ > kPiecesMax)
    return fail(problem(
        fmt::format("the body has more than {} of text and tools", count(kPiecesMax, "piece")),
        pieces.full_at_));
  if (pieces.full())
    return fail(problem(fmt::format("the places of the body's texts take more than {}",
                                    count(kPathBytesMax, "byte")),
                        pieces.full_at_));
  return std::move(pieces.request);
}

void each_document(std::string_view content_type, std::string_view body,
                   const std::function<void(std::string_view, const Value&)>& read) {
  const auto parse = [&](std::string_view event, std::string_view text) {
    const Result<json::Document> document = json::Document::parse(text, kJsonLimits);
    if (document) read(event, document->root());
  };
  if (!content_type.starts_with("text/event-stream")) return parse({}, body);
  std::vector<wire::SseEvent> events;
  wire::SseReader reader(kEventBytesMax);
  const Result<void> fed = reader.feed(body, events);  // what came before an excess counts
  static_cast<void>(fed);
  for (const wire::SseEvent& event : events) parse(event.event, event.data);
}

std::size_t tokens_member(const Value& usage, std::string_view key) {
  constexpr std::size_t kTokensMax = 1'000'000'000;
  return std::min(size_member(usage, key).value_or(0), kTokensMax);
}

}  // namespace cutline::llm
