// utf8_test.cc: single values stand in base/utf8_test.cc; here, what holds for all bytes.
#include "text/utf8.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace cutline::text {
namespace {

/// Bytes in which leads, continuations and ASCII are about equally frequent.
rc::Gen<std::string> any_bytes() {
  return rc::gen::container<std::string>(rc::gen::map(
      rc::gen::oneOf(rc::gen::inRange(0x00, 0x80), rc::gen::inRange(0x80, 0xC0),
                     rc::gen::inRange(0xC0, 0x100),
                     rc::gen::elementOf(std::vector<int>{0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xBF})),
      [](int byte) { return static_cast<char>(byte); }));
}

TEST(RepairUtf8, GivesOffsetsInTheGivenBytes) {
  const Repaired repaired = repair_utf8("Count \x80 first.\xFF");
  EXPECT_EQ(repaired.text, "Count \uFFFD first.\uFFFD");
  EXPECT_EQ(repaired.invalid_at, (std::vector<ByteOffset>{ByteOffset{6}, ByteOffset{14}}));
}

TEST(RepairUtf8, MakesValidWhatItLeavesAlone) {
  EXPECT_TRUE(rc::check([] {
    const std::string bytes = *any_bytes();
    const Repaired once = repair_utf8(bytes);
    RC_ASSERT(is_valid_utf8(once.text));
    RC_ASSERT(is_valid_utf8(bytes) == once.invalid_at.empty());
    if (once.invalid_at.empty()) RC_ASSERT(once.text == bytes);
    const Repaired twice = repair_utf8(once.text);
    RC_ASSERT(twice.text == once.text);
    RC_ASSERT(twice.invalid_at.empty());
  }));
}

TEST(RepairUtf8, SaysWhereTheBadPartsBegin) {
  EXPECT_TRUE(rc::check([] {
    const std::string bytes = *any_bytes();
    const Repaired repaired = repair_utf8(bytes);
    if (repaired.invalid_at.empty()) return;
    const std::string_view good = std::string_view(bytes).substr(0, repaired.invalid_at[0].value);
    RC_ASSERT(is_valid_utf8(good));
    RC_ASSERT(repaired.text.starts_with(std::string(good) + "\uFFFD"));
    RC_ASSERT(std::is_sorted(repaired.invalid_at.begin(), repaired.invalid_at.end()));
  }));
}

}  // namespace
}  // namespace cutline::text
