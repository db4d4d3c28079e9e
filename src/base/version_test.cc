// version_test.cc
#include "base/version.h"

#include <gtest/gtest.h>

namespace cutline {
namespace {

Version version(std::string_view text) { return Version::parse(text).value(); }
VersionRange range(std::string_view text) { return VersionRange::parse(text).value(); }

TEST(Version, ComparesByNumberNotByText) {
  EXPECT_LT(version("2.1.91"), version("2.1.154"));
  EXPECT_LT(version("2.0.77"), version("2.1.0"));
  EXPECT_EQ(version("2.1"), version("2.1.0"));
  EXPECT_LT(version("2.0.0-beta.1"), version("2.0.0"));
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "2.", "2..1", "latest", "2.1.x", "99999999999999999999999"})
    EXPECT_FALSE(Version::parse(text)) << text;
}

TEST(Version, HasNeighbours) {
  EXPECT_EQ(version("2.1.83").next_patch().text(), "2.1.84");
  EXPECT_EQ(version("2.1.84").previous_patch().text(), "2.1.83");
  EXPECT_EQ(version("2.1.0").previous_patch().text(), "2.1.0");
}

TEST(VersionRange, IsInclusiveAndMayBeOpen) {
  EXPECT_TRUE(range("2.1.84..2.1.295").contains(version("2.1.84")));
  EXPECT_TRUE(range("2.1.84..2.1.295").contains(version("2.1.295")));
  EXPECT_FALSE(range("2.1.84..2.1.295").contains(version("2.1.296")));
  EXPECT_TRUE(range("2.1.84..").contains(version("9.0.0")));
  EXPECT_TRUE(range("..2.1.83").contains(version("1.0.0")));
  EXPECT_TRUE(range("2.1.285").contains(version("2.1.285")));
  EXPECT_FALSE(VersionRange::parse("2.1.2..2.1.1"));
}

TEST(VersionRange, Overlaps) {
  EXPECT_TRUE(range("2.1.84..2.1.295").overlaps(range("2.1.295..")));
  EXPECT_FALSE(range("2.1.84..2.1.295").overlaps(range("2.1.296..")));
}

}  // namespace
}  // namespace cutline
