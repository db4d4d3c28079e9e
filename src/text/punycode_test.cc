// punycode_test.cc: samples of RFC 3492, section 7.1, and what Python's codec gives.
#include "text/punycode.h"

#include <gtest/gtest.h>

namespace cutline::text {
namespace {

TEST(Punycode, EncodesTheSamplesOfTheStandard) {
  EXPECT_EQ(punycode("他们为什么不说中文"), "ihqwcrb4cv8a8dqg056pqjye");
  EXPECT_EQ(punycode("почемужеонинеговорятпорусски"), "b1abfaaepdrnnbgefbadotcwatmq2g4l");
  EXPECT_EQ(punycode("3年B組金八先生"), "3B-ww4c5e180e575a65lsy2b");
  EXPECT_EQ(punycode("安室奈美恵-with-SUPER-MONKEYS"), "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n");
  EXPECT_EQ(punycode("-> $1.00 <-"), "-> $1.00 <--");
}

TEST(Punycode, EncodesNamesAsOthersDo) {
  EXPECT_EQ(punycode(""), "");
  EXPECT_EQ(punycode("Ünï"), "n-jfa2d");
  EXPECT_EQ(punycode("部品"), "jvrt31l");
  EXPECT_EQ(punycode("emoji😀x"), "emojix-7v74e");
}

}  // namespace
}  // namespace cutline::text
