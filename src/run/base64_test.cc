// base64_test.cc
#include "run/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace cutline::run {
namespace {

TEST(Base64, IsThatOfTheRfc) {
  struct Case {
    std::string_view bytes, text;
  };
  for (const Case& c : {Case{"", ""}, Case{"f", "Zg=="}, Case{"fo", "Zm8="}, Case{"foo", "Zm9v"},
                        Case{"foob", "Zm9vYg=="}, Case{"fooba", "Zm9vYmE="},
                        Case{"foobar", "Zm9vYmFy"}, Case{"\xFF\xFE\xFB", "//77"}}) {
    EXPECT_EQ(to_base64(c.bytes), c.text);
    EXPECT_EQ(from_base64(c.text), c.bytes);
  }
  for (const std::string_view text : {"Zg=", "Z===", "Zm9v\n", "Zm=v", "Zm9v Zg="})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

TEST(Base64, GivesBackWhatItGot) {
  EXPECT_TRUE(rc::check(
      [](const std::string& bytes) { RC_ASSERT(from_base64(to_base64(bytes)) == bytes); }));
}

}  // namespace
}  // namespace cutline::run
