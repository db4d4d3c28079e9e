// second_ways_test.cc: what is told of deferred tools at the start, what a search brings, and when
// tools are deferred; the values are those that the real programs showed.
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "delivery/locate.h"
#include "delivery/profiles_fixture.h"

namespace cutline::delivery {
namespace {

using Says = SecondWay::Says;

mcp::Offer offer_with(std::string instructions,
                      const std::vector<std::pair<std::string, std::string>>& tools) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy.emplace();
  offer.legacy->era = mcp::Era::kLegacy;
  offer.legacy->instructions = mcp::server_text(std::move(instructions));
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  for (const auto& [name, description] : tools) {
    mcp::Tool& tool = offer.legacy->tools.emplace_back();
    tool.name = name;
    tool.description = mcp::server_text(description);
  }
  return offer;
}

Delivery deliver_one(std::string_view client, const Situation& situation, std::string_view server,
                     const mcp::Offer& offer) {
  const Profile profile = profile_named(client);
  const Configured configured = {.name = std::string(server), .offer = &offer};
  return deliver(profile, profile.last, situation, {&configured, 1});
}

Situation with_model(std::string model) {
  Situation situation;
  situation.model = std::move(model);
  return situation;
}

TEST(SecondWays, QwenTellsNameAndFirstLine) {
  const std::string sent =
      "A \"quoted\" \\ line\tand\u001b </system-reminder> <b> 部品 😀 \r\nSecond.";
  const mcp::Offer offer =
      offer_with("Ask first.", {{"tool_001", sent},
                                {"tool_002", std::string(400, 'x')},
                                {"tool_003", "\nB"},
                                {"tool_004", std::string(156, 'x') + "🔧 and on and on"}});
  const Delivery delivery = deliver_one("qwen-code", {}, "Lab.x", offer);
  const SecondWay& odd = *delivery.tool("Lab.x", "tool_001")->also;
  EXPECT_EQ(odd.says, Says::kHead);
  EXPECT_EQ(odd.before + odd.text + odd.after,
            "- \"mcp__Lab_x__tool_001_0vf7sqe\": \"A \\\"quoted\\\" \\\\ line\\tand\\u001b "
            "<\\/system-reminder> <b> 部品 😀\"");
  const SecondWay& long_one = *delivery.tool("Lab.x", "tool_002")->also;
  EXPECT_EQ(long_one.text, std::string(157, 'x') + "...");
  EXPECT_EQ(long_one.units, 157U);
  EXPECT_EQ(delivery.tool("Lab.x", "tool_003")->also->text, "");
  // Half a character stays, as JSON.stringify writes it.
  EXPECT_EQ(delivery.tool("Lab.x", "tool_004")->also->text, std::string(156, 'x') + "\\ud83d...");
}

TEST(SecondWays, QwensNames) {
  const std::string y(50, 'y'), rest(70, 'r');
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"lookup_part", "mcp__shelf__lookup_part"},
      {"bins.list", "mcp__shelf__bins_list_0pdv2uj"},
      {"a b", "mcp__shelf__a_b_0mxcj8q"},
      {"部品", "mcp__shelf_____1fbpce2"},
      {"emoji😀x", "mcp__shelf__emoji__x_0k7hnsg"},
      {"Ünï", "mcp__shelf___n__0dmdux4"},
      {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
       "mcp__shelf__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
      {"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
       "mcp__shelf__yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy_1oa6h53"}};
  std::vector<std::pair<std::string, std::string>> tools;
  for (const auto& [sent, full] : rows) tools.emplace_back(sent, "x");
  const mcp::Offer offer = offer_with("Ask first.", tools);
  const Delivery delivery = deliver_one("qwen-code", {}, "shelf", offer);
  for (const auto& [sent, full] : rows) EXPECT_EQ(delivery.tool("shelf", sent)->full_name, full);
}

TEST(SecondWays, CodexTellsNothingOfToolsAndAllOfTheInstructionsLater) {
  const mcp::Offer offer = offer_with("One line.\nAnother.", {{"find", "Finds."}});
  const Delivery delivery = deliver_one("codex", with_model("gpt-5.5"), "lab", offer);
  EXPECT_EQ(delivery.tool("lab", "find")->also->says, Says::kNothing);
  const SecondWay& later = *delivery.instructions("lab")->also;
  EXPECT_EQ(later.says, Says::kWhole);
  EXPECT_EQ(later.state, State::kDeferred);
  EXPECT_EQ(delivery.notes,
            std::vector<std::string>{"once the model searches for tools, it gets the instructions "
                                     "whole"});
  const Delivery other = deliver_one("codex", with_model("gpt-5"), "lab", offer);
  EXPECT_FALSE(other.instructions("lab")->also);
}

llm::Request request_saying(std::string text) {
  llm::Request request;
  llm::Part& part = request.parts.emplace_back();
  part.role = llm::Role::kUser;
  part.path = "messages[1].content[4].text";
  part.text = std::move(text);
  return request;
}

TEST(SecondWays, AreFoundInRequests) {
  const Profile profile = profile_named("qwen-code");
  const mcp::Offer offer = offer_with("Ask first.", {{"find", "Finds a part in any of the bins."}});
  const Configured configured = {.name = "lab", .offer = &offer};
  const auto found = [&](std::string line) {
    const llm::Request request =
        request_saying("<system-reminder>\n#### lab\n" + std::move(line) + "\n</system-reminder>");
    const Captured captured = {.requests = {&request, 1}, .servers = {&configured, 1}};
    return *locate(profile, profile.last, {}, captured).tool("lab", "find");
  };
  const Delivered as_predicted =
      found("- \"mcp__lab__find\": \"Finds a part in any of the bins.\"");
  EXPECT_EQ(as_predicted.also->text, "Finds a part in any of the bins.");
  EXPECT_EQ(as_predicted.also->where.path, "messages[1].content[4]");
  EXPECT_EQ(as_predicted.also->where.role, "user-reminder");
  const Delivered other_frame = found("mcp__lab__find (Finds a part in any of)");
  EXPECT_EQ(other_frame.also->text, "Finds a part in any of)");
  EXPECT_EQ(other_frame.also->units, 22U);
  EXPECT_EQ(found("mcp__lab__find, mcp__lab__other").also->says, Says::kName);
}

TEST(SecondWays, CopilotDefersFromThirtyOneToolsOn) {
  struct Row {
    const char *model, *variable, *value;
    int most;  // tools that are sent
  };
  for (const Row& row : {Row{"claude-sonnet-4.5", "COPILOT_PROVIDER_TYPE", "anthropic", 13},
                         Row{"gpt-5.4", "COPILOT_PROVIDER_WIRE_API", "responses", 14},
                         Row{"gpt-6-sol", "COPILOT_PROVIDER_WIRE_API", "responses", 14},
                         Row{"gpt-5", "COPILOT_PROVIDER_WIRE_API", "responses", 40},
                         Row{"gpt-5.4", "COPILOT_PROVIDER_TYPE", "anthropic", 40},
                         Row{"claude-sonnet-4.5", "COPILOT_PROVIDER_TYPE", "openai", 40}}) {
    SCOPED_TRACE(fmt::format("{} {}", row.model, row.value));
    Situation situation = with_model(row.model);
    situation.variables.emplace_back(row.variable, row.value);
    std::vector<std::pair<std::string, std::string>> tools;
    for (int i = 0; i < row.most; ++i) tools.emplace_back(fmt::format("tool_{}", i), "x");
    const mcp::Offer few = offer_with("Ask first.", tools);
    EXPECT_EQ(deliver_one("copilot", situation, "lab", few).tool("lab", "tool_0")->state,
              State::kAtStart);
    if (row.most == 40) continue;
    tools.emplace_back("one_more", "x");
    const mcp::Offer many = offer_with("Ask first.", tools);
    const Delivery delivery = deliver_one("copilot", situation, "lab", many);
    EXPECT_EQ(delivery.tool("lab", "tool_0")->state, State::kDeferred);
    EXPECT_EQ(delivery.instructions("lab")->state, State::kUnknown);
  }
}

}  // namespace
}  // namespace cutline::delivery
