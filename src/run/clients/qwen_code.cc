// qwen_code.cc: Qwen Code, headless (`qwen -p`), spoken to as a chat API.
//
// Made from Gemini CLI: address, key and model come from the environment, all else from
// settings.json in its home. It needs Node 22.
#include "run/clients/qwen_code.h"

#include <array>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Qwen Code";

std::string settings(const std::vector<ServerEntry>& servers) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().key("security").begin_object();
  out.key("auth").begin_object().member("selectedType", "openai").end_object().end_object();
  write_quiet_settings(out);
  write_servers(out, "mcpServers", servers, write_trusted_command);
  return out.end_object().take();
}

class QwenCode final : public Adapter {
 public:
  std::string_view id() const override { return "qwen-code"; }
  bool needs_node_22() const override { return true; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(const std::string script,
                       program_in(start.folder, kTitle, {"@qwen-code/qwen-code/cli.js"}));
    CUTLINE_TRY(scratch.write("home/.qwen/settings.json", settings(start.servers)));
    sys::Command command;
    command.argv = {"node", script, "--auth-type", "openai"};
    add_arguments(command.argv, start);
    command.argv.insert(command.argv.end(), {"-p", start.prompt});
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"OPENAI_API_KEY", std::string(kDummyKey)},
                           {"OPENAI_BASE_URL", start.gateway + "/v1"},
                           {"OPENAI_MODEL", start.model}};
    return command;
  }

  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 3> kNames = {"OPENAI_API_KEY", "OPENAI_BASE_URL",
                                                               "OPENAI_MODEL"};
    return kNames;
  }
  std::string_view tools_of_servers() const override { return "mcp__*"; }
};

}  // namespace

const Adapter& qwen_code() {
  static const QwenCode kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
