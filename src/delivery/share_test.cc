// share_test.cc: what each of many servers gets of 4,096 bytes, as Codex 0.171.0 showed it.
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"

namespace cutline::delivery {
namespace {

const Profile& codex() {
  static const Profile profile = [] {
    for (const BuiltinProfile& builtin : builtin_profiles())
      if (builtin.file.starts_with("codex"))
        return read_profile(builtin.toml, std::string(builtin.file)).value();
    return Profile{};
  }();
  return profile;
}

/// Servers with one tool each, ready at once.
class Servers {
 public:
  void add(std::string name, std::optional<std::string> text) {
    mcp::Offer& offer = offers_.emplace_back();
    offer.outcome = mcp::Outcome::kServes;
    offer.legacy.emplace();
    offer.legacy->era = mcp::Era::kLegacy;
    if (text) offer.legacy->instructions = mcp::server_text(*std::move(text));
    offer.legacy->tools.emplace_back().name = "lookup_part";
    offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
    servers_.push_back({.name = std::move(name), .offer = &offer});
  }

  Delivery deliver() const {
    Situation situation;
    situation.model = "gpt-5.5";
    return delivery::deliver(codex(), codex().last, situation, servers_);
  }

 private:
  std::deque<mcp::Offer> offers_;
  std::vector<Configured> servers_;
};

std::string digits(std::size_t server) {
  std::string text = fmt::format("S{:02} ", server);
  for (int i = 0; i < 120; ++i) text += fmt::format("{:04},", i);
  return text;
}

/// As many characters, of so many bytes each.
std::string wide(std::size_t server, std::string_view character, int count) {
  std::string text = fmt::format("S{:02} ", server);
  for (int i = 0; i < count; ++i) text += character;
  return text;
}

/// {bytes of the text with its marker, how many servers in turn}
using Runs = std::vector<std::pair<std::size_t, std::size_t>>;

Runs runs_of(const Delivery& delivery) {
  Runs runs;
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind != PieceId::Kind::kInstructions) continue;
    const std::size_t bytes = piece.text().size();
    if (runs.empty() || runs.back().first != bytes) runs.emplace_back(bytes, 0);
    ++runs.back().second;
  }
  return runs;
}

TEST(Share, ManyServers) {
  struct Row {
    std::size_t servers;
    Runs runs;
  };
  for (const Row& row : {Row{14, {{250, 14}}}, Row{15, {{250, 15}}}, Row{16, {{237, 8}, {236, 8}}},
                         Row{17, {{222, 14}, {221, 3}}}, Row{20, {{187, 12}, {186, 8}}},
                         Row{24, {{154, 8}, {153, 16}}}, Row{40, {{87, 32}, {86, 8}}}}) {
    SCOPED_TRACE(row.servers);
    Servers servers;
    for (std::size_t i = 0; i < row.servers; ++i) servers.add(fmt::format("s{:02}", i), digits(i));
    EXPECT_EQ(runs_of(servers.deliver()), row.runs);
  }
}

TEST(Share, CharactersAreDealtOutAndBytesAreCut) {
  Servers japanese, emoji;
  for (std::size_t i = 0; i < 24; ++i) {
    japanese.add(fmt::format("s{:02}", i), wide(i, "ア", 400));
    emoji.add(fmt::format("s{:02}", i), wide(i, "😀", 400));
  }
  EXPECT_EQ(runs_of(japanese.deliver()), (Runs{{154, 18}, {151, 6}}));
  EXPECT_EQ(runs_of(emoji.deliver()), (Runs{{155, 8}, {151, 16}}));
}

TEST(Share, TwoHundredAndMore) {
  std::deque<Servers> all;  // deliveries look into what they offer
  const auto of = [&](std::size_t count) {
    Servers& servers = all.emplace_back();
    for (std::size_t i = 0; i < count; ++i) servers.add(fmt::format("s{:03}", i), digits(i));
    return servers.deliver();
  };
  EXPECT_EQ(runs_of(of(225)), (Runs{{4, 207}, {3, 18}}));
  EXPECT_EQ(runs_of(of(245)), (Runs{{3, 113}, {0, 132}}));
  const Delivery none = of(265);
  EXPECT_EQ(none.pieces[0].state, State::kNever);
  EXPECT_EQ(none.pieces[0].reason, "265 servers share 4,096 bytes, which leaves nothing for it");
  EXPECT_EQ(of(350).pieces[0].state, State::kUnknown);
}

TEST(Share, ServersWithoutATextAreListed) {
  Servers servers;
  servers.add("s00", std::nullopt);
  servers.add("s01", " ");
  servers.add("s02", "Ask first.");
  servers.add("s03", std::nullopt);
  servers.add("s04", "Ask last.");
  EXPECT_EQ(instructions_block(servers.deliver()),
            "<tools>\nDeferred tool namespaces:\n- mcp__s00\n- mcp__s01\n- mcp__s02: Ask first.\n"
            "- mcp__s03\n- mcp__s04: Ask last.\n");
}

TEST(Share, InTheOrderOfTheNamesOfTools) {
  Servers servers;
  std::string order;
  for (const char* name : {"a-b", "a_a", "Z", "a-c", "A", "b.x", "b_a", "b-z"})
    servers.add(name, digits(0));
  for (const Delivered& piece : servers.deliver().pieces)
    if (piece.piece.kind == PieceId::Kind::kInstructions) order += piece.piece.server + " ";
  EXPECT_EQ(order, "A Z a_a a-b a-c b_a b.x b-z ");
}

}  // namespace
}  // namespace cutline::delivery
