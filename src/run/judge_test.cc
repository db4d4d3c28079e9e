// judge_test.cc: stored cells held against what the experiment expects, and against their repeats.
#include "run/judge.h"

#include <chrono>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "run/evidence_fixture.h"
#include "text/sample.h"

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// --- Stored cells --------------------------------------------------------------------------------

std::string english(std::size_t units) {
  return text::sample(text::SampleKind::kEnglish, units, "").value();
}

class JudgeTest : public testing::Test {
 protected:
  /// As the hand-made evidence has it.
  static Experiment experiment(std::string_view rest = "") {
    return read_experiment(
               fmt::format("client = 'claude-code@{}'\nmodel = '{}'\nprompt = '{}'\n"
                           "variables = {{ MCP_PROTOCOL_NEGOTIATION = 'auto', ENABLE_TOOL_SEARCH = "
                           "'false' }}\nservers = [{{ name = 'lab', lab = {{}} }}]\n{}",
                           HandMade::kVersion, HandMade::situation().model, HandMade::kPrompt,
                           rest),
               "/tmp/j.toml")
        .value();
  }

  void keep(const std::string& key, const HandMade& made, const std::string& problem = {}) {
    if (run_ == 0) run_ = store_.begin_run({}).value();
    store::Cell cell;
    cell.key = key;
    cell.id = store_.begin_cell(run_, key, "{}").value();
    cell.status = problem.empty() ? store::CellStatus::kDone : store::CellStatus::kFailed;
    cell.wall_us = 1'500'000;
    cell.problem = problem;
    ASSERT_TRUE(store_.add_requests(cell.id, made.requests()));
    ASSERT_TRUE(store_.finish_cell(cell, made.messages(), made.files()));
  }

  std::vector<Judged> judged(const Experiment& experiment) {
    return judge(experiment, run_, store_, profiles_).value();
  }

  store::EvidenceStore store_ = store::EvidenceStore::open(":memory:").value();
  std::vector<delivery::Profile> profiles_ = {claude_profile()};
  std::int64_t run_ = 0;
};

TEST_F(JudgeTest, ACellThatIsAsExpected) {
  const Experiment one = experiment(
      "[[cells]]\nname = 'c'\nexpect = { state = 'at-start', kept = 2048, request = 1, place = "
      "'user-reminder', handshake = 'server/discover, then initialize' }");
  keep(one.cells[0].key(), HandMade(english(5'000)));
  const std::vector<Judged> all = judged(one);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].problem, "");
  EXPECT_THAT(all[0].unmet, IsEmpty());
  EXPECT_EQ(all[0].requests, 2U);
  EXPECT_DOUBLE_EQ(all[0].wall_s, 1.5);
  ASSERT_TRUE(all[0].evaluation);
  EXPECT_TRUE(all[0].evaluation->comparison.equal());
  EXPECT_FALSE(all[0].repeats_alike);
}

TEST_F(JudgeTest, EveryExpectationThatIsNotMetIsSaid) {
  const Experiment one = experiment(
      "[[cells]]\nname = 'c'\nexpect = { state = 'never', kept = 4096, request = 2, place = "
      "'system', handshake = 'initialize', answer = 'a' }");
  keep(one.cells[0].key(), HandMade(english(5'000)));
  const std::vector<Judged> all = judged(one);
  EXPECT_THAT(all[0].unmet, testing::UnorderedElementsAre(
                                "state is 'at-start', not 'never'", "kept is 2,048, not 4,096",
                                "request is 1, not 2", "place is 'user-reminder', not 'system'",
                                "handshake is 'server/discover, then initialize', not 'initialize'",
                                HasSubstr("answer is 'BEGIN=")));
}

TEST_F(JudgeTest, ADifferenceToThePredictionIsNoUnmetExpectation) {
  const Experiment one =
      experiment("[[cells]]\nname = 'c'\nexpect = { kept = 0, state = 'never' }");
  keep(one.cells[0].key(), HandMade(english(1'000)).arrives_as("nothing of it"));
  const std::vector<Judged> all = judged(one);
  EXPECT_THAT(all[0].unmet, IsEmpty());
  EXPECT_FALSE(all[0].evaluation->comparison.equal());
}

TEST_F(JudgeTest, WhatWasNotRunOrFailedHasAReason) {
  const Experiment three = experiment("repeats = 3");
  keep(three.cells[1].key(), HandMade(english(1'000)), "it did not end");
  HandMade silent(english(1'000));
  keep(three.cells[2].key(), silent);
  const std::vector<Judged> all = judged(three);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].problem, "it was not run");
  EXPECT_EQ(all[1].problem, "it did not end");
  EXPECT_FALSE(all[1].evaluation);
  EXPECT_TRUE(all[2].evaluation);
  EXPECT_FALSE(all[2].repeats_alike) << "there is no other to compare it with";
}

TEST_F(JudgeTest, AServerThatEndedWithoutAWordIsAProblem) {
  struct Case {
    std::string end;
    std::string_view problem;
  };
  for (const Case& c :
       {Case{"exit code 127",
             "the server 'lab' did not serve: exit code 127; its standard error ends: sh: x"},
        Case{"cannot find 'x'", "the server 'lab' did not serve: cannot find 'x'; its standard"},
        Case{"signal 15 (SIGTERM)", ""}, Case{"exit code 143", ""}, Case{"exit code 0", ""},
        Case{"", ""}}) {
    SCOPED_TRACE(c.end);
    HandMade made(english(1'000));
    made.ends_without_a_word(c.end, "sh: x");
    const Experiment one = experiment();
    run_ = 0;
    keep(one.cells[0].key(), made);
    const std::string problem = judged(one)[0].problem;
    EXPECT_EQ(problem.empty(), c.problem.empty()) << problem;
    EXPECT_THAT(problem, testing::StartsWith(c.problem));
  }
}

TEST_F(JudgeTest, OfStandardErrorTheEndIsToldInWholeCharacters) {
  std::string errors;
  for (int i = 0; i < 300; ++i) errors += "é";
  HandMade made(english(1'000));
  made.ends_without_a_word("exit code 1", errors + "!");
  const Experiment one = experiment();
  keep(one.cells[0].key(), made);
  const std::string problem = judged(one)[0].problem;
  EXPECT_THAT(problem, testing::EndsWith("ends: " + errors.substr(0, 298) + "!"));
}

TEST_F(JudgeTest, WithoutItsProfileACellCannotBeJudged) {
  const Experiment one = experiment();
  keep(one.cells[0].key(), HandMade(english(1'000)));
  profiles_.clear();
  EXPECT_THAT(judged(one)[0].problem, HasSubstr("no profile"));
}

TEST_F(JudgeTest, RepeatsAreAlikeIfOnlyIdsDatesAndPathsDiffer) {
  const Experiment repeated = experiment("repeats = 2");
  const auto alike = [&](const std::string& a, const std::string& b) {
    run_ = 0;
    keep(repeated.cells[0].key(), HandMade(english(1'000)).mark(a));
    keep(repeated.cells[1].key(), HandMade(english(1'000)).mark(b));
    const std::vector<Judged> all = judged(repeated);
    EXPECT_EQ(all[0].repeats_alike, all[1].repeats_alike);
    return all[0].repeats_alike;
  };
  EXPECT_EQ(alike("5f0c2b1e-6d4c-4a9c-8a43-0123456789ab at 2026-12-01 in /tmp/cutline-aB3xYz/work",
                  "00000000-1111-2222-3333-444444444444 at 2026-12-02 in /tmp/cutline-000000/work"),
            true);
  EXPECT_EQ(alike("one thing", "another thing"), false);
}

// --- What differs from run to run ----------------------------------------------------------------

TEST(WithoutRunMarks, LeavesOutWhatIsNew) {
  struct Row {
    std::string_view given, left;
  };
  for (const Row& row : {
           Row{"", ""},
           {"nothing of the kind", "nothing of the kind"},
           {"id 5f0c2b1e-6d4c-4a9c-8a43-0123456789AB.", "id *."},
           {"5f0c2b1e-6d4c-4a9c-8a43-0123456789ABC", "5f0c2b1e-6d4c-4a9c-8a43-0123456789ABC"},
           {"\"0123456789abcdef\"", "\"*\""},
           {"0123456789abcde", "0123456789abcde"},
           {"0123456789abcdefg", "0123456789abcdefg"},
           {"x0123456789abcdef", "x0123456789abcdef"},
           {"on 2026-12-01, at 2026-12-01T05:41:13.250Z!", "on *, at *!"},
           {"2026-12-1", "2026-12-1"},
           {"12026-12-01", "12026-12-01"},
           {"2026-12-012", "2026-12-012"},
           {"/tmp/cutline-aB3xYz/work", "/tmp/*/work"},
           {"-tmp-cutline-aB3xYz-work", "-tmp-*-work"},
           {"mcutline-aB3", "mcutline-aB3"},
       })
    EXPECT_EQ(without_run_marks(row.given), row.left);
}

TEST(WithoutRunMarks, OnceIsEnoughAndNothingGrows) {
  rc::check([] {
    const std::string text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0aF-g*:TZ. 2\"cutline-")));
    const std::string once = without_run_marks(text);
    RC_ASSERT(without_run_marks(once) == once);
    RC_ASSERT(once.size() <= text.size());
  });
}

TEST(WithoutRunMarks, WhatStandsBetweenMarksStays) {
  const std::vector<std::string> marks = {"5f0c2b1e-6d4c-4a9c-8a43-0123456789ab",
                                          "0123456789abcdef0123", "2026-12-01",
                                          "2026-12-01T05:41:13Z", "cutline-aB3xYz"};
  rc::check([&] {
    std::string text, left;
    for (const std::string& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
             std::vector<std::string>{"a", "the words", "日本語", "{\"k\":1}", "2026"}))) {
      text += word + " " + *rc::gen::elementOf(marks) + " ";
      left += word + " * ";
    }
    RC_ASSERT(without_run_marks(text) == left);
  });
}

TEST(WithoutRunMarks, IsLinear) {
  const auto time = [](std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += unit;
    const auto before = std::chrono::steady_clock::now();
    EXPECT_FALSE(without_run_marks(text).empty());
    return std::chrono::steady_clock::now() - before;
  };
  for (const std::string_view unit : {"a", "a-", "0", "2026-12-01T", "2026-12-01T:", "cutline-",
                                      "5f0c2b1e-6d4c-4a9c-8a43-0123456789a", ":", "T::::.Z"}) {
    SCOPED_TRACE(unit);
    // A quadratic one would take minutes for these four megabytes.
    EXPECT_LT(time(unit, 4 << 20), std::chrono::seconds(5));
  }
}

}  // namespace
}  // namespace cutline::run
