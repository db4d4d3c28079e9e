// offer_test.cc: the small things of an offer.
#include "mcp/offer.h"

#include <gtest/gtest.h>

namespace cutline::mcp {
namespace {

TEST(Exit, HasWords) {
  EXPECT_EQ(to_text(Exit{.code = 1, .signal = {}}), "exit code 1");
  EXPECT_EQ(to_text(Exit{.code = {}, .signal = 9}), "signal 9 (SIGKILL)");
  EXPECT_EQ(to_text(Exit{.code = {}, .signal = 64}), "signal 64");
}

TEST(ServerText, IsMeasuredAndRepaired) {
  const ServerText text = server_text("七🔩\xff");
  EXPECT_EQ(text.value, "七🔩\uFFFD");
  EXPECT_EQ(text.first_invalid_byte, 7u);
  EXPECT_EQ(text.replaced, 1u);
  EXPECT_EQ(text.length.utf16.value, 4u);
  EXPECT_EQ(server_text("plain").first_invalid_byte, std::nullopt);
}

TEST(Offer, KnowsItsEras) {
  Offer offer;
  EXPECT_EQ(offer.any(), nullptr);
  offer.legacy.emplace();
  EXPECT_EQ(offer.any(), &*offer.legacy);
  EXPECT_EQ(offer.era(Era::kModern), nullptr);
  offer.modern.emplace();
  EXPECT_EQ(offer.any(), &*offer.modern);
  EXPECT_EQ(offer.era(Era::kLegacy), &*offer.legacy);
}

}  // namespace
}  // namespace cutline::mcp
