// sdk_test.cc: the lab server as the official client libraries see it, versions 1 and 2: an opinion
// of our server that is not our own client's. The hashes are those of the sample texts as
// tests/cases/README.md makes them in Python.
//
// Where Node or npm is missing the tests are skipped with the reason, unless CUTLINE_REQUIRE_ALL is
// set in the environment.
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "support/command.h"

namespace cutline {
namespace {

using testing::ElementsAre;

constexpr int kCannotRunHere = 77;           // tests/e2e/sdk/run says so
constexpr std::chrono::seconds kLimit{300};  // the first run installs the libraries

constexpr const char* kEnglish1000 =
    "bfc662a1b8873339bfe44e5f895de01ecd943b10ad23e45a4b1bcef1d748be1a";
constexpr const char* kEnglish1000Discover =
    "32b305af59b7d4ea7497926fc6a338cb5dfa27455dbfd711bfd6e0713c8478aa";
constexpr const char* kJapanese3000 =
    "87006156589d1a63f4e525ef3a477da7a7b4a533c98827596c8e2fba4dabfc2a";

/// What a client of the library says that it received from `cutline lab FLAGS…`.
class Sdk : public testing::Test {
 protected:
  void ask(const std::string& client, const std::vector<std::string>& lab_flags) {
    answer_.reset();
    testing_support::Command command;
    command.argv = {CUTLINE_SOURCE_DIR "/tests/e2e/sdk/run", client, CUTLINE_BUILD_DIR "/cutline",
                    "lab"};
    command.argv.insert(command.argv.end(), lab_flags.begin(), lab_flags.end());
    command.limit = kLimit;
    const testing_support::Ran ran = testing_support::run(command);
    if (ran.exit_code == kCannotRunHere && !std::getenv("CUTLINE_REQUIRE_ALL"))
      GTEST_SKIP() << ran.err;
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    Result<json::Document> parsed = json::Document::parse(ran.out);
    ASSERT_TRUE(parsed) << ran.out;
    answer_ = std::make_unique<json::Document>(*std::move(parsed));
  }

  /// False if the client could not be asked; the test is then skipped or has failed already.
  bool asked() const { return answer_ != nullptr; }

  /// The member's raw JSON, "absent" if there is none.
  std::string raw(std::string_view key) const { return raw(answer_->root(), key); }
  static std::string raw(const json::Value& object, std::string_view key) {
    const std::optional<json::Value> value = object.find(key);
    return value ? std::string(value->raw()) : "absent";
  }

  std::string tool(std::string_view name) const {
    for (const json::Value& each : tools())
      if (json::string_member(each, "name") == name) return raw(each, "description");
    return "absent";
  }
  std::vector<json::Value> tools() const {
    const std::optional<json::Value> all = answer_->root().find("tools");
    return all ? all->elements() : std::vector<json::Value>();
  }
  std::vector<std::string> tool_names() const {
    std::vector<std::string> names;
    for (const json::Value& each : tools())
      names.push_back(json::string_member(each, "name").value_or("?"));
    return names;
  }

 private:
  std::unique_ptr<json::Document> answer_;
};

std::string text_of(std::size_t utf16_units, std::string_view sha256) {
  return R"({"utf16_units":)" + std::to_string(utf16_units) + R"(,"sha256":")" +
         std::string(sha256) + R"("})";
}

TEST_F(Sdk, Version1SpeaksLegacy) {
  ask("v1", {"--instructions", "english:1000"});
  if (!asked()) return;
  EXPECT_EQ(raw("version"), "\"2025-11-25\"");
  EXPECT_EQ(raw("server"), "\"lab\"");
  EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000));
  EXPECT_THAT(tool_names(), ElementsAre("lookup_part", "list_bins", "lab_ping"));
  EXPECT_EQ(raw("lab_ping"), "\"pong\"");
}

TEST_F(Sdk, Version1FindsNoInstructionsWhereThereAreNone) {
  ask("v1", {});
  if (!asked()) return;
  EXPECT_EQ(raw("version"), "\"2025-11-25\"");
  EXPECT_EQ(raw("instructions"), "null");
}

TEST_F(Sdk, Version1FollowsCursorsOnItsOwn) {
  ask("v1", {"--tools", "5", "--page-size", "2", "--tool-description", "mixed:300"});
  if (!asked()) return;
  EXPECT_THAT(tool_names(),
              ElementsAre("tool_001", "tool_002", "tool_003", "tool_004", "tool_005"));
  EXPECT_EQ(tool("tool_005"),
            text_of(300, "f510e73e0d2720d838f898ab480029b73a2c36dd58754f68c6ffea1dcbd202d1"));
}

TEST_F(Sdk, Version1OutlivesNoise) {
  ask("v1", {"--instructions", "english:1000", "--fault", "initialize=noise", "--fault",
             "tools/list=noise"});
  if (!asked()) return;
  EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000));
  EXPECT_EQ(tool_names().size(), 3u);
}

TEST_F(Sdk, Version1TakesTenMegabytes) {
  ask("v1", {"--instructions", "english:1000", "--fault", "initialize=huge"});
  if (!asked()) return;
  EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000));
}

TEST_F(Sdk, Version1IsToldWhyByAModernServer) {
  ask("v1", {"--era", "modern"});
  if (!asked()) return;
  EXPECT_EQ(raw("code"), "-32022");
}

TEST_F(Sdk, Version2SpeaksLegacyByDefault) {
  ask("v2-legacy", {"--era", "dual", "--instructions", "japanese:3000", "--discover-instructions",
                    "japanese:3000"});
  if (!asked()) return;
  EXPECT_EQ(raw("version"), "\"2025-11-25\"");
  EXPECT_EQ(raw("instructions"), text_of(3000, kJapanese3000));
  EXPECT_EQ(raw("lab_ping"), "\"pong\"");
}

TEST_F(Sdk, Version2ProbesAndTakesTheModernText) {
  ask("v2-auto", {"--era", "dual", "--instructions", "english:1000", "--discover-instructions",
                  "english:1000"});
  if (!asked()) return;
  EXPECT_EQ(raw("version"), "\"2026-07-28\"");
  EXPECT_EQ(raw("server"), "\"lab\"");
  EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000Discover));
  EXPECT_THAT(tool_names(), ElementsAre("lookup_part", "list_bins", "lab_ping"));
  EXPECT_EQ(raw("lab_ping"), "\"pong\"");
}

TEST_F(Sdk, Version2FallsBack) {
  const std::vector<std::vector<std::string>> servers = {
      {},                                           // -32601
      {"--fault", "unknown-first=exit"},            // dies of the probe
      {"--fault", "server/discover=hang"},          // is silent
      {"--fault", "server/discover=error:-32602"},  // what Python servers say
      {"--fault", "server/discover=error:-32022"},  // names legacy versions alone
  };
  for (std::vector<std::string> flags : servers) {
    SCOPED_TRACE(flags.empty() ? "plain" : flags.back());
    flags.insert(flags.end(), {"--instructions", "english:1000"});
    ask("v2-auto", flags);
    if (!asked()) return;
    EXPECT_EQ(raw("version"), "\"2025-11-25\"");
    EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000));
  }
}

TEST_F(Sdk, Version2HeldToTheModernEra) {
  ask("v2-modern", {"--era", "modern", "--instructions", "english:1000", "--tools", "5",
                    "--page-size", "2", "--tool-description", "mixed:300"});
  if (!asked()) return;
  EXPECT_EQ(raw("version"), "\"2026-07-28\"");
  EXPECT_EQ(raw("instructions"), text_of(1000, kEnglish1000));
  EXPECT_EQ(tool_names().size(), 5u);
  EXPECT_EQ(tool("tool_001"),
            text_of(300, "b4e8ebb492c4af74b7ffda20a3dcab3e762c6d5efb2de2bc46b2e653256ab104"));
}

TEST_F(Sdk, Version2HeldToTheModernEraRefusesALegacyServer) {
  ask("v2-modern", {"--instructions", "english:1000"});
  if (!asked()) return;
  EXPECT_EQ(raw("code"), "\"ERA_NEGOTIATION_FAILED\"");
}

}  // namespace
}  // namespace cutline
