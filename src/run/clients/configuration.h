// configuration.h: what clients' configuration files and command lines have in common.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "run/clients/adapter.h"

namespace cutline::run {

/// "KEY": {"NAME": {…}, …}: what `write` puts into each server's object, then its settings.
void write_servers(json::Writer& out, std::string_view key, const std::vector<ServerEntry>& servers,
                   const std::function<void(json::Writer&, const ServerEntry&)>& write);
/// A file of nothing else: {"mcpServers": {…}}.
std::string servers_file(const std::vector<ServerEntry>& servers,
                         const std::function<void(json::Writer&, const ServerEntry&)>& write);
/// A server's settings: true and false as such, all else as strings.
void write_settings(json::Writer& out, const ServerEntry& server);
/// "command", "args" and "env", as most clients have them.
void write_command(json::Writer& out, const ServerEntry& server);
/// An array of objects with the name, the command and the settings of each.
void write_server_list(json::Writer& out, std::span<const ServerEntry> servers);

/// The variables that are flags of the command line: "--all" = "true" is --all, "--name" = "x" is
/// --name x. All others are for the environment.
bool is_flag(std::string_view variable);
std::vector<std::string> flags_of(const Pairs& variables);

/// Flags of the variables, then the experiment's own arguments.
void add_arguments(std::vector<std::string>& argv, const ClientStart& start);

/// Settings of Gemini CLI and of what is made from it: nothing reported, nothing updated.
void write_quiet_settings(json::Writer& out);
/// The command, and trust in it unless the settings speak of that: headless, tools of a server that
/// is not trusted are left out, as nobody could be asked.
void write_trusted_command(json::Writer& out, const ServerEntry& server);

/// The first of these files that is there, below `folder`; Problem "run.client.program".
Result<std::string> program_in(const std::string& folder, std::string_view client,
                               const std::vector<std::string>& files);

/// Problem "run.client.session": what this client is not run as.
Result<void> only_headless(const ClientStart& start, std::string_view client);

}  // namespace cutline::run
