// verify_test.cc: which facts evidence made by hand confirms, and which it speaks against.
#include "run/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/evidence_fixture.h"
#include "run/learn.h"
#include "text/sample.h"

namespace cutline::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    cell_.name = "hand-made";
    cell_.client = "claude-code";
    cell_.version = HandMade::kVersion;
    cell_.variables = HandMade::situation().variables;
    cell_.sessions.resize(1);
  }

  std::vector<Judged> judged(HandMade made) {
    given_.emplace(made);
    std::vector<Judged> cells(1);
    cells[0].cell = &cell_;
    cells[0].evaluation = given_->evaluation();
    return cells;
  }

  /// Of the fact of that name that the cell's prediction rests on.
  FactVerdict verdict(const std::string& name, const std::vector<Judged>& cells) {
    const Version at = Version::parse(HandMade::kVersion).value();
    for (FactVerdict& one : verify(claude_profile(), at, cells)) {
      const auto& consulted = cells[0].evaluation->predicted.consulted;
      if (one.fact->name == name && std::ranges::find(consulted, one.fact) != consulted.end())
        return one;
    }
    ADD_FAILURE() << "nothing rests on " << name;
    return {};
  }

  static HandMade made(std::size_t units) {
    return HandMade(text::sample(text::SampleKind::kEnglish, units, "").value());
  }

  ExperimentCell cell_;
  std::optional<Given> given_;
};

TEST_F(VerifyTest, ACutConfirmsTheLimit) {
  const std::vector<Judged> cells = judged(made(5'000));
  EXPECT_EQ(verdict("instructions.budget", cells).verdict, Verdict::kConfirmed);
  EXPECT_EQ(verdict("instructions.placement", cells).verdict, Verdict::kConfirmed);
  EXPECT_EQ(verdict("handshake.first", cells).verdict, Verdict::kConfirmed);
  EXPECT_EQ(verdict("instructions.budget", cells).confirming.size(), 1U);
}

TEST_F(VerifyTest, AShortTextTellsNothingOfALimit) {
  const FactVerdict budget = verdict("instructions.budget", judged(made(1'000)));
  EXPECT_EQ(budget.verdict, Verdict::kNotTested);
  EXPECT_EQ(budget.reason, "no cell exercises it");
  EXPECT_EQ(verdict("servers.order", judged(made(1'000))).verdict, Verdict::kNotTested)
      << "one server has no order";
}

TEST_F(VerifyTest, AnotherCutSpeaksAgainstTheLimitAlone) {
  const std::string text = text::sample(text::SampleKind::kEnglish, 5'000, "").value();
  const std::vector<Judged> cells = judged(
      HandMade(text).arrives_as("<system-reminder>\n# MCP Server Instructions\n\nThe following MCP "
                                "servers have provided instructions for how to use their tools and "
                                "resources:\n\n## lab\n" +
                                text.substr(0, 1'000) + "… [truncated]\n</system-reminder>"));
  const FactVerdict budget = verdict("instructions.budget", cells);
  EXPECT_EQ(budget.verdict, Verdict::kContradicted);
  ASSERT_FALSE(budget.against.empty());
  EXPECT_EQ(budget.against[0].difference.what, "text");
  EXPECT_THAT(budget.against[0].difference.measured, HasSubstr("bytes"));
  EXPECT_EQ(verdict("tool.name", cells).verdict, Verdict::kConfirmed);
  EXPECT_EQ(verdict("instructions.placement", cells).verdict, Verdict::kConfirmed);
}

TEST_F(VerifyTest, AspectsAreWhatWasMeasured) {
  const std::vector<Judged> cells = judged(made(5'000));
  EXPECT_THAT(measured_aspect("instructions.budget", *cells[0].evaluation),
              HasSubstr("2048+… [truncated]"));
  EXPECT_EQ(measured_aspect("handshake.first", *cells[0].evaluation),
            "server/discover, then initialize");
  EXPECT_THAT(measured_aspect("tool.name", *cells[0].evaluation), HasSubstr("mcp__lab__find"));
}

// --- Learning ------------------------------------------------------------------------------------

constexpr std::string_view kToml = R"(id = "claude-code"
title = "Claude Code"
package = "p"
first = "1.0.0"
last = "1.0.9"

[[fact]]
name = "instructions.delivered"
versions = "1.0.0..1.0.9"
value = { delivered = true }
evidence = [
  { kind = "measured", date = 2026-12-01, how = "h", versions = "1.0.0", says = "no" },
  { kind = "measured", date = 2026-12-01, how = "h", versions = "1.0.0, 1.0.9" },
]

[[fact]]
name = "handshake.first"
versions = "1.0.5..1.0.9"
value = { method = "server/discover" }
evidence = [{ kind = "measured", date = 2026-12-01, how = "h" }]
)";

TEST_F(VerifyTest, LearnsWhatIsConfirmedAndWhatIsNot) {
  const delivery::Profile profile = delivery::read_profile(kToml, "f").value();
  const std::vector<Judged> cells = judged(made(5'000));
  std::vector<FactVerdict> verdicts(2);
  verdicts[0].fact = &profile.facts[0];
  verdicts[0].verdict = Verdict::kConfirmed;
  verdicts[1].fact = &profile.facts[1];
  verdicts[1].verdict = Verdict::kContradicted;
  verdicts[1].against.push_back({.cell = cell_.key(), .difference = {}});
  const Version next = Version::parse("1.1.0").value();
  const std::string patch = learn(kToml, profile, next, verdicts, cells, "2026-12-24T10:00:00Z");
  EXPECT_THAT(patch, HasSubstr("--- a/profiles/claude-code.toml\n+++ b/profiles/claude-code.toml\n"
                               "@@ -2,19 +2,25 @@\n"));
  EXPECT_THAT(patch,
              HasSubstr("+  { kind = \"measured\", date = 2026-12-01, how = \"h\", versions = "
                        "\"1.0.0, 1.0.9, 1.1.0\" },\n"));
  EXPECT_THAT(patch, Not(HasSubstr("says = \"no\" },\n+")));
  EXPECT_THAT(patch, HasSubstr("-last = \"1.0.9\"\n+last = \"1.1.0\"\n"));
  EXPECT_THAT(patch, HasSubstr("-versions = \"1.0.0..1.0.9\"\n+versions = \"1.0.0..1.1.0\"\n"));
  EXPECT_THAT(patch, HasSubstr("+name = \"handshake.first\"\n+versions = \"1.1.0\"\n"
                               "+value = { method = \"server/discover\" }\n"
                               "+evidence = [{ kind = \"measured\", date = 2026-12-24"));
  EXPECT_THAT(patch, Not(HasSubstr("-versions = \"1.0.5..1.0.9\"")));
}

constexpr std::string_view kBudgetToml = R"(id = "claude-code"
title = "Claude Code"
package = "p"
first = "1.0.0"
last = "1.0.9"

[[fact]]
name = "instructions.budget"
versions = "1.0.0..1.0.9"
value = { size = 100, unit = "bytes", marker = "…", marker_inside = false }
evidence = [{ kind = "measured", date = 2026-12-01, how = "h" }]
)";

TEST_F(VerifyTest, LearnsALimitInTheUnitInWhichTheCutsAreAlike) {
  const delivery::Profile profile = delivery::read_profile(kBudgetToml, "f").value();
  const auto learnt = [&](const std::vector<Judged>& cells) {
    std::vector<FactVerdict> verdicts(1);
    verdicts[0].fact = &profile.facts[0];
    verdicts[0].verdict = Verdict::kContradicted;
    verdicts[0].against.push_back({.cell = cell_.key(), .difference = {}});
    return learn(kBudgetToml, profile, Version::parse("1.1.0").value(), verdicts, cells,
                 "2026-12-24");
  };
  const auto sample = [](text::SampleKind kind) {
    return HandMade(text::sample(kind, 5'000, "").value());
  };
  // One script does not tell the unit: it stays.
  std::vector<Judged> cells = judged(sample(text::SampleKind::kEnglish));
  EXPECT_THAT(learnt(cells), HasSubstr("+value = { size = 2048, unit = \"bytes\", marker = "
                                       "\"… [truncated]\", marker_inside = false }\n"));
  const Given japanese(sample(text::SampleKind::kJapanese));
  cells.emplace_back();
  cells[1].cell = &cell_;
  cells[1].evaluation = japanese.evaluation();
  EXPECT_THAT(learnt(cells), HasSubstr("size = 2048, unit = \"utf16\""));
}

TEST_F(VerifyTest, LearnsThatALimitIsGone) {
  const delivery::Profile profile = delivery::read_profile(kBudgetToml, "f").value();
  const std::vector<Judged> cells = judged(made(1'000));
  std::vector<FactVerdict> verdicts(1);
  verdicts[0].fact = &profile.facts[0];
  verdicts[0].verdict = Verdict::kContradicted;
  verdicts[0].against.push_back({.cell = cell_.key(), .difference = {}});
  EXPECT_THAT(
      learn(kBudgetToml, profile, Version::parse("1.1.0").value(), verdicts, cells, "2026-12-24"),
      HasSubstr("+value = \"none\"\n"));
}

TEST_F(VerifyTest, LearnsNothingOfAVersionThatIsCovered) {
  const delivery::Profile profile = delivery::read_profile(kToml, "f").value();
  EXPECT_THAT(learn(kToml, profile, Version::parse("1.0.7").value(), {}, {}, "2026-12-24"),
              IsEmpty());
}

}  // namespace
}  // namespace cutline::run
