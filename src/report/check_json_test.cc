// check_json_test.cc: the JSON of a check, against its published schema and by value.
#include "report/check_json.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fixture.h"
#include "report/schema_check.h"

namespace cutline::report {
namespace {

using delivery::Never;
using testing::IsEmpty;

json::Document parse(const std::string& text) { return json::Document::parse(text).value(); }

const json::Document& schema() {
  static const json::Document document = [] {
    std::ifstream file(CUTLINE_SOURCE_DIR "/docs/check.schema.json");
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str());
  }();
  return document;
}

/// The value at "a.b.0.c".
json::Value at(json::Value value, std::string_view path) {
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string step(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
    value = value.is(json::Type::kArray) ? value.elements().at(std::stoul(step))
                                         : value.find(step).value();
  }
  return value;
}

/// A fixture in which every member of the output has something to say.
void fill(Fixture& fixture) {
  const std::string_view text = fixture.instructions();
  delivery::Delivered cut = instructions_of(text, budget_of(30), "user-reminder");
  cut.frame = {.opening = "<r>", .before = "## srv\n", .after = "\n", .closing = "</r>"};
  delivery::Fact fact;
  fact.name = "instructions.budget";
  fact.versions = VersionRange::parse("1.0.0..3.0.0").value();
  fact.models = {"big-*"};
  fact.session = delivery::Session::kFirstParty;
  fact.unknown = true;
  fact.evidence = {evidence(delivery::EvidenceKind::kReported, "2026-01-02", "read", "1.0.0",
                            "https://example.org", "4,096")};
  fixture.profile().facts = {fact};
  cut.because = std::make_shared<const std::vector<delivery::Found>>(std::vector<delivery::Found>{
      {.fact = &fixture.profile().facts.front(), .extrapolated = true}});
  fixture.add_group("1.0.0", "1.9.0", {never(instructions_of(text, {}), Never::kTooLate, "late")});
  CheckedGroup& group = fixture.add_group(
      "2.0.0", "3.0.0", {cut, tool_of("t", fixture.description(0), budget_of(4))}, Held::kNewest);
  group.group.delivery.never_sent = {"outputSchema"};
  group.group.delivery.notes = {"a note"};
  fixture.client().switches = {{.name = "A", .value = "1", .ignored = true, .says = "no"}};
  fixture.situation() = {.model = "opus",
                         .session = delivery::Session::kCustomEndpoint,
                         .variables = {{"A", "1"}},
                         .settings = {{"alwaysLoad", "true"}}};
  mcp::Offer& offer = fixture.offer();
  offer.modern = offer.legacy;
  offer.modern->instructions = mcp::server_text("an\xFFother");
  offer.legacy->prompts = {{.name = "p", .uri = {}, .description = {}}};
  offer.incidents = {{.code = "noise-on-stdout", .message = "noise", .times = 2}};
  offer.exit = mcp::Exit{.code = 0, .signal = {}};
}

const char* const kText = "# Use\n\nOne sentence here. 🔩 Two.\n\n# Filters\n\n- `t`\n";

TEST(CheckJson, DoesWhatItsSchemaSays) {
  Fixture full(kText, {{"t", "description"}});
  fill(full);
  Fixture plain("abc");
  plain.add_group("1.0.0", "3.0.0", {instructions_of(plain.instructions(), {})});
  Fixture none(std::nullopt, {{"t", "x"}});
  none.add_group("1.0.0", "3.0.0", {tool_of("t", none.description(0), {})}, Held::kAll);
  Fixture down("abc");
  down.offer() = {};
  down.offer().outcome = mcp::Outcome::kHangs;
  for (Fixture* fixture : {&full, &plain, &none, &down}) {
    const json::Document document = parse(check_json(fixture->check()));
    EXPECT_THAT(SchemaCheck(schema().root()).errors(document.root()), IsEmpty());
  }
}

TEST(CheckJson, SaysTheSameAsTheScreen) {
  Fixture fixture(kText, {{"t", "description"}});
  fill(fixture);
  const json::Document document = parse(check_json(fixture.check()));
  const json::Value root = document.root();
  const auto raw = [&](std::string_view path) { return at(root, path).raw(); };
  EXPECT_EQ(raw("schema_version"), "1");
  EXPECT_EQ(raw("outcome"), "\"serves\"");
  EXPECT_EQ(raw("eras.same"), "false");
  EXPECT_EQ(raw("eras.modern.invalid_utf8.first_byte"), "2");
  EXPECT_EQ(raw("eras.legacy.not_modelled.prompts.0"), "\"p\"");
  EXPECT_EQ(raw("probe.error_code"), "-32601");
  EXPECT_EQ(raw("times.first_answer_ms"), "812");
  EXPECT_EQ(raw("situation.model"), "\"opus\"");
  EXPECT_EQ(raw("situation.settings.0.name"), "\"alwaysLoad\"");
  EXPECT_EQ(raw("clients.0.switches.0.ignored"), "true");
  EXPECT_EQ(raw("clients.0.groups.0.pieces.0.never"), "\"too-late\"");
  EXPECT_EQ(raw("clients.0.groups.1.held_to"), "\"newest\"");
  const std::string piece = "clients.0.groups.1.pieces.0.";
  EXPECT_EQ(raw(piece + "kept_units"), "30");
  EXPECT_EQ(raw(piece + "cut.at.bytes"), "32");
  EXPECT_EQ(raw(piece + "cut.marker"), "\"… [truncated]\"");
  EXPECT_EQ(raw(piece + "cut.sentence.lost"), "\"wo.\"");
  EXPECT_EQ(raw(piece + "cut.lost_headings.first.0"), "\"Filters\"");
  EXPECT_EQ(raw(piece + "cut.lost_names.count"), "1");
  EXPECT_EQ(raw(piece + "frame.before"), "\"## srv\\n\"");
  EXPECT_EQ(raw(piece + "because.0.extrapolated"), "true");
  EXPECT_EQ(raw("clients.0.facts.0.value"), "null");
  EXPECT_EQ(raw("verdict.exit_code"), "1");
  EXPECT_EQ(raw("verdict.losses.1.tool"), "\"t\"");
  EXPECT_EQ(raw("verdict.losses.1.lost_units"), "7");
}

TEST(CheckJson, SaysNothingOfTextThatWasNeverSeen) {
  Fixture fixture("abc");
  fixture.offer() = {};
  fixture.offer().outcome = mcp::Outcome::kDidNotStart;
  fixture.offer().stderr_tail = "\x1b[31mno\x1b[0m";
  const json::Document document = parse(check_json(fixture.check()));
  EXPECT_EQ(at(document.root(), "clients").size(), 0U);
  EXPECT_EQ(at(document.root(), "verdict.losses").size(), 0U);
  EXPECT_EQ(at(document.root(), "verdict.first_step").raw(), "null");
  EXPECT_EQ(at(document.root(), "verdict.exit_code").raw(), "3");
  EXPECT_EQ(at(document.root(), "stderr_tail").string().value, "\x1b[31mno\x1b[0m");
}

}  // namespace
}  // namespace cutline::report
