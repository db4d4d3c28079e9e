// cut_context_test.cc
#include "report/cut_context.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "text/terminal.h"

namespace cutline::report {
namespace {

const Style kStyle = {.colour = false, .columns = 40};

std::string context(std::string_view text, std::size_t at, const Style& style = kStyle) {
  const text::ByteOffset offset{at};
  return cut_context(text, offset, text::loss_at(text, offset, std::span<const std::string>()),
                     style);
}

TEST(CutContext, ShowsAShortTextWhole) {
  EXPECT_EQ(context("Count a bin before you move it.", 14),
            "    │ Count a bin be✂fore you move it.\n");
}

TEST(CutContext, ClipsAtWords) {
  const std::string text =
      "The night shift writes its counts in the green book. Springs are kept by wire width, not by "
      "length. Bin seven holds the short brass screws. Count a bin before you move it.";
  EXPECT_EQ(context(text, 83),
            "    │ … Springs are kept by wire width✂,\n"
            "    │ not by length. Bin seven …\n");
}

TEST(CutContext, FindsItsOwnScissors) {
  const Style colour = {.colour = true, .columns = 40};
  EXPECT_EQ(context("a ✂ b c", 6, colour),
            "\x1b[2m    │ \x1b[0ma ✂ \x1b[31m✂\x1b[0m\x1b[2mb c\x1b[0m\n");
}

TEST(CutContext, DisarmsTheText) {
  const std::string out = context("red \x1b[31m and\nbell \a here", 12);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\a'), std::string::npos);
  EXPECT_EQ(std::ranges::count(out, '\n'), 1);
}

TEST(CutContext, IsBoundedForTextsWithoutSpacesAndOfAnySize) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "七番";
  const std::string out = context(text, 300'000);
  EXPECT_LT(out.size(), 1'000U);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\n', at);
    EXPECT_LE(text::columns(std::string_view(out).substr(at, end - at)), 40U);
    at = end + 1;
  }
}

TEST(CutContext, DoesNotBeginWithALineOfNothing) {
  const std::string out = context(std::string(1'000, 'x'), 500);
  EXPECT_TRUE(out.starts_with("    │ … xxxxxxxx")) << out;
}

TEST(CutContext, StandsAtBothEnds) {
  EXPECT_EQ(context("abc def", 0), "    │ ✂abc def\n");
  EXPECT_EQ(context("abc def", 7), "    │ abc def✂\n");
}

}  // namespace
}  // namespace cutline::report
