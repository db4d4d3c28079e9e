// configuration.cc: servers as JSON, flags, programs.
#include "run/clients/configuration.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace cutline::run {

void write_servers(json::Writer& out, std::string_view key, const std::vector<ServerEntry>& servers,
                   const std::function<void(json::Writer&, const ServerEntry&)>& write) {
  out.key(key).begin_object();
  for (const ServerEntry& server : servers) {
    out.key(server.name).begin_object();
    write(out, server);
    write_settings(out, server);
    out.end_object();
  }
  out.end_object();
}

std::string servers_file(const std::vector<ServerEntry>& servers,
                         const std::function<void(json::Writer&, const ServerEntry&)>& write) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object();
  write_servers(out, "mcpServers", servers, write);
  return out.end_object().take();
}

void write_settings(json::Writer& out, const ServerEntry& server) {
  for (const auto& [name, value] : server.settings) {
    out.key(name);
    value == "true" || value == "false" ? out.boolean(value == "true") : out.string(value);
  }
}

void write_command(json::Writer& out, const ServerEntry& server) {
  out.member("command", server.argv.front()).key("args").begin_array();
  for (std::size_t i = 1; i < server.argv.size(); ++i) out.string(server.argv[i]);
  out.end_array().key("env").begin_object();
  for (const auto& [name, value] : server.environment) out.member(name, value);
  out.end_object();
}

void write_server_list(json::Writer& out, std::span<const ServerEntry> servers) {
  out.begin_array();
  for (const ServerEntry& server : servers) {
    out.begin_object().member("name", server.name);
    write_command(out, server);
    write_settings(out, server);
    out.end_object();
  }
  out.end_array();
}

bool is_flag(std::string_view variable) { return variable.starts_with("--"); }

std::vector<std::string> flags_of(const Pairs& variables) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : variables) {
    if (!is_flag(name) || value == "false" || value.empty()) continue;
    flags.push_back(name);
    if (value != "true") flags.push_back(value);
  }
  return flags;
}

void add_arguments(std::vector<std::string>& argv, const ClientStart& start) {
  const std::vector<std::string> flags = flags_of(start.variables);
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.insert(argv.end(), start.arguments.begin(), start.arguments.end());
}

void write_quiet_settings(json::Writer& out) {
  out.key("privacy").begin_object().member("usageStatisticsEnabled", false).end_object();
  out.key("telemetry").begin_object().member("enabled", false).end_object();
  out.key("general").begin_object().member("disableAutoUpdate", true);
  out.member("enableAutoUpdate", false).member("disableUpdateNag", true).end_object();
}

void write_trusted_command(json::Writer& out, const ServerEntry& server) {
  write_command(out, server);
  const bool said = std::ranges::any_of(
      server.settings, [](const auto& setting) { return setting.first == "trust"; });
  if (!said) out.member("trust", true);
}

Result<std::string> program_in(const std::string& folder, std::string_view client,
                               const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::string path = folder + "/node_modules/" + file;
    if (std::filesystem::exists(path)) return path;
  }
  return fail({.code = "run.client.program",
               .message = fmt::format("the program of {} is not in its folder", client),
               .place = folder,
               .hint = "remove it with `cutline clients remove`, and install it again",
               .blame = Blame::kMissing});
}

Result<void> only_headless(const ClientStart& start, std::string_view client) {
  if (!start.interactive && !start.resume) return {};
  return fail({.code = "run.client.session",
               .message = fmt::format("{} is not {} here", client,
                                      start.interactive ? "run on a terminal" : "resumed"),
               .place = {},
               .hint = "leave `interactive` and `resume` away",
               .blame = Blame::kMissing});
}

}  // namespace cutline::run
