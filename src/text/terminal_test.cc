// terminal_test.cc: what is shown instead of hidden characters, and widths as most terminals have
// them.
#include "text/terminal.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "text/sample.h"
#include "text/utf8.h"

namespace cutline::text {
namespace {

TEST(Sanitise, ShowsWhatWouldActOnTheTerminal) {
  struct Case {
    std::string text, shown;
  };
  for (const Case& c : {
           Case{"plain\ttext\n", "plain\ttext\n"},
           Case{"\x1B[31mred\x1B[0m", "␛[31mred␛[0m"},
           Case{"a\rb\bc\ad\x7F", "a␍b␈c␇d␡"},
           Case{std::string("a\0b", 3), "a␀b"},
           Case{"a\u009B31mb\u0085c", "a\\u{009B}31mb\\u{0085}c"},
           Case{"Count \u202Eabc\u202C first.", "Count \\u{202E}abc\\u{202C} first."},
           Case{"\u2066a\u2069\u200E\u061C", "\\u{2066}a\\u{2069}\\u{200E}\\u{061C}"},
           Case{"a\u200Bb\u2060c\uFEFFd\u00ADe\u3164f",
                "a\\u{200B}b\\u{2060}c\\u{FEFF}d\\u{00AD}e\\u{3164}f"},
           Case{"👨\u200d👩", "👨\\u{200D}👩"},
           Case{"a\U000E0041\U000E007Fb", "a\\u{E0041}\\u{E007F}b"},
           Case{"a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"},
           Case{"\uFFF9a\uFFFB", "\\u{FFF9}a\\u{FFFB}"},
           // One variation selector belongs to its character; more are a hidden message.
           Case{"❤\uFE0F", "❤\uFE0F"},
           Case{"葛\U000E0100", "葛\U000E0100"},
           Case{"a\uFE0F\uFE01", "a\uFE0F\\u{FE01}"},
           Case{"\uFE0Fa", "\\u{FE0F}a"},
           Case{"e\u0301 七番 🔩 \u0661 नी \u0600", "e\u0301 七番 🔩 \u0661 नी \u0600"},
           Case{"\uFFFD", "\uFFFD"},
       })
    EXPECT_EQ(sanitise(c.text), c.shown);
}

TEST(SanitiseLine, ShowsLineFeedsAndTabs) { EXPECT_EQ(sanitise_line("a\tb\r\nc\x1B"), "a→b␍↵c␛"); }

rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::uint32_t>>(
                          rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 0x250),
                                         rc::gen::inRange<std::uint32_t>(0x2000, 0x2070),
                                         rc::gen::inRange<std::uint32_t>(0x3000, 0x3100),
                                         rc::gen::inRange<std::uint32_t>(0xFE00, 0x11000),
                                         rc::gen::inRange<std::uint32_t>(0x1F1E6, 0x1FA00),
                                         rc::gen::inRange<std::uint32_t>(0xE0000, 0xE0200))),
                      [](const std::vector<std::uint32_t>& code_points) {
                        std::string text;
                        for (const std::uint32_t c : code_points) append_utf8(text, c);
                        return text;
                      });
}

TEST(Sanitise, IsIdempotentAndLeavesNoControls) {
  EXPECT_TRUE(rc::check([] {
    const std::string shown = sanitise_line(*any_text());
    RC_ASSERT(sanitise_line(shown) == shown);
    RC_ASSERT(is_valid_utf8(shown));
    for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    for (const char* hidden : {"\u202E", "\u2066", "\u200B", "\u0085", "\U000E0041"})
      RC_ASSERT(shown.find(hidden) == std::string::npos);
  }));
}

TEST(Columns, AreThoseOfATerminal) {
  struct Case {
    std::string_view text;
    std::size_t columns;
  };
  for (const Case& c : {
           Case{"", 0},
           Case{"plain", 5},
           Case{"µ±é", 3},
           Case{"e\u0301", 1},
           Case{"七番の箱", 8},
           Case{"ｱﾊﾞ", 3},  // half-width kana have one each
           Case{"Ａ！", 4},
           Case{"한국", 4},
           Case{"\u1112\u1161\u11AB", 2},  // jamo of one syllable
           Case{"🔩🔧", 4},
           Case{"👍🏽", 2},
           Case{"👨\u200d👩\u200d👧", 2},
           Case{"🇯🇵", 2},
           Case{"❤", 1},
           Case{"❤\uFE0F", 2},
           Case{"1\uFE0F\u20E3", 2},
           Case{"␛\\u{202E}", 9},
           Case{"… →", 3},
       })
    EXPECT_EQ(columns(c.text), c.columns) << c.text;
}

TEST(HeadAndTailColumns, AreWholeClustersThatFit) {
  struct Case {
    std::string_view text;
    std::size_t columns_max;
    std::string_view head, tail;
  };
  for (const Case& c : {
           Case{"abc", 0, "", ""},
           Case{"abc", 2, "ab", "bc"},
           Case{"abc", 3, "abc", "abc"},
           Case{"七番箱", 5, "七番", "番箱"},
           Case{"e\u0301e\u0301", 1, "e\u0301", "e\u0301"},
           Case{"a👨\u200d👩\u200d👧b", 2, "a", "b"},
           Case{"a👨\u200d👩\u200d👧b", 3, "a👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧b"},
       }) {
    EXPECT_EQ(head_columns(c.text, c.columns_max), c.head) << c.text;
    EXPECT_EQ(tail_columns(c.text, c.columns_max), c.tail) << c.text;
  }
}

TEST(HeadAndTailColumns, AreTheLongestThatFit) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = sanitise(*any_text());
    const std::size_t whole = columns(text);
    const auto columns_max = *rc::gen::inRange<std::size_t>(0, whole + 3);
    const std::string_view head = head_columns(text, columns_max);
    const std::string_view tail = tail_columns(text, columns_max);
    RC_ASSERT(text.starts_with(head));
    RC_ASSERT(text.ends_with(tail));
    RC_ASSERT(columns(head) <= columns_max);
    RC_ASSERT(columns(tail) <= columns_max);
    RC_ASSERT((columns_max < whole) || (head.size() == text.size() && tail.size() == text.size()));
    // No cluster is wider than a few columns, so that no more than that is left unused.
    RC_ASSERT(columns(head) + 8 >= std::min(columns_max, whole));
    RC_ASSERT(columns(tail) + 8 >= std::min(columns_max, whole));
  }));
}

TEST(TailColumns, LooksNoFurtherThanItMust) {
  std::string text;
  while (text.size() < 3'000'000) text += "e\u0301🇯🇵";
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(columns(tail_columns(text, 30)), 30U);
}

TEST(Wrap, BreaksAtSpaces) {
  using Lines = std::vector<std::string>;
  struct Case {
    std::string_view text;
    std::size_t columns_max;
    Lines lines;
  };
  for (const Case& c : {
           Case{"", 10, {}},
           Case{"one two three", 20, {"one two three"}},
           Case{"one two three", 7, {"one two", "three"}},
           Case{"one two three", 8, {"one two", "three"}},
           Case{"one   two", 4, {"one", "two"}},
           Case{"  two words", 6, {"  two", "words"}},  // indentation stays
           Case{"  abcdef", 4, {"  ab", "cdef"}},
           Case{"abcdefgh", 3, {"abc", "def", "gh"}},
           Case{"ab cdefgh", 4, {"ab", "cdef", "gh"}},
           Case{"a\n\nb\n", 5, {"a", "", "b"}},
           Case{"\n", 5, {""}},
           Case{"a\tb", 5, {"a b"}},
           Case{"trailing   ", 20, {"trailing"}},
           Case{"七番の箱には短い", 6, {"七番の", "箱には", "短い"}},
           Case{"七番の箱。短い", 8, {"七番の", "箱。短い"}},      // no full stop begins a line
           Case{"七番「箱」短い", 6, {"七番", "「箱」", "短い"}},  // no opening bracket ends one
           Case{"bin七番", 4, {"bin", "七番"}},
           Case{"七", 1, {"七"}},
           Case{"ab", 0, {"a", "b"}},
           Case{"e\u0301e\u0301e\u0301", 2, {"e\u0301e\u0301", "e\u0301"}},
       })
    EXPECT_EQ(wrap(c.text, c.columns_max), c.lines) << c.text << " " << c.columns_max;
}

TEST(Wrap, LosesNothingButSpaces) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = sanitise_line(*any_text());
    const auto columns_max = *rc::gen::inRange<std::size_t>(8, 40);
    std::string joined;
    for (const std::string& line : wrap(text, columns_max)) {
      RC_ASSERT(columns(line) <= columns_max);
      joined += line;
    }
    const auto without_spaces = [](std::string s) {
      std::erase(s, ' ');
      return s;
    };
    RC_ASSERT(without_spaces(joined) == without_spaces(text));
  }));
}

TEST(Wrap, IsLinear) {
  const std::string spaces(1'000'000, ' ');
  EXPECT_EQ(wrap(spaces + "x", 10).size(), 2U);
  EXPECT_EQ(wrap(std::string(1'000'000, 'x'), 10).size(), 100'000U);
  for (const std::string& line : wrap(sample(SampleKind::kMixed, 20'000, "").value(), 30))
    ASSERT_LE(columns(line), 30U);
}

}  // namespace
}  // namespace cutline::text
