// reading.h: what the readers of all dialects share; inside this room only.
//
// Reading is lenient: a member of another shape than the API's is passed over, so that whatever a
// client sends leaves a reading; only a body that is no JSON object does not. Paths name the very
// string: "messages[1].content" where the content is one, "messages[1].content[0].text" in blocks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/document.h"
#include "llm/request.h"

namespace cutline::llm {

/// The member of that name, if it is of that type.
std::optional<json::Value> member(const json::Value& object, std::string_view key, json::Type type);
/// "" where there is no such string.
std::string text_member(const json::Value& object, std::string_view key);
bool is_true(const json::Value& object, std::string_view key);
std::optional<std::size_t> size_member(const json::Value& object, std::string_view key);

/// The name, the description and the member `schema_key` of a definition.
Tool tool_of(const json::Value& definition, std::string path, std::string_view schema_key);

/// The texts and tools of one request, as many as there is room for.
class Pieces {
 public:
  Request request;
  std::size_t turn = 0;  // of the parts that are added

  /// Model and stream, and the most tokens from the member of that name.
  void read_settings(const json::Value& root, std::string_view max_tokens_key);
  /// Whether there is room for one more; where there is none, the reading fails in the end.
  bool one_more(const std::string& path);
  /// Nothing is added of what is no string.
  void add(Role role, const std::string& path, const json::Value& text);
  /// Content as most APIs have it: a string, or parts that are strings or have a "text".
  void add_texts(Role role, const std::string& path, const json::Value& content);
  /// Nothing is added of a tool without a name.
  void add_tool(Tool tool);
  /// Whether nothing more is taken, so that a reader need not go on.
  bool full() const;

 private:
  friend Result<Request> read_request(std::string body,
                                      const std::function<void(const json::Value&, Pieces&)>& read);
  std::size_t pieces_ = 0, path_bytes_ = 0;
  std::string full_at_;
};

/// What `read` makes of the body's object. Problem "llm.request".
Result<Request> read_request(std::string body,
                             const std::function<void(const json::Value&, Pieces&)>& read);

// --- Usage of real answers ----------------------------------------------------------------------

/// Calls `read` for each JSON text of an answer: its body, or what its events carry, with their
/// names. What is no JSON is passed over.
void each_document(
    std::string_view content_type, std::string_view body,
    const std::function<void(std::string_view event, const json::Value& document)>& read);

/// Of one request; 0 where there is none. Bounded, so that sums do not run over.
std::size_t tokens_member(const json::Value& usage, std::string_view key);

}  // namespace cutline::llm
