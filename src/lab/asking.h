// asking.h: for the tests of this room: messages to send to a lab, and answers to look into.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "json/document.h"
#include "lab/server.h"
#include "text/sample.h"

namespace cutline::lab::asking {

inline constexpr std::string_view kEnvelope =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}})";

/// `params` are members, without braces.
inline std::string request(std::string_view method, std::string_view params = "",
                           std::string_view id = "1") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + std::string(params) + "}}";
}

inline std::string modern(std::string_view method, std::string_view more = "",
                          std::string_view id = "1") {
  return request(method, std::string(kEnvelope) + (more.empty() ? "" : ",") + std::string(more),
                 id);
}

inline std::string legacy_initialize(std::string_view version) {
  return request("initialize",
                 R"("protocolVersion":")" + std::string(version) +
                     R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"})");
}

inline std::string notification(std::string_view method) {
  return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"("})";
}

inline Result<std::string> no_files(const std::string& path) {
  return fail(Problem{.code = "sys.file.read", .message = "no file", .place = path, .hint = {}});
}

using Flags = std::vector<std::pair<std::string, std::string>>;

inline Server server(
    const Flags& flags,
    const std::function<Result<std::string>(const std::string&)>& read = no_files) {
  Settings settings;
  for (const auto& [key, value] : flags) {
    const Result<void> done = set(settings, key, value);
    EXPECT_TRUE(done) << to_text(done.error());
  }
  Result<Texts> texts = load_texts(settings, read);
  EXPECT_TRUE(texts) << to_text(texts.error());
  return Server(settings, texts.value_or(Texts{}));
}

/// A parsed answer line with short ways to its members: text("|result|tools|0|name").
class Reply {
 public:
  explicit Reply(std::string line) : line_(std::move(line)) {
    Result<json::Document> parsed = json::Document::parse(line_);
    EXPECT_TRUE(parsed) << line_.substr(0, 300);
    if (parsed) document_ = std::make_shared<json::Document>(*std::move(parsed));
  }

  std::optional<json::Value> find(std::string_view path) const {
    if (!document_) return std::nullopt;
    std::optional<json::Value> at = document_->root();
    while (!path.empty() && at) {
      path.remove_prefix(1);
      const std::size_t end = std::min(path.find('|'), path.size());
      const std::string_view name = path.substr(0, end);
      if (at->is(json::Type::kArray)) {
        const std::size_t index = std::stoul(std::string(name));
        at = index < at->size() ? std::optional(at->elements()[index]) : std::nullopt;
      } else {
        at = at->find(name);
      }
      path.remove_prefix(end);
    }
    return at;
  }
  /// Raw JSON of the member; "absent" if there is none. Names are set apart by '|'.
  std::string raw(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return std::string(value ? value->raw() : "absent");
  }
  std::string text(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return value && value->is(json::Type::kString) ? value->string().value : raw(path);
  }
  std::size_t size(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return value ? value->size() : 0;
  }

 private:
  std::string line_;
  std::shared_ptr<json::Document> document_;
};

/// The one line that is sent at once in answer to `line`.
inline Reply ask(Server& lab, std::string_view line) {
  const std::vector<Action> actions = lab.receive(line);
  EXPECT_EQ(actions.size(), 1u) << line;
  if (actions.size() != 1) return Reply("{}");
  EXPECT_EQ(actions[0].kind, Action::Kind::kSend);
  EXPECT_EQ(actions[0].after, std::chrono::milliseconds(0));
  EXPECT_EQ(actions[0].bytes.find('\n'), actions[0].bytes.size() - 1) << "one line";
  return Reply(actions[0].bytes);
}

inline std::string sample(std::size_t units, std::string_view salt) {
  return text::sample(text::SampleKind::kEnglish, units, salt).value();
}

}  // namespace cutline::lab::asking
