// clients_diff_test.cc: the screen and the JSON of two clients side by side.
#include "report/clients_diff.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/toml.h"
#include "report/fixture.h"
#include "report/schema_check.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::PieceId;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kHostile = "\x1b[2J\u202e|\"\\\n# h\r\x7f\x80";

delivery::Fact fact_of(std::string name, const std::string& value) {
  delivery::Fact fact;
  fact.name = std::move(name);
  fact.versions = VersionRange::parse("1.0.0..3.0.0").value();
  fact.unknown = value.empty();
  if (!value.empty())
    fact.value = config::parse_toml("value = " + value, "p.toml").value().members.front().second;
  fact.evidence = {evidence(delivery::EvidenceKind::kMeasured, "2026-12-01", "seen")};
  return fact;
}

/// Two clients of which one fact differs, one is known of each alone, and one of none.
struct Made {
  delivery::Profile first, second;
  ClientsDiff diff;

  Made() {
    for (delivery::Profile* profile : {&first, &second}) {
      profile->package = "some";
      profile->first = version("1.0.0");
      profile->last = version("3.0.0");
    }
    first.id = "some-client";
    first.title = "Some Client";
    second.id = "other";
    second.title = "Other";
    first.facts = {fact_of("a.budget", "{ size = 2048, unit = \"utf16\", inside = false }"),
                   fact_of("a.first", "true"), fact_of("a.none", ""), fact_of("a.same", "1")};
    second.facts = {fact_of("a.budget", "{ inside = false, unit = \"utf16\", size = 4096 }"),
                    fact_of("a.second", "\"x\""), fact_of("a.none", ""), fact_of("a.same", "1")};
    second.facts.front().when = {};
    diff.program_version = "0.1.0";
    diff.first = {.profile = &first, .version = version("3.0.0")};
    diff.second = {.profile = &second, .version = version("3.0.0")};
    compare_facts();
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() = default;

  void compare_facts() {
    diff.facts = delivery::diff_facts(first, diff.first.version, second, diff.second.version);
  }
  void differ(std::string what, std::string tool, std::string one, std::string two) {
    if (!diff.deliveries) diff.deliveries.emplace();
    diff.facts.reset();
    diff.server = "srv";
    diff.deliveries->pieces = 3;
    const auto kind = tool.empty() ? PieceId::Kind::kInstructions : PieceId::Kind::kTool;
    diff.deliveries->differences.push_back({.piece = {kind, "srv", std::move(tool)},
                                            .what = std::move(what),
                                            .first = std::move(one),
                                            .second = std::move(two)});
  }
  std::string text(std::size_t columns = 80) const {
    return clients_diff_text(diff, {.colour = false, .columns = columns});
  }
};

TEST(ClientsDiffText, ShowsTheMembersThatDiffer) {
  const Made made;
  EXPECT_EQ(made.text(), R"(Some Client 3.0.0 beside Other 3.0.0

✗ 1 fact differs, 2 are known of only one, 1 is unknown of both, 1 is equal.

a.budget
  Some Client  { size = 2048 }
  Other        { size = 4096 }
  alike in unit and inside

a.first
  Some Client  true
  Other        not known

a.second
  Some Client  not known
  Other        "x"

Unknown of both
  a.none
)");
  EXPECT_EQ(exit_code(made.diff), 1);
}

TEST(ClientsDiffText, CallsVersionsOfOneClientByTheirNumber) {
  Made made;
  made.diff.second = {.profile = &made.first, .version = version("4.0.0")};
  made.diff.facts =
      delivery::diff_facts(made.first, version("3.0.0"), made.first, version("4.0.0"));
  EXPECT_EQ(exit_code(made.diff), 0);
  EXPECT_THAT(made.text(), HasSubstr("! Some Client 4.0.0 lies outside of all that was looked at; "
                                     "it is"));
  EXPECT_THAT(made.text(), HasSubstr("? As far as is known: 0 facts differ, 0 are known of"));
  made.differ("kept", "", "1", "2");
  EXPECT_THAT(made.text(), HasSubstr("kept of the instructions\n  3.0.0  1\n  4.0.0  2\n"));
}

TEST(ClientsDiffText, JoinsToolsThatDifferAlike) {
  Made made;
  made.differ("kept", "", "10 of 20", "20 of 20");
  for (const char* tool : {"a", "b", "c", "d", "e"})
    made.differ("arrival", tool, "at-start", "deferred");
  for (const char* tool : {"a", "b", "c", "d"})
    made.differ("name", tool, tool, std::string("m_") + tool);
  made.diff.deliveries->unknown.push_back({.piece = {PieceId::Kind::kInstructions, "srv", {}},
                                           .what = "frame",
                                           .first = {},
                                           .second = {}});
  EXPECT_EQ(made.text(), R"(Some Client 3.0.0 beside Other 3.0.0

✗ Of 3 pieces for srv, 0 are alike.

kept of the instructions
  Some Client  10 of 20
  Other        20 of 20

arrival of 5 tools (a, b, c and 2 more)
  Some Client  at-start
  Other        deferred

name of tool a
  Some Client  a
  Other        m_a

name of tool b
  Some Client  b
  Other        m_b
  … and of 2 more tools

? Not known of one or both, so not compared: frame of the instructions.
)");
  EXPECT_EQ(exit_code(made.diff), 1);
}

TEST(ClientsDiffText, FitsOnAScreen) {
  Made made;
  for (int i = 0; i < 15; ++i) made.differ("aspect " + std::to_string(i), "", "one", "two");
  EXPECT_THAT(made.text(), HasSubstr("\n… and 5 more; --format json has them all\n"));
  EXPECT_THAT(made.text(), Not(HasSubstr("aspect 10")));
  EXPECT_LT(std::ranges::count(made.text(), '\n'), 50);
}

TEST(ClientsDiffText, IsContentWhereNothingIsKnownToDiffer) {
  Made made;
  made.differ("kept", "", "1", "2");
  made.diff.deliveries->differences.clear();
  made.diff.deliveries->alike = 3;
  EXPECT_EQ(exit_code(made.diff), 0);
  EXPECT_THAT(made.text(),
              HasSubstr("✓ Nothing that is known differs for srv: 3 of 3 pieces alike."));
}

TEST(ClientsDiffText, ShowsNothingThatCouldMoveTheCursor) {
  Made made;
  made.differ(kHostile, kHostile, kHostile, kHostile);
  made.differ(kHostile, "", kHostile, kHostile);
  made.diff.deliveries->unknown = made.diff.deliveries->differences;
  made.diff.server = kHostile;
  const std::string screen = made.text();
  EXPECT_EQ(text::sanitise(screen), screen);
  EXPECT_THAT(screen, Not(HasSubstr("\n# h")));
  for (const std::size_t columns : {40U, 80U, 110U}) {
    std::istringstream lines(made.text(columns));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text::columns(line), columns);
  }
}

TEST(ClientsDiffJson, DoesWhatItsSchemaSays) {
  std::ifstream file(CUTLINE_SOURCE_DIR "/docs/clients-diff.schema.json");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const json::Document schema = json::Document::parse(bytes.str()).value();
  const auto check = [&](const ClientsDiff& diff) {
    const json::Document document = json::Document::parse(clients_diff_json(diff)).value();
    EXPECT_THAT(SchemaCheck(schema.root()).errors(document.root()), IsEmpty());
    EXPECT_EQ(document.root().find("exit_code")->raw(), std::to_string(exit_code(diff)));
  };
  Made made;
  made.first.facts.front().when = {{"A", "1"}};
  made.first.facts.front().session = delivery::Session::kFirstParty;
  made.first.facts.front().models = {"big-*"};
  made.first.facts.front().evidence = {evidence(delivery::EvidenceKind::kReported, "2026-01-02",
                                                "read", "1.0.0", "https://example.org", "4,096")};
  made.first.measured_on = "2026-12-01";
  made.compare_facts();
  check(made.diff);
  made.second.unversioned = true;
  made.second.as_of = "2026-11-30";
  check(made.diff);
  EXPECT_THAT(made.text(), Not(HasSubstr("Other 3.0.0"))) << "there is no such version";
  made.differ(kHostile, kHostile, kHostile, kHostile);
  made.differ("kept", "", "1", "2");
  made.diff.deliveries->unknown.push_back(
      {.piece = {}, .what = "handshake", .first = {}, .second = {}});
  check(made.diff);
}

}  // namespace
}  // namespace cutline::report
