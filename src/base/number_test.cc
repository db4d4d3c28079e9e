// number_test.cc
#include "base/number.h"

#include <gtest/gtest.h>

namespace cutline {
namespace {

TEST(WithSeparators, GroupsByThree) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(3811), "3,811");
  EXPECT_EQ(with_separators(10000000), "10,000,000");
  EXPECT_EQ(with_separators(-1000), "-1,000");
}

TEST(Percent, HasOneDecimal) {
  EXPECT_EQ(percent(3811, 5859), "65.0 %");
  EXPECT_EQ(percent(310, 2358), "13.1 %");
  EXPECT_EQ(percent(0, 0), "0.0 %");
  EXPECT_EQ(percent(1, 1), "100.0 %");
  EXPECT_EQ(percent(9797952, 9800000), "99.9 %");
}

TEST(Count, AddsThePlural) {
  EXPECT_EQ(count(1, "tool"), "1 tool");
  EXPECT_EQ(count(1200, "tool"), "1,200 tools");
}

}  // namespace
}  // namespace cutline
