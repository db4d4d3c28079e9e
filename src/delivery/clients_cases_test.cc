// clients_cases_test.cc: the cases of tests/cases that speak of other clients than Claude Code.
#include <deque>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "support/cases.h"

namespace cutline::delivery {
namespace {

using cases::Case;
using json::Value;

const std::map<std::string, Profile>& profiles() {
  static const std::map<std::string, Profile> all = [] {
    std::map<std::string, Profile> read;
    for (const BuiltinProfile& builtin : builtin_profiles()) {
      Profile profile = read_profile(builtin.toml, std::string(builtin.file)).value();
      std::string id = profile.id;
      read.emplace(std::move(id), std::move(profile));
    }
    return read;
  }();
  return all;
}

/// The profile and version of "codex@0.171.0"; null for Claude Code, and for what has no profile.
const Profile* profile_of(const Case& c, Version& version) {
  const std::size_t at = c.client.find('@');
  if (at == std::string::npos || c.client.starts_with("claude-code")) return nullptr;
  const auto found = profiles().find(c.client.substr(0, at));
  const auto parsed = Version::parse(c.client.substr(at + 1));
  if (found == profiles().end() || !parsed) return nullptr;
  version = *parsed;
  return &found->second;
}

std::string text_at(const Value& object, std::string_view key) {
  return json::string_member(object, key).value_or("");
}

Situation situation_of(const Case& c) {
  Situation situation;
  situation.session = Session::kCustomEndpoint;
  situation.model = text_at(c.input, "model");
  if (const auto config = c.input.find("config"))
    for (const Value::Member& member : config->members())
      situation.settings.emplace_back(member.key, member.value.boolean() ? "true" : "false");
  return situation;
}

mcp::Offer offer_of(std::optional<std::string> instructions) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy.emplace();
  offer.legacy->era = mcp::Era::kLegacy;
  offer.legacy->text_only = true;  // the cases tell the texts alone
  if (instructions) offer.legacy->instructions = mcp::server_text(*std::move(instructions));
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  return offer;
}

mcp::Tool tool(std::string name) {
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = mcp::server_text("x");
  return tool;
}

/// Every case of the file that speaks of a client with a profile; how many there were.
template <class Try>
std::size_t each_case(const std::string& name, const Try& attempt) {
  const cases::File file(name);
  std::size_t tried = 0;
  for (const Case& c : file.cases()) {
    Version version;
    const Profile* profile = profile_of(c, version);
    if (!profile) continue;
    SCOPED_TRACE(c.id);
    attempt(c, *profile, version);
    ++tried;
  }
  return tried;
}

TEST(OtherClients, Names) {
  const auto attempt = [](const Case& c, const Profile& profile, const Version& version) {
    std::deque<mcp::Offer> offers;
    std::vector<Configured> servers;
    for (const Value& server : c.input.find("servers")->elements()) {
      offers.push_back(offer_of(std::nullopt));
      for (const Value& name : server.find("tools")->elements())
        offers.back().legacy->tools.push_back(tool(name.string().value));
      servers.push_back({.name = text_at(server, "server"), .offer = &offers.back()});
    }
    const Delivery delivery = deliver(profile, version, situation_of(c), servers);
    std::vector<std::string> names;
    for (const Delivered& piece : delivery.pieces)
      if (piece.piece.kind == PieceId::Kind::kTool) names.push_back(piece.full_name);
    std::vector<std::string> expected;
    for (const Value& name : c.expect.find("names")->elements())
      expected.push_back(name.string().value);
    EXPECT_EQ(names, expected);
  };
  EXPECT_GE(each_case("names.json", attempt), 2U);
}

TEST(OtherClients, Placement) {
  const auto attempt = [](const Case& c, const Profile& profile, const Version& version) {
    const std::string text = cases::text(*c.input.find("text"));
    const mcp::Offer offer = offer_of(text);
    const Configured server{.name = text_at(c.input, "server"), .offer = &offer};
    const Delivery delivery = deliver(profile, version, situation_of(c), {&server, 1});
    const Delivered& piece = *delivery.instructions(server.name);
    const std::string placement = text_at(c.expect, "placement");
    EXPECT_EQ(piece.arrives() ? piece.where.role : "none", placement);
    const Value delivered = *c.expect.find("delivered");
    const bool preview = delivered.is(json::Type::kString);
    EXPECT_EQ(piece.arrives(), preview || delivered.boolean());
    EXPECT_EQ(piece.cut.has_value(), preview);
    if (const auto changed = json::string_member(c.expect, "text")) {
      EXPECT_EQ(piece.text(), *changed);
    }
    if (const auto added = c.expect.find("added_per_server_utf16_units")) {
      EXPECT_EQ(piece.frame.before.size() + piece.frame.after.size(),
                static_cast<std::size_t>(*added->int64()));
    }
  };
  EXPECT_GE(each_case("placement.json", attempt), 5U);
}

TEST(OtherClients, Servers) {
  const auto attempt = [](const Case& c, const Profile& profile, const Version& version) {
    std::deque<mcp::Offer> offers;
    std::vector<Configured> servers;
    for (const Value& server : c.input.find("servers")->elements()) {
      offers.push_back(
          offer_of(std::string(static_cast<std::size_t>(*server.find("units")->int64()), 'a')));
      servers.push_back({.name = text_at(server, "name"), .offer = &offers.back()});
    }
    const Delivery delivery = deliver(profile, version, situation_of(c), servers);
    const auto kept = c.expect.find("kept_units");
    for (const Delivered& piece : delivery.pieces) {
      if (!kept) {  // the case gives bounds only, and the profile knows none
        EXPECT_EQ(piece.state, State::kUnknown);
        continue;
      }
      EXPECT_EQ(piece.kept_units(),
                static_cast<std::size_t>(*kept->find(piece.piece.server)->int64()));
      EXPECT_EQ(piece.marker, text_at(c.expect, "marker"));
    }
  };
  EXPECT_GE(each_case("servers.json", attempt), 1U);
}

TEST(OtherClients, Timing) {
  const auto attempt = [](const Case& c, const Profile& profile, const Version& version) {
    const auto delay = c.input.find("delay");
    ASSERT_TRUE(delay);
    mcp::Offer offer = offer_of("Use it with care.");
    offer.times.handshake =
        mcp::Milliseconds(static_cast<double>(*delay->find("initialize")->int64()));
    const Configured server{.name = "lab", .offer = &offer};
    const Delivery delivery = deliver(profile, version, situation_of(c), {&server, 1});
    const Delivered& piece = *delivery.instructions("lab");
    const bool in_first = piece.state == State::kAtStart;
    EXPECT_EQ(in_first, c.expect.find("first_request_waits")->boolean());
  };
  EXPECT_GE(each_case("timing.json", attempt), 2U);
}

Delivery of_newest(const char* client, const mcp::Offer& offer, Pairs variables = {}) {
  const Profile& profile = profiles().at(client);
  Situation situation;
  situation.session = Session::kCustomEndpoint;
  situation.variables = std::move(variables);
  const Configured server{.name = "shelf", .offer = &offer};
  return deliver(profile, profile.last, situation, {&server, 1});
}

TEST(OtherClients, GeminiWithholdsToolsNamedLikeOnesThatItDoesNotUse) {
  mcp::Offer offer = offer_of("x");
  for (const char* name : {"write_file", "run_shell_command", "ask_user", "read_file"})
    offer.legacy->tools.push_back(tool(name));
  const auto withheld = [&](Pairs variables) {
    std::string names;
    const Delivery delivery = of_newest("gemini-cli", offer, std::move(variables));
    for (const Delivered& piece : delivery.pieces)
      if (piece.never == Never::kWithheld) names += piece.piece.tool + " ";
    return names;
  };
  EXPECT_EQ(withheld({}), "write_file run_shell_command ask_user ");
  EXPECT_EQ(withheld({{"--approval-mode", "auto_edit"}}), "run_shell_command ask_user ");
  EXPECT_EQ(withheld({{"--approval-mode", "yolo"}}), "ask_user ");
}

TEST(OtherClients, ClineTrimsDescriptionsAndHasWordsOfItsOwnForNone) {
  mcp::Offer offer = offer_of("x");
  const std::pair<const char*, const char*> kCases[] = {
      {"\n  Counts.\u00a0\n", "Counts."},
      {" ", "Execute MCP tool \"count\" from server \"shelf\"."},
      {"", "Execute MCP tool \"count\" from server \"shelf\"."},
      {"Counts.", "Counts."}};
  for (const auto& [said, sent] : kCases) {
    offer.legacy->tools = {tool("count")};
    offer.legacy->tools[0].description = mcp::server_text(said);
    EXPECT_EQ(of_newest("cline", offer).tool("shelf", "count")->text(), sent);
  }
  offer.legacy->tools[0].description.reset();
  EXPECT_EQ(of_newest("cline", offer).tool("shelf", "count")->text(), kCases[1].second);
}

TEST(OtherClients, ClineStartsASilentServerASecondTime) {
  mcp::Offer offer = offer_of("x");
  offer.legacy->tools = {tool("count")};
  offer.times.handshake = mcp::Milliseconds(1'500);
  EXPECT_EQ(of_newest("cline", offer).process_starts, 1U);
  offer.times.handshake = mcp::Milliseconds(8'000);
  EXPECT_EQ(of_newest("cline", offer).process_starts, 2U);
  EXPECT_EQ(of_newest("cline", offer).tool("shelf", "count")->never, Never::kTooLate);
  offer.legacy.reset();  // the client has ended it before it answered
  offer.times = {};
  EXPECT_EQ(of_newest("cline", offer).process_starts, 2U);
}

}  // namespace
}  // namespace cutline::delivery
