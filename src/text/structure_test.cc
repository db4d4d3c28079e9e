// structure_test.cc: sentences, and what of a text is lost at a cut.
#include "text/structure.h"

#include <string>

#include <gtest/gtest.h>

#include "text/names.h"
#include "text/sample.h"

namespace cutline::text {
namespace {

/// The sentence at the '|' of `marked`.
std::string sentence_of(std::string marked) {
  const std::size_t at = marked.find('|');
  marked.erase(at, 1);
  return std::string(slice(marked, sentence_at(marked, ByteOffset{at})));
}

TEST(SentenceAt, FindsTheSentenceAroundAPlace) {
  struct Case {
    std::string marked, sentence;
  };
  for (const Case& c : {
           Case{"", ""},
           Case{"|", ""},
           Case{"One. T|wo. Three.", "Two."},
           Case{"|One. Two.", "One."},
           Case{"One. Two.|", ""},
           Case{"One. Two|.", "Two."},
           Case{"One. |Two. Three.", "Two."},
           Case{"One.| Two. Three.", "Two."},  // the white space belongs to the border
           Case{"One.  |  Two.", "Two."},
           Case{"One.\n\n|\nTwo.", "Two."},
           Case{"One. Two.  |  ", ""},
           Case{"Use e.g. a b|in (see page 7). Then go on.", "Use e.g. a bin (see page 7)."},
           Case{"七番の箱です。箱を動|かす前に数えてください。札です。",
                "箱を動かす前に数えてください。"},
           Case{"七番の箱です。|箱を動かす。", "箱を動かす。"},
           Case{"一个零件。两|张标签！", "两张标签！"},
           Case{"ใช้ถ|าด", "ใช้ถาด"},
           Case{"\u3000\u00A0Space|s.\u3000", "Spaces."},
       }) {
    std::string marked = c.marked;
    if (marked.find('|') == std::string::npos) marked += '|';
    EXPECT_EQ(sentence_of(marked), c.sentence) << c.marked;
  }
}

TEST(SentenceAt, EndsWithTheLineWhereLinesStandAlone) {
  EXPECT_EQ(sentence_of("# Title\nTe|xt goes on"), "Text goes on");
  EXPECT_EQ(sentence_of("# Ti|tle\nText goes on"), "# Title");
  EXPECT_EQ(sentence_of("- one\n- tw|o\n- three"), "- two");
  EXPECT_EQ(sentence_of("short line\nanoth|er line"), "another line");
}

TEST(SentenceAt, GoesOnWhereLinesWereWrapped) {
  const std::string wrapped =
      "Count a bin before you move it, and do so in the light of day\n"
      "or with a lamp. Then write it down.";
  std::string marked = wrapped;
  marked.insert(wrapped.find("lamp"), "|");
  EXPECT_EQ(sentence_of(marked),
            "Count a bin before you move it, and do so in the light of day\nor with a lamp.");
  // The same before something that begins a block of its own.
  for (const std::string_view next : {"- or with a lamp", "## Lamps", "1. lamps", "```", "> said",
                                      "| a | b |", "<lamp>", "", "   "}) {
    const std::string text = wrapped.substr(0, wrapped.find('\n') + 1) + std::string(next);
    EXPECT_EQ(slice(text, sentence_at(text, ByteOffset{5})), wrapped.substr(0, wrapped.find('\n')))
        << next;
  }
}

TEST(SentenceAt, LooksOnlyAtTheNeighbourhood) {
  const std::string words(100'000, 'x');
  const Span in_the_middle = sentence_at(words, ByteOffset{50'000});
  EXPECT_EQ(in_the_middle.begin, ByteOffset{50'000 - kContextBytesMax});
  EXPECT_EQ(in_the_middle.end, ByteOffset{50'000 + kContextBytesMax});
  EXPECT_EQ(sentence_at(words, ByteOffset{10}).begin, ByteOffset{0});
  EXPECT_EQ(sentence_at(words, ByteOffset{99'990}).end, ByteOffset{100'000});

  // Longer than the first look, shorter than the farthest.
  const std::string text = "One. " + std::string(2000, 'X') + ". Two.";
  EXPECT_EQ(sentence_at(text, ByteOffset{1000}), (Span{ByteOffset{5}, ByteOffset{2006}}));

  // White space for longer than it looks.
  const std::string blanks = "One." + std::string(10'000, ' ') + "Two.";
  EXPECT_EQ(sentence_at(blanks, ByteOffset{4}), (Span{ByteOffset{4}, ByteOffset{4}}));
}

TEST(SentenceAt, NeverSplitsACharacter) {
  const std::string text = sample(SampleKind::kMixed, 12'000, "").value();
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at % 7 != 0 || !is_character_boundary(text, ByteOffset{at})) continue;
    const Span sentence = sentence_at(text, ByteOffset{at});
    ASSERT_TRUE(is_character_boundary(text, sentence.begin));
    ASSERT_TRUE(is_character_boundary(text, sentence.end));
    ASSERT_LE(sentence.begin, sentence.end);
    ASSERT_GE(sentence.end.value, at);
  }
}

std::vector<std::string> names_in(std::string_view text, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const Outline::Use& use : first_uses(text, names)) {
    EXPECT_EQ(slice(text, use.first), use.name);
    found.push_back(use.name);
  }
  return found;
}

TEST(FirstUses, TakesWholeWordsOnly) {
  struct Case {
    std::string_view text;
    std::vector<std::string> names, found;
  };
  for (const Case& c : {
           Case{"call find_part first", {"find_part", "count"}, {"find_part"}},
           Case{"find_part", {"find_part"}, {"find_part"}},
           Case{"`find_part`, (count).", {"count", "find_part"}, {"count", "find_part"}},
           Case{"find_parts refind_part find_part2 find-part", {"find_part"}, {}},
           Case{"find_part-x x-find_part _find_part", {"find_part"}, {}},
           Case{"élist listé ÿlist list", {"list"}, {"list"}},
           Case{"élist listé", {"list"}, {}},
           Case{"search_partsで探す。必ずcountを使う",
                {"search_parts", "count"},
                {"search_parts", "count"}},
           Case{"find_part를 쓴다", {"find_part"}, {"find_part"}},
           Case{"files.read and files",
                {"files", "files.read", "read"},
                {"files", "files.read", "read"}},
           Case{"检索工具", {"检索"}, {"检索"}},
           Case{"a ab abc", {"abc", "ab", "a", "abcd"}, {"abc", "ab", "a"}},
           Case{"twice", {"twice", "", "twice"}, {"twice"}},
           Case{"", {"x"}, {}},
       })
    EXPECT_EQ(names_in(c.text, c.names), c.found) << c.text;
}

TEST(FirstUses, GivesTheFirst) {
  const std::string text = "counts, then count, then count";
  const std::vector<std::string> names = {"count"};
  const std::vector<Outline::Use> uses = first_uses(text, names);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].first, (Span{ByteOffset{13}, ByteOffset{18}}));
}

TEST(FirstUses, IsFastWithManyNames) {
  std::vector<std::string> names;
  std::string text;
  for (int i = 0; i < 5000; ++i) names.push_back("find_part_" + std::to_string(i));
  while (text.size() < 500'000) text += "find_part_ find.find_part_9999. ";
  names.push_back(std::string(100'000, 'x'));  // too long to be looked for
  EXPECT_TRUE(names_in(text, names).empty());
}

const std::string kGuide =
    "# Shelf\n"
    "\n"
    "Use find_part first. Count before you move a bin.\n"
    "\n"
    "## Rules\n"
    "\n"
    "- Ask count twice\n"
    "- Use find_part again\n"
    "\n"
    "```js\n"
    "move(7)\n"
    "```\n"
    "\n"
    "Notes\n"
    "-----\n"
    "\n"
    "1. Springs by width\n";

Loss loss_before(std::string_view what) {
  static const std::vector<std::string> kNames = {"move", "count", "find_part", "drop"};
  return loss_at(kGuide, ByteOffset{kGuide.find(what)}, kNames);
}

TEST(LossAt, NamesWhatBeginsAfterTheCut) {
  const Loss loss = loss_before("before you move");
  EXPECT_EQ(slice(kGuide, loss.sentence), "Count before you move a bin.");
  EXPECT_TRUE(loss.in_sentence);
  EXPECT_FALSE(loss.in_code_fence);
  EXPECT_EQ(loss.headings, (std::vector<std::string>{"Rules", "Notes"}));
  EXPECT_EQ(loss.items, (std::vector<std::string>{"Ask count twice", "Use find_part again",
                                                  "Springs by width"}));
  EXPECT_EQ(loss.names, (std::vector<std::string>{"move", "count"}));
}

TEST(LossAt, TakesABlockThatIsCutForKept) {
  const Loss loss = loss_before("find_part again");
  EXPECT_EQ(loss.headings, (std::vector<std::string>{"Notes"}));
  EXPECT_EQ(loss.items, (std::vector<std::string>{"Springs by width"}));
  EXPECT_EQ(loss.names, (std::vector<std::string>{}));  // "move" stands in the head already
}

TEST(LossAt, TakesANameThatIsCutForLost) {
  const Loss loss = loss_before("nt twice");
  EXPECT_EQ(loss.names, (std::vector<std::string>{"count"}));
}

TEST(LossAt, KnowsCodeAndBorders) {
  EXPECT_TRUE(loss_before("move(7)").in_code_fence);
  EXPECT_TRUE(loss_before("(7)").in_code_fence);
  EXPECT_FALSE(loss_before("```js").in_code_fence);
  EXPECT_FALSE(loss_before("Notes").in_code_fence);
  const Loss between = loss_before(" Count before");
  EXPECT_FALSE(between.in_sentence);
  EXPECT_EQ(slice(kGuide, between.sentence), "Count before you move a bin.");
}

TEST(LossAt, IsTheSameWithAnOutline) {
  const std::vector<std::string> names = {"find_part", "count"};
  const Outline outline = outline_of(kGuide, names);
  for (std::size_t at = 0; at <= kGuide.size(); ++at) {
    const Loss once = loss_at(kGuide, ByteOffset{at}, names);
    const Loss again = loss_at(kGuide, ByteOffset{at}, outline);
    ASSERT_EQ(once.sentence, again.sentence);
    ASSERT_EQ(once.headings, again.headings);
    ASSERT_EQ(once.items, again.items);
    ASSERT_EQ(once.names, again.names);
  }
}

}  // namespace
}  // namespace cutline::text
