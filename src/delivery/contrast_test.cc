// contrast_test.cc: what two predictions have different, and what nobody knows of one of them.
#include "delivery/contrast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::delivery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Delivered instructions(std::string_view text, std::size_t kept) {
  Delivered piece;
  piece.piece = {.kind = PieceId::Kind::kInstructions, .server = "lab", .tool = {}};
  piece.state = State::kAtStart;
  piece.where = {.role = "system", .path = "system[2]", .form = {}};
  piece.frame = {.opening = "# Servers\n", .before = "## lab\n", .after = {}, .closing = {}};
  piece.original = text;
  piece.kept = text.substr(0, kept);
  piece.whole = text::measure(text);
  piece.budget = text::Budget{.size = kept, .unit = text::Unit::kUtf16, .marker = "…"};
  piece.cut = text::cut(text, piece.whole, *piece.budget);
  if (piece.cut) piece.marker = "…";
  return piece;
}

Delivered tool(std::string name, std::string full_name) {
  Delivered piece;
  piece.piece = {.kind = PieceId::Kind::kTool, .server = "lab", .tool = std::move(name)};
  piece.channel = Channel::kPreloadedTool;
  piece.state = State::kAtStart;
  piece.full_name = std::move(full_name);
  piece.where = {.role = "tools", .path = "tools", .form = {}};
  piece.original = piece.kept = "Finds.";
  piece.whole = text::measure(piece.original);
  return piece;
}

Delivery delivery(std::vector<Delivered> pieces) {
  Delivery delivery;
  delivery.handshake = "initialize";
  delivery.pieces = std::move(pieces);
  return delivery;
}

std::vector<std::string> what(const std::vector<Contrast>& contrasts) {
  std::vector<std::string> out;
  for (const Contrast& each : contrasts) out.push_back(each.what);
  return out;
}

Contrasted contrast_one(Delivered first, Delivered second) {
  return contrast(delivery({std::move(first)}), delivery({std::move(second)}));
}

TEST(Contrast, EqualIsAlike) {
  const Delivery one = delivery({tool("t", "lab__t"), instructions("abcdef", 6)});
  const Contrasted both = contrast(one, one);
  EXPECT_THAT(both.differences, IsEmpty());
  EXPECT_THAT(both.unknown, IsEmpty());
  EXPECT_EQ(both.pieces, 2U);
  EXPECT_EQ(both.alike, 2U);
}

TEST(Contrast, TellsWhatIsKeptAndWhereTheTextsPart) {
  const std::string text = "abcdefghij";
  const Contrasted both = contrast_one(instructions(text, 4), instructions(text, 6));
  ASSERT_THAT(what(both.differences), ElementsAre("kept", "text"));
  EXPECT_EQ(both.differences[0].first, "4 of 10 characters, 6 lost");
  EXPECT_EQ(both.differences[0].second, "6 of 10 characters, 4 lost");
  EXPECT_EQ(both.differences[1].first, "7 bytes, from byte 4 on: abcd…");
  EXPECT_EQ(both.differences[1].second, "9 bytes, from byte 4 on: abcdef…");
}

TEST(Contrast, TellsPlacesFramesAndNames) {
  Delivered other = instructions("abc", 3);
  other.where.role = "user-reminder";
  other.frame.before = "## LAB\n";
  const Contrasted texts = contrast_one(instructions("abc", 3), other);
  ASSERT_THAT(what(texts.differences), ElementsAre("place", "frame (before)"));
  EXPECT_EQ(texts.differences[0].second, "user-reminder, system[2]");
  const Contrasted tools = contrast_one(tool("t", "lab__t"), tool("t", "mcp__lab__t"));
  ASSERT_THAT(what(tools.differences), ElementsAre("name"));
  EXPECT_EQ(tools.differences[0].second, "mcp__lab__t");
}

TEST(Contrast, TellsArrivals) {
  Delivered later = tool("t", "lab__t"), never = later, other_reason = later;
  later.state = State::kInRequest;
  later.request = 2;
  never.state = other_reason.state = State::kNever;
  never.never = Never::kNameRefused;
  never.reason = "Client 1 refuses the name.";
  other_reason.never = Never::kNotDelivered;
  EXPECT_EQ(contrast_one(tool("t", "lab__t"), later).differences.at(0).second, "in-request 2");
  EXPECT_EQ(contrast_one(later, never).differences.at(0).second,
            "never (Client 1 refuses the name.)");
  EXPECT_THAT(what(contrast_one(never, other_reason).differences), ElementsAre("arrival"));
  other_reason.never = Never::kNameRefused;
  other_reason.reason = "Client 2 refuses the name.";
  EXPECT_EQ(contrast_one(never, other_reason).alike, 1U) << "the same in other words";
}

TEST(Contrast, DoesNotTakeSilenceForADifference) {
  Delivered unknown = instructions("abc", 3);
  unknown.state = State::kUnknown;
  EXPECT_THAT(what(contrast_one(unknown, instructions("abc", 3)).unknown), ElementsAre("arrival"));
  EXPECT_THAT(what(contrast_one(instructions("abc", 3), unknown).unknown), ElementsAre("arrival"));

  Delivered either = tool("t", "lab__t"), deferred = either;
  either.state = State::kAtStartOrDeferred;
  deferred.state = State::kDeferred;
  for (const Contrasted& both : {contrast_one(either, deferred), contrast_one(deferred, either)}) {
    EXPECT_THAT(both.differences, IsEmpty());
    EXPECT_THAT(what(both.unknown), ElementsAre("arrival"));
    EXPECT_EQ(both.alike, 0U);
  }

  Delivered vague = instructions("abc", 3);
  vague.where.path.clear();
  vague.frame = {};
  for (const Contrasted& both :
       {contrast_one(vague, instructions("abc", 3)), contrast_one(instructions("abc", 3), vague)}) {
    EXPECT_THAT(both.differences, IsEmpty());
    EXPECT_THAT(what(both.unknown), ElementsAre("place", "frame"));
  }
}

TEST(Contrast, TellsConnections) {
  Delivery one = delivery({}), other = one;
  other.handshake = "server/discover, then initialize";
  other.process_starts = 2;
  EXPECT_THAT(what(contrast(one, other).differences), ElementsAre("handshake", "process-starts"));
  other.handshake = "server/discover, perhaps initialize";
  EXPECT_THAT(what(contrast(one, other).differences), IsEmpty());
  EXPECT_THAT(what(contrast(one, other).unknown), ElementsAre("handshake"));
}

TEST(Contrast, ComparesToolsOfOneNameInTheirOrder) {
  const Contrasted both = contrast(delivery({tool("t", "a"), tool("t", "b"), tool("u", "u")}),
                                   delivery({tool("t", "a"), tool("v", "v")}));
  ASSERT_THAT(what(both.differences), ElementsAre("arrival", "arrival", "arrival"));
  EXPECT_EQ(both.differences[0].second, "not offered");
  EXPECT_EQ(both.differences[1].piece.tool, "u");
  EXPECT_EQ(both.differences[2].first, "not offered");
  EXPECT_EQ(both.pieces, 4U);
  EXPECT_EQ(both.alike, 1U);
}

}  // namespace
}  // namespace cutline::delivery
