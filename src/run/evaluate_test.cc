// evaluate_test.cc: what evidence made by hand says, beside the profile's prediction.
#include "run/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/cell.h"
#include "run/evidence_fixture.h"
#include "text/sample.h"

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string english(std::size_t units) {
  return text::sample(text::SampleKind::kEnglish, units, "").value();
}

std::vector<std::string> differences(const Evaluation& evaluation) {
  std::vector<std::string> all;
  for (const delivery::Difference& one : evaluation.comparison.differences) all.push_back(one.what);
  return all;
}

TEST(Evaluate, WhatIsAsPredictedIsEqual) {
  for (const std::size_t units : {1'000U, 5'000U}) {
    SCOPED_TRACE(units);
    const auto evaluation = Given(HandMade(english(units))).evaluation();
    EXPECT_THAT(differences(*evaluation), IsEmpty());
    EXPECT_THAT(evaluation->comparison.unpredicted, IsEmpty());
    EXPECT_EQ(evaluation->comparison.compared, 2U);  // instructions and a tool
    ASSERT_EQ(evaluation->conversed.size(), 1U) << "the warm-up is none of the conversation";
    EXPECT_EQ(evaluation->conversed[0].sequence, 1U);
    EXPECT_EQ(evaluation->conversed[0].at_us, 20'000);
    EXPECT_THAT(evaluation->conversed[0].ideal_answer,
                HasSubstr(units > 2'048 ? "LAST=2015" : "LAST=778"));
    EXPECT_EQ(evaluation->measured.handshake, "server/discover, then initialize");
    const delivery::Delivered* piece = evaluation->measured.instructions("lab");
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->kept.size(), std::min<std::size_t>(units, 2'048));
    EXPECT_EQ(piece->where.role, "user-reminder");
    EXPECT_EQ(piece->era, mcp::Era::kLegacy);
    EXPECT_TRUE(evaluation->servers.at(0).transcript_agrees);
  }
}

TEST(Evaluate, AnotherCutIsADifference) {
  const std::string text = english(5'000);
  const auto evaluation =
      Given(HandMade(text).arrives_as("<system-reminder>\n# MCP Server Instructions\n\n## lab\n" +
                                      text.substr(0, 1'000) + "\n</system-reminder>"))
          .evaluation();
  EXPECT_FALSE(evaluation->comparison.equal());
  EXPECT_THAT(differences(*evaluation), testing::Contains("text"));
  EXPECT_EQ(evaluation->measured.instructions("lab")->kept.size(), 1'000U);
  EXPECT_FALSE(evaluation->servers.at(0).transcript_agrees);
}

TEST(Evaluate, NothingWhereSomethingWasPredictedIsADifference) {
  const auto evaluation = Given(HandMade(english(1'000)).arrives_as("not a word")).evaluation();
  EXPECT_FALSE(evaluation->comparison.equal());
  EXPECT_FALSE(evaluation->measured.instructions("lab")->arrives());
  EXPECT_THAT(evaluation->conversed[0].ideal_answer, HasSubstr("BEGIN=NONE"));
}

TEST(Evaluate, WithoutAConversationThereIsNothingToJudge) {
  Given given{HandMade(english(1'000))};
  given.requests.pop_back();
  EXPECT_EQ(given.evaluated().error().code, "run.evidence");
  EXPECT_THAT(given.evaluated().error().message, HasSubstr("1 request, but none"));
  given.requests.clear();
  EXPECT_FALSE(given.evaluated());
}

TEST(Evaluate, RequestsThatAreNoneAreLeftOut) {
  Given given{HandMade(english(1'000))};
  const store::Request good = given.requests.back();
  for (const auto& [method, target, body] :
       {std::tuple{"GET", "/v1/messages", ""}, std::tuple{"POST", "/v1/messages", "{"},
        std::tuple{"POST", "/elsewhere", good.body.c_str()},
        std::tuple{"POST", "/v1/messages/count_tokens", good.body.c_str()}}) {
    store::Request bad = good;
    bad.method = method;
    bad.target = target;
    bad.body = body;
    given.requests.insert(given.requests.begin(), bad);
  }
  const auto evaluation = given.evaluation();
  ASSERT_EQ(evaluation->conversed.size(), 1U);
  EXPECT_EQ(evaluation->conversed[0].sequence, 5U);
  EXPECT_TRUE(evaluation->comparison.equal());
}

TEST(Evaluate, AServerThatNeverStartedIsAProblem) {
  Given given{HandMade(english(1'000))};
  given.messages.clear();
  EXPECT_FALSE(given.evaluated());
}

TEST(Evaluate, AServerStartedAgainBeforeTheFirstRequestIsStillBeingConnected) {
  Given given{HandMade(english(1'000))};
  const std::size_t spoken = given.messages.size();
  for (std::size_t i = 0; i < spoken; ++i) {
    store::Message again = given.messages[i];
    again.at_us += 9'000;
    again.process = 2;
    given.messages.push_back(again);
  }
  const auto evaluation = given.evaluation();
  EXPECT_EQ(evaluation->first_session, 1U);
  EXPECT_EQ(evaluation->measured.process_starts, 2U);
  EXPECT_THAT(evaluation->later, IsEmpty());
  // After it, it is one that came back.
  for (std::size_t i = spoken; i < given.messages.size(); ++i) given.messages[i].at_us += 20'000;
  EXPECT_THAT(given.evaluation()->later, testing::SizeIs(1));
}

TEST(Evaluate, SessionsAfterTheFirstAreOnlyLookedAtForWhatTheySend) {
  Given given{HandMade(english(1'000))};
  store::Request later = given.requests.back();
  later.at_us = 900'000;
  given.requests.push_back(later);
  given.files.push_back({.name = std::string(kSessionsFile), .bytes = "0\n500000\n"});
  const auto evaluation = given.evaluation();
  EXPECT_EQ(evaluation->conversed.size(), 2U);
  EXPECT_EQ(evaluation->first_session, 1U);
  EXPECT_THAT(evaluation->later, testing::SizeIs(1));
}

}  // namespace
}  // namespace cutline::run
