// gemini_cli.cc: Gemini CLI, headless (`gemini -p`).
//
// Address and key of the API come from the environment, all else from settings.json in its home.
#include "run/clients/gemini_cli.h"

#include <array>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Gemini CLI";
/// Without it a folder counts as untrusted, and its servers are not started.
constexpr const char* kTrust = "GEMINI_CLI_TRUST_WORKSPACE";

std::string settings(const std::vector<ServerEntry>& servers) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().key("security").begin_object();
  out.key("auth").begin_object().member("selectedType", "gemini-api-key").end_object();
  out.end_object();
  write_quiet_settings(out);
  write_servers(out, "mcpServers", servers, write_trusted_command);
  return out.end_object().take();
}

class GeminiCli final : public Adapter {
 public:
  std::string_view id() const override { return "gemini-cli"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(const std::string script, program_in(start.folder, kTitle,
                                                            {"@google/gemini-cli/bundle/gemini.js",
                                                             "@google/gemini-cli/dist/index.js"}));
    CUTLINE_TRY(scratch.write("home/.gemini/settings.json", settings(start.servers)));
    sys::Command command;
    command.argv = {"node", script, "-m", start.model};
    add_arguments(command.argv, start);
    command.argv.insert(command.argv.end(), {"-p", start.prompt});
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"GEMINI_API_KEY", std::string(kDummyKey)},
                           {"GOOGLE_GEMINI_BASE_URL", start.gateway},
                           {kTrust, "true"}};
    return command;
  }

  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 3> kNames = {
        "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GEMINI_CLI_HOME"};
    return kNames;
  }
  std::string_view tools_of_servers() const override { return "mcp_*"; }
};

}  // namespace

const Adapter& gemini_cli() {
  static const GeminiCli kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
