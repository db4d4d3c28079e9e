// measurement_test.cc
#include "report/measurement.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fixture.h"
#include "report/schema_check.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const Style kPlain = {.colour = false, .columns = 80};
const std::string kText =
    "# Use\n\nOne sentence here. Two.\n\n# Filters\n\n" + std::string(50, 'x');
const std::string kDescription = "Finds a part by its number.";
/// Moves the cursor, colours, reorders, ends tables and quotes.
const std::string kHostile = "\x1b[2J\x1b]0;t\x07\u202e|\"\\\n# h\r<b>`*_&\x7f\x80";

/// One server whose instructions were cut and whose tool came whole, both as predicted.
struct Made {
  delivery::Profile profile;
  delivery::Delivery predicted, measured;
  delivery::Comparison comparison;
  Measurement measurement;

  Made() {
    profile.id = "some-client";
    profile.title = "Some Client";
    predicted.handshake = "server/discover, then initialize";
    predicted.pieces = {instructions_of(kText, budget_of(30)), tool_of("find", kDescription, {})};
    measured = predicted;
    comparison.compared = 2;
    measurement.program_version = "0.1.0";
    measurement.profile = &profile;
    measurement.version = version("2.1.285");
    measurement.wall_s = 1.94;
    measurement.predicted = &predicted;
    measurement.measured = &measured;
    measurement.comparison = &comparison;
    measurement.servers = {{.name = "srv",
                            .offer = nullptr,
                            .handshake = predicted.handshake,
                            .process_starts = 1,
                            .ready_ms = 1'096.4,
                            .debug_log_tells = true,
                            .transcript_agrees = true,
                            .has_network = false,
                            .ended = {}}};
    measurement.requests = {
        {.sequence = 2, .at_ms = 1'580, .body_bytes = 53'639, .ideal_answer = "BEGIN=NONE"}};
    measurement.other_requests = 2;
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() = default;

  /// Text that is whole in both.
  void keep_all() {
    predicted.pieces.front() = measured.pieces.front() = instructions_of(kText, {});
  }
  void differ(std::string what) {
    comparison.differences.push_back({.piece = measured.pieces.front().piece,
                                      .what = std::move(what),
                                      .predicted = "one",
                                      .measured = "another"});
  }
  std::string text(const Style& style = kPlain) const {
    return measurement_text(measurement, style);
  }
};

std::size_t widest(const std::string& screen) {
  std::size_t widest = 0;
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, text::columns(line));
  return widest;
}

TEST(MeasurementText, ShowsWhatWasOnTheWireBesideThePrediction) {
  const Made made;
  EXPECT_EQ(made.text(),
            "Some Client 2.1.285  measured in 1.9 s\n"
            "\n"
            "✓ As predicted, to the byte: 2 pieces.\n"
            "\n"
            "INSTRUCTIONS   30 of 93 characters on the wire\n"
            "               system prompt\n"
            "    │ # Use↵↵One sentence here. Two.✂↵↵#\n"
            "    │ Filters↵↵xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
            "TOOLS          1 defined at the start\n"
            "HANDSHAKE      server/discover, then initialize, text ready after 1,096 ms\n"
            "OF THE CUT     told in the debug log\n"
            "WIRE           1 request of the conversation, 2 beside it\n"
            "               1: after 1,580 ms, 53,639 bytes\n"
            "\n"
            "✗ 63 of 93 characters of the instructions never reach the model.\n");
  EXPECT_EQ(exit_code(made.measurement), 1);
}

TEST(MeasurementText, IsContentWhereNothingIsLost) {
  Made made;
  made.keep_all();
  EXPECT_EQ(exit_code(made.measurement), 0);
  EXPECT_THAT(made.text(), HasSubstr("93 of 93 characters on the wire"));
  EXPECT_THAT(made.text(), Not(HasSubstr("✗")));
  EXPECT_THAT(made.text(), Not(HasSubstr("OF THE CUT")));
}

TEST(MeasurementText, SaysFirstThatThePredictionWasWrong) {
  Made made;
  made.keep_all();
  for (int i = 0; i < 12; ++i) made.differ("place");
  const std::string screen = made.text({.colour = false, .columns = 110});
  EXPECT_EQ(exit_code(made.measurement), 1);
  EXPECT_THAT(
      screen,
      HasSubstr("\n\n✗ The prediction was wrong: 12 differences in 2 pieces. The real client "
                "is right.\n"
                "  instructions of srv, place:\n"
                "    predicted  one\n"
                "    measured   another\n"));
  EXPECT_THAT(screen, HasSubstr("  … and 2 more; --format json has them all\n"));
  EXPECT_LT(screen.find("wrong"), screen.find("INSTRUCTIONS"));
}

TEST(MeasurementText, DoesNotTakeSilenceForAPrediction) {
  Made made;
  made.keep_all();
  made.comparison.compared = 0;
  made.comparison.unpredicted = {"instructions of srv: why", "tool a of srv: why"};
  EXPECT_EQ(exit_code(made.measurement), 3);
  EXPECT_THAT(made.text(), HasSubstr("! Nothing was compared"));
  EXPECT_THAT(
      made.text(),
      HasSubstr("Not predicted, as the profile does not know it: instructions of srv and tool a\n"
                "  of srv: why.\n"));
  EXPECT_THAT(made.text(), Not(HasSubstr("As predicted")));
  made.measured.pieces.front() = instructions_of(kText, budget_of(30));
  EXPECT_EQ(exit_code(made.measurement), 1) << "what is lost is lost without a prediction, too";
}

TEST(MeasurementText, SaysBeforeAllElseThatAServerDidNotServe) {
  Made made;
  made.keep_all();
  mcp::Offer offer;
  offer.outcome_detail = "it answered neither.";
  made.measurement.servers.front().offer = &offer;
  EXPECT_EQ(exit_code(made.measurement), 3);
  EXPECT_THAT(made.text(), HasSubstr("\n\n✗ The server 'srv' did not serve: it answered neither.\n"
                                     "  cutline check asks it alone, and tells why. It had no"));
  MeasuredServer& server = made.measurement.servers.front();
  server.has_network = true;
  EXPECT_THAT(made.text(), Not(HasSubstr("--server-network")));
  server.has_network = false;
  server.ended = "exit code 127; its standard error ends: sh: x: not found";
  EXPECT_THAT(made.text(), HasSubstr("did not serve: exit code 127; its standard error ends: sh"));
  EXPECT_THAT(made.text(), HasSubstr("--server-network"));
  server.not_found = true;
  EXPECT_THAT(made.text(), Not(HasSubstr("--server-network")));
  offer.legacy.emplace();
  EXPECT_EQ(exit_code(made.measurement), 0);
}

TEST(MeasurementText, ShowsTextThatWasNowhere) {
  Made made;
  made.measured.pieces = {
      never(instructions_of(kText, {}), delivery::Never::kTooLate, "It came too late."),
      never(tool_of("find", kDescription, {}), delivery::Never::kNameRefused)};
  EXPECT_EQ(exit_code(made.measurement), 1);
  EXPECT_THAT(made.text(), HasSubstr("INSTRUCTIONS   nothing on the wire: It came too late\n"));
  EXPECT_THAT(made.text(), HasSubstr("TOOLS          1 not on the wire\n"
                                     "               absent: find\n"));
  EXPECT_THAT(made.text(), HasSubstr("✗ All of 93 characters of the instructions never reach"));
  EXPECT_THAT(made.text(), HasSubstr("✗ Text of 1 tool is lost.\n"));
}

TEST(MeasurementText, TellsServersApart) {
  Made made;
  made.measurement.servers.push_back({.name = "other",
                                      .offer = nullptr,
                                      .handshake = "",
                                      .process_starts = 2,
                                      .ready_ms = {},
                                      .transcript_agrees = {},
                                      .ended = {}});
  made.measured.pieces.push_back(instructions_of(kText, {}, "user-reminder"));
  made.measured.pieces.back().piece.server = "other";
  made.measured.pieces.back().request = 2;
  made.measured.notes = {"a note"};
  EXPECT_THAT(made.text(), HasSubstr("INSTRUCTIONS   srv: 30 of 93"));
  EXPECT_THAT(made.text(), HasSubstr("INSTRUCTIONS   other: 93 of 93"));
  EXPECT_THAT(made.text(), HasSubstr(", from request 2 on\n"));
  EXPECT_THAT(made.text(), HasSubstr("HANDSHAKE      other: none, started 2 times\n"));
  EXPECT_THAT(made.text(), HasSubstr("! a note\n"));
  EXPECT_THAT(made.text(), HasSubstr("of instructions of srv never reach"));
}

/// Every text that somebody else has a say in.
void make_hostile(Made& made) {
  const std::string& h = kHostile;
  Measurement& measurement = made.measurement;
  measurement.situation = {.model = h, .variables = {{h, h}}, .settings = {{h, h}}};
  measurement.store = h;
  measurement.servers.front().name = h;
  measurement.servers.front().handshake = h;
  measurement.servers.push_back(measurement.servers.front());
  measurement.requests.front().ideal_answer = h;
  made.differ(h);
  made.comparison.differences.back().predicted = made.comparison.differences.back().measured = h;
  made.comparison.unpredicted = {h};
  made.measured.notes = {h};
  made.measured.handshake = h;
  for (delivery::Delivered& piece : made.measured.pieces) {
    piece.piece.server = h;
    piece.where = {.role = h, .path = h, .form = h};
    piece.original = piece.kept = h;
    piece.whole = text::measure(h);
    piece.cut.reset();
    piece.frame = {.opening = h, .before = h, .after = h, .closing = h};
  }
  made.measured.pieces.back().piece.tool = h;
  made.measured.pieces.push_back(never(instructions_of(h, {}), delivery::Never::kOtherEra, h));
  made.comparison.differences.push_back(
      {.piece = made.measured.pieces[1].piece, .what = h, .predicted = h, .measured = h});
}

TEST(MeasurementText, ShowsNothingThatCouldMoveTheCursor) {
  Made made;
  make_hostile(made);
  const std::string screen = made.text();
  EXPECT_EQ(text::sanitise(screen), screen);
  for (const char* bad : {"\x1b", "\x07", "\u202e", "\r", "\x7f", "\x80"})
    EXPECT_THAT(screen, Not(HasSubstr(std::string(bad) + "[2J"))) << bad;
  EXPECT_THAT(screen, Not(HasSubstr("\n# h")));
}

TEST(MeasurementText, FitsNarrowScreensAndHasColours) {
  for (const std::size_t columns : {40U, 80U, 110U}) {
    Made made;
    make_hostile(made);
    EXPECT_LE(widest(made.text({.colour = false, .columns = columns})), columns);
    const Made plain;
    EXPECT_LE(widest(plain.text({.colour = false, .columns = columns})), columns);
  }
  const Made made;
  EXPECT_THAT(made.text({.colour = true, .columns = 80}), HasSubstr("\x1b["));
  EXPECT_THAT(made.text(), Not(HasSubstr("\x1b")));
}

const json::Document& schema() {
  static const json::Document document = [] {
    std::ifstream file(CUTLINE_SOURCE_DIR "/docs/measure.schema.json");
    std::ostringstream text;
    text << file.rdbuf();
    return json::Document::parse(text.str()).value();
  }();
  return document;
}

TEST(MeasurementJson, DoesWhatItsSchemaSays) {
  const auto check = [](const Measurement& measurement) {
    const json::Document document = json::Document::parse(measurement_json(measurement)).value();
    EXPECT_THAT(SchemaCheck(schema().root()).errors(document.root()), IsEmpty());
    EXPECT_EQ(document.root().find("exit_code")->raw(), std::to_string(exit_code(measurement)));
  };
  Made made;
  check(made.measurement);
  made.comparison.compared = 0;
  made.keep_all();
  check(made.measurement);
  make_hostile(made);
  check(made.measurement);
  made.measurement.servers.clear();
  made.measured.pieces.clear();
  check(made.measurement);
}

TEST(MeasurementJson, HasTheValuesUnchanged) {
  Made made;
  made.differ("text");
  made.comparison.differences.back().measured = "a\x1b|b";
  const json::Document document = json::Document::parse(measurement_json(made.measurement)).value();
  const json::Value root = document.root();
  const json::Value comparison = *root.find("comparison");
  EXPECT_EQ(comparison.find("equal")->raw(), "false");
  EXPECT_EQ(comparison.find("differences")->elements().front().find("measured")->string().value,
            "a\x1b|b");
  const json::Value measured = *root.find("measured");
  EXPECT_EQ(measured.find("pieces")->elements().front().find("kept_units")->raw(), "30");
  EXPECT_EQ(root.find("servers")->elements().front().find("ready_ms")->raw(), "1096.4");
  EXPECT_EQ(root.find("situation")->find("model")->raw(), "null");
  EXPECT_THAT(document.root().raw(), StartsWith("{"));
}

}  // namespace
}  // namespace cutline::report
