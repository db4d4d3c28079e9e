// sample_test.cc: every text against the hashes that the Python rules (tests/cases/README.md) give.
#include "text/sample.h"

#include <string>

#include <gtest/gtest.h>

#include "base/sha256.h"

namespace cutline::text {
namespace {

constexpr SampleKind kKinds[] = {SampleKind::kEnglish, SampleKind::kJapanese, SampleKind::kChinese,
                                 SampleKind::kEmoji, SampleKind::kMixed};

TEST(SampleKind, HasNames) {
  for (const SampleKind kind : kKinds) EXPECT_EQ(sample_kind_named(name(kind)), kind);
  EXPECT_EQ(sample_kind_named("German"), std::nullopt);
}

/// Of the hashes of all texts of up to 800 units, one after the other.
TEST(Sample, HasTheBytesOfTheRulesAtEveryLength) {
  struct Case {
    SampleKind kind;
    std::string_view salt;
    std::size_t texts;
    std::string_view hash;
  };
  for (const Case& c : {
           Case{SampleKind::kEnglish, "", 747,
                "b67061e7027b00e8ade82f2d17c2600514f5c27267a5e769cdf77ca12d13b54b"},
           Case{SampleKind::kEnglish, "discover", 747,
                "1ed0f06997f0519c365873ae0eae36d754c6fb71a07a45c62409cc649d4dfaee"},
           Case{SampleKind::kEnglish, "find_part", 746,
                "4c75d52e2fc377e38a645d17ff5119e47815675e8de2e94cb9af21799e31a9b0"},
           Case{SampleKind::kEnglish, "日本", 746,
                "01a3b3d2863c8122eb6ec4a68773b065287037f03ef948410598d245c1fc4cf6"},
           Case{SampleKind::kJapanese, "", 747,
                "bd9427f9c1023d952ff3e71f9dc424b435012defc58d2c8aff3db5eb08d20542"},
           Case{SampleKind::kJapanese, "discover", 747,
                "b3cf955f926f713d90d1b8f129b2bd10a81eb8ae1e75f5b1432904310e6430ce"},
           Case{SampleKind::kJapanese, "find_part", 747,
                "00ff15a26b61925d7ed65647f24556a2ccbe1f6fceba47e9a81243d4e7f22b4d"},
           Case{SampleKind::kJapanese, "日本", 747,
                "b275a82d869d9e2d86eed912672bc3ab79876e5a3acb17bdffa4bf9bc910f908"},
           Case{SampleKind::kChinese, "", 748,
                "b412007121743f0ec9e402ad5ec29ffc7c629ca66dd86a3a84c7d92cda1562ea"},
           Case{SampleKind::kChinese, "discover", 746,
                "384fb057a8f697bdaf97a552c0c8dc8f5115a9bd18a5e249b369fbf5f046601a"},
           Case{SampleKind::kChinese, "find_part", 747,
                "ffe587fc2b8879432fb63f1886037841c5dc415fe5a1476ee225bad28cdc16d7"},
           Case{SampleKind::kChinese, "日本", 747,
                "eebbd76eaab0de909f89c6647d82df78a2b948bcb7ec74015dbd89b2cc99efb3"},
           Case{SampleKind::kEmoji, "", 746,
                "a7f7e8d24dc9a26df37209f56963c60a0aaa601509377b484568175254651fdf"},
           Case{SampleKind::kEmoji, "discover", 747,
                "3108af54f33d84258e9ec799f4e4740b8b3da17352f4d65d62f13df63c77d7fa"},
           Case{SampleKind::kEmoji, "find_part", 747,
                "0902562c17c7f1360bced16d123474dc0bf0f33de89a1d1c8f9e5c2a6f766913"},
           Case{SampleKind::kEmoji, "日本", 746,
                "bd835cb4f399ef0b5317838f61cd6828b2dfc2f612453ccff2488c7d2fe40373"},
           Case{SampleKind::kMixed, "", 747,
                "8fa7c6e7ae98222acc7d2a92aa731c288fa20957e68b0212ae85606058fbe3f1"},
           Case{SampleKind::kMixed, "discover", 746,
                "1468c943ca4b7f5663a081772134747377107a6a6655d38c9b434fec3508510e"},
           Case{SampleKind::kMixed, "find_part", 747,
                "d1fc6852085035e8b247e2e559145779085a107e57e78b8b79b5054997e40406"},
           Case{SampleKind::kMixed, "日本", 747,
                "5e1bcfd489233a3829e4b1556abe2f32c42182124b7b14f1e299e5fe5abf654e"},
       }) {
    std::size_t texts = 0;
    std::string hashes;
    for (std::size_t units = 0; units <= 800; ++units) {
      const Result<std::string> text = sample(c.kind, units, c.salt);
      if (!text) {
        EXPECT_EQ(text.error().code, "text.sample.too_short");
        continue;
      }
      ++texts;
      EXPECT_EQ(measure(*text).utf16, Utf16Offset{units});
      hashes += sha256_hex(*text);
    }
    EXPECT_EQ(texts, c.texts);
    EXPECT_EQ(sha256_hex(hashes), c.hash) << name(c.kind) << " '" << c.salt << "'";
  }
}

TEST(Sample, HasTheBytesOfTheRulesAtLength50000) {
  struct Case {
    SampleKind kind;
    std::string_view hash, begin, end;
  };
  for (const Case& c : {
           Case{SampleKind::kEnglish,
                "e1760cbaed7e165f0433ce27056d0ef1ec2b67cec6f9b5037d3b79a2dc25fa77", "CEDAR-5639",
                "LARCH-2621"},
           Case{SampleKind::kJapanese,
                "7f2336670e9e7c1eb967bfae9dc56dc32c85b1e395948029d862baa21683e343", "PEBBLE-4910",
                "FJORD-9913"},
           Case{SampleKind::kChinese,
                "d9aa0edd95200af421aecccfdd5185e8c28135ce9784b67c4ec6147985eb2d8b", "DELTA-4756",
                "DELTA-9971"},
           Case{SampleKind::kEmoji,
                "1a780f8e5833c435fbbc0d7609e0f544bb5785d3907672f86b7ea13ba7b65c3d", "MAPLE-9312",
                "FJORD-1256"},
           Case{SampleKind::kMixed,
                "9c4653b70a09f341a1e61f1616231b105a8b3ad6bc6172c8d6ef93fb89ac3a5d", "EMBER-8198",
                "GROVE-9785"},
       }) {
    EXPECT_EQ(sha256_hex(sample(c.kind, 50'000, "").value()), c.hash) << name(c.kind);
    const Codewords words = codewords(c.kind, 50'000, "");
    EXPECT_EQ(words.begin, c.begin);
    EXPECT_EQ(words.end, c.end);
  }
}

/// Of the hashes of all of 0 to 600 units.
TEST(Filler, HasTheBytesOfTheRulesAtEveryLength) {
  struct Case {
    SampleKind kind;
    std::string_view hash;
  };
  for (const Case& c : {
           Case{SampleKind::kEnglish,
                "c36625fdd64bb5c83edc74a8b9b4be2d808bc6d3d0b233374d68fa7e5ee0b9ec"},
           Case{SampleKind::kJapanese,
                "d8c0fec15dd8a857debdf45a9b201b681f57281bade14e27797d4e225a0a8ae3"},
           Case{SampleKind::kChinese,
                "9a9965c6818eecc0a17a672753c0fa756a40bb2f6318ca022c51b56d079542c0"},
           Case{SampleKind::kEmoji,
                "f14c8ad47cdf5000f8da7838bb6318b3fabf72c1bc9d0268d5af3f4eb07aa673"},
           Case{SampleKind::kMixed,
                "9eeb76ed7e296ef096ae98e9cab7a0179e26aa993e65c73391e209bc3057e790"},
       }) {
    std::string hashes;
    for (std::size_t units = 0; units <= 600; ++units) hashes += sha256_hex(filler(c.kind, units));
    EXPECT_EQ(sha256_hex(hashes), c.hash) << name(c.kind);
  }
}

TEST(Sample, RefusesWhatCannotBeMade) {
  const Result<std::string> short_one = sample(SampleKind::kEnglish, 20, "");
  ASSERT_FALSE(short_one);
  EXPECT_EQ(short_one.error().code, "text.sample.too_short");
  const Result<std::string> long_one = sample(SampleKind::kEnglish, kSampleUnitsMax + 1, "");
  ASSERT_FALSE(long_one);
  EXPECT_EQ(long_one.error().code, "text.sample.too_long");
}

TEST(Sample, OfALongTextTakesLinearTime) {
  const std::string text = sample(SampleKind::kJapanese, 3'333'333, "").value();
  EXPECT_EQ(measure(text).utf16, Utf16Offset{3'333'333});
}

TEST(FindSamples, SeesWhatIsThere) {
  const std::string text = sample(SampleKind::kMixed, 2000, "find_part").value();
  const Codewords words = codewords(SampleKind::kMixed, 2000, "find_part");
  const Seen seen = find_samples("{" + text + "}");
  EXPECT_EQ(seen.begins, std::vector{words.begin});
  EXPECT_EQ(seen.ends, std::vector{words.end});
  ASSERT_TRUE(seen.last_marker);
  EXPECT_EQ(text.find("[at " + std::to_string(seen.last_marker->value) + "]"), text.rfind("[at "));
}

TEST(FindSamples, TakesWholeOnesOnly) {
  struct Case {
    std::string_view text;
    std::vector<std::string> begins, ends;
    std::optional<Utf16Offset> last_marker;
  };
  for (const Case& c : {
           Case{"", {}, {}, {}},
           Case{"BEGIN codeword: AMBER-1234. x", {"AMBER-1234"}, {}, {}},
           Case{"BEGIN codeword: AMBER-1234", {}, {}, {}},  // the last digit may be cut off
           Case{"BEGIN codeword: AMBER-12345.", {}, {}, {}},
           Case{"BEGIN codeword: AMBER-123x.", {}, {}, {}},
           Case{"BEGIN codeword: WATER-1234.", {}, {}, {}},
           Case{"END codeword: KELP-9999.END codeword: ONYX-1000.",
                {},
                {"KELP-9999", "ONYX-1000"},
                {}},
           Case{"[at 250] x [at 501] y", {}, {}, Utf16Offset{501}},
           Case{"[at 250] x [at 50", {}, {}, Utf16Offset{250}},
           Case{"[at 250] [at ] [at x] [at 1 ] [at -1]", {}, {}, Utf16Offset{250}},
           Case{"[at 99999999999999999999999]", {}, {}, {}},
           Case{"[at [at [at 7]", {}, {}, Utf16Offset{7}},
       }) {
    SCOPED_TRACE(c.text);
    const Seen seen = find_samples(c.text);
    EXPECT_EQ(seen.begins, c.begins);
    EXPECT_EQ(seen.ends, c.ends);
    EXPECT_EQ(seen.last_marker, c.last_marker);
  }
}

}  // namespace
}  // namespace cutline::text
