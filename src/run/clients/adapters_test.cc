// adapters_test.cc: how each client but Claude Code is started: what all have in common, and of
// each its configuration, command line and environment.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "run/clients/adapter.h"
#include "run/clients/drivers.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pair;

constexpr const char* kGateway = "http://127.0.0.1:8080";
constexpr const char* kApi = "http://127.0.0.1:8080/v1";

struct Case {
  const char *id, *program;     // a file below node_modules
  const char* config;           // below the scratch folder
  const char *servers, *where;  // the member that has the servers, and the gateway's address
  std::vector<std::string> words;
  Pairs environment;
  const char* set_by_us = nullptr;  // a variable that is not for others to set
  bool node_22 = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.id; }

Case library(const char* id, const char* package, bool node_22) {
  return {.id = id,
          .program = package,
          .config = "driver/task.json",
          .servers = "servers",
          .where = kGateway,
          .words = {"node"},
          .environment = {{"OPENAI_BASE_URL", kApi}},
          .set_by_us = "OPENAI_BASE_URL",
          .node_22 = node_22};
}

// One table.
// NOLINTNEXTLINE(readability-function-size)
std::vector<Case> cases() {
  std::vector<Case> all = {
      {.id = "codex",
       .program = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
       .config = "home/.codex/config.toml",
       .servers = "mcp_servers",
       .where = kApi,
       .words = {"exec", "--json", "--skip-git-repo-check"},
       .environment = {},
       .set_by_us = "CODEX_HOME"},
      {.id = "gemini-cli",
       .program = "@google/gemini-cli/bundle/gemini.js",
       .config = "home/.gemini/settings.json",
       .servers = "mcpServers",
       .where = nullptr,
       .words = {"node", "-m", "some-model", "-p"},
       .environment = {{"GOOGLE_GEMINI_BASE_URL", kGateway},
                       {"GEMINI_CLI_TRUST_WORKSPACE", "true"}},
       .set_by_us = "GEMINI_API_KEY"},
      {.id = "continue",
       .program = "@continuedev/cli/dist/cn.js",
       .config = "continue.yaml",
       .servers = "mcpServers",
       .where = kApi,
       .words = {"node", "--config", "-p"},
       .environment = {{"CONTINUE_TELEMETRY_ENABLED", "0"}}},
      {.id = "opencode",
       .program = "opencode-linux-x64/bin/opencode",
       .config = "work/opencode.json",
       .servers = "mcp",
       .where = kApi,
       .words = {"run", "--"},
       .environment = {{"OPENCODE_DISABLE_AUTOUPDATE", "1"},
                       {"OPENCODE_DISABLE_MODELS_FETCH", "1"}}},
      {.id = "kilo",
       .program = "@kilocode/cli-linux-x64/bin/kilo",
       .config = "work/kilo.json",
       .servers = "mcp",
       .where = kApi,
       .words = {"run", "--auto", "--"},
       .environment = {{"KILO_DISABLE_AUTOUPDATE", "1"}, {"KILO_TELEMETRY_LEVEL", "off"}}},
      {.id = "qwen-code",
       .program = "@qwen-code/qwen-code/cli.js",
       .config = "home/.qwen/settings.json",
       .servers = "mcpServers",
       .where = nullptr,
       .words = {"node", "--auth-type", "openai", "-p"},
       .environment = {{"OPENAI_BASE_URL", kApi}, {"OPENAI_MODEL", "some-model"}},
       .set_by_us = "OPENAI_MODEL",
       .node_22 = true},
      {.id = "copilot",
       .program = "@github/copilot-linux-x64/copilot",
       .config = "home/.copilot/mcp-config.json",
       .servers = "mcpServers",
       .where = nullptr,
       .words = {"-p", "--allow-all-tools", "--no-auto-update"},
       .environment = {{"COPILOT_OFFLINE", "true"},
                       {"COPILOT_PROVIDER_BASE_URL", kApi},
                       {"COPILOT_MODEL", "some-model"}},
       .set_by_us = "COPILOT_HOME"},
      {.id = "cline",
       .program = "@cline/cli-linux-x64/bin/cline",
       .config = "home/.cline/data/settings/cline_mcp_settings.json",
       .servers = "mcpServers",
       .where = nullptr,
       .words = {"--json", "-P", "openai-compatible", "-m", "some-model"},
       .environment = {{"CLINE_TELEMETRY_DISABLED", "1"}, {"CLINE_NO_AUTO_UPDATE", "1"}}},
      library("mcp-sdk-ts-v1", "@modelcontextprotocol/sdk/package.json", false),
      library("mcp-sdk-ts-v2", "@modelcontextprotocol/client/package.json", true),
      library("ai-sdk-mcp", "@ai-sdk/mcp/package.json", false),
      library("langchain-mcp-adapters", "@langchain/mcp-adapters/package.json", true),
      library("openai-agents-js", "@openai/agents/package.json", true),
      library("claude-agent-sdk", "@anthropic-ai/claude-agent-sdk/package.json", false),
  };
  all.back().environment = {{"ANTHROPIC_BASE_URL", kGateway}};
  all.back().set_by_us = "ANTHROPIC_BASE_URL";
  return all;
}

class AdaptersTest : public testing::TestWithParam<Case> {
 protected:
  AdaptersTest() {
    start_.folder = scratch_.path() + "/installed";
    start_.servers = {{.name = "zeta \"one\"",
                       .argv = {"/bin/cutline", "shim", "--", "a b"},
                       .environment = {{"KEY", "a secret"}},
                       .settings = {{"note", "text"}, {"on", "true"}}},
                      {.name = "alpha", .argv = {"x"}, .environment = {}, .settings = {}}};
  }

  void put(const std::string& file) const {
    const fs::path path = fs::path(start_.folder) / "node_modules" / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "program";
  }
  const Adapter& adapter() const { return *adapter_named(GetParam().id); }
  sys::Command prepared() {
    put(GetParam().program);
    const Result<sys::Command> command = adapter().prepare(start_, scratch_);
    if (!command) ADD_FAILURE() << to_text(command.error());
    return command.value_or(sys::Command{});
  }
  std::string written() const {
    return sys::read_file(scratch_.path() + "/" + GetParam().config, 1 << 20).value_or("(none)");
  }

  sys::Scratch scratch_ = sys::Scratch::make().value();
  ClientStart start_ = {.folder = {},
                        .version = Version::parse("1.0.0").value(),
                        .gateway = kGateway,
                        .model = "some-model",
                        .prompt = "what \"is\" there?",
                        .turns = 3,
                        .variables = {{"--mode", "fast"}, {"--all", "true"}, {"PLAIN", "x"}},
                        .servers = {},
                        .arguments = {"--further", "word"}};
};

INSTANTIATE_TEST_SUITE_P(All, AdaptersTest, testing::ValuesIn(cases()), [](const auto& one) {
  std::string name = one.param.id;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(AdaptersTest, IsStartedAtTheGatewayAndNowhereElse) {
  const sys::Command command = prepared();
  EXPECT_TRUE(command.clear_environment);
  EXPECT_EQ(command.directory, scratch_.path() + "/work");
  EXPECT_THAT(command.argv, IsSupersetOf(GetParam().words));
  EXPECT_THAT(command.environment, IsSupersetOf(GetParam().environment));
  if (GetParam().where) {
    const bool in_configuration = written().find(GetParam().where) != std::string::npos;
    EXPECT_TRUE(in_configuration) << written();
  }
  // The caller adds the variables; what is a flag of the command line is none.
  EXPECT_THAT(command.environment, Not(Contains(Pair("PLAIN", "x"))));
  EXPECT_THAT(command.environment, Not(Contains(Pair("--mode", "fast"))));
  for (const auto& [name, value] : command.environment)
    if (name.ends_with("_KEY")) {
      EXPECT_EQ(value, kDummyKey) << name;
    }
}

TEST_P(AdaptersTest, GetsThePromptTheFlagsAndTheFurtherArguments) {
  const std::vector<std::string> argv = prepared().argv;
  const auto at = std::ranges::search(
      argv, std::vector<std::string>{"--mode", "fast", "--all", "--further", "word"});
  EXPECT_FALSE(at.empty()) << testing::PrintToString(argv);
  const bool in_file = written().find("what \\\"is\\\" there?") != std::string::npos;
  if (!in_file) {
    EXPECT_THAT(argv, Contains(start_.prompt));
  }
}

TEST_P(AdaptersTest, HasTheServersInItsConfigurationInTheirOrder) {
  prepared();
  const std::string text = written();
  EXPECT_THAT(text, HasSubstr(GetParam().servers));
  EXPECT_THAT(text, HasSubstr(R"("shim")"));
  EXPECT_THAT(text, HasSubstr(R"("a b")"));
  EXPECT_THAT(text, HasSubstr("a secret"));
  EXPECT_THAT(text, HasSubstr("note"));
  const std::size_t first = text.find(R"("zeta \"one\"")"), second = text.find("alpha");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_LT(first, second);
  if (GetParam().config == std::string_view("home/.codex/config.toml")) return;
  const Result<json::Document> document = json::Document::parse(text);
  ASSERT_TRUE(document) << text;
  const auto servers = document->root().find(GetParam().servers);
  ASSERT_TRUE(servers);
  EXPECT_EQ(
      servers->is(json::Type::kArray) ? servers->elements().size() : servers->members().size(), 2U);
}

TEST_P(AdaptersTest, SaysWhatItCannotDo) {
  const Result<sys::Command> none = adapter().prepare(start_, scratch_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "run.client.program");
  put(GetParam().program);
  for (bool ClientStart::* way : {&ClientStart::interactive, &ClientStart::resume}) {
    ClientStart start = start_;
    start.*way = true;
    const Result<sys::Command> refused = adapter().prepare(start, scratch_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "run.client.session");
  }
}

TEST_P(AdaptersTest, CanBeStartedTwiceInOneFolder) {
  const sys::Command first = prepared();
  EXPECT_EQ(prepared().argv, first.argv);
}

TEST_P(AdaptersTest, KnowsItsOwn) {
  EXPECT_EQ(adapter().needs_node_22(), GetParam().node_22);
  if (GetParam().set_by_us) {
    EXPECT_THAT(adapter().set_by_us(), Contains(GetParam().set_by_us));
  }
  EXPECT_FALSE(adapter().tools_of_servers().empty());
}

// --- What only one of them has -------------------------------------------------------------------

sys::Command prepared_with(const char* id, const char* program, Pairs variables,
                           const sys::Scratch& scratch) {
  const ClientStart start = {.folder = scratch.path() + "/installed",
                             .version = Version::parse("1.0.0").value(),
                             .gateway = kGateway,
                             .model = "some-model",
                             .prompt = "what?",
                             .variables = std::move(variables),
                             .servers = {{.name = "lab",
                                          .argv = {"x"},
                                          .environment = {},
                                          .settings = {{"required", "true"}, {"timeout", "60"}}}}};
  const fs::path path = fs::path(start.folder) / "node_modules" / program;
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "program";
  return adapter_named(id)->prepare(start, scratch).value();
}

TEST(CopilotAdapter, SpeaksToAnotherApiWithoutTheVersionInTheAddress) {
  const sys::Scratch scratch = sys::Scratch::make().value();
  const sys::Command command = prepared_with("copilot", "@github/copilot-linux-x64/copilot",
                                             {{"COPILOT_PROVIDER_TYPE", "anthropic"}}, scratch);
  EXPECT_THAT(command.environment, Contains(Pair("COPILOT_PROVIDER_BASE_URL", kGateway)));
}

TEST(CodexAdapter, WritesNumbersAndTruthsOfSettingsAsSuch) {
  const sys::Scratch scratch = sys::Scratch::make().value();
  prepared_with("codex", "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", {},
                scratch);
  const std::string config =
      sys::read_file(scratch.path() + "/home/.codex/config.toml", 1 << 20).value();
  EXPECT_THAT(config, HasSubstr("\"required\" = true\n\"timeout\" = 60\n"));
}

TEST(LibraryAdapter, FindsThePackagesBesideTheDriver) {
  const sys::Scratch scratch = sys::Scratch::make().value();
  const sys::Command command = prepared_with("ai-sdk-mcp", "@ai-sdk/mcp/package.json", {}, scratch);
  EXPECT_EQ(command.argv[1], scratch.path() + "/driver/ai_sdk_mcp.mjs");
  EXPECT_TRUE(fs::exists(scratch.path() + "/driver/shared.mjs"));
  EXPECT_TRUE(fs::exists(scratch.path() + "/driver/node_modules/@ai-sdk/mcp/package.json"));
}

TEST(Drivers, AreInTheProgram) {
  EXPECT_EQ(drivers().size(), 7U);
  for (const Driver& driver : drivers())
    EXPECT_TRUE(driver.text.starts_with("// " + std::string(driver.file))) << driver.file;
}

}  // namespace
}  // namespace cutline::run
