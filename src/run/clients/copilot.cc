// copilot.cc: GitHub's Copilot CLI, headless (`copilot -p`), offline with a provider of our own.
//
// The provider is spoken to as a chat API, or as COPILOT_PROVIDER_TYPE (openai, anthropic) and
// COPILOT_PROVIDER_WIRE_API (completions, responses) say.
#include "run/clients/copilot.h"

#include <array>

#include "delivery/profile.h"
#include "run/clients/configuration.h"

namespace cutline::run {
namespace {

constexpr std::string_view kTitle = "Copilot CLI";
constexpr std::string_view kType = "COPILOT_PROVIDER_TYPE";

void write_server(json::Writer& out, const ServerEntry& server) {
  out.member("type", "local");
  write_command(out, server);
  out.key("tools").begin_array().string("*").end_array();
}

class Copilot final : public Adapter {
 public:
  std::string_view id() const override { return "copilot"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY(only_headless(start, kTitle));
    CUTLINE_TRY_ASSIGN(
        const std::string program,
        program_in(start.folder, kTitle,
                   {"@github/copilot-linux-x64/copilot", "@github/copilot-linux-arm64/copilot"}));
    CUTLINE_TRY(
        scratch.write("home/.copilot/mcp-config.json", servers_file(start.servers, write_server)));
    const bool anthropic = delivery::last_of(start.variables, kType) == "anthropic";
    sys::Command command;
    command.argv = {program, "-p", start.prompt, "--allow-all-tools", "--no-auto-update"};
    add_arguments(command.argv, start);
    command.clear_environment = true;
    command.directory = scratch.path() + "/work";
    command.environment = {{"COPILOT_OFFLINE", "true"},
                           {"COPILOT_HOME", scratch.path() + "/home/.copilot"},
                           {"COPILOT_PROVIDER_BASE_URL", start.gateway + (anthropic ? "" : "/v1")},
                           {"COPILOT_PROVIDER_API_KEY", std::string(kDummyKey)},
                           {"COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "900000"},
                           {"COPILOT_MODEL", start.model},
                           {"COPILOT_AUTO_UPDATE", "false"},
                           {std::string(kType), "openai"}};
    return command;
  }

  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 5> kNames = {
        "COPILOT_OFFLINE", "COPILOT_HOME", "COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY",
        "COPILOT_MODEL"};
    return kNames;
  }
};

}  // namespace

const Adapter& copilot() {
  static const Copilot kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
