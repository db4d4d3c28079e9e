// golden_test.cc: what the program prints, word for word.
//
// A case is a folder tests/golden/COMMAND/NAME with a shell script `cmd`, what it must print
// (`out`, and `err` where there is any) and its exit status (`exit`, where it is not 0). `cmd` runs
// in an empty folder with `cutline` in PATH, $CASE naming its own folder, 80 columns, no colour and
// no home. Whatever differs from run to run is replaced by a word (kChanging). A file that belongs
// to no case fails, so that nothing stays behind when a case is renamed.
//
// With CUTLINE_APPROVE=PATTERN in the environment a case whose name contains PATTERN is written
// instead of compared; tools/golden does that, and shows the difference.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"

namespace cutline {
namespace {

namespace fs = std::filesystem;
using testing_support::Ran;
using testing_support::ScratchFolder;

const fs::path kRoot = fs::path(CUTLINE_SOURCE_DIR) / "tests/golden";

/// "check/cut-in-a-sentence", sorted.
std::vector<std::string> all_cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot))
    if (entry.path().filename() == "cmd")
      names.push_back(fs::relative(entry.path().parent_path(), kRoot).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Writes `text`; a file for nothing is no file.
void write(const fs::path& file, const std::string& text) {
  if (text.empty())
    fs::remove(file);
  else
    std::ofstream(file, std::ios::binary) << text;
}

std::string replace_all(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

struct Changing {
  const char* what;
  const char* pattern;
  const char* word;
};
constexpr Changing kChanging[] = {
    {"members of the JSON that are times", R"re(("[a-z_]+_ms": )[0-9.e+-]+)re", "$1TIME"},
    {"times on the screen", R"re(\b[0-9][0-9,]*(\.[0-9]+)? (ms|s)\b)re", "TIME"},
    {"times of day in a log", R"re("time":"[^"]*")re", R"("time":"TIME")"},
    {"process ids", R"re(("p?pid":)[0-9]+)re", "$1PID"},
    {"our version", R"re(("cutline_version": |\bcutline )"?[0-9]+\.[0-9]+\.[0-9]+"?)re",
     "$1VERSION"},
};

std::string normalised(std::string text, const std::string& name, const ScratchFolder& scratch) {
  text = replace_all(text, (kRoot / name).string(), "CASE");
  text = replace_all(text, CUTLINE_BUILD_DIR, "BUILD");
  text = replace_all(text, CUTLINE_SOURCE_DIR, "SOURCE");
  text = replace_all(text, scratch.path(), "SCRATCH");
  for (const Changing& each : kChanging)
    text = std::regex_replace(text, std::regex(each.pattern), each.word);
  return text;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatItDid) {
  const fs::path folder = kRoot / GetParam();
  const ScratchFolder scratch;
  const Ran ran = testing_support::run(
      {.argv = {"bash", (folder / "cmd").string()},
       .environment = {{"PATH", CUTLINE_BUILD_DIR ":" + std::string(std::getenv("PATH"))},
                       {"CASE", folder.string()},
                       {"HOME", scratch.path()},
                       {"COLUMNS", "80"},
                       {"TERM", "dumb"},
                       {"NO_COLOR", "1"},
                       {"LC_ALL", "C.UTF-8"},
                       {"TZ", "UTC"}},
       .directory = scratch.path()});
  const std::string out = normalised(ran.out, GetParam(), scratch);
  const std::string err = normalised(ran.err, GetParam(), scratch);
  const std::string exit = ran.exit_code == 0 ? "" : std::to_string(ran.exit_code) + "\n";

  const char* pattern = std::getenv("CUTLINE_APPROVE");
  if (pattern != nullptr && GetParam().find(pattern) != std::string::npos) {
    write(folder / "out", out);
    write(folder / "err", err);
    write(folder / "exit", exit);
    return;
  }
  EXPECT_EQ(out, read(folder / "out"));
  EXPECT_EQ(err, read(folder / "err"));
  EXPECT_EQ(exit, read(folder / "exit"));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Case, Golden, testing::ValuesIn(all_cases()), test_name);

TEST(GoldenFolder, HasNoFileThatBelongsToNoCase) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot)) {
    if (!entry.is_regular_file()) continue;
    const fs::path cmd = entry.path().parent_path() / "cmd";
    const std::string name = entry.path().filename().string();
    if (name == "cmd" || (fs::exists(cmd) && (name == "out" || name == "err" || name == "exit")))
      continue;
    EXPECT_TRUE(fs::exists(cmd) && read(cmd).find("$CASE/" + name) != std::string::npos)
        << entry.path() << " belongs to no case";
  }
}

}  // namespace
}  // namespace cutline
