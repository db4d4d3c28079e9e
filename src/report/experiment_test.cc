// experiment_test.cc
#include "report/experiment.h"

#include <fstream>
#include <map>
#include <memory>
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

const Style kPlain = {.colour = false, .columns = 80};
const std::string kText = std::string(900, 'x');
const std::string kHostile = "\x1b[2J\x1b]0;t\x07\u202e|\"\\\n# h\r<b>`*_&\x7f\x80";

/// What a cell's row refers to.
struct Cell {
  delivery::Delivery measured;
  delivery::Comparison comparison;
};

/// Rows that are as predicted; each has values of its own, which tests change.
class Made {
 public:
  Made() {
    report_.program_version = "0.1.0";
    report_.name = "lab";
    report_.about = "What a lab shows.";
  }

  ExperimentRow& add(std::string cell, std::vector<delivery::Delivered> pieces) {
    auto values = std::make_unique<Cell>();
    values->measured.handshake = "server/discover, then initialize";
    values->measured.pieces = std::move(pieces);
    values->comparison.compared = values->measured.pieces.size();
    ExperimentRow row;
    row.key = cell + " some-client@2.1.285 #1";
    row.cell = std::move(cell);
    row.client = "some-client";
    row.version = "2.1.285";
    row.era = "legacy";
    row.answer = "BEGIN=AMBER-1 END=NONE LAST=2";
    row.first_request_bytes = 53'639;
    row.measured = &values->measured;
    row.comparison = &values->comparison;
    values_.push_back(std::move(values));
    report_.rows.push_back(std::move(row));
    return report_.rows.back();
  }
  delivery::Delivery& measured(std::size_t row) { return values_.at(row)->measured; }
  delivery::Comparison& comparison(std::size_t row) { return values_.at(row)->comparison; }
  ExperimentReport& report() { return report_; }
  ExperimentRow& row(std::size_t number) { return report_.rows.at(number); }

  std::string text(std::size_t columns = 80) const {
    return experiment_text(report_, {.colour = false, .columns = columns});
  }
  std::string markdown() const { return experiment_markdown(report_); }

 private:
  std::vector<std::unique_ptr<Cell>> values_;
  ExperimentReport report_;
};

delivery::Delivered cut() { return instructions_of(kText, budget_of(100), "user-reminder"); }
delivery::Delivered whole() { return instructions_of(kText, {}, "user-reminder"); }

std::size_t widest(const std::string& screen) {
  std::size_t widest = 0;
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, text::columns(line));
  return widest;
}

TEST(ExperimentText, SaysOnceWhatAllCellsShare) {
  Made made;
  made.add("short", {whole()});
  made.add("long", {cut()});
  made.add("long", {cut()});
  made.report().store = "x.db";
  EXPECT_EQ(made.text(),
            "lab\n"
            "What a lab shows.\n"
            "\n"
            "client        some-client@2.1.285\n"
            "lands in      user-reminder\n"
            "handshake     server/discover, then initialize\n"
            "\n"
            "   cell     reached the model    the ideal reader of the last request\n"
            "✓  short    all 900              BEGIN=AMBER-1 END=NONE LAST=2\n"
            "✓  long ×2  100 of 900 + marker  BEGIN=AMBER-1 END=NONE LAST=2\n"
            "\n"
            "✓ all 3 cells as predicted and expected.\n"
            "Evidence: x.db\n");
  EXPECT_EQ(exit_code(made.report()), 0);
}

TEST(ExperimentText, PutsTheIdealReaderBelowWhereThereIsNoRoomBeside) {
  Made made;
  made.add("short", {whole()});
  made.add("long", {cut()});
  EXPECT_THAT(made.text(60), HasSubstr("   cell   reached the model\n"
                                       "   the ideal reader of the last request\n"
                                       "✓  short  all 900\n"
                                       "   BEGIN=AMBER-1 END=NONE LAST=2\n"
                                       "✓  long   100 of 900 + marker\n"
                                       "   BEGIN=AMBER-1 END=NONE LAST=2\n"));
}

TEST(ExperimentText, SaysInTheRowWhatIsNotTheSame) {
  Made made;
  made.add("a", {whole()});
  made.add("b", {cut()});
  made.add("c", {instructions_of(kText, {}, "system")});
  made.row(1).version = "2.1.332";
  made.measured(2).handshake = "initialize";
  const std::string screen = made.text(110);
  EXPECT_THAT(screen, HasSubstr("handshake     server/discover, then initialize, unless it says "
                                "otherwise\n"));
  EXPECT_THAT(screen, HasSubstr("client        some-client\n"));
  EXPECT_THAT(screen, HasSubstr("   cell  version  reached the model    lands in"));
  EXPECT_THAT(screen, HasSubstr("✓  b     2.1.332  100 of 900 + marker  user-rem"));
  EXPECT_THAT(screen, HasSubstr("LAST=2; initialize\n"));
}

TEST(ExperimentText, NamesTheClientInTheRowWhereThereAreSeveral) {
  Made made;
  made.add("a", {whole()});
  made.add("a", {whole()}).client = "another";
  EXPECT_THAT(made.text(110), HasSubstr("✓  a     some-client@2.1.285  all 900"));
  EXPECT_THAT(made.text(110), HasSubstr("✓  a     another@2.1.285      all 900"));
}

TEST(ExperimentText, PutsColumnsBelowEachOtherWhereThereIsNoRoom) {
  Made made;
  made.add("a-name-of-some-length", {whole()});
  made.add("another-such-name", {cut()});
  made.measured(1).pieces.front().where.role = "tool-result-reminder";
  made.measured(1).pieces.front().request = 2;
  EXPECT_LE(widest(made.text(40)), 40U);
  EXPECT_THAT(made.text(40), HasSubstr("✓  another-such-name\n"
                                       "     100 of 900 + marker,\n"
                                       "     tool-result-reminder, request 2\n"
                                       "     BEGIN=AMBER-1 END=NONE LAST=2\n"));
}

TEST(ExperimentText, SaysWhatIsWrongBelowTheTable) {
  Made made;
  made.add("a", {whole()});
  made.add("b", {cut()});
  made.comparison(1).differences = {
      {.piece = cut().piece, .what = "text", .predicted = "all of it", .measured = "100 bytes"}};
  made.row(0).unmet = {"kept is 900, not 100"};
  EXPECT_EQ(exit_code(made.report()), 1);
  EXPECT_THAT(made.text(110),
              HasSubstr("✗ a some-client@2.1.285 #1: expected otherwise: kept is 900, not 100\n"
                        "✗ b some-client@2.1.285 #1: srv text: predicted all of it, measured 100 "
                        "bytes\n"
                        "✗ 0 of 2 cells as predicted and expected.\n"));
  made.row(0).unmet.assign(30, "kept is 900, not 100");
  EXPECT_THAT(made.text(), HasSubstr("… and 11 more; --format json has them all\n"));
}

TEST(ExperimentText, CellsThatFailedComeBeforeThoseThatDiffer) {
  Made made;
  made.add("a", {whole()});
  made.comparison(0).differences = {
      {.piece = {}, .what = "handshake", .predicted = "", .measured = ""}};
  EXPECT_EQ(exit_code(made.report()), 1);
  ExperimentRow& failed = made.add("b", {});
  failed.problem = "the client sent 2 requests, but none of the conversation";
  failed.measured = nullptr;
  failed.comparison = nullptr;
  EXPECT_EQ(exit_code(made.report()), 3);
  EXPECT_THAT(made.text(), HasSubstr("✗  b     not measured: the client sent 2 requests"));
  EXPECT_THAT(made.text(), HasSubstr("✗ b some-client@2.1.285 #1: the client sent"));
  EXPECT_LE(widest(made.text(40)), 40U);
}

TEST(ExperimentText, DoesNotTakeSilenceForAPrediction) {
  Made made;
  made.add("known", {whole()});
  made.add("partly", {whole()});
  made.comparison(1).unpredicted = {"instructions of srv: its place in the request"};
  EXPECT_EQ(exit_code(made.report()), 0);
  EXPECT_THAT(made.text(), HasSubstr("~  partly"));
  EXPECT_THAT(made.text(),
              HasSubstr("✓ all 2 cells as predicted and expected, 1 of them as far as the profile "
                        "knows.\n"));
  made.comparison(1).compared = 0;
  EXPECT_EQ(exit_code(made.report()), 3);
  EXPECT_THAT(made.text(), HasSubstr("✗  partly"));
  EXPECT_THAT(made.text(110), HasSubstr("predicts nothing that could be compared"));
  EXPECT_THAT(made.text(), HasSubstr("✗ 1 of 2 cells as predicted and expected.\n"));
}

TEST(ExperimentText, NamesEachServersShare) {
  Made made;
  delivery::Delivered other = cut();
  other.piece.server = "other";
  made.add("two", {whole(), other});
  other.piece.server = "third";
  made.add("three", {whole(), never(other, delivery::Never::kTooLate)});
  EXPECT_THAT(made.text(), HasSubstr("user-reminder; –"));
  EXPECT_THAT(made.text(), HasSubstr("✓  two    all 900; 100 of 900 + marker  user-reminder"));
}

void make_hostile(Made& made) {
  const std::string& h = kHostile;
  made.report().name = made.report().about = made.report().store = h;
  delivery::Delivered piece = whole();
  piece.where.role = piece.where.path = piece.piece.server = h;
  for (const char* cell : {"a", "b"}) {
    ExperimentRow& row = made.add(cell, {piece});
    row.key = row.cell = row.about = row.client = row.version = row.model = row.answer = row.era =
        h;
    row.choices = row.unmet = {h};
  }
  made.measured(0).handshake = h;
  made.comparison(0).differences = {
      {.piece = piece.piece, .what = h, .predicted = h, .measured = h}};
  made.comparison(0).unpredicted = {h};
  made.row(1).problem = h;
}

TEST(ExperimentText, ShowsNothingThatCouldMoveTheCursor) {
  Made made;
  make_hostile(made);
  for (const std::size_t columns : {40U, 80U, 110U}) {
    EXPECT_EQ(text::sanitise(made.text(columns)), made.text(columns));
    EXPECT_LE(widest(made.text(columns)), columns);
    EXPECT_THAT(made.text(columns), Not(HasSubstr("\n# h")));
  }
}

TEST(ExperimentText, HasColoursWhereTheyAreWanted) {
  Made made;
  made.add("a", {whole()});
  EXPECT_THAT(experiment_text(made.report(), {.colour = true, .columns = 80}), HasSubstr("\x1b["));
  EXPECT_THAT(experiment_text(made.report(), kPlain), Not(HasSubstr("\x1b")));
}

TEST(ExperimentMarkdown, IsATableAndSentences) {
  Made made;
  made.add("long", {cut()}).about = "A text over the limit.";
  made.row(0).transcript_agrees = false;
  made.row(0).ideal_reader_agrees = true;
  made.row(0).repeats_alike = true;
  EXPECT_EQ(made.markdown(),
            "# lab\n\nWhat a lab shows.\n\n"
            "| cell | client | reached the model | lands in | handshake (era) | first request, "
            "bytes | ideal reader | predicted | agree with the wire | told of the cut | repeats "
            "alike |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|\n"
            "| long | some-client@2.1.285 | 100 of 900 + marker | user-reminder | "
            "server/discover, then initialize (legacy) | 53,639 | BEGIN=AMBER-1 END=NONE LAST=2 | "
            "yes | reader, NOT transcript | nobody | yes |\n\n"
            "- **long**: A text over the limit.\n\n"
            "1 of 1 cell as predicted and expected.\n");
}

TEST(ExperimentMarkdown, CountsBytesWhereTheyAreAnotherNumber) {
  Made made;
  std::string japanese;
  for (int i = 0; i < 200; ++i) japanese += "部";
  made.add("japanese", {instructions_of(japanese, budget_of(100))});
  EXPECT_THAT(made.markdown(), HasSubstr("| 100 of 200 + marker (300 bytes) |"));
}

TEST(ExperimentMarkdown, ShowsWhatCannotBePrintedInNotesAndReports) {
  Made made;
  made.add("long", {cut()}).reported = {{"us\x1b[2J", "1\n2"}};
  made.report().notes = {"a\x1b[31m\nnote"};
  const std::string markdown = made.markdown();
  EXPECT_EQ(text::sanitise(markdown), markdown);
  EXPECT_THAT(markdown, HasSubstr("| reported: us␛\\[2J |"));
  EXPECT_THAT(markdown, HasSubstr("| 1↵2 |"));
  EXPECT_THAT(markdown, HasSubstr("\na␛\\[31m↵note\n"));
}

TEST(ExperimentMarkdown, KeepsHostileTextInItsCell) {
  Made made;
  make_hostile(made);
  const std::string markdown = made.markdown();
  std::istringstream lines(markdown);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, testing::AnyOf("", testing::StartsWith("# "), testing::StartsWith("## Not"),
                                     testing::StartsWith("|"), testing::StartsWith("- **"),
                                     testing::StartsWith("0 of"), testing::StartsWith("␛")));
    if (!line.starts_with("|")) continue;
    ++rows;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(bars, 10U) << line;  // nine columns: what nobody has anything to say of is left out
  }
  EXPECT_EQ(rows, 4U);
  EXPECT_EQ(text::sanitise(markdown), markdown);
  EXPECT_THAT(markdown, Not(HasSubstr("\"<b>")));
  EXPECT_THAT(markdown, HasSubstr("\\<b\\>\\`\\*\\_\\&"));
}

const json::Document& schema_of(const char* name) {
  static std::map<std::string, json::Document> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::ifstream file(std::string(CUTLINE_SOURCE_DIR "/docs/") + name + ".schema.json");
  std::ostringstream text;
  text << file.rdbuf();
  return known.emplace(name, json::Document::parse(text.str()).value()).first->second;
}

TEST(ExperimentJson, DoesWhatItsSchemaSays) {
  Made made;
  made.add("whole", {whole()});
  made.add("cut", {cut(), tool_of("t", kText, budget_of(10))});
  made.row(0).transcript_agrees = true;
  made.comparison(0).unpredicted = {"something"};
  made.comparison(1).differences = {
      {.piece = cut().piece, .what = "text", .predicted = "a", .measured = "b"}};
  ExperimentRow& failed = made.add("failed", {});
  failed.problem = kHostile;
  failed.measured = nullptr;
  failed.comparison = nullptr;
  Made empty;
  Made hostile;
  make_hostile(hostile);
  for (ExperimentRow& row : hostile.report().rows) row.era = "modern";
  for (Made* one : {&made, &empty, &hostile}) {
    const json::Document document = json::Document::parse(experiment_json(one->report())).value();
    EXPECT_THAT(SchemaCheck(schema_of("experiment").root()).errors(document.root()), IsEmpty());
    EXPECT_EQ(document.root().find("exit_code")->raw(), std::to_string(exit_code(one->report())));
  }
}

TEST(ExperimentJson, SharesThePiecesOfTheOtherSchemas) {
  for (const char* name : {"experiment", "measure"}) {
    for (const char* shared : {"piece", "cut", "lengths", "unit", "list"}) {
      const auto raw = [&](const char* schema) {
        return std::string(schema_of(schema).root().find("$defs")->find(shared)->raw());
      };
      EXPECT_EQ(raw(name), raw("check")) << name << " " << shared;
    }
  }
}

}  // namespace
}  // namespace cutline::report
