// continue_cli.cc: Continue's command line (`cn -p`).
//
// One YAML file has the model, its address and the servers.
#include "run/clients/continue_cli.h"

#include <fmt/format.h>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Continue";

/// JSON is YAML, so what is written needs no rules of YAML's.
std::string configuration(const ClientStart& start) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("name", "cutline").member("version", "1.0.0").member("schema", "v1");
  out.key("models").begin_array().begin_object().member("name", start.model);
  out.member("provider", "openai").member("model", start.model);
  out.member("apiBase", start.gateway + "/v1").member("apiKey", kDummyKey);
  out.key("roles").begin_array().string("chat").end_array().end_object().end_array();
  out.key("mcpServers");
  write_server_list(out, start.servers);
  return out.end_object().take();
}

class ContinueCli final : public Adapter {
 public:
  std::string_view id() const override { return "continue"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(const std::string script,
                       program_in(start.folder, kTitle, {"@continuedev/cli/dist/cn.js"}));
    CUTLINE_TRY_ASSIGN(const std::string config,
                       scratch.write("continue.yaml", configuration(start)));
    sys::Command command;
    command.argv = {"node", script, "--config", config};
    add_arguments(command.argv, start);
    command.argv.insert(command.argv.end(), {"-p", start.prompt});
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"CONTINUE_TELEMETRY_ENABLED", "0"},
                           {"CONTINUE_CLI_DISABLE_COMMIT_SIGNATURE", "1"}};
    return command;
  }
};

}  // namespace

const Adapter& continue_cli() {
  static const ContinueCli kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
