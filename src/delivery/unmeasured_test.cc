// unmeasured_test.cc: clients that were never run: profiles without versions, how many tools they
// take, and how long the names of a server and a tool may be together.
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "support/cases.h"

namespace cutline::delivery {
namespace {

Profile builtin(std::string_view id) {
  for (const BuiltinProfile& profile : builtin_profiles()) {
    if (profile.file != std::string(id) + ".toml") continue;
    Result<Profile> read = read_profile(profile.toml, std::string(profile.file));
    EXPECT_TRUE(read) << to_text(read.error());
    return *std::move(read);
  }
  ADD_FAILURE() << id << " is not built in";
  return {};
}

Result<Profile> read(std::string_view head, std::string_view facts) {
  return read_profile(fmt::format("id = \"c\"\ntitle = \"C\"\n{}\n{}", head, facts), "c.toml");
}

constexpr std::string_view kFact = R"([[fact]]
name = "tool_search.default"
value = { on = true }
evidence = [{ kind = "source", date = 2026-11-30, url = "https://example.org" }]
)";

mcp::Offer offer_of(const std::vector<std::string>& tools) {
  mcp::Offer offer;
  offer.outcome = mcp::Outcome::kServes;
  offer.legacy.emplace();
  offer.legacy->instructions = mcp::server_text("read me");
  for (const std::string& name : tools) {
    offer.legacy->tools.emplace_back();
    offer.legacy->tools.back().name = name;
    offer.legacy->tools.back().description = mcp::server_text("x");
  }
  offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
  return offer;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("tool_{:03}", i));
  return names;
}

Delivery deliver_to(const Profile& profile, const std::string& server, const mcp::Offer& offer,
                    const Situation& situation = {}) {
  const Configured one = {.name = server, .offer = &offer};
  return deliver(profile, profile.last, situation, {&one, 1});
}

/// How many tools there are of each kind: arriving, never (of that kind), unknown.
struct Counts {
  std::size_t arriving = 0, never = 0, unknown = 0;
  bool operator==(const Counts&) const = default;
};
Counts counts(const Delivery& delivery, Never never = Never::kTooManyTools) {
  Counts counts;
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind != PieceId::Kind::kTool) continue;
    if (piece.arrives()) ++counts.arriving;
    if (piece.never == never && piece.state == State::kNever) ++counts.never;
    if (piece.state == State::kUnknown) ++counts.unknown;
  }
  return counts;
}

// --- Profiles without versions -------------------------------------------------------------------

TEST(Unversioned, IsKnownByTheDateOfItsEvidence) {
  const Result<Profile> profile = read("unversioned = true", kFact);
  ASSERT_TRUE(profile) << to_text(profile.error());
  EXPECT_TRUE(profile->unversioned);
  EXPECT_EQ(profile->first.text(), "0.0.0");
  EXPECT_EQ(profile->last.text(), "0.0.0");
  EXPECT_EQ(profile->package, "");
  EXPECT_EQ(profile->as_of, "2026-11-30");
  EXPECT_EQ(profile->measured_on, "");
  EXPECT_EQ(program_name(*profile, profile->last), "C (as of 2026-11-30)");
  const Found found = find_fact(*profile, "tool_search.default", profile->last, {});
  ASSERT_NE(found.fact, nullptr);
  EXPECT_FALSE(found.extrapolated);
  const mcp::Offer offer = offer_of({"a"});
  const Configured server = {.name = "s", .offer = &offer};
  EXPECT_EQ(deliver_all(*profile, {}, {&server, 1}).size(), 1u);
}

TEST(Unversioned, HasNoVersionsAnywhere) {
  struct Case {
    std::string head, facts;
    std::string_view code, part;
  };
  std::string with_versions(kFact);
  with_versions.insert(with_versions.find("value"), "versions = \"1.0.0\"\n");
  const Case cases[] = {
      {"unversioned = true\nfirst = \"1.0.0\"", std::string(kFact), "profile.shape", "first"},
      {"unversioned = true\nlast = \"1.0.0\"", std::string(kFact), "profile.shape", "last"},
      {"unversioned = true", with_versions, "profile.shape", "without versions"},
      {"unversioned = true", std::string(kFact) + std::string(kFact), "profile.overlap", "twice"},
      {"unversioned = true",
       "[[fact]]\nname = \"tool_search.default\"\nunknown = true\nevidence = []\n",
       "profile.no_evidence", "date"},
      {"unversioned = false", std::string(kFact), "config.missing", "first"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.head + "\n" + c.facts);
    const Result<Profile> profile = read(c.head, c.facts);
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, c.code) << to_text(profile.error());
    EXPECT_NE(profile.error().message.find(c.part), std::string::npos) << profile.error().message;
  }
}

TEST(Evidence, OfOthersMustBeToBeLookedUp) {
  struct Case {
    std::string_view kind, rest;
    bool taken;
  };
  for (const Case& c :
       {Case{"measured", "how = \"seen\"", true}, Case{"source", "how = \"read\"", false},
        Case{"source", "url = \"https://example.org\"", true},
        Case{"documented", "how = \"public write-up of it\"", false},
        Case{"reported", "how = \"somebody said so\"", false},
        Case{"reported", "how = \"public write-up of a lab\"", true},
        Case{"reported", "url = \"https://example.org\"", true}}) {
    SCOPED_TRACE(std::string(c.kind) + " " + std::string(c.rest));
    const Result<Profile> profile =
        read("unversioned = true",
             fmt::format("[[fact]]\nname = \"tool_search.default\"\nvalue = {{ on = true }}\n"
                         "evidence = [{{ kind = \"{}\", date = 2026-12-01, {} }}]\n",
                         c.kind, c.rest));
    EXPECT_EQ(profile.has_value(), c.taken);
    if (profile) continue;
    EXPECT_EQ(profile.error().code, "profile.no_evidence");
  }
}

// --- The number of tools -------------------------------------------------------------------------

TEST(ToolCount, SendsTheFirstOnes) {
  const Profile cursor = builtin("cursor");
  EXPECT_EQ(counts(deliver_to(cursor, "s", offer_of(numbered(40)))), (Counts{0, 0, 40}));
  const mcp::Offer offer = offer_of(numbered(45));
  const Delivery delivery = deliver_to(cursor, "s", offer);
  EXPECT_EQ(counts(delivery), (Counts{0, 5, 40}));
  EXPECT_EQ(delivery.tool("s", "tool_039")->state, State::kUnknown);
  EXPECT_EQ(delivery.tool("s", "tool_040")->never, Never::kTooManyTools);
  EXPECT_NE(delivery.tool("s", "tool_040")->reason.find("first 40 tools"), std::string::npos);
}

TEST(ToolCount, GoesOverAllServersAndLeavesOutWhatIsNotSentAnyway) {
  const Profile cursor = builtin("cursor");
  const mcp::Offer first = offer_of(numbered(30));
  std::vector<std::string> names = numbered(11);
  names.insert(names.begin(), std::string(70, 'x'));  // its name is refused, so it takes no place
  const mcp::Offer second = offer_of(names);
  const Configured servers[] = {{.name = "a", .offer = &first}, {.name = "b", .offer = &second}};
  const Delivery delivery = deliver(cursor, cursor.last, {}, servers);
  EXPECT_EQ(counts(delivery), (Counts{0, 1, 40}));
  EXPECT_EQ(delivery.tool("b", "tool_010")->never, Never::kTooManyTools);
  EXPECT_EQ(delivery.tool("b", std::string(70, 'x'))->never, Never::kNameRefused);
}

TEST(ToolCount, RefusesTheWholeRequest) {
  const Profile copilot = builtin("copilot-jetbrains");
  EXPECT_EQ(counts(deliver_to(copilot, "s", offer_of(numbered(128)))), (Counts{0, 0, 128}));
  const mcp::Offer offer = offer_of(numbered(129));
  const Delivery delivery = deliver_to(copilot, "s", offer);
  EXPECT_EQ(counts(delivery), (Counts{0, 129, 0}));
  EXPECT_NE(delivery.tool("s", "tool_000")->reason.find("whole request"), std::string::npos);
}

TEST(ToolCount, IsUnknownWhereNobodySaysWhatIsOverIt) {
  const Profile windsurf = builtin("windsurf");
  const mcp::Offer offer = offer_of(numbered(101));
  const Delivery delivery = deliver_to(windsurf, "s", offer);
  EXPECT_EQ(counts(delivery), (Counts{0, 0, 101}));
  EXPECT_EQ(delivery.tool("s", "tool_100")->reason,
            "what Windsurf makes of more than 100 tools is not known");
}

// --- Names ---------------------------------------------------------------------------------------

TEST(NameSum, HoldsForTheReportedCase) {
  const cases::File file("names.json");
  std::size_t tried = 0;
  for (const cases::Case& c : file.cases()) {
    if (c.client != "cursor (reported)") continue;
    SCOPED_TRACE(c.id);
    const json::Value server = c.input.find("servers")->elements()[0];
    const std::string name = *json::string_member(server, "server");
    const std::string tool = server.find("tools")->elements()[0].string().value;
    const mcp::Offer offer = offer_of({tool, tool.substr(1)});
    const Delivery delivery = deliver_to(builtin("cursor"), name, offer);
    EXPECT_EQ(name.size() + tool.size(), c.expect.find("lengths")->elements()[0].int64());
    EXPECT_EQ(delivery.tool(name, tool)->never, Never::kNameRefused);
    EXPECT_EQ(delivery.tool(name, tool.substr(1))->never, Never::kNo);
    ++tried;
  }
  EXPECT_EQ(tried, 1u);
}

TEST(NameSum, IsLargerInAmazonQ) {
  const mcp::Offer offer = offer_of({std::string(60, 'a'), std::string(61, 'a')});
  const Delivery delivery = deliver_to(builtin("amazon-q"), "four", offer);
  EXPECT_EQ(delivery.tool("four", std::string(60, 'a'))->state, State::kUnknown);
  EXPECT_EQ(delivery.tool("four", std::string(61, 'a'))->never, Never::kNameRefused);
}

TEST(NameSum, StandsAloneOrBesideAWholeForm) {
  const auto with = [](std::string_view value) {
    return read(
        "unversioned = true",
        fmt::format("[[fact]]\nname = \"tool.name\"\nvalue = {{ {} }}\nevidence = [{{ kind = "
                    "\"measured\", date = 2026-12-01, how = \"seen\" }}]\n",
                    value));
  };
  EXPECT_TRUE(with("longest_sum = 59, over = \"dropped\""));
  EXPECT_EQ(with("longest = 59").error().code, "profile.shape");
  EXPECT_EQ(with("longest_sum = 59, form = \"{tool}\"").error().code, "profile.shape");
}

// --- What is not known stays unknown
// --------------------------------------------------------------

TEST(Unmeasured, IsUnknownAndNeverNothing) {
  for (const char* id :
       {"cursor", "windsurf", "chatgpt", "amazon-q", "jetbrains", "copilot-jetbrains"}) {
    SCOPED_TRACE(id);
    const mcp::Offer offer = offer_of({"a"});
    const Delivery delivery = deliver_to(builtin(id), "s", offer);
    EXPECT_EQ(delivery.instructions("s")->state, State::kUnknown);
    EXPECT_EQ(delivery.tool("s", "a")->state, State::kUnknown);
  }
  for (const char* id : {"vscode-copilot", "goose", "crush", "roo-code"}) {
    SCOPED_TRACE(id);
    const mcp::Offer offer = offer_of({"a"});
    const Delivery delivery = deliver_to(builtin(id), "s", offer);
    EXPECT_EQ(delivery.instructions("s")->text(), "read me");
    EXPECT_EQ(delivery.tool("s", "a")->state, State::kUnknown);
  }
  for (const char* id : {"zed", "claude-ai", "claude-desktop", "librechat"}) {
    SCOPED_TRACE(id);
    const mcp::Offer offer = offer_of({"a"});
    EXPECT_EQ(deliver_to(builtin(id), "s", offer).instructions("s")->never, Never::kNotDelivered);
  }
}

TEST(ClientsPage, HasARowForEveryProfileWithItsVersionsOrDate) {
  std::ifstream file(std::string(CUTLINE_SOURCE_DIR) + "/docs/clients.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const BuiltinProfile& one : builtin_profiles()) {
    const Profile profile = read_profile(one.toml, std::string(one.file)).value();
    SCOPED_TRACE(profile.id);
    const std::string when = profile.unversioned ? profile.as_of
                             : profile.first == profile.last
                                 ? profile.last.text()
                                 : profile.first.text() + " – " + profile.last.text();
    EXPECT_NE(page.find(fmt::format("\n| `{}` {} | {} |", profile.id, profile.title, when)),
              std::string::npos);
  }
}

TEST(Unmeasured, TakesASettingThatAFactDependsOn) {
  const Profile librechat = builtin("librechat");
  Situation situation;
  situation.settings = {{"serverInstructions", "true"}};
  const mcp::Offer offer = offer_of({"a"});
  // They are passed on; whether there is a limit nobody says.
  EXPECT_EQ(deliver_to(librechat, "s", offer, situation).instructions("s")->state, State::kUnknown);
  const auto notes = check_switches(librechat, librechat.last, situation);
  ASSERT_TRUE(notes) << to_text(notes.error());
  EXPECT_FALSE(notes->front().ignored);
  EXPECT_EQ(notes->front().says, "serverInstructions = true applies");
}

}  // namespace
}  // namespace cutline::delivery
