// measurements_test.cc: several clients in one table.
#include "report/measurements.h"

#include <deque>
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

const std::string kText = "One sentence here. Two. " + std::string(69, 'x');
const std::string kDescription = "Finds a part by its number.";
const std::string kHostile = "\x1b[2J\u202e|\"\\\n# h\r\x7f\x80";

/// What the measurements point into, at places that stay.
struct Made {
  struct Run {
    delivery::Profile profile;
    delivery::Delivery delivery;
    delivery::Comparison comparison;
  };
  std::deque<Run> runs;
  Measurements all;

  Made() {
    all.program_version = "0.1.0";
    all.server = "server";
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() = default;

  Run& add(std::string id, std::string title, std::vector<delivery::Delivered> pieces,
           std::string handshake = "initialize") {
    Run& run = runs.emplace_back();
    run.profile.id = id;
    run.profile.title = title;
    run.delivery.handshake = std::move(handshake);
    run.delivery.pieces = std::move(pieces);
    run.comparison.compared = run.delivery.pieces.size();
    Measurement measurement;
    measurement.program_version = all.program_version;
    measurement.profile = &run.profile;
    measurement.version = version("1.2.3");
    measurement.wall_s = 2.34;
    measurement.predicted = measurement.measured = &run.delivery;
    measurement.comparison = &run.comparison;
    MeasuredServer server;
    server.name = "server";
    measurement.servers = {std::move(server)};
    all.clients.push_back({.client = std::move(id),
                           .title = std::move(title),
                           .version = version("1.2.3"),
                           .measurement = std::move(measurement),
                           .problem = {}});
    return run;
  }
  void fail(std::string title, std::string problem) {
    all.clients.push_back({.client = "c",
                           .title = std::move(title),
                           .version = version("1.2.3"),
                           .measurement = {},
                           .problem = std::move(problem)});
  }
  std::string text(std::size_t columns = 120) const {
    return measurements_text(all, {.colour = false, .columns = columns});
  }
};

void add_two(Made& made) {
  made.add("a", "Cuts",
           {instructions_of(kText, budget_of(30)),
            tool_of("find", kDescription, {}, delivery::Channel::kDeferredTool)},
           "server/discover, then initialize");
  made.add("b", "Keeps",
           {instructions_of(kText, {}, "user-message"), tool_of("find", kDescription, {}),
            tool_of("cut", kDescription, budget_of(5))});
}

TEST(MeasurementsText, IsOneTable) {
  Made made;
  add_two(made);
  EXPECT_EQ(made.text(), R"(2 clients on the server 'server'

client       predicted   time  handshake   instructions  tools
Cuts 1.2.3   yes        2.3 s  both            30 of 93  1 search        system prompt
Keeps 1.2.3  yes        2.3 s  initialize      93 of 93  2 start, 1 cut  user message
  both: server/discover, then initialize

✗ Text of the server is cut or lost in Cuts 1.2.3 and Keeps 1.2.3.
)");
  EXPECT_EQ(exit_code(made.all), 1);
}

TEST(MeasurementsText, IsContentWhereNothingIsLost) {
  Made made;
  made.add("b", "Keeps", {instructions_of(kText, {})});
  made.add("c", "Says", {});
  EXPECT_EQ(exit_code(made.all), 3) << "nothing was compared of the second";
  EXPECT_THAT(made.text(), HasSubstr("Says 1.2.3   unknown"));
  made.runs.back().comparison.compared = 1;
  EXPECT_EQ(exit_code(made.all), 0);
  EXPECT_THAT(made.text(),
              HasSubstr("✓ All as predicted, to the byte, and no text is cut or lost"));
  EXPECT_THAT(made.text(), HasSubstr("–  none"));
}

TEST(MeasurementsText, HasEveryDifferenceInFullBelow) {
  Made made;
  Made::Run& run = made.add("b", "Keeps", {instructions_of(kText, {})});
  for (int i = 0; i < 14; ++i)
    run.comparison.differences.push_back({.piece = run.delivery.pieces.front().piece,
                                          .what = "aspect " + std::to_string(i),
                                          .predicted = "one",
                                          .measured = "another"});
  EXPECT_EQ(exit_code(made.all), 1);
  EXPECT_THAT(made.text(), HasSubstr("Keeps 1.2.3  14 differ"));
  EXPECT_THAT(made.text(),
              HasSubstr("\n\nKeeps 1.2.3\n✗ The prediction was wrong: 14 differences"));
  EXPECT_THAT(made.text(), HasSubstr("  instructions of srv, aspect 13:\n    predicted  one\n"));
  EXPECT_THAT(made.text(), Not(HasSubstr("more; --format json")));
}

TEST(MeasurementsText, TellsWhoCouldNotBeMeasured) {
  Made made;
  made.add("b", "Keeps", {instructions_of(kText, {})});
  made.fail("Fails", "it ended with exit code 1\n  hint: with --store FILE what it left is kept");
  EXPECT_EQ(exit_code(made.all), 3);
  EXPECT_THAT(made.text(), HasSubstr("Fails 1.2.3  not measured\n"));
  EXPECT_THAT(made.text(), HasSubstr("\n\nFails 1.2.3\n✗ it ended with exit code 1\n"
                                     "  with --store FILE what it left is kept\n"));
  mcp::Offer offer;
  offer.outcome_detail = "it answered neither";
  made.all.clients.front().measurement->servers.front().offer = &offer;
  EXPECT_THAT(made.text(), HasSubstr("Keeps 1.2.3  not served"));
  EXPECT_THAT(made.text(), HasSubstr("✗ The server 'server' did not serve: it answered neither."));
}

TEST(MeasurementsText, ShowsNothingThatCouldMoveTheCursor) {
  Made made;
  const std::string& h = kHostile;
  Made::Run& run = made.add("b", "Keeps", {instructions_of(h, {}, h)}, h);
  run.delivery.notes = {h};
  run.comparison.unpredicted = {h};
  run.comparison.differences.push_back(
      {.piece = {.server = h, .tool = {}}, .what = h, .predicted = h, .measured = h});
  made.add("c", "Never", {never(instructions_of(h, {}), delivery::Never::kOtherEra, h)});
  made.fail("Fails", h);
  made.all.server = made.all.store = h;
  for (const std::size_t columns : {60U, 80U, 110U}) {
    const std::string screen = made.text(columns);
    EXPECT_EQ(text::sanitise(screen), screen);
    EXPECT_THAT(screen, Not(HasSubstr("\n# h")));
  }
}

TEST(MeasurementsJson, DoesWhatItsSchemaSays) {
  std::ifstream file(CUTLINE_SOURCE_DIR "/docs/measure.schema.json");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const json::Document schema = json::Document::parse(bytes.str()).value();
  Made made;
  add_two(made);
  made.fail("Fails", kHostile);
  const json::Document document = json::Document::parse(measurements_json(made.all)).value();
  EXPECT_THAT(SchemaCheck(schema.root()).errors(document.root()), IsEmpty());
  EXPECT_EQ(document.root().find("exit_code")->raw(), "3");
  EXPECT_EQ(document.root().find("measurements")->size(), 2U);
  const json::Document alone =
      json::Document::parse(measurement_json(*made.all.clients.front().measurement)).value();
  EXPECT_EQ(json::string_member(document.root().find("measurements")->elements().front(), "client"),
            json::string_member(alone.root(), "client"));
}

}  // namespace
}  // namespace cutline::report
