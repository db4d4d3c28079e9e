// utf8_test.cc: the values of `text` are what CPython's decoder (errors="replace") makes of the
// bytes.
#include "base/utf8.h"

#include <random>

#include <gtest/gtest.h>

namespace cutline {
namespace {

const std::string kR(kReplacementCharacter);

TEST(RepairUtf8, ReplacesEachMaximalIllFormedPart) {
  struct Case {
    std::string bytes, text;
    std::vector<std::size_t> invalid_at;
  };
  for (const Case& c : std::vector<Case>{
           {"", "", {}},
           {"plain \xC2\xB5m \xE4\xB8\x83 \xF0\x9F\x94\xA9", "plain µm 七 🔩", {}},
           {"Count \x80 first.", "Count " + kR + " first.", {6}},
           {"\xC0\xAF", kR + kR, {0, 1}},                          // overlong
           {"\xE0\x80\xAF", kR + kR + kR, {0, 1, 2}},              // overlong
           {"\xED\xA0\xBD", kR + kR + kR, {0, 1, 2}},              // a surrogate
           {"\xF4\x90\x80\x80", kR + kR + kR + kR, {0, 1, 2, 3}},  // over U+10FFFF
           {"\xF0\x9F\x94", kR, {0}},                              // cut off at the end
           {"a\xF0\x9F\x94z", "a" + kR + "z", {1}},
           {"\xE3\x81\xE3\x81\x82", kR + "あ", {0}},
           {"\xFF\xFE", kR + kR, {0, 1}},
           // The example of the Unicode Standard, table 3-8.
           {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
            "a" + kR + kR + kR + "b" + kR + "c" + kR + kR + "d",
            {1, 4, 6, 8, 10, 11}},
       }) {
    SCOPED_TRACE(c.text);
    const Utf8Repair repaired = repair_utf8(c.bytes);
    EXPECT_EQ(repaired.text, c.text);
    EXPECT_EQ(repaired.invalid_at, c.invalid_at);
    EXPECT_EQ(is_valid_utf8(c.bytes), c.invalid_at.empty());
  }
}

TEST(RepairUtf8, KeepsAReplacementCharacterThatWasSent) {
  EXPECT_TRUE(repair_utf8("a" + kR + "b").invalid_at.empty());
}

TEST(ValidUtf8Prefix, FindsTheFirstBadByteAtEveryDistance) {
  for (std::size_t before = 0; before < 40; ++before) {
    const std::string good(before, 'x');
    EXPECT_EQ(valid_utf8_prefix(good), before);
    EXPECT_EQ(valid_utf8_prefix(good + "\x80zzzzzzzzzzzzzzzz"), before);
    EXPECT_EQ(valid_utf8_prefix(good + "é"), before + 2);
    EXPECT_EQ(valid_utf8_prefix(good + "é\xF8"), before + 2);
  }
}

TEST(RepairUtf8, MakesAnyBytesValid) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::size_t i = random() % 24; i > 0; --i)
      bytes += static_cast<char>(random() % 3 == 0 ? random() % 128 : 0x80 + random() % 128);
    const Utf8Repair repaired = repair_utf8(bytes);
    EXPECT_TRUE(is_valid_utf8(repaired.text));
    EXPECT_EQ(repaired.text == bytes, repaired.invalid_at.empty());
  }
}

TEST(AppendUtf8, WritesEveryLength) {
  for (const auto& [code_point, text] :
       std::vector<std::pair<char32_t, std::string>>{{0, std::string(1, '\0')},
                                                     {0x7F, "\x7F"},
                                                     {0x80, "\xC2\x80"},
                                                     {0x7FF, "\xDF\xBF"},
                                                     {0x800, "\xE0\xA0\x80"},
                                                     {0xFFFF, "\xEF\xBF\xBF"},
                                                     {0x10000, "\xF0\x90\x80\x80"},
                                                     {0x10FFFF, "\xF4\x8F\xBF\xBF"}}) {
    std::string out = "<";
    append_utf8(out, code_point);
    EXPECT_EQ(out, "<" + text);
    EXPECT_TRUE(is_valid_utf8(text));
  }
}

}  // namespace
}  // namespace cutline
