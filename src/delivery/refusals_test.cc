// refusals_test.cc: what a bad input schema costs, as it was seen with the real programs: a good
// tool beside a bad one.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "delivery/profiles_fixture.h"
#include "mcp/schema.h"

namespace cutline::delivery {
namespace {

using testing::HasSubstr;

constexpr std::string_view kGood = R"({"type":"object","properties":{}})";
constexpr std::string_view kWithoutType = R"({"properties":{"a":{"type":"string"}}})";
constexpr std::string_view kOtherType = R"({"type":"string"})";
constexpr std::string_view kBoolean = R"({"type":"object","properties":{"a":true}})";
constexpr std::string_view kOddName = R"({"type":"object","properties":{"a b":{"type":"string"}}})";
constexpr std::string_view kInvalid =
    R"({"type":"object","properties":{"a":{"type":"string","enum":"x"}}})";

mcp::Tool tool(std::string name, std::string_view schema) {
  const json::Document document = json::Document::parse(schema).value();
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = mcp::server_text("Counts bins.");
  tool.input_schema = schema;
  tool.schema = mcp::schema_traits(document.root());
  return tool;
}

class Refused {
 public:
  Refused(std::string_view client, std::vector<std::string_view> schemas) {
    const Profile profile = profile_named(client);
    offer_.outcome = mcp::Outcome::kServes;
    offer_.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
    offer_.legacy.emplace();
    offer_.legacy->era = mcp::Era::kLegacy;
    offer_.legacy->instructions = mcp::server_text("Ask first.");
    offer_.legacy->tools.push_back(tool("good", kGood));
    for (const std::string_view schema : schemas)
      offer_.legacy->tools.push_back(tool("bad" + std::to_string(++bad_), schema));
    Situation situation;
    situation.session = Session::kCustomEndpoint;
    const Configured server = {.name = "lab", .offer = &offer_};
    delivery_ = deliver(profile, profile.last, situation, {&server, 1});
  }

  const Delivered& instructions() const { return *delivery_.instructions("lab"); }
  const Delivered& good() const { return *delivery_.tool("lab", "good"); }
  const Delivered& bad(int number = 1) const {
    return *delivery_.tool("lab", "bad" + std::to_string(number));
  }

  /// "nothing", or what goes with the bad tool: "tool", "list", "server".
  std::string cost() const {
    if (bad().never != Never::kSchemaRefused) return "nothing";
    if (good().never != Never::kSchemaRefused) return "tool";
    return instructions().never == Never::kSchemaRefused ? "server" : "list";
  }

 private:
  mcp::Offer offer_;
  Delivery delivery_;
  int bad_ = 0;
};

std::string cost(std::string_view client, std::string_view schema) {
  return Refused(client, {schema}).cost();
}

TEST(Refusals, ASchemaWithoutTheTypeObject) {
  const std::map<std::string, std::string> seen = {
      {"claude-code", "list"},        {"gemini-cli", "list"},
      {"continue", "list"},           {"qwen-code", "list"},
      {"opencode", "server"},         {"kilo", "server"},
      {"mcp-sdk-ts-v1", "server"},    {"mcp-sdk-ts-v2", "server"},
      {"ai-sdk-mcp", "nothing"},      {"codex", "nothing"},
      {"openai-agents-js", "server"}, {"copilot", "nothing"},
      {"cline", "nothing"},           {"langchain-mcp-adapters", "server"}};
  for (const auto& [client, what] : seen) {
    EXPECT_EQ(cost(client, kWithoutType), what) << client;
    EXPECT_EQ(cost(client, kOtherType), what) << client;
  }
}

TEST(Refusals, TrueForAParameter) {
  const std::map<std::string, std::string> seen = {{"claude-code", "nothing"},
                                                   {"gemini-cli", "list"},
                                                   {"continue", "list"},
                                                   {"opencode", "server"},
                                                   {"kilo", "server"},
                                                   {"mcp-sdk-ts-v1", "server"},
                                                   {"mcp-sdk-ts-v2", "nothing"},
                                                   {"ai-sdk-mcp", "nothing"},
                                                   {"codex", "nothing"},
                                                   {"openai-agents-js", "nothing"},
                                                   {"copilot", "nothing"},
                                                   {"cline", "nothing"},
                                                   {"langchain-mcp-adapters", "server"}};
  for (const auto& [client, what] : seen) EXPECT_EQ(cost(client, kBoolean), what) << client;
}

TEST(Refusals, OddNamesAndInvalidSchemasCostClaudeCodeTheTool) {
  EXPECT_EQ(cost("claude-code", kOddName), "tool");
  EXPECT_EQ(cost("claude-code", kInvalid), "tool");
  EXPECT_THAT(Refused("claude-code", {kInvalid}).bad().reason,
              HasSubstr("properties.a.enum of its inputSchema is no valid JSON Schema"));
  EXPECT_EQ(cost("gemini-cli", kOddName), "nothing");
  EXPECT_EQ(cost("gemini-cli", kInvalid), "nothing");
  const std::string name(64, 'k');
  const auto named = [](const std::string& parameter) {
    return R"({"type":"object","properties":{")" + parameter + R"(":{}}})";
  };
  EXPECT_EQ(cost("claude-code", named(name)), "nothing");
  EXPECT_EQ(cost("claude-code", named(name + "k")), "tool");
  EXPECT_EQ(cost("claude-code", named("")), "tool");
  EXPECT_EQ(cost("claude-code", named("a.b-c_D9")), "nothing");
}

TEST(Refusals, WhatIsNotKnownIsNotTakenForARefusal) {
  const Refused codex("codex", {kInvalid});
  EXPECT_EQ(codex.bad().state, State::kUnknown);
  EXPECT_TRUE(codex.good().arrives());
}

TEST(Refusals, TheWholeListGoesWithOneOfThemWhateverElseIsWrong) {
  const Refused both("claude-code", {kOddName, R"({"type":"object","anyOf":[{}]})", kOtherType});
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(both.bad(i).never, Never::kSchemaRefused);
  EXPECT_EQ(both.good().never, Never::kSchemaRefused);
  EXPECT_THAT(both.good().reason, HasSubstr("refuses the whole list because of the tool bad3"));
  EXPECT_TRUE(both.instructions().arrives());
}

}  // namespace
}  // namespace cutline::delivery
