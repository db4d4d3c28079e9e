// sha256_test.cc: the standard's own vectors, and every length around the ends of a block.
#include "base/sha256.h"

#include <gtest/gtest.h>

namespace cutline {
namespace {

TEST(Sha256, GivesTheValuesOfTheStandard) {
  struct Case {
    std::string bytes;
    std::string_view hash;
  };
  const Case cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
       "lmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {std::string("\xff\x00\x80", 3),
       "ef192b7af54e943f206ab27075ec1805384c972c9959fc5820f1fa7d5268fcef"},
  };
  for (const Case& c : cases) EXPECT_EQ(sha256_hex(c.bytes), c.hash) << c.bytes.substr(0, 100);
}

TEST(Sha256, PadsEveryLengthAroundTheEndOfABlock) {
  // The hash over the hashes of 0 to 200 letters, as Python's hashlib gives it.
  std::string all;
  for (std::size_t n = 0; n <= 200; ++n) all += sha256_hex(std::string(n, 'x'));
  EXPECT_EQ(sha256_hex(all), "75013a3fd49991ead9d8a57ea80485c088443c3406a0e8fa003ed57144041eb4");
}

TEST(Sha256, GivesBytesInTheOrderOfTheHex) {
  EXPECT_EQ(sha256("abc")[0], std::byte{0xba});
  EXPECT_EQ(sha256("abc")[31], std::byte{0xad});
}

}  // namespace
}  // namespace cutline
