// claims_test.cc: facts that no piece of a delivery shows, on evidence made by hand.
#include "run/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/evidence_fixture.h"

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kTitle = "BEGIN codeword: AMBER-1234. Counts whatever is in a bin.";
constexpr std::string_view kOutput =
    "BEGIN codeword: CEDAR-5678. The number of pieces, never less.";

void replace(std::string& text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

/// The tool of the evidence with a title and an output schema.
Given with_members() {
  Given given{HandMade("Count first.")};
  replace(
      given.messages.back().line, R"({"name":"find",)",
      fmt::format(R"({{"name":"find","title":"{}","outputSchema":{{"type":"object","properties":)"
                  R"({{"n":{{"type":"integer","description":"{}"}}}}}},)",
                  kTitle, kOutput));
  return given;
}

std::vector<std::string> differences(const Evaluation& evaluation) {
  std::vector<std::string> all;
  for (const delivery::Difference& one : evaluation.comparison.differences)
    all.push_back(fmt::format("{}: {}, {}", one.what, one.predicted, one.measured));
  return all;
}

TEST(Claims, MembersThatAreNeverSentAreSearchedForInEveryRequest) {
  Given given = with_members();
  const auto kept = given.evaluation();
  EXPECT_THAT(differences(*kept), IsEmpty());
  EXPECT_THAT(kept->members_searched, ElementsAre("outputSchema", "title"))
      << "the tool has no annotations";
  // Beside the schema, where no reader looks; and in a request that is no conversation.
  replace(given.requests.back().body, R"("input_schema":{)",
          fmt::format(R"("title":"{}","input_schema":{{)", kTitle));
  EXPECT_THAT(differences(*given.evaluation()),
              ElementsAre("member: title is never sent, in request 2: BEGIN codeword: AMBER-123…"));
  given = with_members();
  given.requests.front().body = fmt::format(R"({{"model":"m","x":"{}"}})", kOutput);
  EXPECT_THAT(
      differences(*given.evaluation()),
      ElementsAre("member: outputSchema is never sent, in request 1: BEGIN codeword: CEDAR-567…"));
}

TEST(Claims, WhatMayStandThereAnywayIsNotSearchedFor) {
  Given given{HandMade("Count first.")};
  replace(given.messages.back().line, R"({"name":"find",)", R"({"name":"find","title":"Find",)");
  EXPECT_THAT(given.evaluation()->members_searched, IsEmpty()) << "too short to tell";
  given = Given{HandMade(std::string(kTitle))};
  replace(given.messages.back().line, R"({"name":"find",)",
          fmt::format(R"({{"name":"find","title":"{}",)", kTitle));
  EXPECT_THAT(given.evaluation()->members_searched, IsEmpty()) << "the instructions say the same";
}

TEST(Claims, TheVersionInInitializeIsTheProfiles) {
  for (const auto& [version, wrong] : {std::pair{"2025-11-25", 0U}, std::pair{"2025-06-18", 1U}}) {
    Given given{HandMade("Count first.")};
    replace(given.messages[3].line, R"("params":{})",
            fmt::format(R"("params":{{"protocolVersion":"{}"}})", version));
    const auto evaluation = given.evaluation();
    EXPECT_EQ(evaluation->servers[0].handshake.offers, version);
    EXPECT_EQ(differences(*evaluation).size(), wrong);
    if (wrong == 1) {
      EXPECT_EQ(differences(*evaluation)[0], "offers: 2025-11-25, 2025-06-18");
    }
  }
}

TEST(Claims, TheModelThatIsSentIsTheProfiles) {
  const Given given{HandMade("Count first.")};
  delivery::Situation situation = HandMade::situation();
  situation.model = "opus";
  const auto evaluation = evaluate({.profile = &claude_profile(),
                                    .adapter = adapter_named("claude-code"),
                                    .version = Version::parse(HandMade::kVersion).value(),
                                    .situation = situation,
                                    .prompts = {std::string(HandMade::kPrompt)},
                                    .servers = {"lab"},
                                    .requests = given.requests,
                                    .messages = given.messages,
                                    .files = given.files});
  ASSERT_TRUE(evaluation);
  EXPECT_THAT(differences(**evaluation),
              testing::Contains("model: claude-opus-5-5, claude-sonnet-4-5-20250929"));
}

TEST(Claims, AClientThatStopsAtWhatItIsOfferedSendsNothing) {
  constexpr std::string_view kToml = R"toml(id = "claude-code"
title = "Stops"
first = "2.1.0"
last = "2.2.0"
[[fact]]
name = "instructions.delivered"
versions = "2.1.0..2.2.0"
value = { delivered = false }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
[[fact]]
name = "tool.name"
versions = "2.1.0..2.2.0"
value = { form = "{tool}", keeps = "a-z", replacement = "_", equal_names = "fails" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
[[fact]]
name = "handshake.first"
versions = "2.1.0..2.2.0"
value = { method = "server/discover" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
[[fact]]
name = "handshake.probe"
versions = "2.1.0..2.2.0"
value = { error = "initialize" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "a test" }]
)toml";
  const delivery::Profile profile = delivery::read_profile(kToml, "f").value();
  Given given{HandMade("Count first.")};
  const auto evaluated = [&] {
    return evaluate({.profile = &profile,
                     .adapter = adapter_named("claude-code"),
                     .version = Version::parse(HandMade::kVersion).value(),
                     .situation = HandMade::situation(),
                     .prompts = {std::string(HandMade::kPrompt)},
                     .servers = {"lab"},
                     .requests = given.requests,
                     .messages = given.messages,
                     .files = given.files});
  };
  given.requests.clear();
  EXPECT_EQ(evaluated().error().code, "run.evidence") << "a tool should have arrived";
  replace(given.messages.back().line, R"({"tools":[)",
          R"({"tools":[{"name":"f.d","inputSchema":{}},{"name":"f/d","inputSchema":{}},)");
  const auto stopped = evaluated();
  ASSERT_TRUE(stopped);
  EXPECT_TRUE((*stopped)->stopped);
  EXPECT_THAT(differences(**stopped), IsEmpty());
  EXPECT_EQ((*stopped)->comparison.compared, 4U);
  // One that asked without tools has not stopped.
  given.requests = Given{HandMade("Count first.")}.requests;
  std::string& body = given.requests.back().body;
  body.replace(body.find(R"("tools":[)"), std::string::npos, R"("tools":[]})");
  const auto asked = evaluated();
  ASSERT_TRUE(asked);
  EXPECT_FALSE((*asked)->stopped);
  EXPECT_THAT(differences(**asked), IsEmpty()) << "nothing arrived, as predicted";
}

}  // namespace
}  // namespace cutline::run
