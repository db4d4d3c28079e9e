// check_text_test.cc: whole screens, as a user sees them.
#include "report/check_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fixture.h"
#include "report/verdict.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::Channel;
using delivery::Never;
using testing::HasSubstr;
using testing::Not;

const Style kPlain = {.colour = false, .columns = 80};

std::string screen(Fixture& fixture) { return check_text(fixture.check(), kPlain, false); }

/// 5,859 characters with a heading and a tool's name after the cut.
std::string long_text() {
  std::string text = "# Use\n\nFirst of all, read this. ";
  while (text.size() < 4'000) text += "Count a bin before you move it. ";
  text += "\n\n## Filters\n\n- first `add_label`\n- second\n\n";
  while (text.size() < 5'859) text += "Springs are kept by wire width. ";
  return text.substr(0, 5'859);
}

TEST(CheckText, ShowsACutVersionByVersion) {
  Fixture fixture(long_text(), {{"find", "Finds."}, {"add_label", "Adds a label."}});
  const std::string_view text = fixture.instructions();
  const auto tools = [&](std::optional<text::Budget> budget, Channel channel) {
    return std::vector{tool_of("find", fixture.description(0), budget, channel),
                       tool_of("add_label", fixture.description(1), budget, channel)};
  };
  const auto pieces = [&](std::optional<text::Budget> budget, std::string role, Channel channel) {
    std::vector<delivery::Delivered> all = tools(budget, channel);
    all.insert(all.begin(), instructions_of(text, budget, std::move(role)));
    return all;
  };
  fixture.add_group("1.0.0", "1.1.3", pieces({}, "system", Channel::kPreloadedTool));
  fixture.add_group("1.1.4", "1.1.9", pieces(budget_of(2048), "system", Channel::kPreloadedTool));
  fixture.add_group("1.2.0", "1.9.0",
                    pieces(budget_of(2048), "user-reminder", Channel::kPreloadedTool));
  fixture.add_group("2.0.0", "3.0.0",
                    pieces(budget_of(4096), "system-role-message", Channel::kDeferredTool),
                    Held::kNewest);
  EXPECT_EQ(screen(fixture),
            R"(srv 1.0                                          answers initialize (2025-11-25)

INSTRUCTIONS   5,859 characters

  Some Client     kept   lost          lands in
  1.0.0 – 1.1.3  5,859      –          system prompt
  1.1.4 – 1.1.9  2,048  3,811  65.0 %  system prompt
  1.2.0 – 1.9.0  2,048  3,811  65.0 %  reminder in a user message
▸ 2.0.0 – 3.0.0  4,096  1,763  30.1 %  message of role system
  ▸ held to

  Some Client 2.0.0 – 3.0.0 stop here:
    │ … second↵↵Springs are kept by wire width. Springs are kept by ✂wire width.
    │ Springs are kept by wire width. Springs are kept by wire …

TOOLS          2, no description is cut (longest: add_label, 13 characters)
               Some Client 3.0.0 loads them by search (limit 4,096)
ERAS           initialize only; server/discover gets error -32601 after 3 ms
START          first answer after 812 ms, handshake 817 ms, lists 826 ms

✗ 1,763 of 5,859 characters of the instructions never reach the model in
  Some Client 3.0.0.
→ First: put what must be read into the first 4,096 characters, or shorten the
  text by 1,763.
)");
}

TEST(CheckText, NamesWhatWasLost) {
  Fixture fixture(long_text(), {{"find", "Finds."}, {"add_label", "Adds a label."}});
  fixture.add_group("1.0.0", "3.0.0",
                    {instructions_of(fixture.instructions(), budget_of(2048)),
                     tool_of("find", fixture.description(0), {}),
                     tool_of("add_label", fixture.description(1), {})},
                    Held::kAll);
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("  Lost with it: 1 heading (Filters), 2 list items, 1 tool name "
                             "(add_label).\n"));
  EXPECT_THAT(out, HasSubstr("The first section that is lost whole is \"Filters\"."));
  EXPECT_THAT(out, HasSubstr("never reach the model in\n  Some Client 1.0.0 – 3.0.0.\n"));
}

TEST(CheckText, IsShortWhereNothingIsLost) {
  Fixture fixture("Short.");
  fixture.add_group("1.0.0", "3.0.0", {instructions_of(fixture.instructions(), budget_of(2048))},
                    Held::kNewest);
  EXPECT_EQ(screen(fixture),
            R"(srv 1.0                                          answers initialize (2025-11-25)

INSTRUCTIONS   6 characters

  Some Client    kept  lost    lands in
▸ 1.0.0 – 3.0.0     6     –    system prompt

TOOLS          none
ERAS           initialize only; server/discover gets error -32601 after 3 ms
START          first answer after 812 ms, handshake 817 ms, lists 826 ms

✓ Nothing of it is lost in Some Client 3.0.0.
)");
}

TEST(CheckText, SaysNothingOfTextThatWasNeverSeen) {
  Fixture fixture("Text that must not be mentioned.");
  mcp::Offer& offer = fixture.offer();
  offer.outcome = mcp::Outcome::kDidNotStart;
  offer.outcome_detail = "it ended before any answer.";
  offer.legacy.reset();
  offer.exit = mcp::Exit{.code = 1, .signal = {}};
  offer.command = {"node", "my server.js"};
  offer.stderr_tail = "Error: no token\r\n\x1b[31mred\x1b[0m\n\n";
  EXPECT_EQ(screen(fixture), R"(✗ The server did not start: it ended before any answer.
  Command: node 'my server.js'
  It ended with exit code 1.

  What it wrote to standard error:
    │ Error: no token
    │ ␛[31mred␛[0m
)");
}

TEST(CheckText, SaysWhatToDoAboutAMessageThatNobodyCouldRead) {
  Fixture fixture("x");
  fixture.offer().outcome = mcp::Outcome::kBroke;
  fixture.offer().incidents = {{.code = "message-too-complex", .message = "m", .times = 1}};
  EXPECT_THAT(screen(fixture), HasSubstr("What to do: make that message shorter or flatter."));
}

TEST(CheckText, ShowsTheEndOfALongStandardError) {
  Fixture fixture("x");
  fixture.offer().outcome = mcp::Outcome::kHangs;
  for (int i = 0; i < 100; ++i) fixture.offer().stderr_tail += "line " + std::to_string(i) + "\n";
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("The last that it wrote to standard error:"));
  EXPECT_THAT(out, Not(HasSubstr("│ line 79\n")));
  EXPECT_THAT(out, HasSubstr("│ line 80\n"));
  EXPECT_THAT(out, HasSubstr("│ line 99\n"));
}

TEST(CheckText, ShowsToolsInATableWhereOneIsCut) {
  Fixture fixture(std::nullopt, {{"big", std::string(5'000, 'x')}, {"a.b", "x"}, {"a b", "y"}});
  const auto pieces = [&](std::size_t limit) {
    return std::vector{tool_of("big", fixture.description(0), budget_of(limit)),
                       tool_of("a.b", fixture.description(1), budget_of(limit)),
                       never(tool_of("a b", fixture.description(2), {}), Never::kNameCollides,
                             "an earlier tool has the same full name, a_b")};
  };
  fixture.add_group("1.0.0", "1.9.0", pieces(2048));
  fixture.add_group("2.0.0", "3.0.0", pieces(4096), Held::kNewest);
  EXPECT_THAT(screen(fixture), HasSubstr(R"(
INSTRUCTIONS   none

TOOLS          3 (longest: big, 5,000 characters)

  Some Client    loaded        limit  cut  the worst
  1.0.0 – 1.9.0  at the start  2,048    1  big loses 2,952 of 5,000
▸ 2.0.0 – 3.0.0  at the start  4,096    1  big loses 904 of 5,000
  ▸ held to
  a b never arrives in 1.0.0 – 3.0.0: an earlier tool has the same full name,
  a_b.

ERAS)"));
  EXPECT_THAT(screen(fixture), HasSubstr(R"(
✗ The description of big loses 904 of 5,000 characters in Some Client 3.0.0.
✗ 1 tool never reaches the model in Some Client 3.0.0: a b.
→ First: rename the tool a b: an earlier tool has the same full name, a_b.
)"));
}

TEST(CheckText, TellsUnknownFromNothing) {
  Fixture fixture("abc");
  delivery::Delivered unknown = instructions_of(fixture.instructions(), {});
  unknown.state = delivery::State::kUnknown;
  unknown.reason = "whether Some Client 1.9.0 waits is not known";
  fixture.add_group("1.0.0", "1.9.0", {unknown});
  fixture.add_group("2.0.0", "3.0.0",
                    {never(instructions_of(fixture.instructions(), {}), Never::kNotDelivered)},
                    Held::kNewest);
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("  1.0.0 – 1.9.0  unknown: whether Some Client waits is not known\n"));
  EXPECT_THAT(out, HasSubstr("▸ 2.0.0 – 3.0.0  nothing: this client does not pass it on\n"));
  EXPECT_THAT(out, HasSubstr("· Some Client 3.0.0 does not pass instructions on.\n"
                             "→ First: put what must be known into the descriptions of tools: "
                             "Some Client\n  shows no instructions.\n"));
  EXPECT_THAT(out, Not(HasSubstr("✗")));
}

TEST(CheckText, SaysOfADraftOnlyWhatBecomesOfIt) {
  Fixture fixture("abc");
  fixture.offer().command.clear();
  fixture.offer().legacy->server = {};
  fixture.add_group("1.0.0", "3.0.0", {instructions_of(fixture.instructions(), {})}, Held::kNewest);
  Check check = fixture.check();
  EXPECT_THAT(check_text(check, kPlain, false), HasSubstr("START"));  // a stored offer
  check.draft = true;
  EXPECT_EQ(check_text(check, kPlain, false), R"(srv

INSTRUCTIONS   3 characters

  Some Client    kept  lost    lands in
▸ 1.0.0 – 3.0.0     3     –    system prompt

✓ Nothing of it is lost in Some Client 3.0.0.
)");
}

TEST(CheckText, DoesNotJoinWhatDoesNotAdjoin) {
  Fixture fixture("abc");
  fixture.add_group("1.0.0", "1.0.0", {instructions_of(fixture.instructions(), {})}, Held::kAll);
  fixture.add_group("3.0.0", "3.0.0", {instructions_of(fixture.instructions(), {})}, Held::kAll)
      .adjoins = false;
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("▸ 1.0.0           3"));
  EXPECT_THAT(out, HasSubstr("▸ 3.0.0           3"));
}

TEST(CheckText, SaysWhatItDoesNotKnowOfToolsHeldTo) {
  Fixture fixture("abc", {{"t", "x"}});
  delivery::Delivered tool = tool_of("t", fixture.description(0), {});
  tool.state = delivery::State::kUnknown;
  tool.reason = "whether tool search is on in Some Client 3.0.0 is not known";
  CheckedGroup& group = fixture.add_group(
      "1.0.0", "3.0.0", {instructions_of(fixture.instructions(), {}), tool}, Held::kNewest);
  group.group.delivery.notes = {"something else is to be said"};
  const std::string out = screen(fixture);
  EXPECT_THAT(out,
              HasSubstr("how Some Client 1.0.0 – 3.0.0 load them is not known: "
                        "whether\n               tool search is on in Some Client is not known\n"));
  EXPECT_THAT(out, HasSubstr("· Some Client 3.0.0: something else is to be said\n"
                             "? Whether 1 tool description arrives whole in Some Client 3.0.0 is "
                             "not known:\n  whether tool search is on in Some Client is not "
                             "known.\n"));
  EXPECT_THAT(out, Not(HasSubstr("✓")));
}

TEST(CheckText, AgreesWithTheExitCode) {
  constexpr Never kAll[] = {Never::kNo,           Never::kNotOffered,  Never::kEmpty,
                            Never::kNotDelivered, Never::kOtherEra,    Never::kConnectionFails,
                            Never::kTooLate,      Never::kNameRefused, Never::kNameCollides};
  for (const Never why : kAll) {
    for (const char* text : {"", "abc"}) {
      for (const bool tools : {false, true}) {
        for (const bool number : {false, true}) {
          Fixture fixture(text, tools ? std::vector{std::pair<std::string, std::string>{"t", ""}}
                                      : std::vector<std::pair<std::string, std::string>>{});
          if (number) {
            fixture.offer().legacy->instructions.reset();
            fixture.offer().legacy->instructions_wrong_type = "a number";
          }
          const auto ending = [&](delivery::Delivered piece) {
            return why == Never::kNo ? piece : never(std::move(piece), why);
          };
          std::vector<delivery::Delivered> pieces = {instructions_of(number ? "" : text, {})};
          const bool of_tools = why == Never::kNameRefused || why == Never::kNameCollides;
          if (!of_tools) pieces[0] = ending(pieces[0]);
          if (tools) pieces.push_back(ending(tool_of("t", "", {})));
          fixture.add_group("1.0.0", "3.0.0", std::move(pieces), Held::kNewest);
          const bool cross = screen(fixture).find("✗") != std::string::npos;
          EXPECT_EQ(cross, exit_code(fixture.check()) == 1)
              << delivery::name(why) << " '" << text << "' " << tools << number << "\n"
              << screen(fixture);
        }
      }
    }
  }
}

TEST(CheckText, DoesNotPraiseAListThatBrokeOff) {
  Fixture fixture("abc", {{"t", "x"}});
  fixture.offer().legacy->tools_problem = "page 2 gets error -32603";
  fixture.add_group(
      "1.0.0", "3.0.0",
      {instructions_of(fixture.instructions(), {}), tool_of("t", fixture.description(0), {})},
      Held::kNewest);
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("? The list of tools is incomplete: page 2 gets error -32603, so it "
                             "is not known\n  whether all of them reach the model in Some Client "
                             "3.0.0.\n"));
  EXPECT_THAT(out, Not(HasSubstr("✓")));
  EXPECT_EQ(exit_code(fixture.check()), 0);
}

TEST(CheckText, SaysWhereThereIsNothingToLose) {
  Fixture fixture("");
  fixture.add_group("1.0.0", "3.0.0", {never(instructions_of("", {}), Never::kEmpty)},
                    Held::kNewest);
  Check check = fixture.check();
  EXPECT_THAT(check_text(check, kPlain, false),
              HasSubstr("· There is nothing to lose: the server sends no text.\n"));
  check.draft = true;
  const std::string out = check_text(check, kPlain, false);
  EXPECT_THAT(out, HasSubstr("· There is nothing to lose: the draft is empty.\n"));
  EXPECT_THAT(out, Not(HasSubstr("✓")));
}

TEST(CheckText, SaysAtLeastWhereTheWayIsNotKnown) {
  Fixture fixture(std::nullopt, {{"t", std::string(10, 'x')}});
  delivery::Delivered tool = tool_of("t", fixture.description(0), budget_of(4));
  tool.state = delivery::State::kAtStartOrDeferred;
  fixture.add_group("1.0.0", "3.0.0", {tool}, Held::kNewest);
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("t loses at least 6 of 10\n"));
  EXPECT_THAT(out, HasSubstr("✗ The description of t loses at least 6 of 10 characters in Some "
                             "Client 3.0.0.\n"));
}

TEST(CheckText, LabelsExtrapolation) {
  Fixture fixture("abc");
  CheckedGroup& group = fixture.add_group(
      "4.0.0", "4.0.0", {instructions_of(fixture.instructions(), {})}, Held::kAll);
  group.group.extrapolated = true;
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("system prompt, extrapolated\n"));
  EXPECT_THAT(out, HasSubstr("Extrapolated: only Some Client 1.0.0 to 3.0.0 were looked at.\n"));
}

TEST(CheckText, TellsOfIgnoredSwitches) {
  Fixture fixture("abc");
  fixture.add_group("1.0.0", "3.0.0", {instructions_of(fixture.instructions(), {})}, Held::kNewest);
  fixture.situation().variables = {{"LIMIT", "25,000"}};
  fixture.client().switches = {{.name = "LIMIT",
                                .value = "25,000",
                                .ignored = true,
                                .says = "Some Client takes plain digits"}};
  const std::string out = screen(fixture);
  EXPECT_THAT(out, HasSubstr("\nLIMIT=25,000\n"));
  EXPECT_THAT(out, HasSubstr("! LIMIT=25,000 is ignored: Some Client takes plain digits\n"));
}

TEST(CheckText, TellsTheUnknownOfASwitchOnce) {
  Fixture fixture("abc");
  fixture.add_group("1.0.0", "3.0.0", {instructions_of(fixture.instructions(), {})}, Held::kNewest);
  fixture.client().switches = {{.name = "SEARCH",
                                .value = "x",
                                .ignored = false,
                                .says = "what Some Client 3.0.0 makes of SEARCH = x is not known"}};
  const std::string out = check_text(fixture.check(), kPlain, true);
  EXPECT_THAT(out, HasSubstr("· what Some Client 3.0.0 makes of SEARCH = x is not known\n"));
  EXPECT_EQ(out.find("makes of SEARCH"), out.rfind("makes of SEARCH"));
  EXPECT_THAT(out, Not(HasSubstr("ignored")));
}

TEST(CheckText, TellsConflictsThatDecideNoNumberInDetailsOnly) {
  Fixture fixture("abc");
  delivery::Fact place;
  place.name = "instructions.placement";
  place.versions = VersionRange::parse("2.0.0..3.0.0").value();
  place.evidence = {
      evidence(delivery::EvidenceKind::kMeasured, "2026-12-01"),
      evidence(delivery::EvidenceKind::kReported, "2026-10-31", "", "", "", "first user turn")};
  fixture.profile().facts = {place};
  const delivery::Fact* fact = &fixture.profile().facts.front();
  delivery::Delivered piece = instructions_of(fixture.instructions(), {});
  piece.because = std::make_shared<const std::vector<delivery::Found>>(
      std::vector<delivery::Found>{{.fact = fact, .extrapolated = false}});
  fixture.add_group("2.0.0", "3.0.0", {piece}, Held::kNewest);
  EXPECT_THAT(screen(fixture), Not(HasSubstr("first user turn")));
  EXPECT_THAT(check_text(fixture.check(), kPlain, true),
              HasSubstr("But a report of 2026-10-31 says \"first user turn\" (where instructions\n"
                        "land from 2.0.0 on).\n"));
}

TEST(CheckText, SaysWhereItsNumbersComeFrom) {
  Fixture fixture("abc");
  delivery::Fact measured;
  measured.name = "instructions.budget";
  measured.versions = VersionRange::parse("2.0.0..3.0.0").value();
  measured.evidence = {
      evidence(delivery::EvidenceKind::kMeasured, "2026-12-01"),
      evidence(delivery::EvidenceKind::kDocumented, "2026-09-30", "", "", "", "2,048 characters")};
  fixture.profile().facts = {measured};
  const delivery::Fact* fact = &fixture.profile().facts.front();
  delivery::Delivered piece = instructions_of(fixture.instructions(), budget_of(10));
  piece.because = std::make_shared<const std::vector<delivery::Found>>(
      std::vector<delivery::Found>{{.fact = fact, .extrapolated = false}});
  fixture.add_group("2.0.0", "3.0.0", {piece}, Held::kNewest);
  EXPECT_THAT(screen(fixture), HasSubstr(R"(
Limits in UTF-16 units, measured 2026-12-01 with Some Client 1.0.0 to 3.0.0.
But the documentation of 2026-09-30 says "2,048 characters" (limit of
instructions from 2.0.0 on).
)"));
}

TEST(CheckText, StaysInANarrowTerminal) {
  Fixture fixture(long_text(), {{"t", "x"}});
  fixture.add_group("1.0.0", "1.0.9",
                    {instructions_of(fixture.instructions(), budget_of(2048), "user-reminder"),
                     tool_of("t", fixture.description(0), {})});
  fixture.add_group("2.0.0", "3.0.0",
                    {instructions_of(fixture.instructions(), budget_of(4096)),
                     tool_of("t", fixture.description(0), {})},
                    Held::kNewest);
  const std::string out = check_text(fixture.check(), {.colour = false, .columns = 40}, false);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    const std::string_view line = std::string_view(out).substr(at, end - at);
    EXPECT_LE(text::columns(line), 40U) << line;
    at = end + 1;
  }
}

TEST(CheckText, StaysInItsWidthAndOutOfTheTerminal) {
  const std::string evil = "\x1b]0;title\a\u202Eevil\u200B\r\n" + std::string(300, 'y');
  Fixture fixture(evil + evil, {{evil, evil}});
  fixture.offer().legacy->server.name = evil;
  fixture.offer().legacy->protocol_version = evil;
  fixture.offer().incidents = {{.code = "noise", .message = evil, .times = 1234}};
  fixture.offer().legacy->prompts = {{.name = evil, .uri = evil, .description = evil}};
  fixture.add_group("1.0.0", "3.0.0",
                    {instructions_of(fixture.instructions(), budget_of(100)),
                     tool_of(evil, fixture.description(0), budget_of(20))},
                    Held::kNewest);
  const std::string out = check_text(fixture.check(), kPlain, true);
  for (const char* bad : {"\x1b", "\a", "\r", "\u202E", "\u200B"})
    EXPECT_EQ(out.find(bad), std::string::npos);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    const std::string_view line = std::string_view(out).substr(at, end - at);
    EXPECT_LE(text::columns(line), 80U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    at = end + 1;
  }
}

TEST(CheckText, ColoursWithoutChangingTheText) {
  Fixture fixture(long_text(), {{"t", "x"}});
  fixture.add_group("1.0.0", "3.0.0",
                    {instructions_of(fixture.instructions(), budget_of(2048)),
                     tool_of("t", fixture.description(0), {})},
                    Held::kNewest);
  const std::string coloured = check_text(fixture.check(), {.colour = true, .columns = 80}, true);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      stripped += coloured[i];
  }
  EXPECT_NE(coloured, stripped);
  EXPECT_EQ(stripped, check_text(fixture.check(), kPlain, true));
}

}  // namespace
}  // namespace cutline::report
