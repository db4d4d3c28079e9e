// clusters_test.cc: the fast path against ICU's own iterator, on the worst texts we can think of,
// and against utf8proc where that is installed (CUTLINE_UTF8PROC).
#include "text/clusters.h"

#include <gtest/gtest.h>

#ifdef CUTLINE_UTF8PROC
#include <utf8proc.h>
#endif

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include "text/character.h"
#include "text/sample.h"
#include "text/utf8.h"

namespace cutline::text {
namespace {

std::vector<std::size_t> our_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  for (ClusterReader clusters(text); !clusters.done();) {
    clusters.next();
    ends.push_back(clusters.at());
  }
  return ends;
}

std::vector<std::size_t> ends_of_icu(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  UText opened = UTEXT_INITIALIZER;
  utext_openUTF8(&opened, text.data(), static_cast<std::int64_t>(text.size()), &status);
  breaks->setText(&opened, status);
  EXPECT_TRUE(U_SUCCESS(status));
  std::vector<std::size_t> ends;
  for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next())
    ends.push_back(static_cast<std::size_t>(end));
  utext_close(&opened);
  return ends;
}

/// Characters that join in every way, between such that do not, in random order.
std::string random_text(std::mt19937& random, std::size_t characters) {
  using std::string_literals::operator""s;  // its text goes on after the NUL
  static const std::u32string kPalette =
      U"ab1. \t\r\n\r\n\u0000\u0085\u00AD\u00E9\u0301\u0300\u0600\u0903\u0915\u094D\u0937\u093F"
      U"\u0E33\u0E01\u1100\u1161\u11A8\uAC00\uAC01\u200B\u200C\u200D\u200D\u2028\u20E3\u3042\u3099"
      U"\u302A\u4E03\uFE0F\uFE0F\uFEFF\U0001F1E6\U0001F1FF\U0001F3FB\U0001F3FF\U0001F468\U0001F469"
      U"\U0001F527\u2764\u00A9\u0023\U000E0061\U000E007F\U00020000\U000110BD"s;
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) {
    char32_t c = kPalette[random() % kPalette.size()];
    if (random() % 8 == 0) c = static_cast<char32_t>(random() % 0x3000);
    if (random() % 16 == 0) c = 0x10000 + static_cast<char32_t>(random() % 0x10000);
    append_utf8(text, c);
    if (random() % 32 == 0) text.append(random() % 70, 'x');
  }
  return text;
}

TEST(ClusterReader, AgreesWithTheIteratorOfIcu) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, 1 + random() % 60);
    ASSERT_EQ(our_ends(text), ends_of_icu(text)) << "round " << round;
  }
}

TEST(ClusterReader, AgreesWithTheIteratorOfIcuOnEveryPair) {
  // Each character of the planes that have any between two plain ones and two joining ones.
  for (char32_t c = 0; c < 0x20000; c += 1) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text = "a";
    append_utf8(text, c);
    text += "箱";
    append_utf8(text, c);
    append_utf8(text, c);
    text += "\u0301\u200d";
    append_utf8(text, c);
    ASSERT_EQ(our_ends(text), ends_of_icu(text)) << "U+" << std::hex << static_cast<unsigned>(c);
  }
}

TEST(ClusterReader, AgreesWithTheIteratorOfIcuOnSamples) {
  for (const SampleKind kind : {SampleKind::kEnglish, SampleKind::kJapanese, SampleKind::kChinese,
                                SampleKind::kEmoji, SampleKind::kMixed}) {
    const std::string text = sample(kind, 20'000, "").value();
    ASSERT_EQ(our_ends(text), ends_of_icu(text)) << name(kind);
  }
}

TEST(ClusterReader, SkipsTheSameAsItSteps) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, 200);
    const std::vector<std::size_t> ends = our_ends(text);
    ClusterReader clusters(text);
    for (std::size_t done = 0; done < ends.size();) {
      const std::size_t most = 1 + random() % 90;
      const std::size_t skipped = clusters.skip(most);
      ASSERT_EQ(skipped, std::min(most, ends.size() - done));
      done += skipped;
      ASSERT_EQ(clusters.at(), ends[done - 1]);
    }
    ASSERT_TRUE(clusters.done());
  }
}

TEST(SureBoundaryBefore, IsABoundaryWhateverComes) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::string text = random_text(random, 40);
    std::vector<std::size_t> ends = ends_of_icu(text);
    ends.push_back(0);
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t sure = sure_boundary_before(text, at);
    ASSERT_LE(sure, at);
    ASSERT_NE(std::find(ends.begin(), ends.end(), sure), ends.end());
  }
}

#ifdef CUTLINE_UTF8PROC
std::vector<std::size_t> ends_of_utf8proc(std::string_view text) {
  std::vector<std::size_t> ends;
  utf8proc_int32_t state = 0;
  Character left = character_at(text, 0);
  while (left.end < text.size()) {
    const Character right = character_at(text, left.end);
    if (utf8proc_grapheme_break_stateful(left.value, right.value, &state)) ends.push_back(left.end);
    left = right;
  }
  ends.push_back(text.size());
  return ends;
}

/// ICU joins consonants across a virama (rule GB9c, which came with Unicode 15.1), utf8proc 2.8
/// does not know that yet: without viramas both speak of the same rules.
std::string without_viramas(std::string text) {
  for (const std::string_view virama :
       {"\u094D", "\u09CD", "\u0ACD", "\u0B4D", "\u0C4D", "\u0D4D"}) {
    for (std::size_t at = text.find(virama); at != text.npos; at = text.find(virama, at))
      text.replace(at, virama.size(), "-");
  }
  return text;
}

TEST(ClusterReader, AgreesWithUtf8proc) {
  std::mt19937 random(4);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = without_viramas(random_text(random, 1 + random() % 60));
    ASSERT_EQ(our_ends(text), ends_of_utf8proc(text)) << "round " << round << ": " << text;
  }
}
#endif

}  // namespace
}  // namespace cutline::text
