// evidence_fixture.h: evidence made by hand, of a client that does what its profile says, or not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "json/writer.h"
#include "run/evaluate.h"
#include "run/experiment.h"

namespace cutline::run {

inline const delivery::Profile& claude_profile() {
  static const delivery::Profile profile = [] {
    for (const delivery::BuiltinProfile& builtin : delivery::builtin_profiles())
      if (builtin.file == "claude-code.toml")
        return delivery::read_profile(builtin.toml, "f").value();
    return delivery::Profile{};
  }();
  return profile;
}

/// A client of version 2.1.285 under the conditions of the reference lab, and one server with one
/// tool.
class HandMade {
 public:
  static constexpr std::string_view kVersion = "2.1.285", kPrompt = "Which words do you see?";

  explicit HandMade(std::string instructions) : instructions_(std::move(instructions)) {}

  /// In place of what the profile predicts.
  HandMade& arrives_as(std::string block) {
    block_ = std::move(block);
    return *this;
  }
  /// The server says this on standard error, and ends so; an empty end is none.
  HandMade& ends_without_a_word(std::string end, std::string errors) {
    silent_end_ = std::pair(std::move(end), std::move(errors));
    return *this;
  }
  /// What differs from run to run.
  HandMade& mark(std::string mark) {
    mark_ = std::move(mark);
    return *this;
  }

  static delivery::Situation situation() {
    return {.model = "claude-sonnet-4-5-20250929",
            .session = delivery::Session::kCustomEndpoint,
            .variables = {{"MCP_PROTOCOL_NEGOTIATION", "auto"}, {"ENABLE_TOOL_SEARCH", "false"}},
            .settings = {}};
  }

  std::vector<store::Message> messages() const {
    if (!silent_end_) return spoken();
    std::vector<store::Message> all;
    add(all, "started", "");
    add(all, "stderr", silent_end_->second);
    if (!silent_end_->first.empty()) add(all, "ended", silent_end_->first);
    return all;
  }
  std::vector<store::Request> requests() const {
    store::Request warm_up{.at_us = 1,
                           .method = "POST",
                           .target = "/v1/messages",
                           .headers = "{}",
                           .body = R"({"model":"m","messages":[]})",
                           .answer = {},
                           .problem = {}};
    store::Request talk = warm_up;
    talk.at_us = 20'000;
    talk.target = "/v1/messages?beta=true";
    talk.body = body();
    return {warm_up, talk};
  }

  std::vector<store::File> files() const {
    return {{.name = "stdout", .bytes = ""}, {.name = "transcript.jsonl", .bytes = transcript()}};
  }

  delivery::Delivery predicted(const mcp::Offer& offer) const {
    const delivery::Configured server{.name = "lab", .offer = &offer};
    return delivery::deliver(claude_profile(), Version::parse(kVersion).value(), situation(),
                             {&server, 1});
  }

 private:
  static void add(std::vector<store::Message>& all, std::string direction, std::string line) {
    all.push_back({.at_us = static_cast<std::int64_t>(all.size() + 1) * 1'000,
                   .server = "lab",
                   .process = 1,
                   .direction = std::move(direction),
                   .line = std::move(line)});
  }

  std::vector<store::Message> spoken() const {
    std::vector<store::Message> all;
    add(all, "started", "");
    add(all, "client", R"({"jsonrpc":"2.0","id":"p","method":"server/discover","params":{}})");
    add(all, "server", R"({"jsonrpc":"2.0","id":"p","error":{"code":-32601,"message":"no"}})");
    add(all, "client", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
    json::Writer answer;
    answer.begin_object().member("jsonrpc", "2.0").key("id").number(1);
    answer.key("result").begin_object().member("protocolVersion", "2025-11-25");
    answer.key("capabilities").begin_object().key("tools").begin_object().end_object().end_object();
    answer.key("serverInfo").begin_object().member("name", "lab").member("version", "1");
    answer.end_object().member("instructions", instructions_).end_object().end_object();
    add(all, "server", answer.take());
    add(all, "client", R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    add(all, "client", R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
    add(all, "server",
        R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"find","description":)"
        R"("Finds a part.","inputSchema":{"type":"object"}}]}})");
    return all;
  }

  std::string body() const {
    const mcp::Offer offer = recorded_offer(spoken(), "lab").value();
    const delivery::Delivery delivery = predicted(offer);
    const std::string& path = delivery.instructions("lab")->where.path;
    const std::size_t bracket = path.rfind('[');
    const std::size_t before = bracket == path.npos ? 0 : std::stoul(path.substr(bracket + 1));

    json::Writer out;
    out.begin_object().member("model", situation().model);
    out.member("system", "You are nobody. Your session is " + mark_ + ".").key("messages");
    out.begin_array().begin_object().member("role", "user").key("content").begin_array();
    for (std::size_t i = 0; i < before; ++i) write_text(out, "words of the client");
    write_text(out, block_.value_or(delivery::instructions_block(delivery)));
    write_text(out, kPrompt);
    out.end_array().end_object().end_array().key("tools").begin_array();
    out.begin_object().member("name", "mcp__lab__find").member("description", "Finds a part.");
    out.key("input_schema").begin_object().member("type", "object").end_object().end_object();
    out.end_array().end_object();
    return out.take();
  }
  static void write_text(json::Writer& out, std::string_view text) {
    out.begin_object().member("type", "text").member("text", text).end_object();
  }

  /// As Claude Code has it.
  std::string transcript() const {
    const mcp::Offer offer = recorded_offer(spoken(), "lab").value();
    const delivery::Delivery delivery = predicted(offer);
    json::Writer out;
    out.begin_object().key("attachment").begin_object();
    out.member("type", "mcp_instructions_delta").key("addedBlocks").begin_array();
    out.string("## lab\n" + delivery.instructions("lab")->text());
    out.end_array().end_object().end_object();
    return out.take() + "\n";
  }

  std::string instructions_, mark_ = "0";
  std::optional<std::string> block_;
  std::optional<std::pair<std::string, std::string>> silent_end_;
};

/// Keeps what an evaluation looks at.
struct Given {
  explicit Given(const HandMade& made)
      : requests(made.requests()), messages(made.messages()), files(made.files()) {}

  Result<std::unique_ptr<Evaluation>> evaluated() const {
    return evaluate({.profile = &claude_profile(),
                     .adapter = adapter_named("claude-code"),
                     .version = Version::parse(HandMade::kVersion).value(),
                     .situation = HandMade::situation(),
                     .prompts = {std::string(HandMade::kPrompt)},
                     .servers = {"lab"},
                     .requests = requests,
                     .messages = messages,
                     .files = files});
  }
  std::unique_ptr<Evaluation> evaluation() const {
    auto evaluation = evaluated();
    if (!evaluation) ADD_FAILURE() << to_text(evaluation.error());
    return evaluation ? *std::move(evaluation) : std::make_unique<Evaluation>();
  }

  std::vector<store::Request> requests;
  std::vector<store::Message> messages;
  std::vector<store::File> files;
};

}  // namespace cutline::run
