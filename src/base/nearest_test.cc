// nearest_test.cc
#include "base/nearest.h"

#include <vector>

#include <gtest/gtest.h>

namespace cutline {
namespace {

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> commands = {"check", "show", "clients", "lab"};
  EXPECT_EQ(nearest("chekc", commands), "check");
  EXPECT_EQ(nearest("client", commands), "clients");
  EXPECT_EQ(nearest("shwo", commands), "show");
  EXPECT_EQ(nearest("measure", commands), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'x'), commands), std::nullopt);
}

}  // namespace
}  // namespace cutline
