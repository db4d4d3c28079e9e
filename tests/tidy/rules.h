// rules.h: the rules of the tree that a compiler does not check.
//
// A rule is a function from the tree's files to complaints, so that the test can show for each that
// it fails on a tree made to break it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutline::tidy {

struct SourceFile {
  std::string path;  // from the root of the tree, "src/text/cut.cc"
  std::string text;
};
using Tree = std::vector<SourceFile>;

/// "src/text/cut.cc:12: what is wrong".
using Complaints = std::vector<std::string>;

/// All that people write: sources, tests, scripts, build files, documents.
Tree read_tree(const std::string& root);

/// Room -> the rooms that it may include, itself and those reached through others among them.
using Rooms = std::map<std::string, std::set<std::string>, std::less<>>;
Rooms read_rooms(std::string_view rooms_txt);

/// A room includes only rooms that it may know, and every folder of src/ is a room.
Complaints rooms_stay_apart(const Tree& tree);
/// A fenced library is included by the sources of its own room only.
Complaints libraries_stay_fenced(const Tree& tree);
/// Pure rooms do no I/O and read no clock.
Complaints pure_rooms_are_pure(const Tree& tree);
/// Every source opens with "// NAME: what it is", every header has `#pragma once`. The unit test
/// beside a header needs no opening: its name says what it is.
Complaints sources_say_what_they_are(const Tree& tree);
/// Sources have lines of at most 100 columns; no written file has more than 800 lines.
Complaints lines_and_files_are_short(const Tree& tree);
/// Nothing is left to be done later.
Complaints nothing_is_unfinished(const Tree& tree);
/// Every room has a short README.md.
Complaints rooms_have_a_readme(const Tree& tree);
/// docs/problems.md lists exactly the problem codes that the sources use.
Complaints problems_are_documented(const Tree& tree);

}  // namespace cutline::tidy
