// program_test.cc: what main() hands on: the version, help, and exit codes for mistakes.
#include "cli/program.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::cli {
namespace {

using testing::HasSubstr;

struct Ran {
  int code = 0;
  std::string output, error;
};

Ran run(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.code = run_program(words);
  ran.output = testing::internal::GetCapturedStdout();
  ran.error = testing::internal::GetCapturedStderr();
  return ran;
}

TEST(Program, HasTheProjectsVersion) {
  std::ifstream file(CUTLINE_SOURCE_DIR "/CMakeLists.txt");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(),
              HasSubstr("project(cutline VERSION " + std::string(kProgramVersion) + " "));
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.output, "cutline " + std::string(kProgramVersion) + "\n");
}

TEST(Program, PrintsHelpThatWasAskedForAndHelpThatWasNot) {
  const Ran asked = run({"--help"});
  EXPECT_EQ(asked.code, 0);
  EXPECT_THAT(asked.output, HasSubstr("Commands"));
  EXPECT_EQ(asked.error, "");
  const Ran lost = run({});
  EXPECT_EQ(lost.code, 2);
  EXPECT_EQ(lost.output, "");
  EXPECT_EQ(lost.error, asked.output);
}

TEST(Program, TellsMistakesOnStandardErrorAlone) {
  const Ran ran = run({"chekc"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.output, "");
  EXPECT_EQ(ran.error, "cutline: there is no command 'chekc'\n  hint: did you mean 'check'?\n");
  EXPECT_EQ(run({"check", "\x1b[31m"}).error.find('\x1b'), std::string::npos);
}

TEST(Program, RefusesClientsVersionsAndSwitchesBeforeAnythingStarts) {
  const std::vector<std::string> server = {"--", "/nowhere/no-such-server"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), server.begin(), server.end());
    return run(words);
  };
  EXPECT_THAT(with({"--client", "claude-cod"}).error, HasSubstr("did you mean 'claude-code'?"));
  EXPECT_EQ(with({"--client", "claude-cod"}).code, 2);
  EXPECT_THAT(with({"--set", "ENABLE_TOOL_SERCH=true"}).error,
              HasSubstr("did you mean ENABLE_TOOL_SEARCH?"));
  EXPECT_EQ(with({"--set", "ENABLE_TOOL_SERCH=true"}).code, 2);
  EXPECT_EQ(with({"--profiles", "/nowhere/at-all"}).output, "");
}

TEST(Program, ChecksADraft) {
  const std::string path = testing::TempDir() + "cutline-checks-a-draft.md";
  std::ofstream(path) << std::string(5'859, 'x');
  const Ran lossy = run({"check", "--client", "claude-code@2.1.285", "--instructions-file", path});
  EXPECT_EQ(lossy.code, 1);
  EXPECT_THAT(lossy.output, HasSubstr("2,048  3,811  65.0 %"));
  const Ran whole =
      run({"check", "--client", "claude-code@2.1.285", "--set",
           "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH=25000", "--instructions-file", path});
  EXPECT_EQ(whole.code, 0);
  const Ran ignored =
      run({"check", "--client", "claude-code@2.1.285", "--set",
           "CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH=25,000", "--instructions-file", path});
  EXPECT_EQ(ignored.code, 1);
  EXPECT_THAT(ignored.output, HasSubstr("is ignored"));
  std::remove(path.c_str());
}

TEST(Program, ShowsASelectionOnce) {
  const std::string path = testing::TempDir() + "cutline-shows-a-selection-once.md";
  std::ofstream(path) << std::string(5'859, 'x');
  const std::vector<std::string> once = {"check", "--client", "claude-code@2.1.285",
                                         "--instructions-file", path};
  std::vector<std::string> twice = once;
  twice.insert(twice.end(), {"--client", "claude-code@2.1.285"});
  EXPECT_EQ(run(twice).output, run(once).output);
  std::remove(path.c_str());
}

TEST(Program, PrintsTheResultWhereAFileCannotBeWritten) {
  const std::string path = testing::TempDir() + "cutline-prints-the-result.md";
  const std::string other = testing::TempDir() + "cutline-prints-the-result.json";
  std::ofstream(path) << "Short.";
  for (const std::vector<std::string>& files :
       {std::vector<std::string>{"--output", "/nowhere/at/all.json", "--output", other},
        std::vector<std::string>{"--save-offer", "/nowhere/at/all.json", "--output", other}}) {
    std::vector<std::string> words = {"check", "--instructions-file", path};
    words.insert(words.end(), files.begin(), files.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.output, HasSubstr("INSTRUCTIONS"));
    EXPECT_THAT(ran.error, HasSubstr("/nowhere/at/all.json"));
    EXPECT_TRUE(std::ifstream(other).good());
    std::remove(other.c_str());
  }
  std::remove(path.c_str());
}

TEST(Program, ShowsExactlyWhatArrives) {
  const std::string path = testing::TempDir() + "cutline-shows-what-arrives.md";
  std::ofstream(path) << std::string(1'000, 'x');
  const std::vector<std::string> show = {
      "show",   "--client", "claude-code@2.1.285", "--model", "claude-opus-4-5",
      "--name", "lab",      "--instructions-file", path};
  const Ran framed = run(show);
  EXPECT_EQ(framed.code, 0);
  EXPECT_EQ(framed.output.size(), 1'167U);  // the reminder form of a server named lab
  std::vector<std::string> bare = show;
  bare.emplace_back("--bare");
  EXPECT_EQ(run(bare).output, std::string(1'000, 'x'));
  std::vector<std::string> lost = show;
  lost.emplace_back("--lost");
  EXPECT_EQ(run(lost).output, "");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace cutline::cli
