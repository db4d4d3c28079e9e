// style_test.cc
#include "report/style.h"

#include <gtest/gtest.h>

namespace cutline::report {
namespace {

const Style kNarrow = {.colour = false, .columns = 30};
const Style kColour = {.colour = true, .columns = 30};

TEST(Paint, AddsColourOnlyWhereThereIsAny) {
  EXPECT_EQ(paint("lost", Ink::kBad, kNarrow), "lost");
  EXPECT_EQ(paint("lost", Ink::kBad, kColour), "\x1b[31mlost\x1b[0m");
  EXPECT_EQ(paint("", Ink::kBad, kColour), "");
  EXPECT_EQ(paint("kept", Ink::kPlain, kColour), "kept");
}

TEST(Paragraph, WrapsUnderItsLead) {
  EXPECT_EQ(paragraph({"✗ ", Ink::kBad}, "one two three four five six seven", kNarrow),
            "✗ one two three four five six\n"
            "  seven\n");
}

TEST(Paragraph, CountsColumnsNotBytesAndNotColours) {
  EXPECT_EQ(paragraph({"→ "}, "七番の箱には短い真鍮のねじが入っています", kNarrow),
            "→ 七番の箱には短い真鍮のねじが\n"
            "  入っています\n");
  EXPECT_EQ(
      paragraph({"✗ ", Ink::kBad}, "one two three four five six seven", kColour, Ink::kStrong),
      "\x1b[31m✗ \x1b[0m\x1b[1mone two three four five six\x1b[0m\n"
      "  \x1b[1mseven\x1b[0m\n");
}

TEST(Paragraph, KeepsUnbrokenTextTogether) {
  EXPECT_EQ(paragraph({}, "the limits of versions " + unbroken("2.1.84 – 2.1.90"), kNarrow),
            "the limits of versions\n"
            "2.1.84 – 2.1.90\n");
}

TEST(Paragraph, OfNothingIsAnEmptyLine) { EXPECT_EQ(paragraph({"    "}, "", kNarrow), "\n"); }

}  // namespace
}  // namespace cutline::report
