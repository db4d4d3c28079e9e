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

/// Of the hashes of all texts of up to 500 units, one after the other.
TEST(Sample, HasTheBytesOfTheRulesAtEveryLength) {
  struct Case {
    SampleKind kind;
    std::string_view salt;
    std::size_t texts;
    std::string_view hash;
  };
  for (const Case& c : {
           Case{SampleKind::kEnglish, "", 447,
                "242db9fe4b2909f58143ba664a1a79718ff307630e32ddbf3da356c7d34185da"},
           Case{SampleKind::kEnglish, "discover", 447,
                "927dbcd9c9e81366a041daed7eb4e9a60cc29ab96ca433f1438ca2d68c801ff6"},
           Case{SampleKind::kEnglish, "find_part", 446,
                "e452f4020699f3a2e984331191269f547692c8820a53a267e568722dc5cf1007"},
           Case{SampleKind::kEnglish, "日本", 446,
                "86dd6cf96b1d892ed3d96378ef8b4a75cf01a835c2c0ccb04af2d081ad76211f"},
           Case{SampleKind::kJapanese, "", 447,
                "84177753b9cb5489153c5c5bef58cdefd8bd57c783f24bb158ca8807089b1054"},
           Case{SampleKind::kJapanese, "discover", 447,
                "cdccb18559392881052fc5705b3ae831498e218bc52edaf7136e226f47b4a9f4"},
           Case{SampleKind::kJapanese, "find_part", 447,
                "bf24e8185dd97bcea9c54ed990f5c3e4ed6d9a99980a5e5ec6d7d8154111a5b1"},
           Case{SampleKind::kJapanese, "日本", 447,
                "85e71a0ac8b84bc3176ced7d863af8b6066fcf6a5ea73e4b47810c626546eff3"},
           Case{SampleKind::kChinese, "", 448,
                "0076b90d72da2bf1622c384ac9b56ef3048a888fd5bad157690b1b83d02ac3b9"},
           Case{SampleKind::kChinese, "discover", 446,
                "483e24ff493b4c02b2342a259059a6cef9819cbd59259a0e751b752b83c3eed5"},
           Case{SampleKind::kChinese, "find_part", 447,
                "4d8781e9c13e9afc1e4fc4ddef40ecb37afce7cfc74c3a87c20e38c5db143bd8"},
           Case{SampleKind::kChinese, "日本", 447,
                "8ad7debaeebbdc04b7d6a2460f816e8a811cdc7dd4c5d58894a4dd56bc0bb730"},
           Case{SampleKind::kEmoji, "", 446,
                "10456f27120cc8a4008d01d3b759cadad8e967bbe0d373b41d9e75cffeb27cc0"},
           Case{SampleKind::kEmoji, "discover", 447,
                "6ab7d030bfe34b3126a0bac58167a6bfb906b22a2bd301241bbf63326b6dd24c"},
           Case{SampleKind::kEmoji, "find_part", 447,
                "0e489e06b3d46c4c715eb6ae9a4dc1eb57f7194d07996d7f8939eabc7404fbc1"},
           Case{SampleKind::kEmoji, "日本", 446,
                "c8436752a33113b9fcbda3036c25ec4ec7e549e3c420ab2977b50518918c050b"},
           Case{SampleKind::kMixed, "", 447,
                "5ed02d80698213085c27629c81190c046e5484797ebb03b6fb668009859dccb3"},
           Case{SampleKind::kMixed, "discover", 446,
                "574c2f61abc221128963c7e4ca93278d8db6526ec59174d91c67caca25482d6a"},
           Case{SampleKind::kMixed, "find_part", 447,
                "3aef7812340fe1e5838ec0fa78dafa66ab146d85ecc96db7fc211e3c97c59e15"},
           Case{SampleKind::kMixed, "日本", 447,
                "0802bfe0b869fd077e7e83a1dfe3a9f2686854d6540454151d3b23012d3bfed9"},
       }) {
    std::size_t texts = 0;
    std::string hashes;
    for (std::size_t units = 0; units <= 500; ++units) {
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
