// check_groups_test.cc: screens of several clients.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/check_text.h"
#include "report/crowd.h"
#include "report/verdict.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::Channel;
using delivery::Delivered;
using delivery::Never;
using testing::HasSubstr;
using testing::Not;

const Style kPlain = {.colour = false, .columns = 80};

std::string screen(Crowd& crowd) { return check_text(crowd.check(), kPlain, false); }

/// 6,000 characters: a first line of 100, then sentences of 32; a heading and an item at 5,000.
std::string long_text() {
  std::string text =
      "Use this server to count springs and bins; ask it before you move any of them.";
  text.resize(100, '.');
  text += "\n";
  while (text.size() < 4'980) text += "Count a bin before you move it. ";
  text += "\n\n## Filters\n\n- use `add_label`\n\n";
  while (text.size() < 6'000) text += "Springs are kept by wire width. ";
  return text.substr(0, 6'000);
}

text::Budget first_line_of(std::size_t size) {
  return {.size = size,
          .unit = text::Unit::kCodePoints,
          .marker = "...",
          .marker_inside = true,
          .first_line_only = true};
}

Delivered unknown(Delivered piece, std::string reason) {
  piece.state = delivery::State::kUnknown;
  piece.reason = std::move(reason);
  piece.kept = {};
  piece.cut.reset();
  return piece;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void expect_to_fit(const std::string& out, std::size_t columns) {
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    const std::string_view line = std::string_view(out).substr(at, end - at);
    EXPECT_LE(text::columns(line), columns) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    at = end + 1;
  }
}

TEST(CheckGroups, PutsClientsTogetherThatDoTheSame) {
  Crowd crowd(long_text());
  const std::string_view text = crowd.instructions();
  crowd.add("Alpha", {{"1.0.0", "1.4.9", {instructions_of(text, {})}},
                      {"1.5.0", "1.9.9", {instructions_of(text, budget_of(2'048))}},
                      {"2.0.0", "2.2.9", {instructions_of(text, budget_of(2'048), "user-message")}},
                      {"2.3.0", "2.9.0", {instructions_of(text, budget_of(4'096))}}});
  crowd.add("Beta", {instructions_of(text, {}, "user-message")});
  crowd.add("Gamma", {instructions_of(text, {}, "user-message")});
  crowd.add("Delta", {instructions_of(text, budget_of(4'096))});
  crowd.add("Epsilon", {never(instructions_of(text, {}), Never::kNotDelivered)});
  crowd.add("Zeta", {unknown(instructions_of(text, {}), "nobody looked")}, true);
  EXPECT_EQ(screen(crowd),
            R"(srv 1.0                                          answers initialize (2025-11-25)

INSTRUCTIONS   6,000 characters

  kept          lost           lands in: clients (▸ held to)
  whole            –           ▸ user message: Beta, Gamma
                               system prompt: Alpha ≤ 1.4.9
▸ first 4,096  1,904   31.7 %  system prompt: Alpha ≥ 2.3.0, Delta
  first 2,048  3,952   65.9 %  several places: Alpha 1.5.0 – 2.2.9
▸ nothing      6,000  100.0 %  not passed on: Epsilon
  not known                    nobody looked: Zeta

  The first 4,096 end here:
    │ … move it. Count a bin before you move it. Count a bin before you move✂
    │ it. Count a bin before you move it. Count a bin before you move it. …
  Lost with it: 1 heading (Filters), 1 list item.

TOOLS          none
ERAS           initialize only; server/discover gets error -32601 after 3 ms
START          first answer after 812 ms, handshake 817 ms, lists 826 ms

✗ The instructions lose 31.7 % in Alpha and Delta.
· Epsilon shows no instructions, by design.
✓ Nothing of it is lost in Beta and Gamma.
→ First: put what must be read into the first 4,096 characters, or shorten the
  text by 1,904.

Never measured, so not held to: Zeta. How all of it is known: --details.
)");
  EXPECT_EQ(exit_code(crowd.check()), 1);
}

TEST(CheckGroups, ShowsEachClientByItselfInTheDetails) {
  Crowd crowd("abc");
  crowd.add("Alpha", {instructions_of(crowd.instructions(), {})});
  crowd.add("Beta", {instructions_of(crowd.instructions(), {})});
  const std::string out = check_text(crowd.check(), kPlain, true);
  EXPECT_THAT(out, HasSubstr("  Alpha  kept  lost    lands in\n▸ 1.0.0     3     –"));
  EXPECT_THAT(out, HasSubstr("  Beta   kept  lost    lands in\n▸ 1.0.0     3     –"));
  EXPECT_THAT(screen(crowd), HasSubstr("▸ whole     –    system prompt: Alpha, Beta\n"));
}

TEST(CheckGroups, NamesVersionsThatWereAskedFor) {
  Crowd crowd("abc");
  CheckedClient& alpha = crowd.add("Alpha", {instructions_of(crowd.instructions(), {})});
  alpha.groups.back().held = Held::kAll;
  crowd.add("Beta", {instructions_of(crowd.instructions(), {})});
  EXPECT_THAT(screen(crowd), HasSubstr("system prompt: Alpha 1.0.0, Beta\n"));
  EXPECT_THAT(screen(crowd), HasSubstr("✓ Nothing of it is lost in Alpha 1.0.0 and Beta.\n"));
}

TEST(CheckGroups, KeepsUnitsApart) {
  Crowd crowd(long_text());
  const std::string_view text = crowd.instructions();
  crowd.add("Alpha", {instructions_of(text, budget_of(2'048))});
  crowd.add("Beta", {instructions_of(text, budget_of(2'048, text::Unit::kBytes))});
  crowd.add("Gamma", {instructions_of(text, budget_of(2'048, text::Unit::kCodePoints))});
  const std::string out = screen(crowd);
  EXPECT_THAT(out, HasSubstr("▸ first 2,048        3,952  65.9 %  system prompt: Alpha, Gamma\n"
                             "▸ first 2,048 bytes  3,952  65.9 %  system prompt: Beta\n"));
  // But it is one cut.
  EXPECT_EQ(out.find("✂"), out.rfind("✂"));
}

TEST(FirstStepOfMany, GoesByTheLargestEffect) {
  Crowd crowd(long_text(), {{"t", "x"}});
  const std::string_view text = crowd.instructions();
  const auto pieces = [&](Delivered first) {
    return std::vector{std::move(first), tool_of("t", crowd.description(0), {})};
  };
  crowd.add("Nothing", pieces(never(instructions_of(text, {}), Never::kNotDelivered)));
  EXPECT_EQ(first_step(crowd.check()),
            "put what must be known into the descriptions of tools: Nothing shows no "
            "instructions.");
  EXPECT_EQ(exit_code(crowd.check()), 0);

  // 31.7 % of one client; then 98.3 % of another.
  crowd.add("Long", pieces(instructions_of(text, budget_of(4'096))));
  EXPECT_EQ(first_step(crowd.check()),
            "put what must be read into the first 4,096 characters, or shorten the text by 1,904.");
  crowd.add("Line", pieces(instructions_of(text, first_line_of(250))));
  EXPECT_EQ(first_step(crowd.check()),
            "make the first line, of at most 250 characters, say when to use the server: it is "
            "all that Line shows at the start.");
  // 31.7 + 65.9 + 65.9 % is more than 98.3 %, and the smallest limit helps all three.
  crowd.add("Short", pieces(instructions_of(text, budget_of(2'048))));
  crowd.add("Shorter", pieces(instructions_of(text, budget_of(2'047))));
  EXPECT_THAT(first_step(crowd.check()).value_or(""),
              HasSubstr("into the first 2,047 characters, or shorten the text by 3,953."));
  // A connection that fails is more than any text.
  crowd.add("Broken", {never(instructions_of(text, {}), Never::kConnectionFails, "no answer")});
  EXPECT_EQ(first_step(crowd.check()), "make the connection work: no answer.");
}

TEST(FirstStepOfMany, TakesTheSmallestLimitInWhateverUnit) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "箱";  // 3 bytes
  Crowd crowd(text);
  // 50 characters are 150 bytes: less than 180, though 120 bytes are more than 50 characters.
  crowd.add("Bytes", {instructions_of(crowd.instructions(), budget_of(180, text::Unit::kBytes))});
  crowd.add("Characters", {instructions_of(crowd.instructions(), budget_of(50))});
  EXPECT_EQ(first_step(crowd.check()),
            "put what must be read into the first 50 characters, or shorten the text by 50.");
}

TEST(CheckGroups, SaysWhereDescriptionsAreNoHelpEither) {
  Crowd crowd("abc", {{"t", "x"}});
  const Delivered none = never(instructions_of(crowd.instructions(), {}), Never::kNotDelivered);
  const Delivered tool = tool_of("t", crowd.description(0), {});
  crowd.add("Alpha", {none, tool});
  crowd.add("Beta", {none, tool});
  crowd.add("Gamma", {none, never(tool, Never::kNotDelivered)});
  EXPECT_THAT(screen(crowd), HasSubstr("· Alpha and Beta show tools, but no instructions.\n"
                                       "· Gamma shows no instructions, by design.\n"));
}

TEST(CheckGroups, ShowsToolsByWhatBecomesOfThem) {
  Crowd crowd(std::nullopt, {{"big", std::string(5'000, 'x')}, {"a b", "y"}});
  const auto pieces = [&](std::optional<text::Budget> budget, Channel channel) {
    return std::vector{tool_of("big", crowd.description(0), budget, channel),
                       tool_of("a b", crowd.description(1), budget, channel)};
  };
  crowd.add("Alpha", {{"1.0.0", "1.9.0", pieces(budget_of(2'048), Channel::kPreloadedTool)},
                      {"2.0.0", "3.0.0", pieces(budget_of(4'096), Channel::kPreloadedTool)}});
  crowd.add("Beta", pieces({}, Channel::kPreloadedTool));
  crowd.add("Gamma", pieces(budget_of(16'384), Channel::kDeferredTool));
  std::vector<Delivered> refused = pieces({}, Channel::kPreloadedTool);
  refused[1] = never(refused[1], Never::kNameCollides, "an earlier tool has the same full name");
  crowd.add("Delta", refused);
  crowd.add("Epsilon", refused);
  const std::string out = screen(crowd);
  EXPECT_THAT(out, HasSubstr(R"(
TOOLS          2 (longest: big, 5,000 characters) (▸ held to)
             ▸ whole, at the start, no limit: Beta, Delta, Epsilon
             ▸ whole, by search, limit 16,384: Gamma
             ▸ 1 cut at 4,096, the worst loses 904 of 5,000, at the start:
               Alpha ≥ 2.0.0
               1 cut at 2,048, the worst loses 2,952 of 5,000, at the start:
               Alpha ≤ 1.9.0
               a b never arrives in ▸ Delta, ▸ Epsilon: an earlier tool has the
               same full name.
ERAS)"));
  EXPECT_THAT(out, HasSubstr(R"(
✗ The description of big loses 904 of 5,000 characters in Alpha.
✗ 1 tool never reaches the model in Delta and Epsilon: a b.
✓ Nothing of it is lost in Beta and Gamma.
→ First: rename the tool a b: an earlier tool has the same full name.
)"));
}

TEST(CheckGroups, TellsToolsInLinesWhereNoneIsInTrouble) {
  Crowd crowd("abc", {{"t", "x"}});
  const Delivered text = instructions_of(crowd.instructions(), {});
  const auto tool = [&](std::optional<text::Budget> budget, Channel channel) {
    return tool_of("t", crowd.description(0), std::move(budget), channel);
  };
  crowd.add("Alpha",
            {{"1.0.0", "1.9.0", {text, unknown(tool({}, Channel::kPreloadedTool), "it varies")}},
             {"2.0.0", "2.0.0", {text, tool(budget_of(9), Channel::kDeferredTool)}}});
  crowd.add("Beta", {text, tool({}, Channel::kPreloadedTool)});
  crowd.add("Gamma", {text, tool({}, Channel::kPreloadedTool)});
  EXPECT_THAT(screen(crowd), HasSubstr(R"(
TOOLS          1, no description is cut (longest: t, 1 character)
               by search, limit 9: Alpha
               at the start, no limit: Beta and Gamma
               not known, it varies: Alpha ≤ 1.9.0
ERAS)"));
}

TEST(CheckGroups, SaysWhoWritesTextsAnew) {
  Crowd crowd("abc\n def", {{"t", "x"}, {"u", "x"}});
  const auto anew = [&](Delivered piece, std::string as) {
    piece.rewriting = delivery::Rewriting{.as = std::move(as), .text = {}, .sent = {}};
    return piece;
  };
  const Delivered text = instructions_of(crowd.instructions(), {});
  const Delivered t = tool_of("t", crowd.description(0), {});
  const Delivered u = tool_of("u", crowd.description(1), {});
  crowd.add("Alpha", {text, anew(t, "nfkc-without-invisible"), anew(u, "nfkc-without-invisible")});
  EXPECT_THAT(screen(crowd), HasSubstr("\n· Alpha rewrites 2 descriptions (NFKC, invisible "
                                       "characters left out).\n"));
  crowd.add("Beta", {anew(text, "indented"), t, u});
  crowd.add("Gamma", {anew(text, "indented"), anew(t, "indented"), u});
  crowd.add("Delta", {anew(text, "indented"), t, never(anew(u, "trimmed"), Never::kNameRefused)});
  EXPECT_THAT(screen(crowd),
              HasSubstr("\n· Alpha rewrites 2 descriptions (NFKC, invisible characters left out); "
                        "Beta,\n  Gamma and Delta indent every line after the first of the "
                        "instructions; Gamma\n  trims 1 description (white space at both "
                        "ends).\n"));
}

TEST(CheckGroups, TellsANoteOnceForAll) {
  Crowd crowd("abc");
  for (const char* title : {"Alpha", "Beta"})
    crowd.add(title, {instructions_of(crowd.instructions(), {})})
        .groups.back()
        .group.delivery.notes = {"it starts the server twice"};
  EXPECT_THAT(screen(crowd), HasSubstr("· Alpha 1.0.0, Beta 1.0.0: it starts the server twice\n"));
}

TEST(CheckGroups, SharesOneLineWhereNothingIsKnown) {
  Crowd crowd("abc");
  for (const std::string title : {"Alpha", "Beta"})
    crowd.add(title, {unknown(instructions_of(crowd.instructions(), {}),
                              "nobody looked what " + title + " 1.0.0 does")});
  const std::string out = screen(crowd);
  EXPECT_THAT(out,
              HasSubstr("▸ not known          nobody looked what the client does: Alpha, Beta\n"));
  EXPECT_THAT(out, HasSubstr("? What Alpha and Beta make of the instructions is not known: nobody "
                             "looked what\n  the client does.\n"));
  EXPECT_EQ(exit_code(crowd.check()), 0);
}

TEST(CheckGroups, NamesThoseOfWhomNothingIsKnownWithoutReasons) {
  Crowd crowd("abc", {{"one", "x"}});
  const auto nothing = std::make_shared<const std::vector<delivery::Found>>();
  for (const std::string title : {"Alpha", "Beta"}) {
    Delivered text = unknown(instructions_of(crowd.instructions(), {}), "nobody looked");
    Delivered tool = unknown(tool_of("one", crowd.description(0), {}), "nobody looked");
    text.because = tool.because = nothing;
    crowd.add(title, {text, tool}, true);
  }
  const std::string out = screen(crowd);
  EXPECT_THAT(out, HasSubstr("not known          Alpha, Beta\n"));
  EXPECT_THAT(out, HasSubstr("               not known: Alpha, Beta\n"));
  EXPECT_THAT(out, testing::Not(HasSubstr("nobody looked")));
}

TEST(CheckGroups, TellsToolsThatAreTooMany) {
  Crowd crowd("abc", {{"one", "x"}, {"two", "x"}, {"three", "x"}});
  std::vector<Delivered> pieces = {instructions_of(crowd.instructions(), {})};
  pieces.push_back(unknown(tool_of("one", crowd.description(0), {}), "how it loads"));
  for (const std::size_t i : {1U, 2U}) {
    pieces.push_back(
        never(tool_of(i == 1 ? "two" : "three", crowd.description(i), {}), Never::kTooManyTools));
    pieces.back().reason = "Alpha sends the first 1 tools";
  }
  crowd.add("Alpha", pieces);
  crowd.add("Beta", {instructions_of(crowd.instructions(), {})}, true);
  const std::string out = screen(crowd);
  EXPECT_THAT(out,
              HasSubstr("2 tools (two and three) never arrive in ▸ Alpha: the client sends\n"));
  EXPECT_THAT(out, testing::Not(HasSubstr("may not arrive")));
  EXPECT_EQ(exit_code(crowd.check()), 1);
}

/// Twenty clients as they are: most whole or nothing, some with limits, one with a history.
void add_twenty(Crowd& crowd, const std::vector<Delivered>& tools,
                const std::vector<Delivered>& cut_tools) {
  const std::string_view text = crowd.instructions();
  const auto pieces = [&](Delivered first, const std::vector<Delivered>& all) {
    std::vector<Delivered> list = all;
    list.insert(list.begin(), std::move(first));
    return list;
  };
  crowd.add("Claude Code",
            {{"2.0.77", "2.1.83", pieces(instructions_of(text, {}), tools)},
             {"2.1.84", "2.1.90", pieces(instructions_of(text, budget_of(2'048)), cut_tools)},
             {"2.1.91", "2.1.295",
              pieces(instructions_of(text, budget_of(2'048), "user-reminder"), cut_tools)},
             {"2.1.296", "2.1.332",
              pieces(instructions_of(text, budget_of(4'096), "system-role-message"), cut_tools)}});
  crowd.add("Codex", pieces(instructions_of(text, first_line_of(250), "developer-message"), tools));
  for (const char* title : {"Goose", "opencode", "Zed Agent", "Amp", "Crush", "Qwen Code"})
    crowd.add(title, pieces(instructions_of(text, {}), tools));
  for (const char* title : {"Gemini CLI", "Kimi CLI", "Factory Droid"})
    crowd.add(title, pieces(instructions_of(text, {}, "user-message"), tools));
  crowd.add("Copilot CLI", pieces(instructions_of(text, budget_of(1'024)), cut_tools));
  crowd.add("Auggie", pieces(instructions_of(text, budget_of(512)), tools));
  crowd.add("LibreChat", pieces(instructions_of(text, budget_of(3'000)), tools));
  for (const char* title : {"Continue", "Cline", "Roo Code", "Aider", "Plandex"})
    crowd.add(title, pieces(never(instructions_of(text, {}), Never::kNotDelivered), tools));
  crowd.add("Cursor", pieces(unknown(instructions_of(text, {}), "nobody measured it"), tools),
            true);
}

TEST(CheckGroups, KeepsTwentyClientsOnOneScreen) {
  const std::string description(5'000, 'x');
  for (const std::size_t count : {0U, 1U, 200U}) {
    std::vector<std::pair<std::string, std::string>> named;
    for (std::size_t i = 0; i < count; ++i)
      named.emplace_back("tool_" + std::to_string(i), description);
    Crowd crowd(long_text(), named);
    crowd.offer().legacy->prompts.resize(1);
    std::vector<Delivered> whole, cut;
    for (std::size_t i = 0; i < count; ++i) {
      whole.push_back(tool_of(named[i].first, crowd.description(i), {}));
      cut.push_back(tool_of(named[i].first, crowd.description(i), budget_of(4'096)));
    }
    add_twenty(crowd, whole, cut);
    ASSERT_EQ(crowd.check().clients.size(), 20U);
    const std::string out = screen(crowd);
    EXPECT_LE(lines_in(out), 45U) << out;
    expect_to_fit(out, 80);
    EXPECT_THAT(out, HasSubstr("\n▸ line 1 (100)  5,900   98.3 %  developer message: Codex\n"));
  }
}

TEST(CheckGroups, KeepsALongExcerptOnOneScreen) {
  std::string text = long_text();
  std::vector<std::pair<std::string, std::string>> named;
  for (int i = 0; i < 200; ++i) {
    named.emplace_back("a_tool_with_a_long_name_" + std::to_string(i), "x");
    text += "\n## About " + named.back().first + "\n";
  }
  Crowd crowd(text, named);
  std::vector<Delivered> tools;
  for (std::size_t i = 0; i < named.size(); ++i)
    tools.push_back(tool_of(named[i].first, crowd.description(i), {}));
  for (int i = 0; i < 20; ++i) {
    std::vector<Delivered> pieces = tools;
    pieces.insert(pieces.begin(),
                  instructions_of(crowd.instructions(),
                                  i < 3 ? std::optional(budget_of(2'048)) : std::nullopt,
                                  i % 3 == 0 ? "system-role-message" : "user-message"));
    crowd.add("Some Client " + std::to_string(i), pieces);
  }
  const std::string out = screen(crowd);
  EXPECT_LE(lines_in(out), 45U) << out;
  expect_to_fit(out, 80);
  EXPECT_THAT(out, HasSubstr("  Lost with it: "));
}

TEST(CheckGroups, ShowsTheWorstOfTooManyCuts) {
  Crowd crowd(long_text());
  for (std::size_t limit = 1; limit <= 8; ++limit)
    crowd.add("Client " + std::to_string(limit),
              {instructions_of(crowd.instructions(), budget_of(limit))});
  const std::string out = screen(crowd);
  EXPECT_THAT(out, HasSubstr("\n\n  first 6  Use th✂is server to count springs and "));
  EXPECT_THAT(out, HasSubstr("\n  first 1  U✂se this server to "));
  EXPECT_THAT(out, HasSubstr("\n  2 cuts further on: --details.\n"));
  EXPECT_THAT(out, Not(HasSubstr("Use thi✂")));
}

TEST(CheckGroups, StaysInItsWidthAndOutOfTheTerminal) {
  const std::string evil = "\x1b]0;title\a\u202Eevil\u200B\r\n" + std::string(300, 'y');
  Crowd crowd(evil + evil, {{evil, evil}, {evil + "2", evil}});
  for (const std::size_t limit : {100U, 120U, 140U, 160U})
    crowd.add("Client " + std::to_string(limit),
              {instructions_of(crowd.instructions(), budget_of(limit)),
               tool_of(evil, crowd.description(0), budget_of(limit)),
               never(tool_of(evil + "2", crowd.description(1), {}), Never::kNameRefused, evil)});
  crowd.add("Silent", {unknown(instructions_of(crowd.instructions(), {}), evil)});
  for (const std::size_t columns : {80U, 40U}) {
    const std::string out = check_text(crowd.check(), {.colour = false, .columns = columns}, false);
    for (const char* bad : {"\x1b", "\a", "\r", "\u202E", "\u200B"})
      EXPECT_EQ(out.find(bad), std::string::npos);
    expect_to_fit(out, columns);
  }
}

TEST(CheckGroups, ColoursWithoutChangingTheText) {
  Crowd crowd(long_text(), {{"t", std::string(5'000, 'x')}});
  add_twenty(crowd, {tool_of("t", crowd.description(0), {})},
             {tool_of("t", crowd.description(0), budget_of(2'048))});
  const std::string coloured = check_text(crowd.check(), {.colour = true, .columns = 80}, false);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      stripped += coloured[i];
  }
  EXPECT_NE(coloured, stripped);
  EXPECT_EQ(stripped, screen(crowd));
}

}  // namespace
}  // namespace cutline::report
