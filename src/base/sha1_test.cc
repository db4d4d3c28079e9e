// sha1_test.cc: the standard's own vectors, and every length around the ends of a block.
#include "base/sha1.h"

#include <gtest/gtest.h>

namespace cutline {
namespace {

TEST(Sha1, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha1, PadsEveryLengthAroundTheEndOfABlock) {
  // The hash over the hashes of 0 to 200 letters, as Python's hashlib gives it.
  std::string all;
  for (std::size_t n = 0; n <= 200; ++n) all += sha1_hex(std::string(n, 'x'));
  EXPECT_EQ(sha1_hex(all), "1f67da40a499e887e43c141418cc90ce5c8f9002");
}

}  // namespace
}  // namespace cutline
