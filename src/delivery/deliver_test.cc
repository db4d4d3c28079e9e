// deliver_test.cc: what follows from the rules of delivery, on a small made-up profile and on the
// built-in one where the case files (cases_test.cc) are silent.
#include "delivery/deliver.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace cutline::delivery {
namespace {

const Profile& claude_code() {
  static const Profile profile = [] {
    for (const BuiltinProfile& builtin : builtin_profiles())
      if (builtin.file == "claude-code.toml") return read_profile(builtin.toml, "f").value();
    return Profile{};
  }();
  return profile;
}

Version version(std::string_view text) { return Version::parse(text).value(); }
VersionRange range(std::string_view text) { return VersionRange::parse(text).value(); }

mcp::Offer legacy_offer(std::string instructions) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy.emplace();
  offer.legacy->instructions = mcp::server_text(std::move(instructions));
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  return offer;
}

mcp::Offer dual_offer(std::string legacy, std::string modern) {
  mcp::Offer offer = legacy_offer(std::move(legacy));
  offer.modern.emplace();
  offer.modern->era = mcp::Era::kModern;
  offer.modern->instructions = mcp::server_text(std::move(modern));
  offer.probe = {.answer = mcp::ProbeAnswer::kModern, .error_code = {}, .versions = {}};
  return offer;
}

Delivery deliver_lab(std::string_view at, const Situation& situation, const mcp::Offer& offer) {
  const Configured server = {.name = "lab", .offer = &offer};
  return deliver(claude_code(), version(at), situation, {&server, 1});
}

TEST(Deliver, AddsNothingButTheFrame) {
  const mcp::Offer offer = legacy_offer(std::string(1000, 'x'));
  Situation situation;
  situation.model = "claude-opus-4-6";
  const Delivery delivery = deliver_lab("2.1.332", situation, offer);
  const std::string block = instructions_block(delivery);
  EXPECT_EQ(text::measure(block).utf16.value, 1167u);
  EXPECT_TRUE(
      block.starts_with("<system-reminder>\n# MCP Server Instructions\n\nThe following MCP"));
  EXPECT_TRUE(block.ends_with("x\n</system-reminder>"));
}

TEST(Deliver, TextOfTheOtherEraIsNamed) {
  mcp::Offer offer = dual_offer("only here", "");
  offer.modern->instructions.reset();
  const Delivery delivery = deliver_lab("2.1.332", {}, offer);
  const Delivered& piece = *delivery.instructions("lab");
  EXPECT_EQ(piece.state, State::kNever);
  EXPECT_EQ(piece.never, Never::kOtherEra);
  EXPECT_EQ(piece.original, "only here");
}

TEST(Deliver, AnUnknownHandshakeMattersOnlyIfTheErasDiffer) {
  const mcp::Offer same = dual_offer("one", "one");
  EXPECT_EQ(deliver_lab("2.1.278", {}, same).instructions("lab")->text(), "one");
  const mcp::Offer differ = dual_offer("one", "two");
  const Delivered piece = *deliver_lab("2.1.278", {}, differ).instructions("lab");
  EXPECT_EQ(piece.state, State::kUnknown);
  EXPECT_NE(piece.reason.find("not known"), std::string::npos);
}

TEST(Deliver, SessionsDiffer) {
  const mcp::Offer offer = dual_offer("one", "two");
  EXPECT_EQ(deliver_lab("2.1.285", {}, offer).instructions("lab")->text(), "two");
  Situation custom;
  custom.session = Session::kCustomEndpoint;
  EXPECT_EQ(deliver_lab("2.1.285", custom, offer).instructions("lab")->text(), "one");
}

TEST(Deliver, AVersionAfterAllRangesIsExtrapolated) {
  const mcp::Offer offer = legacy_offer(std::string(5000, 'x'));
  const Delivery delivery = deliver_lab("2.2.0", {}, offer);
  EXPECT_TRUE(delivery.extrapolated);
  EXPECT_EQ(delivery.instructions("lab")->kept_units(), 4096u);
}

TEST(Deliver, AModernOnlyServerFailsForAnOldClient) {
  mcp::Offer offer = dual_offer("", "text");
  offer.legacy.reset();
  offer.modern->tools.emplace_back().name = "a";
  offer.modern->tools[0].description = mcp::server_text(std::string(100, 'x'));
  const Delivery delivery = deliver_lab("2.1.100", {}, offer);
  EXPECT_FALSE(delivery.connected);
  EXPECT_EQ(delivery.instructions("lab")->never, Never::kConnectionFails);
  EXPECT_EQ(delivery.tool("lab", "a")->original, std::string(100, 'x'));
  EXPECT_EQ(deliver_lab("2.1.332", {}, offer).instructions("lab")->text(), "text");
}

TEST(Deliver, ALateServerComesLaterWhereTheClientDoesNotWait) {
  mcp::Offer offer = legacy_offer("late");
  offer.times.handshake = mcp::Milliseconds(8000);
  struct Case {
    std::string_view at;
    State state;
  };
  for (const Case& c : {Case{"2.1.84", State::kAtStart}, Case{"2.1.120", State::kUnknown},
                        Case{"2.1.150", State::kInRequest}, Case{"2.1.332", State::kAtStart}}) {
    SCOPED_TRACE(c.at);
    Situation custom;
    custom.session = Session::kCustomEndpoint;
    EXPECT_EQ(deliver_lab(c.at, custom, offer).instructions("lab")->state, c.state);
  }
  offer.times.handshake = mcp::Milliseconds(20000);
  EXPECT_EQ(deliver_lab("2.1.84", {}, offer).instructions("lab")->state, State::kUnknown);
}

TEST(Deliver, AnUnknownChannelIsNoExcuseForAKnownLoss) {
  struct Case {
    std::string_view at;
    std::size_t units;
    State state;
    std::size_t kept;
  };
  const Case cases[] = {
      {"2.1.200", 50000, State::kAtStartOrDeferred, 2048},  // both ways have one limit
      {"2.1.200", 100, State::kAtStartOrDeferred, 100},
      {"2.1.332", 17000, State::kAtStartOrDeferred, 16384},  // at the most
      {"2.1.332", 5000, State::kUnknown, 0},                 // whole or cut: not known
      {"2.1.332", 100, State::kAtStartOrDeferred, 100},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.at) + " " + std::to_string(c.units));
    mcp::Offer offer = legacy_offer("text");
    mcp::Tool tool;
    tool.name = "a";
    tool.description = mcp::server_text(std::string(c.units, 'x'));
    offer.legacy->tools.push_back(std::move(tool));
    Situation situation;
    if (c.at == "2.1.332") situation.variables = {{"ENABLE_TOOL_SEARCH", "perhaps"}};
    const Delivery delivery = deliver_lab(c.at, situation, offer);
    const Delivered& piece = *delivery.tool("lab", "a");
    EXPECT_EQ(piece.state, c.state);
    EXPECT_EQ(piece.kept_units(), c.kept);
  }
}

TEST(Deliver, AToolWithoutDescriptionHasTheLimitOfItsChannel) {
  mcp::Offer offer = legacy_offer("text");
  offer.legacy->tools.emplace_back().name = "a";
  const Delivery delivery = deliver_lab("2.1.332", {}, offer);
  ASSERT_TRUE(delivery.tool("lab", "a")->budget);
  EXPECT_EQ(delivery.tool("lab", "a")->budget->size, 16384u);
  EXPECT_EQ(delivery.tool("lab", "a")->state, State::kDeferred);
}

TEST(Deliver, AWrongTypeFailsWhicheverMethodComesFirst) {
  mcp::Offer offer = legacy_offer("");
  offer.legacy->instructions.reset();
  offer.legacy->instructions_wrong_type = "a number";
  const Delivery delivery = deliver_lab("2.1.250", {}, offer);
  EXPECT_FALSE(delivery.connected);
  EXPECT_EQ(delivery.instructions("lab")->never, Never::kConnectionFails);
}

TEST(DeliverAll, GroupsNeighboursThatDeliverTheSame) {
  const mcp::Offer offer = legacy_offer(std::string(3000, 'x'));
  const Configured server = {.name = "lab", .offer = &offer};
  std::vector<std::string> kept;
  for (const Group& group : deliver_all(claude_code(), {}, {&server, 1})) {
    const std::size_t units = group.delivery.instructions("lab")->kept_units();
    kept.push_back(group.from.text() + ".." + group.to.text() + " " + std::to_string(units));
  }
  ASSERT_FALSE(kept.empty());
  EXPECT_TRUE(kept.front().starts_with("2.0.77..")) << kept.front();
  EXPECT_TRUE(kept.back().ends_with("..2.1.332 3000")) << kept.back();
  // No two neighbours overlap, and nothing is left out between them.
  EXPECT_EQ(std::ranges::count_if(kept,
                                  [](const std::string& row) {
                                    return row.find("..2.1.83 3000") != std::string::npos;
                                  }),
            1);
}

TEST(DeliverAll, KeepsToARange) {
  const mcp::Offer offer = legacy_offer(std::string(3000, 'x'));
  const Configured server = {.name = "lab", .offer = &offer};
  const std::vector<Group> groups =
      deliver_all(claude_code(), {}, {&server, 1}, range("2.1.290..2.1.400"));
  ASSERT_GE(groups.size(), 2u);
  EXPECT_EQ(groups.front().from.text(), "2.1.290");
  EXPECT_EQ(groups.back().from.text(), "2.1.333");
  EXPECT_EQ(groups.back().to.text(), "2.1.400");
  EXPECT_TRUE(groups.back().extrapolated);
  EXPECT_FALSE(groups[groups.size() - 2].extrapolated);
}

TEST(Switches, UnknownNamesGetASuggestion) {
  Situation situation;
  situation.variables = {{"ENABLE_TOOL_SERCH", "true"}};
  const Result<std::vector<SwitchNote>> notes =
      check_switches(claude_code(), version("2.1.332"), situation);
  ASSERT_FALSE(notes);
  EXPECT_EQ(notes.error().code, "switch.unknown");
  EXPECT_EQ(notes.error().hint, "did you mean ENABLE_TOOL_SEARCH?");
}

TEST(Switches, SayWhatIsIgnored) {
  struct Case {
    std::string_view at, name, value;
    bool ignored;
  };
  const Case cases[] = {
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "25,000", true},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "+5000", false},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "007000", false},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "\u00a06000\u3000", false},
      {"2.1.332", "ENABLE_TOOL_SEARCH", "perhaps", false},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "0x1000", true},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "5_000", true},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "-1", true},
      {"2.1.285", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "５０００", true},
      {"2.1.278", "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "5000", true},
      {"2.1.332", "MCP_PROTOCOL_NEGOTIATION", "modern", true},
      {"2.1.332", "MCP_PROTOCOL_NEGOTIATION", "legacy", false},
      {"2.1.332", "ENABLE_TOOL_SEARCH", "auto:5", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name) + "=" + std::string(c.value));
    Situation situation;
    situation.variables = {{std::string(c.name), std::string(c.value)}};
    const Result<std::vector<SwitchNote>> notes =
        check_switches(claude_code(), version(c.at), situation);
    ASSERT_TRUE(notes);
    EXPECT_EQ(notes->at(0).ignored, c.ignored) << notes->at(0).says;
  }
}

/// Starts a second process after every answer to its probe, and stops at equal names.
constexpr std::string_view kStubborn = R"toml(id = "stubborn"
title = "Stubborn"
first = "1.0.0"
last = "1.0.0"
also = ["zod@4.6.7", "ai@6.0.0"]
[[fact]]
name = "tool.name"
versions = "1.0.0"
value = { form = "{tool}", keeps = "A-Za-z0-9_", replacement = "_", equal_names = "fails" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
[[fact]]
name = "handshake.first"
versions = "1.0.0"
value = { method = "server/discover" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
[[fact]]
name = "handshake.probe"
versions = "1.0.0"
value = { answered = "restart", error = "restart" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
)toml";

TEST(Deliver, AClientMayStartASecondProcessWhateverTheFirstAnswers) {
  const Profile profile = read_profile(kStubborn, "f").value();
  EXPECT_EQ(profile.also, (std::vector<std::string>{"zod@4.6.7", "ai@6.0.0"}));
  for (const mcp::Offer& offer : {legacy_offer("x"), dual_offer("x", "y")}) {
    const Configured server = {.name = "lab", .offer = &offer};
    EXPECT_EQ(deliver(profile, version("1.0.0"), {}, {&server, 1}).process_starts, 2);
  }
  mcp::Offer silent = legacy_offer("x");
  silent.probe.answer = mcp::ProbeAnswer::kSilence;
  const Configured server = {.name = "lab", .offer = &silent};
  EXPECT_FALSE(deliver(profile, version("1.0.0"), {}, {&server, 1}).connected)
      << "what follows silence is not known";
}

TEST(Deliver, AClientMayStopAtEqualNames) {
  const Profile profile = read_profile(kStubborn, "f").value();
  mcp::Offer offer = legacy_offer("x");
  for (const char* name : {"a.b", "c", "a/b"}) {
    mcp::Tool tool;
    tool.name = name;
    offer.legacy->tools.push_back(tool);
  }
  const Configured server = {.name = "lab", .offer = &offer};
  const Delivery stopped = deliver(profile, version("1.0.0"), {}, {&server, 1});
  for (const char* name : {"a.b", "c", "a/b"})
    EXPECT_EQ(stopped.tool("lab", name)->never, Never::kNameCollides) << name;
  offer.legacy->tools.pop_back();
  EXPECT_NE(deliver(profile, version("1.0.0"), {}, {&server, 1}).tool("lab", "c")->never,
            Never::kNameCollides);
}

}  // namespace
}  // namespace cutline::delivery
