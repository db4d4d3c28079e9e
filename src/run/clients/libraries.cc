// libraries.cc: libraries that hosts are built on, each run by a driver of ours (drivers.h).
//
// The driver stands in a folder of its own with a link to the installed packages beside it, for
// that is where Node looks for what an ES module imports; what it is to do stands in a JSON file.
#include "run/clients/libraries.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "run/clients/claude_code.h"
#include "run/clients/configuration.h"
#include "run/clients/drivers.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShared = "shared.mjs";

std::string task_of(const ClientStart& start, const sys::Scratch& scratch) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("gateway", start.gateway).member("model", start.model);
  out.member("prompt", start.prompt).member("turns", start.turns);
  out.member("debugFile", scratch.path() + "/debug.log").key("servers");
  write_server_list(out, start.servers);
  return out.end_object().take();
}

Result<void> link_packages(const ClientStart& start, const sys::Scratch& scratch) {
  const std::string link = scratch.path() + "/driver/node_modules";
  std::error_code error;
  if (fs::is_symlink(link, error)) return {};  // of the session before
  fs::create_directory_symlink(start.folder + "/node_modules", link, error);
  if (!error) return {};
  return fail({.code = "sys.file.write", .message = error.message(), .place = link, .hint = {}});
}

/// What is different between them.
struct Make {
  std::string_view id, title;
  std::string_view package;  // a file of it that must be there
  std::string_view driver;   // "x.mjs"
  bool node_22 = false;
  std::string_view tools = "*";
};

class Library : public Adapter {
 public:
  explicit Library(Make make) : make_(make) {}
  std::string_view id() const override { return make_.id; }
  bool needs_node_22() const override { return make_.node_22; }
  std::string_view tools_of_servers() const override { return make_.tools; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, make_.title));
    CUTLINE_TRY(
        program_in(start.folder, make_.title, {fmt::format("{}/package.json", make_.package)}));
    sys::Command command;
    for (const Driver& driver : drivers()) {
      if (driver.file != make_.driver && driver.file != kShared) continue;
      CUTLINE_TRY_ASSIGN(std::string path,
                         scratch.write(fmt::format("driver/{}", driver.file), driver.text));
      if (driver.file == make_.driver) command.argv = {"node", std::move(path)};
    }
    CUTLINE_TRY(link_packages(start, scratch));
    CUTLINE_TRY_ASSIGN(std::string task,
                       scratch.write("driver/task.json", task_of(start, scratch)));
    command.argv.push_back(std::move(task));
    add_arguments(command.argv, start);
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = environment(start, scratch);
    return command;
  }

  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 2> kNames = {"OPENAI_API_KEY", "OPENAI_BASE_URL"};
    return kNames;
  }

 protected:
  virtual Pairs environment(const ClientStart& start, const sys::Scratch&) const {
    return {{"OPENAI_API_KEY", std::string(kDummyKey)}, {"OPENAI_BASE_URL", start.gateway + "/v1"}};
  }

 private:
  Make make_;
};

/// The program in its package is Claude Code, and leaves what that leaves.
class ClaudeAgentSdk final : public Library {
 public:
  using Library::Library;

  std::vector<store::File> leavings(const sys::Scratch& scratch) const override {
    return claude_code().leavings(scratch);
  }
  Told told(Leavings leavings, std::string_view server) const override {
    return claude_code().told(leavings, server);
  }
  std::span<const std::string_view> set_by_us() const override { return claude_code().set_by_us(); }

 protected:
  Pairs environment(const ClientStart& start, const sys::Scratch& scratch) const override {
    return claude_environment(start, scratch);
  }
};

}  // namespace

const Adapter& claude_agent_sdk() {
  static const ClaudeAgentSdk kAdapter({.id = "claude-agent-sdk",
                                        .title = "Claude Agent SDK",
                                        .package = "@anthropic-ai/claude-agent-sdk",
                                        .driver = "claude_agent_sdk.mjs",
                                        .tools = "mcp__*"});
  return kAdapter;
}

const Adapter& openai_agents_js() {
  static const Library kAdapter({.id = "openai-agents-js",
                                 .title = "OpenAI Agents SDK",
                                 .package = "@openai/agents",
                                 .driver = "openai_agents_js.mjs",
                                 .node_22 = true});
  return kAdapter;
}

const Adapter& mcp_sdk_ts_v1() {
  static const Library kAdapter({.id = "mcp-sdk-ts-v1",
                                 .title = "MCP SDK 1",
                                 .package = "@modelcontextprotocol/sdk",
                                 .driver = "mcp_sdk_ts_v1.mjs"});
  return kAdapter;
}

const Adapter& mcp_sdk_ts_v2() {
  static const Library kAdapter({.id = "mcp-sdk-ts-v2",
                                 .title = "MCP SDK 2",
                                 .package = "@modelcontextprotocol/client",
                                 .driver = "mcp_sdk_ts_v2.mjs",
                                 .node_22 = true});
  return kAdapter;
}

const Adapter& ai_sdk_mcp() {
  static const Library kAdapter({.id = "ai-sdk-mcp",
                                 .title = "AI SDK",
                                 .package = "@ai-sdk/mcp",
                                 .driver = "ai_sdk_mcp.mjs"});
  return kAdapter;
}

const Adapter& langchain_mcp_adapters() {
  static const Library kAdapter({.id = "langchain-mcp-adapters",
                                 .title = "LangChain MCP adapters",
                                 .package = "@langchain/mcp-adapters",
                                 .driver = "langchain_mcp_adapters.mjs",
                                 .node_22 = true});
  return kAdapter;
}

}  // namespace cutline::run
