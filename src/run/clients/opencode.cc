// opencode.cc: opencode (`opencode run`), and Kilo (`kilo run`), which is made from it.
//
// One JSON file in the working directory has the provider, its address and the servers. The
// provider is one of our own, spoken to as a chat API.
#include "run/clients/opencode.h"

#include <array>

#include <fmt/format.h>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

/// Large enough that nothing is left out for want of room.
constexpr int kContextTokens = 400'000, kOutputTokens = 8'000;

void write_provider(json::Writer& out, const ClientStart& start) {
  out.key("provider").begin_object().key("cutline").begin_object();
  out.member("npm", "@ai-sdk/openai-compatible").member("name", "cutline");
  out.key("options").begin_object().member("baseURL", start.gateway + "/v1");
  out.member("apiKey", kDummyKey).end_object();
  out.key("models").begin_object().key(start.model).begin_object().member("name", start.model);
  out.key("limit").begin_object().member("context", kContextTokens);
  out.member("output", kOutputTokens).end_object().end_object().end_object();
  out.end_object().end_object();
}

void write_server(json::Writer& out, const ServerEntry& server) {
  out.member("type", "local").member("enabled", true).key("command").begin_array();
  for (const std::string& word : server.argv) out.string(word);
  out.end_array().key("environment").begin_object();
  for (const auto& [name, value] : server.environment) out.member(name, value);
  out.end_object();
}

std::string configuration(const ClientStart& start) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("autoupdate", false).member("share", "disabled");
  out.member("model", "cutline/" + start.model).member("small_model", "cutline/" + start.model);
  write_provider(out, start);
  write_servers(out, "mcp", start.servers, write_server);
  return out.end_object().take();
}

/// What is different between the two.
struct Make {
  std::string_view id, title, config_file, switches;  // switches: prefix of its variables
  std::vector<std::string> programs;
  std::vector<std::string> run;
};

class OpencodeLike final : public Adapter {
 public:
  explicit OpencodeLike(Make make) : make_(std::move(make)) {}
  std::string_view id() const override { return make_.id; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, make_.title));
    CUTLINE_TRY_ASSIGN(const std::string program,
                       program_in(start.folder, make_.title, make_.programs));
    CUTLINE_TRY(scratch.write(fmt::format("work/{}", make_.config_file), configuration(start)));
    sys::Command command;
    command.argv = {program};
    command.argv.insert(command.argv.end(), make_.run.begin(), make_.run.end());
    add_arguments(command.argv, start);
    command.argv.insert(command.argv.end(), {"--", start.prompt});
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    for (const char* name : {"DISABLE_AUTOUPDATE", "DISABLE_MODELS_FETCH", "DISABLE_LSP_DOWNLOAD"})
      command.environment.emplace_back(fmt::format("{}_{}", make_.switches, name), "1");
    command.environment.emplace_back("KILO_TELEMETRY_LEVEL", "off");
    return command;
  }

 private:
  Make make_;
};

}  // namespace

const Adapter& opencode() {
  static const OpencodeLike kAdapter(
      {.id = "opencode",
       .title = "opencode",
       .config_file = "opencode.json",
       .switches = "OPENCODE",
       .programs = {"opencode-linux-x64/bin/opencode", "opencode-linux-arm64/bin/opencode"},
       .run = {"run"}});
  return kAdapter;
}

const Adapter& kilo() {
  static const OpencodeLike kAdapter(
      {.id = "kilo",
       .title = "Kilo",
       .config_file = "kilo.json",
       .switches = "KILO",
       .programs = {"@kilocode/cli-linux-x64/bin/kilo", "@kilocode/cli-linux-arm64/bin/kilo"},
       .run = {"run", "--auto"}});
  return kAdapter;
}

}  // namespace cutline::run
