// unit_test.cc: the values were counted by Python (len of the string, of its UTF-8 and of its
// UTF-16), clusters by hand from Annex 29.
#include "text/unit.h"

#include <string>

#include <gtest/gtest.h>

namespace cutline::text {
namespace {

const std::string kFamily = "👨\u200d👩\u200d👧";

TEST(Unit, HasNames) {
  for (const Unit unit : {Unit::kUtf16, Unit::kCodePoints, Unit::kBytes, Unit::kGraphemes})
    EXPECT_EQ(unit_named(name(unit)), unit);
  EXPECT_EQ(unit_named("grapheme_clusters"), Unit::kGraphemes);
  EXPECT_EQ(unit_named("characters"), std::nullopt);
  EXPECT_EQ(noun(Unit::kUtf16), "UTF-16 units");
}

TEST(Length, CountsInEveryUnit) {
  struct Case {
    std::string text;
    std::size_t utf16, code_points, bytes, graphemes;
  };
  for (const Case& c : {
           Case{"", 0, 0, 0, 0},
           Case{"plain", 5, 5, 5, 5},
           Case{"12 µm", 5, 5, 6, 5},
           Case{"七番の箱", 4, 4, 12, 4},
           Case{"🔩🔧", 4, 2, 8, 2},
           Case{"e\u0301", 2, 2, 3, 1},
           Case{kFamily, 8, 5, 18, 1},
           Case{"👍🏽", 4, 2, 8, 1},
           Case{"🇯🇵🇨🇭", 8, 4, 16, 2},
           Case{"🇯🇵🇨", 6, 3, 12, 2},
           Case{"a\r\nb\n\rc", 7, 7, 7, 6},
           Case{"\u1112\u1161\u11AB\uD55C", 4, 4, 12, 2},  // jamo, and the same syllable as one
           Case{"\u0301a", 2, 2, 3, 2},
           Case{std::string("\0a", 2), 2, 2, 2, 2},
       }) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(length(c.text, Unit::kUtf16), c.utf16);
    EXPECT_EQ(length(c.text, Unit::kCodePoints), c.code_points);
    EXPECT_EQ(length(c.text, Unit::kBytes), c.bytes);
    EXPECT_EQ(length(c.text, Unit::kGraphemes), c.graphemes);
  }
}

TEST(Measure, IsRightAroundTheEndsOfItsBlocks) {
  for (std::size_t n = 0; n < 800; ++n) {
    std::string text;
    std::size_t code_points = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; text.size() < n; ++i, ++code_points) {
      const bool pair = i % 7 == 3;
      text += pair ? "🔩" : i % 3 == 0 ? "箱" : "x";
      if (pair) ++pairs;
    }
    const Place place = measure(text);
    ASSERT_EQ(place.bytes.value, text.size());
    ASSERT_EQ(place.code_points.value, code_points);
    ASSERT_EQ(place.utf16.value, code_points + pairs);
  }
}

TEST(PlaceAt, GivesAllUnits) {
  const std::string text = "a箱🔩b";
  EXPECT_EQ(place_at(text, ByteOffset{0}), Place{});
  EXPECT_EQ(place_at(text, ByteOffset{8}),
            (Place{ByteOffset{8}, CodePointOffset{3}, Utf16Offset{4}}));
  EXPECT_EQ(place_at(text, ByteOffset{9}), measure(text));
}

TEST(GraphemeOffset, CountsWholeClustersOnly) {
  const std::string text = "a" + kFamily + "b";  // the family has a joiner from byte 5 on
  for (const auto& [at, count] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {1, 1}, {5, 1}, {8, 1}, {19, 2}, {20, 3}})
    EXPECT_EQ(grapheme_offset(text, ByteOffset{at}), GraphemeOffset{count}) << at;
}

TEST(IsGraphemeBoundary, SeesWhatStandsBefore) {
  struct Case {
    std::string head, tail;
    bool boundary;
  };
  for (const Case& c : {
           Case{"", "a", true},
           Case{"a", "", true},
           Case{"", "\u0301", true},
           Case{"a", "b", true},
           Case{"e", "\u0301", false},
           Case{"\r", "\n", false},
           Case{"\n", "\r", true},
           Case{"\n", "\u0301", true},
           Case{"👨", "\u200d👩", false},
           Case{"👨\u200d", "👩", false},
           Case{"a\u200d", "👩", true},  // joins pictures only
           Case{"🇯", "🇵", false},
           Case{"🇯🇵", "🇨", true},
           Case{"x🇯🇵🇨", "🇭", false},
           Case{"\u0600", "1", false},  // Prepend
           Case{"\u1112", "\u1161", false},
           Case{"\uD55C", "\uD55C", true},
       })
    EXPECT_EQ(is_grapheme_boundary(c.head + c.tail, ByteOffset{c.head.size()}), c.boundary)
        << c.head << "|" << c.tail;
}

TEST(IsGraphemeBoundary, CountsFlagsFromTheStartOfTheirRun) {
  std::string flags;
  for (int i = 0; i < 2000; ++i) flags += "🇯";
  for (std::size_t at = 0; at <= flags.size(); at += std::size_t{4} * 37)
    EXPECT_EQ(is_grapheme_boundary(flags, ByteOffset{at}), at % 8 == 0) << at;
}

TEST(Prefix, EndsOnACharacterBoundary) {
  struct Case {
    std::string text;
    Unit unit;
    std::size_t size, bytes;
  };
  for (const Case& c : {
           Case{"abc", Unit::kUtf16, 0, 0},
           Case{"abc", Unit::kUtf16, 2, 2},
           Case{"abc", Unit::kUtf16, 4, 3},
           Case{"A🔧🔧", Unit::kUtf16, 2, 1},
           Case{"A🔧🔧", Unit::kUtf16, 3, 5},
           Case{"A🔧b", Unit::kUtf16, 2, 1},  // what fits behind the pair is not pulled forward
           Case{"A🔧🔧", Unit::kCodePoints, 2, 5},
           Case{"箱箱", Unit::kBytes, 5, 3},
           Case{"箱箱", Unit::kBytes, 2, 0},
           Case{"a" + kFamily + "b", Unit::kGraphemes, 2, 19},
           Case{"a" + kFamily + "b", Unit::kGraphemes, 3, 20},
           Case{"e\u0301e", Unit::kGraphemes, 1, 3},
           Case{"a\r\nb", Unit::kGraphemes, 2, 3},
       })
    EXPECT_EQ(prefix(c.text, c.unit, c.size), ByteOffset{c.bytes}) << c.text << " " << c.size;
}

}  // namespace
}  // namespace cutline::text
