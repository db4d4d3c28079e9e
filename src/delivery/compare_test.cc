// compare_test.cc: what counts as a difference, and what as not predicted. Located deliveries are
// compared in locate_test.cc.
#include "delivery/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::delivery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Delivered instructions(std::string_view text) {
  Delivered piece;
  piece.piece = {.kind = PieceId::Kind::kInstructions, .server = "lab", .tool = {}};
  piece.state = State::kAtStart;
  piece.where = {.role = "system", .path = "system[2]", .form = {}};
  piece.frame = {.opening = "# Servers\n", .before = "## lab\n", .after = {}, .closing = {}};
  piece.original = piece.kept = text;
  return piece;
}

Delivered tool(std::string_view text, State state = State::kAtStart) {
  Delivered piece;
  piece.piece = {.kind = PieceId::Kind::kTool, .server = "lab", .tool = "t"};
  piece.channel = state == State::kAtStart ? Channel::kPreloadedTool : Channel::kDeferredTool;
  piece.state = state;
  piece.full_name = "lab__t";
  piece.where = {.role = "tools", .path = "tools", .form = {}};
  piece.original = piece.kept = text;
  return piece;
}

Delivery delivery(std::vector<Delivered> pieces) {
  Delivery delivery;
  delivery.pieces = std::move(pieces);
  return delivery;
}

std::vector<std::string> what(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const Difference& each : comparison.differences) out.push_back(each.what);
  return out;
}

Comparison compare_one(Delivered predicted, Delivered measured) {
  return compare(delivery({std::move(predicted)}), delivery({std::move(measured)}));
}

TEST(Compare, EqualIsEqual) {
  const Comparison comparison = compare(delivery({instructions("text"), tool("t")}),
                                        delivery({instructions("text"), tool("t")}));
  EXPECT_TRUE(comparison.equal());
  EXPECT_EQ(comparison.compared, 2u);
  EXPECT_THAT(comparison.unpredicted, IsEmpty());
}

TEST(Compare, ShowsTheFirstByteThatDiffers) {
  const std::string same = std::string(100, 'a') + "é";
  const std::string ours = same + "x" + std::string(100, 'b');
  const std::string theirs = same + "y";
  const Comparison comparison = compare_one(instructions(ours), instructions(theirs));
  ASSERT_THAT(what(comparison), ElementsAre("text"));
  EXPECT_EQ(comparison.differences[0].measured,
            "103 bytes, from byte 102 on: …" + std::string(28, 'a') + "éy");
  EXPECT_EQ(
      comparison.differences[0].predicted,
      "203 bytes, from byte 102 on: …" + std::string(28, 'a') + "éx" + std::string(29, 'b') + "…");
}

TEST(Compare, EveryMemberCounts) {
  const Delivered right = instructions("text");
  Delivered wrong = right;
  wrong.state = State::kInRequest;
  wrong.request = 2;
  EXPECT_THAT(what(compare_one(right, wrong)), ElementsAre("state"));
  Delivered later = wrong;
  later.request = 3;
  EXPECT_THAT(what(compare_one(wrong, later)), ElementsAre("request"));
  wrong = right;
  wrong.where.path = "system[21]";
  EXPECT_THAT(what(compare_one(right, wrong)), ElementsAre("place"));
  wrong = right;
  wrong.where.role = "user";
  EXPECT_THAT(what(compare_one(right, wrong)), ElementsAre("place"));
  wrong = right;
  wrong.frame.closing = "x";
  EXPECT_THAT(what(compare_one(right, wrong)), ElementsAre("frame (closing)"));
  wrong = right;
  wrong.state = State::kNever;
  wrong.reason = "nowhere";
  EXPECT_THAT(what(compare_one(right, wrong)), ElementsAre("state"));
  EXPECT_EQ(compare_one(right, wrong).differences[0].measured, "never (nowhere)");
  Delivered renamed = tool("t");
  renamed.full_name = "t";
  EXPECT_THAT(what(compare_one(tool("t"), renamed)), ElementsAre("name"));
  EXPECT_THAT(what(compare(delivery({right}), delivery({}))), ElementsAre("piece"));
  EXPECT_THAT(what(compare(delivery({}), delivery({right}))), ElementsAre("piece"));
}

TEST(Compare, APathHoldsForWhatIsInIt) {
  Delivered predicted = instructions("text"), measured = predicted;
  predicted.where = {
      .role = "system-role-message", .path = "messages[1].content", .form = "blocks"};
  measured.where = predicted.where;
  measured.where.path = "messages[1].content[0]";
  EXPECT_TRUE(compare_one(predicted, measured).equal());
  measured.where.form = "string";
  EXPECT_THAT(what(compare_one(predicted, measured)), ElementsAre("place"));
}

TEST(Compare, WhatIsNotKnownIsNoDifference) {
  Delivered predicted = instructions("text");
  predicted.where = {};
  predicted.frame = {};
  const Comparison comparison = compare_one(predicted, instructions("text"));
  EXPECT_TRUE(comparison.equal());
  EXPECT_THAT(comparison.unpredicted, ElementsAre(HasSubstr("place"), HasSubstr("around")));
  predicted.state = State::kUnknown;
  EXPECT_EQ(compare_one(predicted, instructions("other")).compared, 0u);
  EXPECT_TRUE(compare_one(predicted, instructions("other")).equal());
}

TEST(Compare, DeferredTools) {
  Delivered never_fetched = tool("", State::kDeferred);
  never_fetched.where = {};
  EXPECT_TRUE(compare_one(tool("t", State::kDeferred), never_fetched).equal());
  EXPECT_THAT(what(compare_one(tool("t"), never_fetched)), ElementsAre("state"));
  EXPECT_THAT(what(compare_one(tool("t", State::kDeferred), tool("u", State::kDeferred))),
              ElementsAre("text"));
  Delivered late = tool("t", State::kDeferred);
  late.state = State::kInRequest;
  late.request = 2;
  EXPECT_TRUE(compare_one(late, tool("t", State::kDeferred)).equal());
  Delivered either = tool("t", State::kDeferred);
  either.state = State::kAtStartOrDeferred;
  EXPECT_TRUE(compare_one(either, tool("t", State::kDeferred)).equal());
  EXPECT_THAT(compare_one(either, tool("u")).unpredicted, ElementsAre(HasSubstr("narrower")));
}

TEST(Compare, TheHandshakeWhereItWasMeasured) {
  Delivery predicted = delivery({}), measured = delivery({});
  predicted.handshake = "server/discover, then initialize";
  EXPECT_TRUE(compare(predicted, measured).equal());
  measured.handshake = "initialize";
  measured.process_starts = 2;
  EXPECT_THAT(what(compare(predicted, measured)), ElementsAre("handshake", "process-starts"));
  predicted.handshake = "initialize, perhaps server/discover before it";
  EXPECT_THAT(compare(predicted, measured).unpredicted, ElementsAre("the handshake"));
}

TEST(Compare, TheOrderOfServers) {
  Delivered other = instructions("text");
  other.piece.server = "other";
  EXPECT_THAT(what(compare(delivery({instructions("text"), other}),
                           delivery({other, instructions("text")}))),
              ElementsAre("order"));
}

}  // namespace
}  // namespace cutline::delivery
