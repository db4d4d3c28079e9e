// bisect_test.cc: halving over versions that a table makes up.
#include "run/bisect.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Version version(std::string_view text) { return Version::parse(text).value(); }

class BisectTest : public testing::Test {
 protected:
  BisectTest() {
    for (int patch = 1; patch <= 100; ++patch)
      versions_.push_back(version(fmt::format("1.0.{}", patch)));
    cells_.resize(2);
    cells_[0].name = "says nothing";
    cells_[1].name = "tells";
  }

  /// What is measured from each of these versions on.
  Measure measured(std::map<int, std::string> from, std::vector<int> broken = {}) {
    return [this, from = std::move(from), broken = std::move(broken)](
               const ExperimentCell& cell, const Version& at) -> Result<Sight> {
      ++runs_;
      const int patch = std::stoi(at.text().substr(4));
      if (cell.name == "says nothing") return Sight{.aspect = "x", .problem = {}};
      if (std::ranges::find(broken, patch) != broken.end())
        return Sight{.aspect = {}, .problem = "it did not start"};
      return Sight{
          .aspect = std::prev(from.upper_bound(patch))->second, .exercised = true, .problem = {}};
    };
  }

  std::vector<std::string> changes(const Bisection& bisection) {
    std::vector<std::string> out;
    for (const Change& change : bisection.changes)
      out.push_back(fmt::format("{}->{} {}>{}", change.before.text(), change.from.text(),
                                change.old_aspect, change.new_aspect));
    return out;
  }

  std::vector<Version> versions_;
  std::vector<ExperimentCell> cells_;
  std::size_t runs_ = 0;
};

TEST_F(BisectTest, FindsTheVersionInFewRuns) {
  const Bisection found =
      bisect("f", cells_, versions_, measured({{1, "old"}, {84, "new"}})).value();
  EXPECT_THAT(changes(found), ElementsAre("1.0.83->1.0.84 old>new"));
  EXPECT_EQ(found.runs, runs_);
  EXPECT_LE(found.runs, 1 + 2 + 7) << "one cell that says nothing, both ends, log2(100)";
  EXPECT_THAT(found.cell, HasSubstr("tells"));
}

TEST_F(BisectTest, FindsEveryChangeBetweenEndsThatDiffer) {
  const auto measure = measured({{1, "a"}, {30, "b"}, {70, "c"}});
  EXPECT_THAT(changes(bisect("f", cells_, versions_, measure).value()),
              ElementsAre("1.0.29->1.0.30 a>b", "1.0.69->1.0.70 b>c"));
}

TEST_F(BisectTest, NothingChangesWhereBothEndsShowTheSame) {
  const Bisection found = bisect("f", cells_, versions_, measured({{1, "a"}})).value();
  EXPECT_THAT(found.changes, IsEmpty());
  EXPECT_THAT(to_text(found, "Client", "f"), HasSubstr("the same in 1.0.1 and 1.0.100"));
}

TEST_F(BisectTest, PassesOverWhatCannotBeRun) {
  const auto measure = measured({{1, "a"}, {50, "b"}}, {48, 49, 51, 52});
  const Bisection found = bisect("f", cells_, versions_, measure).value();
  EXPECT_THAT(changes(found), ElementsAre("1.0.47->1.0.50 a>b"));
  EXPECT_FALSE(found.passed_over.empty());
  EXPECT_THAT(found.passed_over.front(), HasSubstr("did not start"));
}

TEST_F(BisectTest, NeedsTwoVersionsAndACellThatTells) {
  EXPECT_EQ(bisect("f", cells_, {versions_.front()}, measured({{1, "a"}})).error().code,
            "run.bisect");
  cells_.pop_back();
  EXPECT_THAT(bisect("f", cells_, versions_, measured({{1, "a"}})).error().message,
              HasSubstr("no cell shows anything of 'f'"));
}

}  // namespace
}  // namespace cutline::run
