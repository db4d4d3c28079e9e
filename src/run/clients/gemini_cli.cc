// gemini_cli.cc: Gemini CLI, headless (`gemini -p`).
//
// Address and key of the API come from the environment, all else from settings.json in its home.
#include "run/clients/gemini_cli.h"

#include <algorithm>
#include <array>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Gemini CLI";
/// Without it a folder counts as untrusted, and its servers are not started.
constexpr const char* kTrust = "GEMINI_CLI_TRUST_WORKSPACE";

/// Headless, tools of a server that is not trusted are left out, as nobody could be asked.
void write_server(json::Writer& out, const ServerEntry& server) {
  write_command(out, server);
  const bool said = std::ranges::any_of(
      server.settings, [](const auto& setting) { return setting.first == "trust"; });
  if (!said) out.member("trust", true);
}

std::string settings(const std::vector<ServerEntry>& servers) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().key("security").begin_object();
  out.key("auth").begin_object().member("selectedType", "gemini-api-key").end_object();
  out.end_object();
  out.key("privacy").begin_object().member("usageStatisticsEnabled", false).end_object();
  out.key("telemetry").begin_object().member("enabled", false).end_object();
  out.key("general").begin_object().member("disableAutoUpdate", true);
  out.member("enableAutoUpdate", false).member("disableUpdateNag", true).end_object();
  write_servers(out, "mcpServers", servers, write_server);
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
    const std::vector<std::string> flags = flags_of(start.variables);
    command.argv.insert(command.argv.end(), flags.begin(), flags.end());
    command.argv.insert(command.argv.end(), start.arguments.begin(), start.arguments.end());
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
