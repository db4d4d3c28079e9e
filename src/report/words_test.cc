// words_test.cc
#include "report/words.h"

#include <gtest/gtest.h>

#include "report/fixture.h"
#include "report/style.h"

namespace cutline::report {
namespace {

TEST(Safe, DisarmsAndShortens) {
  EXPECT_EQ(safe("plain"), "plain");
  EXPECT_EQ(safe("a\nb\x1b[31m").find('\x1b'), std::string::npos);
  EXPECT_EQ(safe("a\nb\x1b[31m").find('\n'), std::string::npos);
  EXPECT_EQ(safe("abcdefgh", 5), "abcd…");
  EXPECT_LE(safe(std::string(10'000'000, 'x')).size(), 80U);
}

TEST(SomeOf, NamesAFewAndCountsTheRest) {
  EXPECT_EQ(some_of({}, 3), "");
  EXPECT_EQ(some_of({"a"}, 3), "a");
  EXPECT_EQ(some_of({"a", "b"}, 3), "a and b");
  EXPECT_EQ(some_of({"a", "b", "c", "d"}, 3), "a, b, c and d");  // one more is named
  EXPECT_EQ(some_of({"a", "b", "c", "d", "e"}, 3), "a, b, c and 2 more");
  EXPECT_EQ(some_of({"a", "b", "a"}, 3), "\"a\" 2 times and b");
  EXPECT_EQ(some_of(std::vector<std::string>(199'999, "a"), 3), "\"a\" 199,999 times");
}

TEST(LengthWords, SaysOnlyWhatDiffers) {
  EXPECT_EQ(length_words(text::measure("abc")), "3 characters");
  EXPECT_EQ(length_words(text::measure("é")), "1 character (2 bytes)");
  EXPECT_EQ(length_words(text::measure("🔩")), "2 UTF-16 units (1 code point, 4 bytes)");
}

TEST(UnitNoun, IsCharactersWhereTheyAreMeant) {
  EXPECT_EQ(unit_noun(piece_of("abc", budget_of(2))), "characters");
  EXPECT_EQ(unit_noun(piece_of("🔩🔩", budget_of(2))), "UTF-16 units");
  EXPECT_EQ(unit_noun(piece_of("abc", budget_of(2, text::Unit::kBytes))), "bytes");
}

TEST(ShareWords, NeverCallsALossNothing) {
  EXPECT_EQ(share_words(1, 100'000), "< 0.1 %");
  EXPECT_EQ(share_words(0, 100'000), "0.0 %");
  EXPECT_EQ(share_words(3'811, 5'859), "65.0 %");
}

TEST(UnitNoun, GoesWithItsNumber) {
  EXPECT_EQ(unit_noun(piece_of("abc", budget_of(2)), 1), "character");
  EXPECT_EQ(unit_noun(piece_of("🔩🔩", budget_of(2)), 1), "UTF-16 unit");
  EXPECT_EQ(unit_noun(piece_of("abc", {}), 2), "characters");
}

TEST(DurationWords, ChangesToSeconds) {
  EXPECT_EQ(plain_spaces(duration_words(mcp::Milliseconds(2.4))), "2 ms");
  EXPECT_EQ(plain_spaces(duration_words(mcp::Milliseconds(8120))), "8,120 ms");
  EXPECT_EQ(plain_spaces(duration_words(mcp::Milliseconds(40000))), "40.0 s");
}

TEST(AbsenceWords, LeavesTheVersionOut) {
  delivery::Delivered piece = never(piece_of("abc", {}), delivery::Never::kTooLate,
                                    "Some Client 2.1.4 gives up after 30 s.");
  EXPECT_EQ(absence_words(piece, version("2.1.4")), "Some Client gives up after 30 s");
  piece.reason.clear();
  EXPECT_EQ(absence_words(piece, version("2.1.4")), "the client does not wait that long");
}

}  // namespace
}  // namespace cutline::report
