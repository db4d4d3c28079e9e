// experiment_server.cc: a server of an experiment: the lab server with settings, or a command.
#include <filesystem>

#include <fmt/format.h>

#include "lab/settings.h"
#include "run/experiment_parts.h"

namespace cutline::run {
namespace {

using config::Kind;
using config::Node;

/// The client starts servers in another folder than the file's.
std::string from_here(const std::string& folder, const std::string& value) {
  constexpr std::string_view kFile = "file:";
  if (!value.starts_with(kFile)) return value;
  const std::filesystem::path path = std::filesystem::path(folder) / value.substr(kFile.size());
  return std::string(kFile) + path.lexically_normal().string();
}

const Node& one_of(const Node& value, Matrix& matrix, std::string_view label) {
  const bool list = value.kind == Kind::kArray && !value.elements.empty();
  return list ? matrix.choose(value, label) : value;
}

/// `cutline lab` with the settings as flags; its own program is put in front when it is started.
Result<std::vector<std::string>> lab_command(const Node& lab, const std::string& folder,
                                             Matrix& matrix) {
  if (lab.kind != Kind::kTable) return wrong(lab, "lab is a table of the lab server's settings");
  std::vector<std::string> argv = {"{cutline}", "lab"};
  lab::Settings probe;
  const auto add = [&](const Node& node, const std::string& key,
                       const std::string& value) -> Result<void> {
    if (!is_scalar(node))
      return wrong(node, fmt::format("{} cannot be {}", key, config::name(node.kind)));
    const Result<void> set = lab::set(probe, key, value);
    if (!set) return wrong(node, set.error().message, set.error().hint);
    argv.insert(argv.end(), {"--" + key, from_here(folder, value)});
    return {};
  };
  for (const auto& [key, value] : lab.members) {
    if (value.kind == Kind::kTable) {
      for (const auto& [method, what] : value.members) {
        const Node& one = one_of(what, matrix, method);
        CUTLINE_TRY(add(one, key, fmt::format("{}={}", method, scalar_text(one))));
      }
      continue;
    }
    const Node& one = one_of(value, matrix, key);
    CUTLINE_TRY(add(one, key, scalar_text(one)));
  }
  return argv;
}

}  // namespace

Result<PlannedServer> read_server(const Node& node, const std::string& folder, Matrix& matrix) {
  static const std::vector<std::string> kKeys = {"name", "lab",      "command",
                                                 "env",  "settings", "network"};
  if (node.kind != Kind::kTable) return wrong(node, "a server is a table");
  CUTLINE_TRY(config::only_keys(node, kKeys));
  PlannedServer server;
  CUTLINE_TRY_ASSIGN(server.name, name_of(node));
  const Node* lab = node.find("lab");
  CUTLINE_TRY_ASSIGN(const auto command, config::find_strings(node, "command"));
  if ((lab != nullptr) == command.has_value())
    return wrong(node, "a server has either lab or command");
  if (lab) {
    CUTLINE_TRY_ASSIGN(server.argv, lab_command(*lab, folder, matrix));
  } else {
    if (command->empty()) return wrong(node, "the command is empty");
    server.argv = *command;
    server.directory = folder;
  }
  CUTLINE_TRY_ASSIGN(const auto network, config::find_boolean(node, "network"));
  server.outside = network.value_or(false);
  CUTLINE_TRY(read_pairs(node, "env", server.environment));
  CUTLINE_TRY(read_pairs(node, "settings", server.settings));
  return server;
}

}  // namespace cutline::run
