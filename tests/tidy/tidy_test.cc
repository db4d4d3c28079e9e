// tidy_test.cc: the tree keeps its rules, and each rule can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tidy/rules.h"

namespace cutline::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Rule {
  std::string_view name;
  Complaints (*check)(const Tree&);

  friend std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }
};

constexpr Rule kRules[] = {
    {"RoomsStayApart", rooms_stay_apart},
    {"LibrariesStayFenced", libraries_stay_fenced},
    {"PureRoomsArePure", pure_rooms_are_pure},
    {"SourcesSayWhatTheyAre", sources_say_what_they_are},
    {"LinesAndFilesAreShort", lines_and_files_are_short},
    {"NothingIsUnfinished", nothing_is_unfinished},
    {"RoomsHaveAReadme", rooms_have_a_readme},
    {"ProblemsAreDocumented", problems_are_documented},
};

class TheTree : public testing::TestWithParam<Rule> {};

TEST_P(TheTree, Keeps) {
  const Tree tree = read_tree(CUTLINE_SOURCE_DIR);
  ASSERT_GT(tree.size(), 50U);
  EXPECT_THAT(GetParam().check(tree), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Tidy, TheTree, testing::ValuesIn(kRules),
                         [](const auto& rule) { return std::string(rule.param.name); });

constexpr std::string_view kRooms = "# comment\nbase:\ntext: base\nlab: text\nsys: base\n";

/// The tree that has `file` besides the list of rooms.
Tree with(std::string path, std::string text) {
  return {{"cmake/rooms.txt", std::string(kRooms)}, {std::move(path), std::move(text)}};
}

TEST(Rooms, KnowWhatTheirRoomsKnow) {
  const Rooms rooms = read_rooms(kRooms);
  EXPECT_THAT(rooms.at("lab"), ElementsAre("base", "lab", "text"));
  EXPECT_THAT(rooms.at("base"), ElementsAre("base"));
}

TEST(Rule, ARoomIncludesOnlyWhatItMay) {
  EXPECT_THAT(rooms_stay_apart(with("src/lab/a.cc", "#include \"base/result.h\"\n")), IsEmpty());
  EXPECT_THAT(rooms_stay_apart(with("src/text/a.cc", "\n#include \"sys/fd.h\"\n")),
              ElementsAre("src/text/a.cc:2: text may not include sys/fd.h"));
  EXPECT_THAT(rooms_stay_apart(with("src/text/a.h", "# include \"neighbour.h\" // near\n")),
              ElementsAre(HasSubstr("may not include neighbour.h")));
  EXPECT_THAT(rooms_stay_apart(with("src/attic/a.cc", "")),
              ElementsAre(HasSubstr("no room 'attic'")));
  EXPECT_THAT(rooms_stay_apart(with("src/text/a_test.cc", "#include \"support/cases.h\"\n")),
              IsEmpty());
  EXPECT_THAT(rooms_stay_apart(with("src/text/a.cc", "#include \"support/cases.h\"\n")),
              ElementsAre(HasSubstr("support/cases.h")));
}

TEST(Rule, ALibraryStaysInItsRoom) {
  const std::string include = "#include <unicode/brkiter.h>\n";
  EXPECT_THAT(libraries_stay_fenced(with("src/text/a.cc", include)), IsEmpty());
  EXPECT_THAT(libraries_stay_fenced(with("src/lab/a.cc", include)),
              ElementsAre("src/lab/a.cc:1: <unicode/brkiter.h> is for src/text only"));
  EXPECT_THAT(libraries_stay_fenced(with("tests/e2e/a.cc", "#include <boost/asio.hpp>\n")),
              ElementsAre(HasSubstr("src/sys only")));
  const std::string parser = "#include <boost/beast/http/basic_parser.hpp>\n";
  EXPECT_THAT(libraries_stay_fenced(with("src/wire/a.cc", parser)), IsEmpty());
  EXPECT_THAT(libraries_stay_fenced(with("src/sys/a.cc", parser)),
              ElementsAre(HasSubstr("src/wire only")));

  EXPECT_THAT(libraries_stay_fenced(with("src/lab/a.cc", "#include <sqlite3.h>\n")),
              ElementsAre(HasSubstr("src/store only")));

  Tree tree = {{"src/text/private.h", include},
               {"src/text/between.h", "#include \"text/private.h\"\n"},
               {"src/text/a.cc", "#include \"text/between.h\"\n"}};
  EXPECT_THAT(libraries_stay_fenced(tree), IsEmpty());
  tree.push_back({"src/lab/a.cc", "#include \"text/between.h\"\n"});
  EXPECT_THAT(libraries_stay_fenced(tree),
              ElementsAre("src/lab/a.cc:1: text/between.h brings a fenced library along"));
}

TEST(Rule, APureRoomDoesNoInputOrOutput) {
  for (const char* line :
       {"#include <iostream>", "#include <unistd.h>", "#include <sys/stat.h>", "#include <thread>",
        "  const auto t = Clock::now();", "  std::cerr << 1;", "  std::getenv(\"HOME\");"}) {
    SCOPED_TRACE(line);
    EXPECT_THAT(pure_rooms_are_pure(with("src/text/a.cc", line)),
                ElementsAre(HasSubstr("src/text/a.cc:1: text is pure, but uses")));
    EXPECT_THAT(pure_rooms_are_pure(with("src/sys/a.cc", line)), IsEmpty());
    EXPECT_THAT(pure_rooms_are_pure(with("src/text/a_test.cc", line)), IsEmpty());
  }
  EXPECT_THAT(pure_rooms_are_pure(with("src/text/a.cc", "#include <chrono>\n")), IsEmpty());
}

TEST(Rule, ASourceOpensWithItsName) {
  EXPECT_THAT(sources_say_what_they_are(with("src/text/a.cc", "// a.cc: the a.\n")), IsEmpty());
  EXPECT_THAT(sources_say_what_they_are(with("src/text/a.cc", "// b.cc: the b.\n")),
              ElementsAre(HasSubstr("does not open with")));
  EXPECT_THAT(sources_say_what_they_are(with("src/text/a_test.cc", "")),
              ElementsAre(HasSubstr("does not open with")));
  EXPECT_THAT(sources_say_what_they_are(
                  {{"src/text/a.h", "// a.h: the a.\n#pragma once\n"}, {"src/text/a_test.cc", ""}}),
              IsEmpty());
  EXPECT_THAT(sources_say_what_they_are(with("src/text/a.h", "// a.h: the a.\n#pragma once\n")),
              IsEmpty());
  EXPECT_THAT(sources_say_what_they_are(with("src/text/a.h", "// a.h: the a.\n")),
              ElementsAre(HasSubstr("#pragma once")));
}

TEST(Rule, LinesAndFilesHaveALimit) {
  const std::string hundred(100, 'x');
  EXPECT_THAT(lines_and_files_are_short(with("src/text/a.cc", hundred + "\n")), IsEmpty());
  EXPECT_THAT(lines_and_files_are_short(with("src/text/a.cc", hundred + "x\n")),
              ElementsAre("src/text/a.cc:1: has 101 columns"));
  EXPECT_THAT(lines_and_files_are_short(with("docs/a.md", hundred + "x\n")), IsEmpty());
  const std::string lines(801, '\n');
  EXPECT_THAT(lines_and_files_are_short(with("tools/a", lines)),
              ElementsAre(HasSubstr("has 801 lines")));
  EXPECT_THAT(lines_and_files_are_short(with("tools/a", lines.substr(1))), IsEmpty());
}

TEST(Rule, NothingIsLeftForLater) {
  for (const std::string word : {"TO"
                                 "DO",
                                 "FIX"
                                 "ME",
                                 "X"
                                 "XX"}) {
    EXPECT_THAT(nothing_is_unfinished(with("tools/a", "# " + word + ": more\n")),
                ElementsAre(HasSubstr("for later")));
    EXPECT_THAT(nothing_is_unfinished(with("tools/a", "mktemp a." + word + "S\n")), IsEmpty());
  }
}

TEST(Rule, EveryRoomSaysWhatItOwns) {
  EXPECT_THAT(rooms_have_a_readme(with("src/base/README.md", "# base\n")),
              ElementsAre("src/lab/README.md: is missing", "src/sys/README.md: is missing",
                          "src/text/README.md: is missing"));
  EXPECT_THAT(rooms_have_a_readme(with("src/base/README.md", std::string(26, '\n'))),
              testing::Contains(HasSubstr("too long")));
}

TEST(Rule, ProblemCodesAndTheirTableAgree) {
  const std::string code = "  return fail({.code = \"sys.file.read\",\n";
  const std::string table = "| code | meaning |\n| `sys.file.read` | it cannot be read |\n";
  EXPECT_THAT(problems_are_documented({{"src/sys/a.cc", code}, {"docs/problems.md", table}}),
              IsEmpty());
  EXPECT_THAT(problems_are_documented({{"src/sys/a.cc", code}}),
              ElementsAre("src/sys/a.cc:1: sys.file.read is not in docs/problems.md"));
  EXPECT_THAT(problems_are_documented({{"src/sys/a.cc", "  /// Problem \"sys.file.read\".\n"},
                                       {"src/sys/a.h", "  int a;  // \"sys.file.read\"\n"}}),
              IsEmpty());
  EXPECT_THAT(problems_are_documented({{"docs/problems.md", table}}),
              ElementsAre("docs/problems.md:2: sys.file.read is used nowhere"));
}

}  // namespace
}  // namespace cutline::tidy
