// program_test.cc: what main() hands on: the version, help, and exit codes for mistakes.
#include "cli/program.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/defer.h"

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

/// A variable for as long as a test lasts.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

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

TEST(Program, EndsAsTheSignalSaysThatInterruptsAnInstallation) {
  const std::string folder = testing::TempDir() + "cutline-interrupted";
  const Defer remove([&] { std::filesystem::remove_all(folder); });
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/npm") << "#!/bin/sh\nkill -\"$SIGNAL\" \"$TESTED\"; exec sleep 1000\n";
  std::filesystem::permissions(folder + "/npm", std::filesystem::perms::owner_all);
  const Environment path("PATH", folder + ":" + std::getenv("PATH"));
  const Environment cache("XDG_CACHE_HOME", folder + "/cache");
  const Environment tested("TESTED", std::to_string(::getpid()));
  for (const auto& [name, code] : {std::pair{"INT", 130}, {"TERM", 143}}) {
    const Environment signal("SIGNAL", name);
    const Ran ran = run({"clients", "install", "claude-code@2.1.285"});
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.output, "");
    EXPECT_THAT(ran.error, HasSubstr("cutline: interrupted; nothing"));
    EXPECT_TRUE(std::filesystem::is_empty(folder + "/cache/cutline/clients"));
  }
}

/// A file of a test's own, which goes with it.
class Temporary {
 public:
  Temporary(const std::string& name, std::string_view text) : path_(testing::TempDir() + name) {
    std::ofstream(path_) << text;
  }
  ~Temporary() { std::filesystem::remove_all(path_); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Program, TellsWhatIsWrongWithAnExperiment) {
  const Temporary nothing("cutline-empty.toml", "");
  const Temporary mistyped("cutline-mistyped.toml", "[[cells]]\nname = \"a\"\nclientz = 3\n");
  const Temporary large("cutline-large.toml", std::string(5'000'000, '#'));
  const std::string folder = testing::TempDir();
  struct Case {
    std::string file, says;
  };
  for (const Case& c :
       {Case{"/nowhere/at-all.toml", "/nowhere/at-all.toml: cannot read it: No such file"},
        Case{folder, folder + ": cannot read it: Is a directory"},
        Case{nothing.path(), nothing.path() + ":1:1: no clients are named\n  hint: write clients"},
        Case{mistyped.path(), mistyped.path() + ":3:11: nothing here is called 'clientz'"},
        Case{large.path(), large.path() + ": it has more than 4,194,304 bytes"}}) {
    for (const char* option : {"--dry-run", "--no-isolation"}) {
      const Ran ran = run({"run", option, c.file});
      EXPECT_EQ(ran.code, 2) << c.file;
      EXPECT_EQ(ran.output, "");
      EXPECT_THAT(ran.error, HasSubstr("cutline: " + c.says));
    }
  }
}

TEST(Program, ListsTheCellsOfAnExperiment) {
  const Temporary file("cutline-cells.toml",
                       "clients = [\"claude-code@2.1.285\"]\nprompt = \"p\"\nrepeats = 2\n"
                       "servers = [{ name = \"lab\", lab = { instructions = [\"none\", "
                       "\"english:100\"] } }]\n[[cells]]\nname = \"a\"\n");
  const Ran ran = run({"run", "--dry-run", file.path()});
  EXPECT_EQ(ran.code, 0) << ran.error;
  EXPECT_EQ(ran.output,
            "a claude-code@2.1.285 instructions=none #1\n"
            "a claude-code@2.1.285 instructions=none #2\n"
            "a claude-code@2.1.285 instructions=english:100 #1\n"
            "a claude-code@2.1.285 instructions=english:100 #2\n");
}

TEST(Program, SaysWhichClientsCannotBeRun) {
  const std::string folder = testing::TempDir() + "cutline-profiles-of-others";
  std::filesystem::create_directories(folder);
  const Defer cleanup([&] { std::filesystem::remove_all(folder); });
  std::ifstream known(CUTLINE_SOURCE_DIR "/profiles/claude-code.toml");
  std::string text{std::istreambuf_iterator<char>(known), {}};
  const std::string id = "id = \"claude-code\"";
  text.replace(text.find("\n" + id) + 1, id.size(), "id = \"another\"");
  std::ofstream(folder + "/another.toml") << text;
  const Ran ran = run({"measure", "--profiles", folder, "--client", "another", "--", "node"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.error,
            "cutline: --client: 'another' cannot be run here, only predicted\n"
            "  hint: cutline check predicts it\n");
}

TEST(Program, NeedsNpmForAClientThatIsNotThere) {
  const std::string nowhere = testing::TempDir() + "cutline-nothing-in-here";
  const Environment path("PATH", nowhere);
  const Environment cache("XDG_CACHE_HOME", nowhere);
  const Ran measure = run({"measure", "--client", "claude-code@2.1.285", "--", "node"});
  const Ran install = run({"clients", "install", "claude-code@2.1.285"});
  const Ran list = run({"clients", "list"});
  std::filesystem::remove_all(nowhere);
  for (const Ran& ran : {measure, install}) {
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(ran.output, "");
    EXPECT_THAT(ran.error, HasSubstr("npm, which is not in PATH\n  hint: it comes with Node.js"));
  }
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.output, "no client is installed\n");
}

TEST(Program, SaysThatTheTemporaryFoldersPathIsTooLong) {
  const std::string folder = testing::TempDir() + "cutline-" + std::string(120, 'x');
  const Defer remove([&] { std::filesystem::remove_all(folder); });
  const std::string client = folder + "/cutline/clients/claude-code@2.1.285";
  std::filesystem::create_directories(client);
  std::ofstream(client + "/cutline.json")
      << R"({"id":"claude-code","version":"2.1.285","integrity":"sha512-x"})";
  const Environment cache("XDG_CACHE_HOME", folder);
  const Environment temporary("TMPDIR", folder);
  const Ran ran = run({"measure", "--client", "claude-code@2.1.285", "--no-isolation",
                       "--server-network", "--", "node"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.error,
              HasSubstr("File name too long\n  hint: the path of a socket has at most "));
  EXPECT_THAT(ran.error, HasSubstr("TMPDIR can name a folder with a shorter one\n"));
  EXPECT_THAT(ran.error, testing::Not(HasSubstr("--store")));
}

TEST(Program, TellsTheGatewaysMistakesBeforeItListens) {
  const Temporary wrong("cutline-script.toml", "script = [{ say = \"hello\" }]\n");
  const Temporary other("cutline-other.toml", "prompts = \"p\"\n");
  struct Case {
    std::vector<std::string> options;
    int code;
    std::string says;
  };
  for (const Case& c :
       {Case{{"--script", "/nowhere/s.toml"}, 2, "/nowhere/s.toml: cannot read it"},
        Case{{"--script", wrong.path()}, 2, wrong.path() + ":1:19: nothing here is called 'say'"},
        Case{{"--script", other.path()}, 2, "did you mean 'prompt'?"},
        Case{{"--upstream", "ftp://x"}, 2, "--upstream: 'ftp://x' is no URL to forward to"},
        Case{{"--store", "/nowhere/at-all.db"}, 3, "/nowhere/at-all.db: the evidence file"}}) {
    std::vector<std::string> words = c.options;
    words.insert(words.begin(), "gateway");
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, c.code) << c.says;
    EXPECT_EQ(ran.output, "");
    EXPECT_THAT(ran.error, HasSubstr(c.says));
  }
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
