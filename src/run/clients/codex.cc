// codex.cc: Codex CLI, headless (`codex exec`).
//
// config.toml in CODEX_HOME has a provider of our own, which keeps the model's name, and the
// servers. What Codex knows of a model by its name (its catalogue) decides how it sends tools.
#include "run/clients/codex.h"

#include <array>

#include <fmt/format.h>

#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Codex";

/// A basic string of TOML; JSON's form of a string is one, but for the DEL character.
std::string quoted(std::string_view text) {
  std::string literal;
  json::append_string(literal, text);
  std::string out;
  for (const char c : literal) c == '\x7f' ? out += "\\u007f" : out += c;
  return out;
}

std::string list(const std::vector<std::string>& argv) {
  std::string out = "[";
  for (std::size_t i = 1; i < argv.size(); ++i) out += (i > 1 ? ", " : "") + quoted(argv[i]);
  return out + "]";
}

std::string server_tables(const ServerEntry& server) {
  const std::string name = quoted(server.name);
  std::string out = fmt::format("\n[mcp_servers.{}]\ncommand = {}\nargs = {}\n", name,
                                quoted(server.argv.front()), list(server.argv));
  for (const auto& [key, value] : server.settings) {
    const bool number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    const bool bare = number || value == "true" || value == "false";
    out += fmt::format("{} = {}\n", quoted(key), bare ? value : quoted(value));
  }
  out += fmt::format("\n[mcp_servers.{}.env]\n", name);
  for (const auto& [key, value] : server.environment)
    out += fmt::format("{} = {}\n", quoted(key), quoted(value));
  return out;
}

std::string configuration(const ClientStart& start) {
  std::string out = fmt::format(
      "model = {}\nmodel_provider = \"cutline\"\ncheck_for_update_on_startup = false\n\n"
      "[analytics]\nenabled = false\n\n[model_providers.cutline]\nname = \"cutline\"\n"
      "base_url = {}\nenv_key = \"CUTLINE_KEY\"\nwire_api = \"responses\"\n"
      "request_max_retries = 0\nstream_max_retries = 0\n",
      quoted(start.model), quoted(start.gateway + "/v1"));
  for (const ServerEntry& server : start.servers) out += server_tables(server);
  return out;
}

class Codex final : public Adapter {
 public:
  std::string_view id() const override { return "codex"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(
        const std::string program,
        program_in(start.folder, kTitle,
                   {"@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
                    "@openai/codex-linux-arm64/vendor/aarch64-unknown-linux-musl/bin/codex"}));
    CUTLINE_TRY(scratch.write("home/.codex/config.toml", configuration(start)));
    sys::Command command;
    command.argv = {program, "exec", "--skip-git-repo-check", "--json"};
    add_arguments(command.argv, start);
    command.argv.insert(command.argv.end(), {"--", start.prompt});
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"CODEX_HOME", scratch.path() + "/home/.codex"},
                           {"CUTLINE_KEY", std::string(kDummyKey)}};
    return command;
  }

  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 2> kNames = {"CODEX_HOME", "CUTLINE_KEY"};
    return kNames;
  }
  std::string_view tools_of_servers() const override { return "mcp__*"; }
};

}  // namespace

const Adapter& codex() {
  static const Codex kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
