// rewrite_test.cc: what a client was measured to send of such texts.
#include "text/rewrite.h"

#include <random>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cutline::text {
namespace {

TEST(NfkcWithoutInvisible, DoesWhatTheClientDoes) {
  struct Case {
    std::string_view text, arrives;
  };
  // Claude Code 2.0.77 to 2.1.332, descriptions of tools on the wire, 2026-12-01.
  for (const Case& c : {
           Case{"plain", "plain"},
           Case{"A\u2026B", "A...B"},
           Case{"\ufb01 \uff21 \u3000L \u212bK", "fi A  L \u00c5K"},
           Case{"C\u0378D E\uFFFEF", "CD EF"},  // not assigned, and never to be
           Case{"e\u200d\u0301", "\u00e9"},     // composes once the joiner is gone
           Case{"G\ue000H I\u00adJ M\U000e0041N", "GH IJ MN"},
           Case{"\U0001F468\u200D\U0001F469", "\U0001F468\U0001F469"},
           Case{"\ufe0f \u0085\u2028", "\ufe0f \u0085\u2028"},  // these stay
           Case{"你好，世界（x）", "你好,世界(x)"},
       })
    EXPECT_EQ(nfkc_without_invisible(c.text), c.arrives) << c.text;
}

TEST(NfkcWithoutInvisible, IsDoneAfterOnce) {
  std::string every;
  for (char32_t c = 0x80; c < 0x3000; ++c) {
    every += static_cast<char>(0xC0 | 0x20 | (c >> 12));
    every += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    every += static_cast<char>(0x80 | (c & 0x3F));
    if (c < 0x800) every.resize(every.size() - 3);
  }
  const std::string once = nfkc_without_invisible(every);
  EXPECT_EQ(nfkc_without_invisible(once), once);
}

TEST(NfkcWithoutInvisible, KnowsWhatItLeavesAsItIs) {
  // What composes, what is taken apart, what goes, and what stays, side by side in any order.
  constexpr std::u32string_view kPalette =
      U"ae1 か\u3099\u0301\u0323\u1100\u1161\u11a8가é①…ﬁ\u200d\ue000\u0378箱🔩\u0344Å\u212b";
  std::mt19937 random(1);
  std::size_t left = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::size_t i = 1 + random() % 4; i > 0; --i)
      append_utf8(text, kPalette[random() % kPalette.size()]);
    const bool alone = nfkc_without_invisible(text) == text;
    EXPECT_EQ(is_nfkc_without_invisible(text), alone) << text;
    if (alone) ++left;
  }
  EXPECT_GT(left, 2'000U);
  EXPECT_LT(left, 18'000U);
}

TEST(Indented, MovesEveryLineAfterTheFirst) {
  EXPECT_EQ(indented("Ask first.\nThen count.\n\nEnd.", 4),
            "Ask first.\n    Then count.\n    \n    End.");
  EXPECT_EQ(indented("one\r\ntwo", 2), "one\r\n  two");
  EXPECT_EQ(indented("", 4), "");
}

TEST(Trimmed, TakesWhatJavaScriptTakes) {
  EXPECT_EQ(trimmed(" \t\n\u00a0\ufeff\u3000a b\u2029\r\n"), "a b");
  EXPECT_EQ(trimmed("\u200b a"), "\u200b a") << "a zero-width space is none";
  EXPECT_EQ(trimmed(" \n "), "");
}

TEST(Replaced, ReplacesFromTheLeft) {
  EXPECT_EQ(replaced("a</x>b</x>", "</x>", "<\\/x>"), "a<\\/x>b<\\/x>");
  EXPECT_EQ(replaced("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replaced("a", "", "b"), "a");
}

}  // namespace
}  // namespace cutline::text
