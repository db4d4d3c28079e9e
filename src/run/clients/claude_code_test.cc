// claude_code_test.cc: how Claude Code is started, and what is read from what it leaves. The
// transcripts and logs are written here, in the client's form.
#include "run/clients/claude_code.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "json/writer.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

class ClaudeCodeTest : public testing::Test {
 protected:
  ClaudeCodeTest() { start_.folder = scratch_.path() + "/installed"; }

  void put(const std::string& file) {
    const fs::path path = fs::path(start_.folder) / "node_modules/@anthropic-ai" / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "program";
  }
  sys::Command prepared() {
    const Result<sys::Command> command = claude_code().prepare(start_, scratch_);
    if (!command) ADD_FAILURE() << to_text(command.error());
    return command.value_or(sys::Command{});
  }
  std::string written(const std::string& name) const {
    return sys::read_file(scratch_.path() + "/" + name, 1 << 20).value_or("(none)");
  }
  /// What follows a flag.
  static std::string after(const std::vector<std::string>& argv, std::string_view flag) {
    const auto at = std::ranges::find(argv, flag);
    return at == argv.end() || at + 1 == argv.end() ? "(none)" : *(at + 1);
  }

  sys::Scratch scratch_ = sys::Scratch::make().value();
  ClientStart start_ = {.folder = {},
                        .version = Version::parse("2.1.285").value(),
                        .gateway = "http://127.0.0.1:8080",
                        .model = {},
                        .prompt = "--what?",
                        .turns = 3,
                        .variables = {},
                        .servers = {},
                        .resume = false,
                        .interactive = false};
};

TEST_F(ClaudeCodeTest, IsFoundByItsName) {
  EXPECT_EQ(adapter_named("claude-code"), &claude_code());
  EXPECT_EQ(adapter_named("claude"), nullptr);
}

TEST_F(ClaudeCodeTest, KnowsItsOwnWords) {
  EXPECT_TRUE(claude_code().compacts("/compact keep the names"));
  EXPECT_FALSE(claude_code().compacts("please /compact"));
  EXPECT_EQ(claude_code().tools_of_servers(), "mcp__*");
  EXPECT_THAT(claude_code().set_by_us(), Contains("ANTHROPIC_BASE_URL"));
}

// --- Starting ------------------------------------------------------------------------------------

TEST_F(ClaudeCodeTest, TakesTheBinaryOrElseTheScript) {
  const Result<sys::Command> none = claude_code().prepare(start_, scratch_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "run.client.program");
  put("claude-code/cli.js");
  EXPECT_EQ(prepared().argv[0], "node");
  EXPECT_TRUE(prepared().argv[1].ends_with("/claude-code/cli.js"));
  put("claude-code-linux-x64/claude");
  EXPECT_TRUE(prepared().argv[0].ends_with("/claude-code-linux-x64/claude"));
}

TEST_F(ClaudeCodeTest, StartsWithoutATerminal) {
  put("claude-code-linux-x64/claude");
  start_.model = "some-model";
  const sys::Command command = prepared();
  const std::vector<std::string>& argv = command.argv;
  EXPECT_THAT(argv, Contains("-p"));
  EXPECT_EQ(after(argv, "--output-format"), "stream-json");
  EXPECT_EQ(after(argv, "--max-turns"), "3");
  EXPECT_EQ(after(argv, "--model"), "some-model");
  EXPECT_EQ(after(argv, "--debug-file"), scratch_.path() + "/debug.log");
  EXPECT_EQ(after(argv, "--mcp-config"), scratch_.path() + "/mcp.json");
  EXPECT_THAT(argv, Contains("--strict-mcp-config"));
  EXPECT_THAT(argv, Not(Contains("--continue")));
  // A prompt may begin like a flag.
  EXPECT_EQ(argv[argv.size() - 2], "--");
  EXPECT_EQ(argv.back(), "--what?");

  EXPECT_TRUE(command.clear_environment);
  EXPECT_EQ(command.directory, scratch_.path() + "/work");
  EXPECT_THAT(command.environment, Contains(Pair("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080")));
  EXPECT_THAT(command.environment, Contains(Pair("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")));
  EXPECT_THAT(command.environment,
              Contains(Pair("ANTHROPIC_API_KEY", testing::HasSubstr("dummy"))));
}

TEST_F(ClaudeCodeTest, LeavesOutWhatAVersionDoesNotKnowOrNobodyAskedFor) {
  put("claude-code-linux-x64/claude");
  start_.version = Version::parse("2.1.49").value();
  EXPECT_THAT(prepared().argv, Not(Contains("--debug-file")));
  EXPECT_THAT(prepared().argv, Not(Contains("--model")));
}

TEST_F(ClaudeCodeTest, StartsOnATerminalWithoutQuestions) {
  put("claude-code-linux-x64/claude");
  start_.interactive = true;
  EXPECT_THAT(prepared().argv, Not(Contains("-p")));
  EXPECT_THAT(prepared().argv, Not(Contains("--max-turns")));
  const json::Document answers = json::Document::parse(written("home/.claude.json")).value();
  EXPECT_TRUE(answers.root().find("hasCompletedOnboarding")->boolean());
  const auto project = answers.root().find("projects")->find(scratch_.path() + "/work");
  ASSERT_TRUE(project);
  EXPECT_TRUE(project->find("hasTrustDialogAccepted")->boolean());
  // The client knows a key by its end.
  const std::string approved = answers.root()
                                   .find("customApiKeyResponses")
                                   ->find("approved")
                                   ->elements()
                                   .at(0)
                                   .string()
                                   .value;
  EXPECT_EQ(approved.size(), 20U);
  const sys::Command command = prepared();
  const auto key = std::ranges::find(command.environment, "ANTHROPIC_API_KEY",
                                     &std::pair<std::string, std::string>::first);
  EXPECT_TRUE(key->second.ends_with(approved));
}

TEST_F(ClaudeCodeTest, AResumedSessionKeepsWhatTheClientWroteIntoItsHome) {
  put("claude-code-linux-x64/claude");
  start_.interactive = start_.resume = true;
  ASSERT_TRUE(scratch_.write("home/.claude.json", "its own"));
  EXPECT_THAT(prepared().argv, Contains("--continue"));
  EXPECT_EQ(written("home/.claude.json"), "its own");
}

TEST_F(ClaudeCodeTest, WritesTheServersIntoItsConfiguration) {
  put("claude-code-linux-x64/claude");
  start_.servers = {{.name = "lab \"one\"",
                     .argv = {"/bin/cutline", "shim", "--", "a b"},
                     .environment = {{"KEY", "v"}},
                     .settings = {{"alwaysLoad", "true"}, {"note", "text"}, {"off", "false"}}},
                    {.name = "two", .argv = {"x"}, .environment = {}, .settings = {}}};
  prepared();
  const json::Document config = json::Document::parse(written("mcp.json")).value();
  const auto servers = config.root().find("mcpServers")->members();
  ASSERT_EQ(servers.size(), 2U);
  EXPECT_EQ(servers[0].key, "lab \"one\"");
  const json::Value one = servers[0].value;
  EXPECT_EQ(json::string_member(one, "type"), "stdio");
  EXPECT_EQ(json::string_member(one, "command"), "/bin/cutline");
  std::vector<std::string> words;
  for (const json::Value& word : one.find("args")->elements()) words.push_back(word.string().value);
  EXPECT_THAT(words, ElementsAre("shim", "--", "a b"));
  EXPECT_EQ(json::string_member(*one.find("env"), "KEY"), "v");
  EXPECT_TRUE(one.find("alwaysLoad")->boolean());
  EXPECT_FALSE(one.find("off")->boolean());
  EXPECT_EQ(json::string_member(one, "note"), "text");
  EXPECT_EQ(servers[1].value.find("args")->size(), 0U);
}

TEST_F(ClaudeCodeTest, LeavingsAreTheLogAndAllTranscripts) {
  ASSERT_TRUE(scratch_.write("debug.log", "log"));
  ASSERT_TRUE(scratch_.write("home/.claude/projects/-a/one.jsonl", "1"));
  ASSERT_TRUE(scratch_.write("home/.claude/projects/-a/deep/two.jsonl", "2"));
  ASSERT_TRUE(scratch_.write("home/.claude/projects/-a/other.txt", "3"));
  std::vector<std::string> names, bytes;
  for (const store::File& file : claude_code().leavings(scratch_)) {
    names.push_back(file.name);
    bytes.push_back(file.bytes);
  }
  EXPECT_THAT(names, ElementsAre("debug.log", "transcript.jsonl", "transcript-2.jsonl"));
  EXPECT_THAT(bytes, UnorderedElementsAre("log", "1", "2"));
  EXPECT_THAT(claude_code().leavings(sys::Scratch::make().value()), testing::IsEmpty());
}

// --- What it tells -------------------------------------------------------------------------------

std::string delta(const std::vector<std::string>& blocks) {
  json::Writer out;
  out.begin_object().member("type", "attachment").key("attachment").begin_object();
  out.member("type", "mcp_instructions_delta").key("addedBlocks").begin_array();
  for (const std::string& block : blocks) out.string(block);
  out.end_array().end_object().end_object();
  return out.take() + "\n";
}

Told told(std::vector<store::File> files, std::string_view server = "lab") {
  return claude_code().told(files, server);
}

TEST(ClaudeCodeTold, FindsTheServersTextInTheTranscript) {
  const std::string transcript = "{\"type\":\"user\"}\nno JSON mcp_instructions_delta\n" +
                                 delta({"## other\nOther.", "## lab\nFirst \"line\".\n\nSecond."}) +
                                 "{\"type\":\"assistant\"}";
  const std::vector<store::File> files = {{.name = "transcript.jsonl", .bytes = transcript}};
  EXPECT_EQ(told(files).transcript_text, "First \"line\".\n\nSecond.");
  EXPECT_EQ(told(files, "other").transcript_text, "Other.");
  EXPECT_EQ(told(files, "la").transcript_text, std::nullopt);
  EXPECT_EQ(told({}).transcript_text, std::nullopt);
}

TEST(ClaudeCodeTold, StrangeTranscriptsTellNothing) {
  for (const char* line :
       {"{\"attachment\":{\"type\":\"mcp_instructions_delta\"}}",
        "{\"attachment\":{\"type\":\"mcp_instructions_delta\",\"addedBlocks\":\"## lab\\nx\"}}",
        "{\"attachment\":{\"type\":\"mcp_instructions_delta\",\"addedBlocks\":[1,null,{}]}}",
        "[\"mcp_instructions_delta\"]", "\"mcp_instructions_delta\"",
        "{\"mcp_instructions_delta\":"})
    EXPECT_FALSE(told({{.name = "transcript.jsonl", .bytes = line}}).transcript_text) << line;
}

TEST(ClaudeCodeTold, OnlyThisServersLinesOfTheLogCount) {
  const std::string log =
      "2026-12-01 [DEBUG] MCP server \"lab\": Connected {\"protocolEra\":\"legacy\",\"x\":1}\n"
      "2026-12-01 [DEBUG] MCP server \"loud\": Connected {\"protocolEra\":\"modern\"}\n"
      "2026-12-01 [DEBUG] MCP server \"loud\": Server instructions truncated from 5000 to 2048 "
      "chars";
  const std::vector<store::File> files = {{.name = "debug.log", .bytes = log}};
  EXPECT_EQ(told(files).debug_era, "legacy");
  EXPECT_FALSE(told(files).debug_log_tells);
  EXPECT_EQ(told(files, "loud").debug_era, "modern");
  EXPECT_TRUE(told(files, "loud").debug_log_tells);
  EXPECT_EQ(told({}).debug_era, "");
}

TEST(ClaudeCodeTold, SaysWhereAnyoneWasTold) {
  const std::string words = "instructions truncated from 5000 to 2048";
  EXPECT_TRUE(told({{.name = "stdout", .bytes = words}}).stdout_tells);
  EXPECT_TRUE(told({{.name = "stderr", .bytes = words}}).stderr_tells);
  // Of several sessions each has its own.
  EXPECT_TRUE(
      told({{.name = "stdout-1", .bytes = words}, {.name = "stdout-2", .bytes = ""}}).stdout_tells);
  const Told silent = told({{.name = "stdout", .bytes = "all is well"}});
  EXPECT_FALSE(silent.stdout_tells || silent.stderr_tells || silent.debug_log_tells);
}

}  // namespace
}  // namespace cutline::run
