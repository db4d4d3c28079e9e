// cline.cc: Cline's command line, headless, spoken to as a chat API.
//
// providers.json is what `cline auth` would write; a file of its own has the servers. Each headless
// run leaves a daemon behind, which ends with the sandbox.
#include "run/clients/cline.h"

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Cline";
constexpr std::string_view kProvider = "openai-compatible";

std::string providers(const ClientStart& start) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("version", 1).member("lastUsedProvider", kProvider);
  out.key("providers").begin_object().key(kProvider).begin_object();
  out.key("settings").begin_object().member("provider", kProvider).member("apiKey", kDummyKey);
  out.member("model", start.model).member("baseUrl", start.gateway + "/v1").end_object();
  out.member("updatedAt", "2026-01-01T00:00:00.000Z").member("tokenSource", "manual");
  out.end_object().end_object();
  return out.end_object().take();
}

void write_server(json::Writer& out, const ServerEntry& server) {
  write_command(out, server);
  out.member("disabled", false).key("autoApprove").begin_array().end_array();
}

class Cline final : public Adapter {
 public:
  std::string_view id() const override { return "cline"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(const std::string program, program_in(start.folder, kTitle,
                                                             {"@cline/cli-linux-x64/bin/cline",
                                                              "@cline/cli-linux-arm64/bin/cline"}));
    constexpr const char* kSettings = "home/.cline/data/settings/";
    CUTLINE_TRY(scratch.write(std::string(kSettings) + "providers.json", providers(start)));
    CUTLINE_TRY(scratch.write(std::string(kSettings) + "cline_mcp_settings.json",
                              servers_file(start.servers, write_server)));
    sys::Command command;
    command.argv = {program, "--json",   "--compaction", "off", "-P", std::string(kProvider),
                    "-m",    start.model};
    add_arguments(command.argv, start);
    command.argv.push_back(start.prompt);
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"CLINE_TELEMETRY_DISABLED", "1"}, {"CLINE_NO_AUTO_UPDATE", "1"}};
    return command;
  }
};

}  // namespace

const Adapter& cline() {
  static const Cline kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
