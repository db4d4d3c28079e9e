// eras_test.cc
#include "report/eras.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fixture.h"
#include "report/style.h"

namespace cutline::report {
namespace {

using testing::ElementsAre;

/// The offer of a server that says the same in both eras.
mcp::Offer dual(Fixture& fixture) {
  mcp::Offer offer = fixture.offer();
  offer.modern = offer.legacy;
  offer.modern->era = mcp::Era::kModern;
  offer.modern->protocol_version = "2026-07-28";
  offer.probe = {.answer = mcp::ProbeAnswer::kModern, .error_code = {}, .versions = {"2026-07-28"}};
  return offer;
}

TEST(CompareEras, FindsNothingInAServerOfOneEra) {
  Fixture fixture("abc");
  const EraComparison result = compare_eras(fixture.offer());
  EXPECT_FALSE(result.both);
  EXPECT_TRUE(result.same());
}

TEST(CompareEras, FindsEveryDifference) {
  Fixture fixture("the same, then this", {{"a", "one"}, {"b", "two"}, {"c", "three"}});
  mcp::Offer offer = dual(fixture);
  EXPECT_TRUE(compare_eras(offer).same());
  offer.modern->instructions = mcp::server_text("the same, thus é");
  offer.modern->tools[0].description = mcp::server_text("another");
  offer.modern->tools[1].input_schema = "{}";
  offer.modern->tools[2].name = "d";
  const EraComparison result = compare_eras(offer);
  EXPECT_TRUE(result.instructions_differ);
  EXPECT_TRUE(result.tools_differ);
  EXPECT_THAT(result.differences,
              ElementsAre("instructions: 19 characters in initialize, 16 characters (17 bytes) in "
                          "server/discover, the same up to character 12",
                          "tools only for initialize: c", "tools only for server/discover: d",
                          "other descriptions: a", "other input schemas: b"));
}

TEST(CompareEras, CountsUpToAWholeCharacter) {
  Fixture fixture("aé");
  mcp::Offer offer = dual(fixture);
  offer.modern->instructions = mcp::server_text("aè");  // the same first byte
  EXPECT_THAT(compare_eras(offer).differences,
              ElementsAre("instructions: 2 characters (3 bytes) in initialize, 2 characters "
                          "(3 bytes) in server/discover, the same up to character 1"));
}

TEST(CompareEras, TellsATextThatIsMissingInOneEra) {
  Fixture fixture("abc");
  mcp::Offer offer = dual(fixture);
  offer.modern->instructions.reset();
  EXPECT_THAT(compare_eras(offer).differences,
              ElementsAre("instructions: 3 characters in initialize, none in server/discover"));
}

TEST(CompareEras, TellsATextOfTheWrongType) {
  Fixture fixture(std::nullopt);
  mcp::Offer offer = dual(fixture);
  offer.modern->instructions_wrong_type = "a number";
  EXPECT_THAT(compare_eras(offer).differences,
              ElementsAre("instructions: none in initialize, a number instead of a text in "
                          "server/discover"));
}

TEST(EraSentence, SaysHowTheProbeWasAnswered) {
  struct Case {
    mcp::ProbeAnswer answer;
    const char* sentence;
  };
  for (const Case& c : {
           Case{mcp::ProbeAnswer::kNotAsked, ""},
           Case{mcp::ProbeAnswer::kError,
                "initialize only; server/discover gets error -32601 after 3 ms"},
           Case{mcp::ProbeAnswer::kSilence,
                "initialize only; server/discover gets no answer "
                "within 3 ms; a client that probes waits"},
           Case{mcp::ProbeAnswer::kExit,
                "initialize only; server/discover ends the process; a "
                "client that probes starts it twice"},
       }) {
    Fixture fixture("abc");
    fixture.offer().probe.answer = c.answer;
    EXPECT_EQ(plain_spaces(era_sentence(fixture.offer())), c.sentence);
  }
}

TEST(EraSentence, OfADualServerSaysWhetherTheyAgree) {
  Fixture fixture("abc");
  mcp::Offer offer = dual(fixture);
  EXPECT_EQ(era_sentence(offer), "initialize and server/discover say the same");
  offer.legacy->instructions.reset();
  EXPECT_EQ(era_sentence(offer), "initialize and server/discover do not say the same");
  offer.legacy.reset();
  EXPECT_EQ(era_sentence(offer), "server/discover only; a client that asks initialize is refused");
}

}  // namespace
}  // namespace cutline::report
