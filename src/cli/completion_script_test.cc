// completion_script_test.cc: the scripts hold every word, and the shells take them. What bash
// completes is asked of bash itself.
#include "cli/completion_script.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/defer.h"

namespace cutline::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

const std::vector<std::string> kClients = {"claude-code", "codex"};

/// The output of a command line and whether it succeeded.
std::pair<std::string, bool> run(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return {"popen failed", false};
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe)) output += buffer.data();
  return {output, pclose(pipe) == 0};
}

bool is_installed(const std::string& shell) { return run("command -v " + shell).second; }

class CompletionScript : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cutline-completion-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { run("rm -r '" + folder_ + "'"); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  /// What bash offers for the last word.
  std::vector<std::string> complete(const std::vector<std::string>& words) const {
    std::string list;
    for (const std::string& word : words) list += "'" + word + "' ";
    const std::string script = write("run.bash", completion_script(Shell::kBash, kClients) + R"(
COMP_WORDS=(cutline )" + list + R"()
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_cutline
printf '%s\n' "${COMPREPLY[@]}"
)");
    std::istringstream lines(run("bash '" + script + "'").first);
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) found.push_back(line);
    return found;
  }

  std::string folder_;
};

TEST_F(CompletionScript, HoldsEveryOption) {
  for (const Shell shell : {Shell::kBash, Shell::kZsh, Shell::kFish}) {
    const std::string script = completion_script(shell, kClients);
    for (const CommandSpec& command : command_specs()) {
      EXPECT_THAT(script, HasSubstr(command.name));
      for (const std::string& option : command.option_names())
        EXPECT_THAT(script, HasSubstr(option.substr(2)));
    }
    EXPECT_THAT(script, HasSubstr("claude-code"));
  }
}

TEST_F(CompletionScript, IsTakenByTheShells) {
  struct Case {
    Shell shell;
    const char* name;
  };
  for (const Case& c :
       {Case{Shell::kBash, "bash"}, Case{Shell::kZsh, "zsh"}, Case{Shell::kFish, "fish"}}) {
    if (!is_installed(c.name)) continue;
    const std::string path = write(c.name, completion_script(c.shell, kClients));
    const auto [output, good] = run(std::string(c.name) + " -n '" + path + "'");
    EXPECT_TRUE(good) << c.name;
    EXPECT_THAT(output, IsEmpty()) << c.name;
  }
}

TEST_F(CompletionScript, CompletesInBash) {
  if (!is_installed("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_THAT(complete({"ch"}), UnorderedElementsAre("check"));
  EXPECT_THAT(complete({"c"}), UnorderedElementsAre("check", "clients", "completion"));
  EXPECT_THAT(complete({"me"}), UnorderedElementsAre("measure"));
  EXPECT_THAT(complete({"run", "--format", ""}), UnorderedElementsAre("text", "json", "markdown"));
  EXPECT_THAT(complete({"measure", "--server"}), UnorderedElementsAre("--server-network"));
  EXPECT_THAT(complete({"run", "--ag"}), UnorderedElementsAre("--again"));
  EXPECT_THAT(complete({"check", "--fo"}), UnorderedElementsAre("--format"));
  EXPECT_THAT(complete({"check", "--format", ""}), UnorderedElementsAre("text", "json"));
  EXPECT_THAT(complete({"check", "--client", ""}), UnorderedElementsAre("claude-code", "codex"));
  EXPECT_THAT(complete({"clients", "co"}), UnorderedElementsAre("codex"));
  EXPECT_THAT(complete({"clients", "di"}), UnorderedElementsAre("diff"));
  EXPECT_THAT(complete({"clients", "diff", "cl"}), UnorderedElementsAre("claude-code"));
  EXPECT_THAT(complete({"clients", "diff", "codex", "--", "bas"}), Contains("bash"));
  EXPECT_THAT(complete({"measure", "--client", "a"}), UnorderedElementsAre("all"));
  EXPECT_THAT(complete({"clients", "ins"}), UnorderedElementsAre("install"));
  EXPECT_THAT(complete({"clients", "install", "cl"}), UnorderedElementsAre("claude-code"));
  EXPECT_THAT(complete({"sh"}), UnorderedElementsAre("show")) << "nobody types shim";
  EXPECT_THAT(complete({"completion", ""}), Contains("fish"));
  EXPECT_THAT(complete({"lab", "--era", "d"}), UnorderedElementsAre("dual"));
  EXPECT_THAT(complete({"help", "sh"}), UnorderedElementsAre("show"));
  EXPECT_THAT(complete({"check", "--model", ""}), IsEmpty());
  const std::string file = write("offer.json", "{}");
  EXPECT_THAT(complete({"check", "--offer", folder_ + "/of"}), UnorderedElementsAre(file));
  EXPECT_THAT(complete({"gateway", "--script", folder_ + "/of"}), UnorderedElementsAre(file));
  const std::string experiment = write("offer.toml", "");
  EXPECT_THAT(complete({"run", folder_ + "/of"}), UnorderedElementsAre(experiment));
  EXPECT_THAT(complete({"run", "--dry-run", folder_.substr(0, folder_.size() - 1)}),
              UnorderedElementsAre(folder_));
  EXPECT_EQ(std::remove(experiment.c_str()), 0);
  // The server's own command line.
  EXPECT_THAT(complete({"check", "--", "bas"}), Contains("bash"));
  EXPECT_THAT(complete({"check", "--", "node", folder_ + "/of"}), UnorderedElementsAre(file));
  EXPECT_THAT(complete({"check", "--", "node", "--fo"}), Not(Contains("--format")));
}

}  // namespace
}  // namespace cutline::cli
