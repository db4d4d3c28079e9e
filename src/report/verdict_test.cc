// verdict_test.cc
#include "report/verdict.h"

#include <gtest/gtest.h>

#include "report/fixture.h"

namespace cutline::report {
namespace {

using delivery::Never;

TEST(LostForGood, IsWhatTheAuthorSentAndTheClientCannotShow) {
  const std::string text(100, 'x');
  const delivery::Delivered whole = instructions_of(text, budget_of(100));
  const delivery::Delivered cut = instructions_of(text, budget_of(50));
  EXPECT_FALSE(lost_for_good(whole));
  EXPECT_TRUE(lost_for_good(cut));
  struct Case {
    Never why;
    bool instructions, tool;
  };
  for (const Case& c : {
           Case{Never::kNotOffered, false, false},
           Case{Never::kEmpty, false, false},
           Case{Never::kNotDelivered, false, false},  // by design of the client: a note
           Case{Never::kOtherEra, true, true},
           Case{Never::kConnectionFails, true, true},
           Case{Never::kTooLate, true, true},
           Case{Never::kNameRefused, true, true},
           Case{Never::kNameCollides, true, true},
       }) {
    EXPECT_EQ(lost_for_good(never(whole, c.why)), c.instructions) << static_cast<int>(c.why);
    EXPECT_EQ(lost_for_good(never(tool_of("t", text, {}), c.why)), c.tool)
        << static_cast<int>(c.why);
  }
  // A tool is something even without a description; instructions that are not there are not.
  EXPECT_FALSE(lost_for_good(never(instructions_of("", {}), Never::kConnectionFails)));
  EXPECT_TRUE(lost_for_good(never(tool_of("t", "", {}), Never::kConnectionFails)));

  delivery::Delivered unknown = cut;
  unknown.state = delivery::State::kUnknown;
  EXPECT_FALSE(lost_for_good(unknown));
  delivery::Delivered deferred =
      tool_of("t", text, budget_of(50), delivery::Channel::kDeferredTool);
  EXPECT_TRUE(lost_for_good(deferred));
  deferred = tool_of("t", text, budget_of(100), delivery::Channel::kDeferredTool);
  EXPECT_FALSE(lost_for_good(deferred));
}

TEST(ExitCode, LooksAtVersionsHeldToOnly) {
  Fixture fixture(std::string(100, 'x'));
  fixture.add_group("1.0.0", "1.9.0", {instructions_of(fixture.instructions(), budget_of(50))});
  CheckedGroup& newest = fixture.add_group(
      "2.0.0", "3.0.0", {instructions_of(fixture.instructions(), budget_of(100))}, Held::kNewest);
  EXPECT_EQ(exit_code(fixture.check()), 0);
  EXPECT_EQ(first_step(fixture.check()),
            "for Some Client up to 1.9.0, put what must be read into the first 50 characters.");
  newest.group.delivery.pieces = {instructions_of(fixture.instructions(), budget_of(60))};
  EXPECT_EQ(exit_code(fixture.check()), 1);
  EXPECT_EQ(losses(fixture.check()).size(), 1U);
  fixture.offer().outcome = mcp::Outcome::kDidNotStart;
  EXPECT_EQ(exit_code(fixture.check()), 3);
}

TEST(FirstStep, TakesWhatWeighsMost) {
  Fixture fixture("Short.\n\n" + std::string(100, 'x') + "\n\n# Later\n", {{"t", "description"}});
  const std::string_view text = fixture.instructions();
  const std::string_view description = fixture.description(0);
  CheckedGroup& group = fixture.add_group("1.0.0", "3.0.0", {}, Held::kNewest);
  std::vector<delivery::Delivered>& pieces = group.group.delivery.pieces;

  pieces = {instructions_of(text, {}), tool_of("t", description, {})};
  EXPECT_EQ(first_step(fixture.check()), std::nullopt);

  pieces = {instructions_of(text, {}), tool_of("t", description, budget_of(4))};
  EXPECT_EQ(first_step(fixture.check()),
            "shorten the description of t by 7 characters, or say first what matters most.");

  pieces = {instructions_of(text, {}),
            never(tool_of("t", description, {}), Never::kNameRefused, "it is too long")};
  EXPECT_EQ(first_step(fixture.check()), "shorten the name of the tool t: it is too long.");

  pieces = {instructions_of(text, budget_of(20)), pieces[1]};
  EXPECT_EQ(first_step(fixture.check()),
            "put what must be read into the first 20 characters, or shorten the text by 98. The "
            "first section that is lost whole is \"Later\".");

  pieces = {never(instructions_of(text, {}), Never::kConnectionFails, "it has no answer"),
            pieces[1]};
  EXPECT_EQ(first_step(fixture.check()), "make the connection work: it has no answer.");
}

TEST(Losses, GoWithAConnectionThatFails) {
  struct Case {
    const char* what;
    std::optional<std::string> text, wrong_type;
    std::vector<std::pair<std::string, std::string>> tools;
    bool lost;
  };
  for (const Case& c : {
           Case{"a number", {}, "a number", {}, true},
           Case{"a text", "abc", {}, {}, true},
           Case{"a tool", {}, {}, {{"t", ""}}, true},
           Case{"nothing", {}, {}, {}, false},
       }) {
    Fixture fixture(c.text, c.tools);
    fixture.offer().legacy->instructions_wrong_type = c.wrong_type;
    std::vector<delivery::Delivered> pieces = {
        never(instructions_of(c.text ? fixture.instructions() : "", {}), Never::kConnectionFails)};
    pieces[0].era.reset();
    for (const auto& [name, text] : c.tools)
      pieces.push_back(never(tool_of(name, "", {}), Never::kConnectionFails));
    fixture.add_group("1.0.0", "3.0.0", pieces, Held::kNewest);
    EXPECT_EQ(exit_code(fixture.check()), c.lost ? 1 : 0) << c.what;
    if (c.wrong_type) {
      EXPECT_EQ(first_step(fixture.check()),
                "send the instructions as a string; they are a number in the answer to "
                "initialize.");
    }
  }
}

TEST(Losses, AreAtLeastWhatBothWaysLose) {
  Fixture fixture(std::nullopt, {{"t", std::string(10, 'x')}});
  delivery::Delivered tool = tool_of("t", fixture.description(0), budget_of(4));
  tool.state = delivery::State::kAtStartOrDeferred;
  fixture.add_group("1.0.0", "3.0.0", {tool}, Held::kNewest);
  EXPECT_EQ(exit_code(fixture.check()), 1);
  EXPECT_EQ(first_step(fixture.check()),
            "shorten the description of t by at least 6 characters, or say first what matters "
            "most.");
}

TEST(FirstStep, AsksForTheLimitWhereACharacterWouldHaveBeenSplit) {
  Fixture fixture("a🔩🔩🔩");
  fixture.add_group("1.0.0", "3.0.0", {instructions_of(fixture.instructions(), budget_of(4))},
                    Held::kNewest);
  EXPECT_EQ(first_step(fixture.check()),
            "put what must be read into the first 4 UTF-16 units, or shorten the text by 4.");
}

TEST(ComesBySearch, IsOnlyWhatASearchBringsWhole) {
  delivery::Delivered piece;
  EXPECT_FALSE(comes_by_search(piece));
  piece.also.emplace();
  piece.also->says = delivery::SecondWay::Says::kWhole;
  piece.also->state = delivery::State::kDeferred;
  EXPECT_TRUE(comes_by_search(piece));
  piece.also->says = delivery::SecondWay::Says::kHead;
  EXPECT_FALSE(comes_by_search(piece));
}

}  // namespace
}  // namespace cutline::report
