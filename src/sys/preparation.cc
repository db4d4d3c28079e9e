// preparation.cc: arguments, environment and paths as exec wants them.
#include "sys/preparation.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace cutline::sys {
namespace {

/// Null-terminated pointers into strings that live elsewhere, as exec wants them.
std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (std::string& string : strings) out.push_back(string.data());
  out.push_back(nullptr);
  return out;
}

void set_variable(std::vector<std::string>& environment, std::string_view name,
                  std::string_view value) {
  const std::string prefix = fmt::format("{}=", name);
  std::erase_if(environment, [&](const std::string& line) { return line.starts_with(prefix); });
  environment.push_back(prefix + std::string(value));
}

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> environment;
  if (!command.clear_environment)
    for (char** line = ::environ; line != nullptr && *line != nullptr; ++line)
      environment.emplace_back(*line);
  for (const auto& [name, value] : command.environment) set_variable(environment, name, value);
  return environment;
}

/// The files that `name` may mean, in the order in which a shell would try them.
std::vector<std::string> paths_of(const std::string& name,
                                  const std::vector<std::string>& environment) {
  if (name.find('/') != name.npos) return {name};
  constexpr std::string_view kPath = "PATH=";
  std::string path = "/bin:/usr/bin";  // what execvp(3) takes when there is none
  for (const std::string& line : environment)
    if (line.starts_with(kPath)) path = line.substr(kPath.size());
  std::vector<std::string> paths;
  for (std::string_view rest = path;;) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    paths.push_back(folder.empty() ? "./" + name : fmt::format("{}/{}", folder, name));
    if (colon == rest.npos) return paths;
    rest.remove_prefix(colon + 1);
  }
}

std::string identity_map(id_t id) { return fmt::format("{0} {0} 1\n", id); }

}  // namespace

Preparation::Preparation(const Command& command)
    : directory_(command.directory),
      environment_(environment_of(command)),
      paths_(paths_of(command.argv.front(), environment_)),
      arguments_(command.argv),
      script_({"/bin/sh", ""}),
      ports_(command.sandbox.value_or(Sandbox{}).ports),
      uid_map_(identity_map(::geteuid())),
      gid_map_(identity_map(::getegid())),
      terminal_(command.terminal.has_value()) {
  script_.insert(script_.end(), command.argv.begin() + 1, command.argv.end());
}

Launch Preparation::launch() {
  environment_pointers_ = pointers(environment_);
  path_pointers_ = pointers(paths_);
  argument_pointers_ = pointers(arguments_);
  script_pointers_ = pointers(script_);
  return {.paths = path_pointers_.data(),
          .argv = argument_pointers_.data(),
          .script_argv = script_pointers_.data(),
          .envp = environment_pointers_.data(),
          .directory = directory_.empty() ? nullptr : directory_.c_str(),
          .stdio = {},
          .control = -1,
          .status = -1,
          .exec_read = -1,
          .exec_write = -1,
          .terminal = terminal_,
          .handover = -1,
          .ports = ports_,
          .uid_map = uid_map_.c_str(),
          .gid_map = gid_map_.c_str()};
}

}  // namespace cutline::sys
