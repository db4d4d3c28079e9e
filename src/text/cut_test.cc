// cut_test.cc: what a cut keeps, loses and splits. The measured cases stand in cases_test.cc.
#include "text/cut.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "text/sample.h"

namespace cutline::text {
namespace {

const std::string kMarker = "… [truncated]";

Budget utf16(std::size_t size, bool marker_inside = false) {
  return {.size = size, .unit = Unit::kUtf16, .marker = kMarker, .marker_inside = marker_inside};
}

std::string kept_of(std::string_view text, const Budget& budget) {
  const std::optional<Cut> c = cut(text, measure(text), budget);
  return std::string(text.substr(0, c ? c->at.bytes.value : text.size()));
}

TEST(Cut, LeavesWhatFitsAlone) {
  const std::string text = "A🔧b";
  EXPECT_EQ(cut(text, measure(text), utf16(4)), std::nullopt);
  EXPECT_EQ(delivered(text, std::nullopt, utf16(4)), text);
  EXPECT_EQ(cut("", Place{}, utf16(0)), std::nullopt);
  // A marker that counts is needed only if there is something to cut.
  EXPECT_EQ(cut(text, measure(text), utf16(4, true)), std::nullopt);
}

TEST(Cut, SaysWhatIsKeptAndLost) {
  const std::string text = "A🔧🔧箱";
  const std::optional<Cut> c = cut(text, measure(text), utf16(3));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->at, (Place{ByteOffset{5}, CodePointOffset{2}, Utf16Offset{3}}));
  EXPECT_EQ(c->lost, (Place{ByteOffset{7}, CodePointOffset{2}, Utf16Offset{3}}));
  EXPECT_TRUE(c->marker);
  EXPECT_FALSE(c->pair_protected);
  EXPECT_EQ(c->splits, Split::kNone);
  EXPECT_EQ(delivered(text, c, utf16(3)), "A🔧" + kMarker);
}

TEST(Cut, DropsHalfACharacterAndSaysSo) {
  struct Case {
    std::string text;
    Unit unit;
    std::size_t size;
    std::string kept;
    bool pair_protected;
  };
  for (const Case& c : {
           Case{"A🔧🔧", Unit::kUtf16, 2, "A", true},
           Case{"A🔧🔧", Unit::kUtf16, 3, "A🔧", false},
           Case{"箱箱箱", Unit::kBytes, 8, "箱箱", true},
           Case{"箱箱箱", Unit::kBytes, 6, "箱箱", false},
           Case{"A🔧🔧", Unit::kCodePoints, 2, "A🔧", false},
           Case{"🇯🇵🇨🇭x", Unit::kGraphemes, 2, "🇯🇵🇨🇭", false},
           Case{"🔧", Unit::kUtf16, 1, "", true},
       }) {
    const Budget budget{.size = c.size, .unit = c.unit, .marker = "…"};
    const std::optional<Cut> cut_of = cut(c.text, measure(c.text), budget);
    ASSERT_TRUE(cut_of) << c.text;
    EXPECT_EQ(kept_of(c.text, budget), c.kept);
    EXPECT_EQ(cut_of->pair_protected, c.pair_protected) << c.text << " " << c.size;
  }
}

TEST(Cut, SaysWhatItSplits) {
  struct Case {
    std::string kept, lost;
    Split splits;
  };
  for (const Case& c : {
           Case{"ab", "cd", Split::kNone},
           Case{"be", "\u0301cd", Split::kGrapheme},
           Case{"b👨", "\u200d👩", Split::kGrapheme},
           Case{"🇯🇵", "🇨🇭", Split::kNone},
           Case{"a\r", "\nb", Split::kCrLf},
           Case{"a\r\n", "b", Split::kNone},
       }) {
    const std::string text = c.kept + c.lost;
    const std::optional<Cut> cut_of = cut(text, measure(text), utf16(length(c.kept, Unit::kUtf16)));
    ASSERT_TRUE(cut_of) << text;
    EXPECT_EQ(cut_of->at, measure(c.kept));
    EXPECT_EQ(cut_of->splits, c.splits) << text;
  }
}

TEST(Cut, CountsAMarkerThatIsInside) {
  const std::string text(30, 'x');
  EXPECT_EQ(kept_of(text, utf16(20, true)), std::string(7, 'x'));
  // Bytes: the marker's ellipsis has three.
  EXPECT_EQ(
      kept_of(text, {.size = 20, .unit = Unit::kBytes, .marker = kMarker, .marker_inside = true}),
      std::string(5, 'x'));
  // A limit smaller than the marker: nothing is kept, the marker is whole.
  const std::optional<Cut> c = cut(text, measure(text), utf16(5, true));
  EXPECT_EQ(delivered(text, c, utf16(5, true)), kMarker);
}

TEST(Cut, ShowsTheFirstLineOnly) {
  struct Case {
    std::string text, delivered;
    bool is_cut, marker;
  };
  Budget budget{.size = 5, .unit = Unit::kCodePoints, .marker = "...", .marker_inside = true};
  budget.first_line_only = true;
  for (const Case& c : {
           Case{"abcde", "abcde", false, false},
           Case{"abcde\nf", "abcde", true, false},
           Case{"abcde\n", "abcde", true, false},
           Case{"abcdef\ng", "ab...", true, true},
           Case{"\nabc", "", true, false},
           Case{"abcd\r\nf", "abcd", true, false},
           Case{" bc \t\nf", " bc", true, false},
           Case{"abcde   \nf", "abcde", true, false},
           Case{" \t\nabc", "", true, false},
       }) {
    SCOPED_TRACE(c.text);
    const std::optional<Cut> cut_of = cut(c.text, measure(c.text), budget);
    EXPECT_EQ(cut_of.has_value(), c.is_cut);
    EXPECT_EQ(delivered(c.text, cut_of, budget), c.delivered);
    EXPECT_EQ(cut_of && cut_of->marker, c.marker);
  }
}

// --- What holds for all texts and budgets
// ---------------------------------------------------------

constexpr Unit kUnits[] = {Unit::kUtf16, Unit::kCodePoints, Unit::kBytes, Unit::kGraphemes};

/// `run`: how many letters may stand in a row.
rc::Gen<std::string> any_text(std::size_t run = 250) {
  const std::vector<std::string> parts = {"a",
                                          "B. ",
                                          "\r",
                                          "\n",
                                          "\r\n",
                                          "é",
                                          "e\u0301",
                                          "\u0301",
                                          "箱",
                                          "🔧",
                                          "🇯",
                                          "\u200d",
                                          "👩",
                                          "\uFE0F",
                                          "\u1112",
                                          "한",
                                          "\u0600",
                                          "\u0928\u0940",
                                          std::string(run, 'x')};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts)),
                      [](const std::vector<std::string>& chosen) {
                        std::string text;
                        for (const std::string& part : chosen) text += part;
                        return text;
                      });
}

std::size_t any_size(const std::string& text) {
  return *rc::gen::inRange<std::size_t>(0, text.size() + 3);
}

/// The end of the unit that begins at `at`: a character, for clusters a cluster.
std::size_t next_end(std::string_view text, Unit unit, std::size_t at) {
  do ++at;
  while (!is_character_boundary(text, ByteOffset{at}) ||
         (unit == Unit::kGraphemes && !is_grapheme_boundary(text, ByteOffset{at})));
  return at;
}

TEST(Prefix, IsTheLargestThatFits) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *any_text();
    const Unit unit = *rc::gen::elementOf(std::vector<Unit>(std::begin(kUnits), std::end(kUnits)));
    const std::size_t size = any_size(text);
    const ByteOffset end = prefix(text, unit, size);
    RC_ASSERT(is_character_boundary(text, end));
    RC_ASSERT(length(std::string_view(text).substr(0, end.value), unit) <= size);
    RC_ASSERT(prefix(text, unit, size + 1) >= end);
    if (unit == Unit::kGraphemes) RC_ASSERT(is_grapheme_boundary(text, end));
    if (end.value == text.size()) return;
    const std::string_view more = std::string_view(text).substr(0, next_end(text, unit, end.value));
    RC_ASSERT(length(more, unit) > size);
  }));
}

TEST(Length, OfClustersIsTheOffsetOfTheEnd) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *any_text(40);
    std::size_t clusters = 0;
    for (std::size_t at = 0; at < text.size(); at = next_end(text, Unit::kGraphemes, at)) {
      RC_ASSERT(grapheme_offset(text, ByteOffset{at}) == GraphemeOffset{clusters});
      RC_ASSERT(prefix(text, Unit::kGraphemes, clusters) == ByteOffset{at});
      ++clusters;
    }
    RC_ASSERT(length(text, Unit::kGraphemes) == clusters);
  }));
}

TEST(Cut, KeepsAHeadAndLosesTheRest) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *any_text();
    Budget budget{
        .size = any_size(text),
        .unit = *rc::gen::elementOf(std::vector<Unit>(std::begin(kUnits), std::end(kUnits))),
        .marker = *rc::gen::element<std::string>("", "...", kMarker),
        .marker_inside = *rc::gen::arbitrary<bool>(),
        .first_line_only = *rc::gen::arbitrary<bool>()};
    const Place whole = measure(text);
    const std::optional<Cut> c = cut(text, whole, budget);
    const std::string arrives = delivered(text, c, budget);
    if (!c) {
      RC_ASSERT(arrives == text);
      RC_ASSERT(length(text, budget.unit) <= budget.size);
      return;
    }
    RC_ASSERT(c->at == place_at(text, c->at.bytes));
    RC_ASSERT(measure(std::string_view(text).substr(c->at.bytes.value)) == c->lost);
    RC_ASSERT(c->lost.bytes.value > 0U);
    RC_ASSERT(arrives == text.substr(0, c->at.bytes.value) + (c->marker ? budget.marker : ""));
    const std::size_t marker = length(budget.marker, budget.unit);
    const std::size_t most =
        budget.marker_inside ? std::max(budget.size, marker) : budget.size + marker;
    RC_ASSERT(length(arrives, budget.unit) <= most);
    if (budget.unit == Unit::kGraphemes && c->marker) RC_ASSERT(c->splits == Split::kNone);
  }));
}

TEST(Cut, IsTheSameInLongTexts) {
  // Budgets on both sides of the blocks that are counted at once.
  const std::string text = sample(SampleKind::kMixed, 3000, "").value();
  const Place whole = measure(text);
  for (const Unit unit : kUnits) {
    std::size_t before = 0;
    for (std::size_t size = 0; size < 1000; ++size) {
      const std::optional<Cut> c = cut(text, whole, {.size = size, .unit = unit, .marker = ""});
      ASSERT_TRUE(c);
      ASSERT_GE(c->at.bytes.value, before);
      const std::size_t kept = length(std::string_view(text).substr(0, c->at.bytes.value), unit);
      ASSERT_EQ(kept < size, c->pair_protected);
      ASSERT_LE(kept, size);
      before = c->at.bytes.value;
    }
  }
}

}  // namespace
}  // namespace cutline::text
