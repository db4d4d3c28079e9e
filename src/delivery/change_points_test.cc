// change_points_test.cc: what single versions of Claude Code, and other clients, were measured to
// do where the rule of most does not hold (atlas, 2026-12-01).
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "delivery/profiles_fixture.h"

namespace cutline::delivery {
namespace {

mcp::Tool tool(std::string name, std::string_view description = "x") {
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = mcp::server_text(description);
  tool.input_schema = R"({"type":"object"})";
  return tool;
}

mcp::Offer offer_of(std::vector<mcp::Tool> tools) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy.emplace();
  offer.legacy->era = mcp::Era::kLegacy;
  offer.legacy->instructions = mcp::server_text("Ask first.");
  offer.legacy->tools = std::move(tools);
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  return offer;
}

Delivery delivered(std::string_view client, std::string_view version, const mcp::Offer& offer,
                   Pairs variables = {}, Pairs settings = {}) {
  static const std::map<std::string, Profile, std::less<>> kProfiles = {
      {"claude-code", profile_named("claude-code")},
      {"codex", profile_named("codex")},
      {"qwen-code", profile_named("qwen-code")}};
  Situation situation;
  situation.session = Session::kCustomEndpoint;
  situation.variables = std::move(variables);
  situation.settings = std::move(settings);
  const Configured server{.name = "lab", .offer = &offer};
  return deliver(kProfiles.find(client)->second, Version::parse(version).value(), situation,
                 {&server, 1});
}

const Pairs kSearchOn = {{"ENABLE_TOOL_SEARCH", "true"}};

TEST(ChangePoints, TwoToolsOfOneNameWereBothSentOnce) {
  const mcp::Offer offer = offer_of({tool("bin.count"), tool("bin_count")});
  const auto second = [&](const char* version) {
    return delivered("claude-code", version, offer).tool("lab", "bin_count")->never;
  };
  EXPECT_EQ(second("2.1.49"), Never::kNo);
  EXPECT_EQ(second("2.1.50"), Never::kNameCollides);
}

TEST(ChangePoints, HalfAnEmojiWasSentOnce) {
  std::string text(2'047, 'a');
  text += "🔩🔩";
  const mcp::Offer offer = offer_of({tool("a", text)});
  const auto end = [&](const char* version) {
    const std::string sent = delivered("claude-code", version, offer).tool("lab", "a")->text();
    return sent.substr(2'047);
  };
  EXPECT_EQ(end("2.1.161"), "\uFFFD… [truncated]");
  EXPECT_EQ(end("2.1.162"), "… [truncated]");
}

TEST(ChangePoints, ToolSearchComesAndGoes) {
  const mcp::Offer offer = offer_of({tool("a")});
  const auto state = [&](const char* version, const Pairs& variables) {
    return delivered("claude-code", version, offer, variables).tool("lab", "a")->state;
  };
  EXPECT_EQ(state("2.1.68", {}), State::kAtStart);
  EXPECT_EQ(state("2.1.69", {}), State::kAtStartOrDeferred) << "it depends on the model";
  EXPECT_EQ(state("2.1.70", {}), State::kAtStart);
  EXPECT_EQ(state("2.1.69", kSearchOn), State::kDeferred);
  EXPECT_EQ(state("2.1.71", kSearchOn), State::kAtStart);
  EXPECT_EQ(state("2.1.72", kSearchOn), State::kDeferred);
}

TEST(ChangePoints, WithToolSearchOnTheFirstRequestsHadNothingOfServers) {
  const mcp::Offer offer = offer_of({tool("a")});
  const Delivery later = delivered("claude-code", "2.1.200", offer, kSearchOn);
  EXPECT_EQ(later.instructions("lab")->state, State::kInRequest);
  EXPECT_EQ(later.instructions("lab")->request, 3U);
  EXPECT_EQ(later.tool("lab", "a")->state, State::kDeferred);
  EXPECT_EQ(later.tool("lab", "a")->request, 3U);
  EXPECT_FALSE(later.tool("lab", "a")->also);
  const Delivery kept_out =
      delivered("claude-code", "2.1.200", offer, kSearchOn, {{"alwaysLoad", "true"}});
  EXPECT_EQ(kept_out.instructions("lab")->state, State::kAtStart);
  const Delivery since = delivered("claude-code", "2.1.221", offer, kSearchOn);
  EXPECT_EQ(since.instructions("lab")->state, State::kAtStart);
  EXPECT_EQ(since.tool("lab", "a")->request, 1U);
}

TEST(ChangePoints, TheTextMovesInARequestWithoutTools) {
  const auto path = [](const mcp::Offer& offer, const Pairs& variables) {
    return delivered("claude-code", "2.1.89", offer, variables).instructions("lab")->where.path;
  };
  EXPECT_EQ(path(offer_of({tool("a")}), {}), "system[2]");
  EXPECT_EQ(path(offer_of({}), {}), "system[3]");
  EXPECT_EQ(path(offer_of({tool("a")}), kSearchOn), "system[3]");
}

TEST(ChangePoints, TheFirstToConnectCameFirst) {
  const mcp::Offer offer = offer_of({tool("a")});
  const Configured servers[] = {{.name = "a", .offer = &offer}, {.name = "b", .offer = &offer}};
  const Profile profile = profile_named("claude-code");
  EXPECT_FALSE(deliver(profile, Version::parse("2.1.78").value(), {}, servers).order_known);
  EXPECT_TRUE(deliver(profile, Version::parse("2.1.79").value(), {}, servers).order_known);
  EXPECT_TRUE(deliver(profile, Version::parse("2.1.78").value(), {}, {servers, 1}).order_known);
}

TEST(ChangePoints, TheWaitCanBeSwitchedOffFrom274On) {
  mcp::Offer offer = offer_of({tool("a")});
  offer.times.handshake = mcp::Milliseconds(5'000);
  const auto request = [&](const char* version) {
    return delivered("claude-code", version, offer, {{"CLAUDE_CODE_MCP_STARTUP_WAIT_MS", "0"}})
        .instructions("lab")
        ->request;
  };
  EXPECT_EQ(request("2.1.273"), 1U);
  EXPECT_EQ(request("2.1.274"), 2U);
}

TEST(ChangePoints, AProbeThatFailsLeadsToInitialize) {
  const Delivery delivery = delivered("claude-code", "2.1.280", offer_of({tool("a")}),
                                      {{"MCP_PROTOCOL_NEGOTIATION", "auto"}});
  EXPECT_EQ(delivery.handshake, "server/discover, then initialize");
  EXPECT_TRUE(delivery.connected);
}

TEST(ChangePoints, CodexLeavesOutServersWithoutTools) {
  mcp::Offer offer = offer_of({});
  const auto piece = [&] { return *delivered("codex", "0.171.0", offer).instructions("lab"); };
  EXPECT_EQ(piece().never, Never::kNoTools);
  offer.legacy->tools_problem = "tools/list: it is answered with error -32603";
  EXPECT_EQ(piece().state, State::kUnknown);
  offer.legacy->tools_problem.reset();
  offer.legacy->text_only = true;
  EXPECT_EQ(piece().state, State::kAtStart) << "a draft says nothing of tools";
  offer = offer_of({tool("a")});
  EXPECT_EQ(piece().state, State::kAtStart);
}

TEST(ChangePoints, CodexGoesAheadOfLateServers) {
  mcp::Offer offer = offer_of({tool("a")});
  const auto late = [&](double ms) {
    offer.times.handshake = mcp::Milliseconds(ms);
    return *delivered("codex", "0.171.0", offer).instructions("lab");
  };
  EXPECT_EQ(late(900).state, State::kAtStart);
  EXPECT_EQ(late(1'300).state, State::kUnknown) << "request 1 may leave a little later";
  const Delivered piece = late(3'000);
  EXPECT_EQ(piece.state, State::kInRequest);
  EXPECT_EQ(piece.request, 2U);
  EXPECT_EQ(piece.where.role, "developer-message");
  EXPECT_EQ(piece.frame.opening, "<tools>\nAdded deferred tool namespaces:\n");
  ASSERT_TRUE(piece.also);
  EXPECT_EQ(piece.also->says, SecondWay::Says::kWhole);
}

TEST(ChangePoints, QwenCutsLongResultsOfItsSearch) {
  const auto state = [](std::size_t units) {
    const mcp::Offer offer = offer_of({tool("a", std::string(units, 'x'))});
    return delivered("qwen-code", "0.24.4", offer).tool("lab", "a")->state;
  };
  EXPECT_EQ(state(24'500), State::kDeferred);
  EXPECT_EQ(state(25'300), State::kUnknown);
}

}  // namespace
}  // namespace cutline::delivery
