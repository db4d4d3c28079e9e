// cases_test.cc: the measured cases (tests/cases) hold for the profile of Claude Code.
#include "support/cases.h"

#include <algorithm>
#include <deque>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"

namespace cutline::delivery {
namespace {

using cases::Case;
using json::Value;

constexpr std::string_view kClient = "claude-code";

const Profile& claude_code() {
  static const Profile profile = [] {
    for (const BuiltinProfile& builtin : builtin_profiles()) {
      if (builtin.file != "claude-code.toml") continue;
      Result<Profile> read = read_profile(builtin.toml, std::string(builtin.file));
      EXPECT_TRUE(read) << to_text(read.error());
      return *std::move(read);
    }
    ADD_FAILURE() << "claude-code.toml is not built in";
    return Profile{};
  }();
  return profile;
}

Version version(std::string_view text) { return Version::parse(text).value(); }

/// The versions of a case that we try: both ends of its range, if it speaks of Claude Code.
std::vector<std::string> versions_of(const Case& c) {
  const std::string prefix = std::string(kClient) + "@";
  if (!c.client.starts_with(prefix)) return {};
  const std::string range = c.client.substr(prefix.size());
  const std::size_t dots = range.find("..");
  if (dots == std::string::npos) return {range};
  return {range.substr(0, dots), range.substr(dots + 2)};
}

std::string string_at(const Value& object, std::string_view key, std::string fallback = {}) {
  return json::string_member(object, key).value_or(std::move(fallback));
}

std::optional<std::int64_t> int_at(const Value& object, std::string_view key) {
  const std::optional<Value> member = object.find(key);
  return member ? member->int64() : std::nullopt;
}

Situation measured_situation(const Case& c) {
  Situation situation;
  situation.session = Session::kCustomEndpoint;
  situation.model = string_at(c.input, "model");
  if (const std::optional<Value> variables = c.input.find("variables")) {
    for (const Value::Member& member : variables->members())
      situation.variables.emplace_back(member.key, member.value.string().value);
  }
  return situation;
}

mcp::EraOffer era_offer(mcp::Era era, std::optional<std::string> instructions) {
  mcp::EraOffer offer;
  offer.era = era;
  if (instructions) offer.instructions = mcp::server_text(*std::move(instructions));
  return offer;
}

mcp::Offer legacy_offer(std::optional<std::string> instructions) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy = era_offer(mcp::Era::kLegacy, std::move(instructions));
  offer.legacy->text_only = true;  // the cases tell the texts alone
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  return offer;
}

mcp::Tool tool(std::string name, std::string description) {
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = mcp::server_text(std::move(description));
  return tool;
}

Delivery deliver_one(std::string_view at, const Situation& situation, const std::string& name,
                     const mcp::Offer& offer) {
  const Configured server = {.name = name, .offer = &offer};
  return deliver(claude_code(), version(at), situation, {&server, 1});
}

// --- cuts.json
// ------------------------------------------------------------------------------------

TEST(Cases, Cuts) {
  const cases::File file("cuts.json");
  std::size_t tried = 0;
  for (const Case& c : file.cases()) {
    for (const std::string& at : versions_of(c)) {
      SCOPED_TRACE(c.id + " at " + at);
      const std::string channel = string_at(c.input, "channel");
      mcp::Offer offer = legacy_offer(std::nullopt);
      const std::string text = cases::text(*c.input.find("text"));
      Situation situation = measured_situation(c);
      if (channel == "instructions") {
        offer.legacy->instructions = mcp::server_text(text);
      } else {
        offer.legacy->tools.push_back(tool("long", text));
        const bool deferred = channel == "deferred-tool";
        situation.variables.emplace_back("ENABLE_TOOL_SEARCH", deferred ? "true" : "false");
      }
      const Delivery delivery = deliver_one(at, situation, "lab", offer);
      const Delivered* piece =
          channel == "instructions" ? delivery.instructions("lab") : delivery.tool("lab", "long");
      ASSERT_NE(piece, nullptr);
      EXPECT_EQ(name(piece->channel), channel);
      EXPECT_EQ(cases::sha256(piece->text()), string_at(c.expect, "delivered_sha256"));
      EXPECT_EQ(piece->cut.has_value(), c.expect.find("cut")->boolean());
      EXPECT_EQ(piece->kept_units(), int_at(*c.expect.find("kept"), "utf16_units"));
      EXPECT_EQ(piece->lost_units(), int_at(*c.expect.find("lost"), "utf16_units"));
      ++tried;
    }
  }
  EXPECT_GE(tried, 20u);
}

TEST(Cases, EncodingOfInstructions) {
  const cases::File file("encoding.json");
  for (const Case& c : file.cases()) {
    if (!c.input.find("text")) continue;
    SCOPED_TRACE(c.id);
    const mcp::Offer offer = legacy_offer(cases::text(*c.input.find("text")));
    for (const std::string& at : versions_of(c)) {
      const Delivery delivery = deliver_one(at, measured_situation(c), "lab", offer);
      const Delivered& piece = *delivery.instructions("lab");
      EXPECT_EQ(cases::sha256(piece.text()), string_at(c.expect, "delivered_sha256"));
      EXPECT_EQ(piece.cut.has_value(), string_at(c.expect, "arrives") == "cut");
    }
  }
}

TEST(Cases, WrongTypeFailsTheConnection) {
  mcp::Offer offer = legacy_offer(std::nullopt);
  offer.legacy->instructions_wrong_type = "a number";
  offer.legacy->tools.push_back(tool("a", "text"));
  const Delivery delivery = deliver_one("2.1.285", {}, "lab", offer);
  EXPECT_FALSE(delivery.connected);
  EXPECT_EQ(delivery.tool("lab", "a")->never, Never::kConnectionFails);
}

TEST(Cases, EmptyStringHasNoBlockAndBlankOneHas) {
  const mcp::Offer empty = legacy_offer("");
  EXPECT_EQ(deliver_one("2.1.285", {}, "lab", empty).instructions("lab")->never, Never::kEmpty);
  const mcp::Offer blank = legacy_offer(" \n");
  EXPECT_EQ(deliver_one("2.1.285", {}, "lab", blank).instructions("lab")->text(), " \n");
}

// --- limit-variable.json
// ----------------------------------------------------------------------------

void expect_limit(const std::optional<Value>& expected, const std::optional<text::Budget>& budget) {
  ASSERT_TRUE(expected);
  if (expected->is(json::Type::kNull)) {
    EXPECT_FALSE(budget);
  } else {
    ASSERT_TRUE(budget);
    EXPECT_EQ(budget->size, expected->int64());
  }
}

TEST(Cases, LimitVariable) {
  const cases::File file("limit-variable.json");
  for (const Case& c : file.cases()) {
    for (const std::string& at : versions_of(c)) {
      SCOPED_TRACE(c.id + " at " + at);
      Situation situation = measured_situation(c);
      const std::string variable = string_at(c.input, "variable");
      const std::optional<std::string> value = json::string_member(c.input, "value");
      if (value) situation.variables.emplace_back(variable, *value);
      const std::size_t units = static_cast<std::size_t>(int_at(c.input, "text_units").value_or(1));
      mcp::Offer offer = legacy_offer(std::string(units, 'x'));
      offer.legacy->tools.push_back(tool("a", "text"));
      const Delivery off = deliver_one(at, situation, "lab", offer);
      expect_limit(c.expect.find("instructions"), off.instructions("lab")->budget);
      expect_limit(c.expect.find("preloaded_tool"), off.tool("lab", "a")->budget);
      if (const std::optional<std::int64_t> sent = int_at(c.expect, "sent")) {
        EXPECT_EQ(text::measure(off.instructions("lab")->text()).utf16.value, *sent);
      }
      Situation searching = situation;
      searching.variables.emplace_back("ENABLE_TOOL_SEARCH", "true");
      const Delivery on = deliver_one(at, searching, "lab", offer);
      EXPECT_EQ(on.tool("lab", "a")->channel, Channel::kDeferredTool);
      expect_limit(c.expect.find("deferred_tool"), on.tool("lab", "a")->budget);

      const Result<std::vector<SwitchNote>> notes =
          check_switches(claude_code(), version(at), situation);
      ASSERT_TRUE(notes);
      if (value) {
        EXPECT_EQ(notes->at(0).ignored, !c.expect.find("applied")->boolean());
      }
    }
  }
}

// --- placement.json
// -------------------------------------------------------------------------------

void check_placement(const Case& c, const std::string& at) {
  SCOPED_TRACE(c.id + " at " + at);
  const std::string request = string_at(c.input, "request");
  if (request == "subagent-first") {
    const Found fact = find_fact(claude_code(), "later.subagent", version(at), {});
    EXPECT_TRUE(fact.fact->value.find("sends")->elements.empty());
    return;
  }
  const Value text = *c.input.find("text");
  mcp::Offer offer =
      legacy_offer(text.is(json::Type::kNull) ? std::nullopt : std::optional(cases::text(text)));
  if (string_at(c.input, "era") == "dual") {
    offer.modern = offer.legacy;
    offer.modern->era = mcp::Era::kModern;
    offer.legacy->instructions = mcp::server_text("the other one");
    offer.probe = {.answer = mcp::ProbeAnswer::kModern, .error_code = {}, .versions = {}};
  }
  const Situation situation = measured_situation(c);
  const Delivery delivery = deliver_one(at, situation, string_at(c.input, "server"), offer);
  const Delivered& piece = *delivery.instructions("lab");
  EXPECT_EQ(piece.arrives(), c.expect.find("delivered")->boolean());
  if (!piece.arrives()) {
    EXPECT_EQ(instructions_block(delivery), "");
    return;
  }
  EXPECT_EQ(piece.where.role, string_at(c.expect, "placement"));
  // The facts give the list or string that holds the block where the index was not recorded.
  if (const std::optional<std::string> path = json::string_member(c.expect, "path")) {
    EXPECT_EQ(piece.where.path, *path);
  }
  if (const std::optional<std::string> form = json::string_member(c.expect, "content_form")) {
    const Found fact =
        find_fact(claude_code(), "instructions.placement", version(at), {.model = situation.model});
    const char* key = request == "next" ? "next_form" : "form";
    EXPECT_EQ(fact.fact->value.find(key)->string, *form);
  }
  if (const auto units = int_at(c.expect, "block_utf16_units")) {
    EXPECT_EQ(text::measure(instructions_block(delivery)).utf16.value, *units);
  }
  if (!string_at(c.expect, "text_from").empty()) {
    EXPECT_EQ(piece.era, mcp::Era::kModern);
  }
}

TEST(Cases, Placement) {
  const cases::File file("placement.json");
  for (const Case& c : file.cases())
    for (const std::string& at : versions_of(c)) check_placement(c, at);
}

// --- channels.json
// --------------------------------------------------------------------------------

TEST(Cases, Channels) {
  const cases::File file("channels.json");
  for (const Case& c : file.cases()) {
    for (const std::string& at : versions_of(c)) {
      SCOPED_TRACE(c.id + " at " + at);
      Situation situation = measured_situation(c);
      if (string_at(c.input, "always_load") == "config")
        situation.settings.emplace_back("alwaysLoad", "true");
      mcp::Offer offer = legacy_offer(std::nullopt);
      const std::size_t units = static_cast<std::size_t>(*int_at(c.input, "description_units"));
      offer.legacy->tools.push_back(tool("long", std::string(units, 'x')));
      while (offer.legacy->tools.size() < static_cast<std::size_t>(*int_at(c.input, "tools")))
        offer.legacy->tools.push_back(tool(fmt::format("t{}", offer.legacy->tools.size()), "x"));
      const Delivery delivery = deliver_one(at, situation, "lab", offer);
      const Delivered& piece = *delivery.tool("lab", "long");
      const bool deferred = string_at(c.expect, "channel") == "deferred";
      EXPECT_EQ(piece.channel == Channel::kDeferredTool, deferred);
      EXPECT_EQ(piece.state, deferred ? State::kDeferred : State::kAtStart);
      const char* sent = deferred ? "fetched_description_units" : "first_request_description_units";
      EXPECT_EQ(text::measure(piece.text()).utf16.value, int_at(c.expect, sent));
      expect_limit(c.expect.find("limit"), piece.budget);
    }
  }
}

TEST(Channels, AlwaysLoadOfATool) {
  mcp::Offer offer = legacy_offer(std::nullopt);
  offer.legacy->tools.push_back(tool("a", "x"));
  offer.legacy->tools.push_back(tool("b", "x"));
  offer.legacy->tools[1].always_load = true;
  const Delivery delivery = deliver_one("2.1.332", {}, "lab", offer);
  EXPECT_EQ(delivery.tool("lab", "a")->state, State::kDeferred);
  EXPECT_EQ(delivery.tool("lab", "b")->state, State::kAtStart);
}

// --- names.json
// -----------------------------------------------------------------------------------

TEST(Cases, Names) {
  const cases::File file("names.json");
  for (const Case& c : file.cases()) {
    for (const std::string& at : versions_of(c)) {
      SCOPED_TRACE(c.id + " at " + at);
      std::deque<mcp::Offer> offers;
      std::vector<Configured> servers;
      for (const Value& server : c.input.find("servers")->elements()) {
        offers.push_back(legacy_offer(std::nullopt));
        for (const Value& name : server.find("tools")->elements())
          offers.back().legacy->tools.push_back(tool(name.string().value, "x"));
        servers.push_back({.name = string_at(server, "server"), .offer = &offers.back()});
      }
      const Delivery delivery = deliver(claude_code(), version(at), measured_situation(c), servers);
      std::vector<const Delivered*> tools;
      for (const Delivered& piece : delivery.pieces)
        if (piece.piece.kind == PieceId::Kind::kTool) tools.push_back(&piece);
      const std::vector<Value> names = c.expect.find("names")->elements();
      const std::vector<Value> lengths = c.expect.find("lengths")->elements();
      ASSERT_EQ(tools.size(), names.size());
      for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(text::measure(tools[i]->full_name).utf16.value, lengths[i].int64());
        const std::string verdict = c.expect.find("verdicts")->elements()[i].string().value;
        const Never expected = verdict == "refused"    ? Never::kNameRefused
                               : verdict == "collides" ? Never::kNameCollides
                                                       : Never::kNo;
        EXPECT_EQ(tools[i]->never, expected);
        if (names[i].is(json::Type::kString)) {
          EXPECT_EQ(tools[i]->full_name, names[i].string().value);
        }
      }
    }
  }
}

// --- servers.json
// ---------------------------------------------------------------------------------

void check_servers(const Case& c, const std::string& at) {
  SCOPED_TRACE(c.id + " at " + at);
  std::deque<mcp::Offer> offers;
  std::vector<Configured> servers;
  for (const Value& server : c.input.find("servers")->elements()) {
    const std::optional<Value> instructions = server.find("instructions");
    offers.push_back(legacy_offer(cases::text(instructions ? *instructions : server)));
    servers.push_back({.name = string_at(server, "name"), .offer = &offers.back()});
  }
  const Delivery delivery = deliver(claude_code(), version(at), measured_situation(c), servers);
  std::vector<std::string> order;
  std::size_t total = 0;
  std::map<std::string, std::vector<std::string>> by_text;
  for (const Delivered& piece : delivery.pieces) {
    if (!piece.arrives()) continue;
    order.push_back(piece.piece.server);
    total += piece.kept_units();
    by_text[piece.text()].push_back(piece.piece.server);
    EXPECT_EQ(piece.kept_units(), int_at(*c.expect.find("kept_units"), piece.piece.server));
    EXPECT_TRUE(piece.frame.before.find("## " + piece.piece.server + "\n") != std::string::npos);
  }
  std::vector<std::string> expected;
  for (const Value& name : c.expect.find("order")->elements())
    expected.push_back(name.string().value);
  EXPECT_EQ(order, expected);
  EXPECT_EQ(total, int_at(c.expect, "total_kept_units"));
  for (const Value& group : c.expect.find("identical_after_cut")->elements()) {
    const std::string first = group.elements()[0].string().value;
    EXPECT_EQ(by_text[delivery.instructions(first)->text()].size(), group.size());
  }
}

TEST(Cases, Servers) {
  const cases::File file("servers.json");
  for (const Case& c : file.cases())
    for (const std::string& at : versions_of(c)) check_servers(c, at);
}

// --- timing.json
// ----------------------------------------------------------------------------------

TEST(Cases, Timing) {
  const cases::File file("timing.json");
  for (const Case& c : file.cases()) {
    for (const std::string& at : versions_of(c)) {
      SCOPED_TRACE(c.id + " at " + at);
      if (c.input.find("then")) {
        const Found fact = find_fact(claude_code(), "later.reconnect", version(at), {});
        ASSERT_EQ(fact.fact->value.find("sends")->elements.size(), 1u);
        EXPECT_EQ(fact.fact->value.find("sends")->elements[0].string, "old");
        continue;
      }
      mcp::Offer offer = legacy_offer("late");
      offer.times.handshake =
          mcp::Milliseconds(static_cast<double>(*int_at(*c.input.find("delay"), "initialize")));
      const Delivery delivery = deliver_one(at, measured_situation(c), "lab", offer);
      const Delivered& piece = *delivery.instructions("lab");
      const Value request = *c.expect.find("first_request_with_text");
      if (request.is(json::Type::kNull)) {
        EXPECT_EQ(piece.never, Never::kTooLate);
      } else {
        EXPECT_TRUE(piece.arrives());
        EXPECT_EQ(piece.request, request.int64());
      }
    }
  }
}

// --- probe.json
// -----------------------------------------------------------------------------------

std::optional<mcp::Probe> probe_of(const Value& answer) {
  const std::string kind = string_at(answer, "kind");
  mcp::Probe probe;
  probe.error_code = int_at(answer, "code");
  if (kind == "error") {
    probe.answer = mcp::ProbeAnswer::kError;
    if (const std::optional<Value> data = answer.find("data")) {
      const std::string only = data->find("supported")->elements()[0].string().value;
      probe.answer = only == mcp::kLegacyVersion ? mcp::ProbeAnswer::kLegacyOnly
                                                 : mcp::ProbeAnswer::kOtherVersion;
    }
  } else if (kind == "silence") {
    probe.answer = mcp::ProbeAnswer::kSilence;
  } else if (kind == "exit") {
    probe.answer = mcp::ProbeAnswer::kExit;
  } else if (kind == "result" && answer.find("supportedVersions")) {
    const std::string only = answer.find("supportedVersions")->elements()[0].string().value;
    probe.answer = only == mcp::kModernVersion   ? mcp::ProbeAnswer::kModern
                   : only == mcp::kLegacyVersion ? mcp::ProbeAnswer::kLegacyOnly
                                                 : mcp::ProbeAnswer::kOtherVersion;
  } else if (kind == "result" || kind == "string-result") {
    probe.answer = mcp::ProbeAnswer::kWrongShape;
  } else {
    return std::nullopt;  // how the server words its answer, not what it means: mcp's tests
  }
  return probe;
}

void check_probe(const Value& expect, std::string_view at, const Situation& situation,
                 const mcp::Offer& offer) {
  const Delivery delivery = deliver_one(at, situation, "lab", offer);
  const Delivered& piece = *delivery.instructions("lab");
  const std::string first = string_at(expect, "first_method");
  if (!first.empty()) {
    EXPECT_TRUE(delivery.handshake.starts_with(first)) << delivery.handshake;
  }
  if (const std::optional<Value> connected = expect.find("connected")) {
    EXPECT_EQ(delivery.connected, connected->boolean());
  }
  if (const auto starts = int_at(expect, "process_starts")) {
    EXPECT_EQ(delivery.process_starts, *starts);
  }
  const std::string from = string_at(expect, "text_from");
  if (from == "none") {
    EXPECT_FALSE(piece.arrives());
  }
  if (from == "initialize") {
    EXPECT_EQ(piece.text(), "from initialize");
  }
  if (from == "server/discover") {
    EXPECT_EQ(piece.text(), "from discover");
  }
}

TEST(Cases, Probe) {
  const cases::File file("probe.json");
  std::size_t tried = 0;
  for (const Case& c : file.cases()) {
    if (string_at(c.input, "transport", "stdio") != "stdio") continue;
    const Value answer = *c.input.find("first_answer");
    const std::optional<mcp::Probe> probe = probe_of(answer);
    const std::optional<Value> ok = c.input.find("initialize")->find("ok");
    if (!probe || !ok) continue;
    SCOPED_TRACE(c.id);
    mcp::Offer offer = legacy_offer("from initialize");
    offer.probe = *probe;
    if (probe->answer == mcp::ProbeAnswer::kModern) {
      const bool has = answer.find("instructions")->boolean();
      offer.modern = era_offer(mcp::Era::kModern,
                               has ? std::optional<std::string>("from discover") : std::nullopt);
    }
    const Situation plain = measured_situation(c);
    Situation automatic = plain;
    automatic.variables.emplace_back("MCP_PROTOCOL_NEGOTIATION", "auto");
    if (const std::optional<Value> expect = c.expect.find("claude_code_2_1_285")) {
      check_probe(*expect, "2.1.285", plain, offer);
      if (const std::optional<Value> with = expect->find("auto"))
        check_probe(*with, "2.1.285", automatic, offer);
      ++tried;
    }
    if (const std::optional<Value> expect = c.expect.find("claude_code_2_1_332"))
      check_probe(*expect, "2.1.332", plain, offer);
    for (const std::string& at : versions_of(c)) check_probe(c.expect, at, plain, offer);
  }
  EXPECT_GE(tried, 10u);
}

}  // namespace
}  // namespace cutline::delivery
