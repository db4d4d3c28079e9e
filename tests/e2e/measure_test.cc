// measure_test.cc: `cutline measure` with several clients, which are the fake one of src/run: it is
// installed as Claude Code is, in a cache of its own, so that nothing is fetched.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "support/command.h"
#include "support/json_path.h"

namespace cutline {
namespace {

namespace fs = std::filesystem;
using json::Value;
using testing::HasSubstr;
using testing::Not;
using testing_support::at;
using testing_support::Ran;
using testing_support::run;
using testing_support::ScratchFolder;
using testing_support::string;

constexpr const char* kProgram = CUTLINE_BUILD_DIR "/cutline";
constexpr const char* kFakeClient = CUTLINE_BUILD_DIR "/src/test_run";

class MeasureSeveral : public testing::Test {
 protected:
  void SetUp() override {
    const Ran ran = run({.argv = {"unshare", "--net", "--map-root-user", "true"}});
    if (ran.exit_code != 0 && std::getenv("CUTLINE_REQUIRE_ALL") == nullptr)
      GTEST_SKIP() << "there are no namespaces here: " << ran.err;
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  /// `acts` are words of src/run/client_for_tests.h.
  void install(const std::string& version, const std::string& acts) const {
    const fs::path folder =
        fs::path(cache_.path()) / "cutline/clients" / ("claude-code@" + version);
    const fs::path program = folder / "node_modules/@anthropic-ai/claude-code-linux-x64/claude";
    fs::create_directories(program.parent_path());
    std::ofstream(program) << "#!/bin/sh\nFAKE_CLIENT='" << acts << "' exec " << kFakeClient
                           << " client \"$@\"\n";
    fs::permissions(program, fs::perms::owner_all);
    std::ofstream(folder / "cutline.json")
        << R"({"id":"claude-code","version":")" << version << R"(","integrity":"sha512-x"})";
  }
  static Ran measure(const std::vector<std::string>& options) {
    std::vector<std::string> argv = {kProgram, "measure"};
    argv.insert(argv.end(), options.begin(), options.end());
    for (const char* word : {"--", kProgram, "lab", "--instructions", "english:1000"})
      argv.emplace_back(word);
    return run({.argv = argv, .limit = std::chrono::seconds(60)});
  }

  ScratchFolder cache_;
};

TEST_F(MeasureSeveral, ShowsOneRowEachAndTheWorstExitCode) {
  install("2.1.285", "servers ask");
  install("2.1.332", "crash");
  const Ran ran = measure(
      {"--client", "claude-code@2.1.285", "--client", "claude-code@2.1.332", "--jobs", "2"});
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("2 clients on the server 'server'\n"));
  // Its place, its frame, and of three tools the text and the schema.
  EXPECT_THAT(ran.out, HasSubstr("\nClaude Code 2.1.285 8 differ"));
  EXPECT_THAT(ran.out, HasSubstr("1,000 of 1,000"));
  EXPECT_THAT(ran.out, HasSubstr("\nClaude Code 2.1.332 not measured\n"));
  EXPECT_THAT(ran.out, HasSubstr("✗ The prediction was wrong"));
}

TEST_F(MeasureSeveral, TakesTheNewestOfAllThatAreInstalled) {
  install("2.1.100", "crash");
  install("2.1.285", "servers ask");
  const Ran ran = measure({"--client", "all", "--format", "json"});
  const Result<json::Document> document = json::Document::parse(ran.out);
  ASSERT_TRUE(document) << ran.out << ran.err;
  const std::vector<Value> all = at(document->root(), {"measurements"}).elements();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(string(all[0], {"version"}), "2.1.285");
  EXPECT_EQ(at(document->root(), {"not_measured"}).size(), 0U);
  EXPECT_EQ(string(document->root(), {"exit_code"}), std::to_string(ran.exit_code));
}

TEST_F(MeasureSeveral, ShowsOneByNameByItself) {
  install("2.1.285", "servers ask");
  const Ran ran = measure({"--client", "claude-code@2.1.285"});
  EXPECT_THAT(ran.out, HasSubstr("Claude Code 2.1.285  measured in "));
  EXPECT_THAT(ran.out, Not(HasSubstr("clients on the server")));
}

}  // namespace
}  // namespace cutline
