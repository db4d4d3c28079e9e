// claude_code.cc: Claude Code, headless (`claude -p`) or on a terminal.
//
// Up to some 2.1.1xx the package is JavaScript (cli.js), later a small package and one with the
// binary for each platform. The API's address and key come from the environment; flags are not
// fetched and nothing is reported home, so that runs need no network. Evidence: the stream of
// events on stdout, --debug-file, and the transcript in ~/.claude/projects.
#include "run/clients/claude_code.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "json/document.h"
#include "json/writer.h"
#include "run/clients/configuration.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEvidenceBytesMax = std::size_t{64} << 20;
constexpr std::string_view kScope = "@anthropic-ai/";

/// The oldest version that was seen to have --debug-file.
bool has_debug_file(const Version& version) {
  static const Version kFirst = *Version::parse("2.1.50");
  return kFirst <= version;
}

Result<std::vector<std::string>> program_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const std::string_view platform : {"linux-x64", "linux-arm64", "linux-x64-musl",
                                          "linux-arm64-musl", "darwin-arm64", "darwin-x64"})
    files.push_back(fmt::format("{}claude-code-{}/claude", kScope, platform));
  const std::string script = fmt::format("{}claude-code/cli.js", kScope);
  files.push_back(script);
  CUTLINE_TRY_ASSIGN(std::string program, program_in(folder, "Claude Code", files));
  if (program.ends_with(script)) return std::vector<std::string>{"node", std::move(program)};
  return std::vector<std::string>{std::move(program)};
}

std::string configuration(const std::vector<ServerEntry>& servers) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object();
  write_servers(out, "mcpServers", servers, [](json::Writer& json, const ServerEntry& server) {
    json.member("type", "stdio");
    write_command(json, server);
  });
  return out.end_object().take();
}

/// What a first start on a terminal would ask for: theme, trust in the folder, the key.
std::string first_start_answers(const std::string& work) {
  json::Writer out;
  out.begin_object().member("hasCompletedOnboarding", true).member("theme", "dark");
  out.key("customApiKeyResponses").begin_object().key("approved").begin_array();
  out.string(kDummyKey.substr(kDummyKey.size() - 20)).end_array();
  out.key("rejected").begin_array().end_array().end_object();
  out.key("projects").begin_object().key(work).begin_object();
  out.member("hasTrustDialogAccepted", true).member("hasCompletedProjectOnboarding", true);
  out.end_object().end_object().end_object();
  return out.take();
}

/// Scripts call the shell. Tools of servers are not named: for these the client would wait up to
/// two seconds even where it is told not to wait (measured with 2.1.285).
void allow_tools(std::vector<std::string>& argv, const ClientStart& start) {
  if (std::ranges::find(start.arguments, "--allowedTools") != start.arguments.end()) return;
  argv.insert(argv.end(), {"--allowedTools", "Bash"});
}

void add_command_line(std::vector<std::string>& argv, const ClientStart& start,
                      const std::string& config_file, const sys::Scratch& scratch) {
  const auto add = [&](std::initializer_list<std::string> words) {
    argv.insert(argv.end(), words);
  };
  if (!start.interactive)
    add({"-p", "--output-format", "stream-json", "--verbose", "--max-turns",
         std::to_string(start.turns)});
  if (!start.model.empty()) add({"--model", start.model});
  if (start.resume) add({"--continue"});
  if (has_debug_file(start.version)) add({"--debug-file", scratch.path() + "/debug.log"});
  add_arguments(argv, start);
  allow_tools(argv, start);
  add({"--strict-mcp-config", "--mcp-config", config_file, "--", start.prompt});
}

class ClaudeCode final : public Adapter {
 public:
  std::string_view id() const override { return "claude-code"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    CUTLINE_TRY_ASSIGN(std::vector<std::string> argv, program_of(start.folder));
    CUTLINE_TRY_ASSIGN(const std::string config,
                       scratch.write("mcp.json", configuration(start.servers)));
    const std::string work = scratch.path() + "/work";
    if (start.interactive && !start.resume)
      CUTLINE_TRY(scratch.write("home/.claude.json", first_start_answers(work)));
    add_command_line(argv, start, config, scratch);
    sys::Command command;
    command.argv = std::move(argv);
    command.clear_environment = true;
    command.directory = work;
    command.environment = claude_environment(start, scratch);
    return command;
  }

  std::vector<store::File> leavings(const sys::Scratch& scratch) const override {
    std::vector<store::File> files;
    const auto keep = [&](const std::string& name, const std::string& path) {
      Result<std::string> bytes = sys::read_file(path, kEvidenceBytesMax);
      if (bytes) files.push_back({.name = name, .bytes = *std::move(bytes)});
    };
    keep("debug.log", scratch.path() + "/debug.log");
    std::error_code ignored;
    const fs::path projects = scratch.path() + "/home/.claude/projects";
    std::size_t transcripts = 0;
    for (const auto& entry : fs::recursive_directory_iterator(projects, ignored)) {
      if (entry.path().extension() != ".jsonl" || !entry.is_regular_file(ignored)) continue;
      const std::string number = transcripts == 0 ? "" : fmt::format("-{}", transcripts + 1);
      ++transcripts;
      keep(fmt::format("transcript{}.jsonl", number), entry.path().string());
    }
    return files;
  }

  Told told(Leavings leavings, std::string_view server) const override;
  std::span<const std::string_view> set_by_us() const override {
    static constexpr std::array<std::string_view, 4> kNames = {
        "CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"};
    return kNames;
  }
  std::string_view tools_of_servers() const override { return "mcp__*"; }
  bool compacts(std::string_view prompt) const override { return prompt.starts_with("/compact"); }
};

// --- Reading what it left ------------------------------------------------------------------------

constexpr std::string_view kCutWords = "truncated from ";
constexpr std::string_view kInstructionsCutWords = "instructions truncated from ";

std::optional<std::string> text_in_block(std::string_view block, std::string_view server) {
  const std::string heading = fmt::format("## {}\n", server);
  if (!block.starts_with(heading)) return std::nullopt;
  return std::string(block.substr(heading.size()));
}

/// An attachment of the transcript: names and blocks, one for each server that came.
std::optional<std::string> text_in_line(std::string_view line, std::string_view server) {
  if (line.find("mcp_instructions_delta") == line.npos) return std::nullopt;
  const Result<json::Document> document = json::Document::parse(line);
  if (!document) return std::nullopt;
  const auto attachment = document->root().find("attachment");
  const auto blocks = attachment ? attachment->find("addedBlocks") : std::nullopt;
  if (!blocks || !blocks->is(json::Type::kArray)) return std::nullopt;
  for (const json::Value& block : blocks->elements()) {
    if (!block.is(json::Type::kString)) continue;
    if (auto text = text_in_block(block.string().value, server)) return text;
  }
  return std::nullopt;
}

template <class Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void read_debug_log(std::string_view log, std::string_view server, Told& told) {
  const std::string mine = fmt::format("MCP server \"{}\"", server);
  constexpr std::string_view kEra = "\"protocolEra\":\"";
  each_line(log, [&](std::string_view line) {
    if (line.find(mine) == line.npos) return;
    if (line.find(kInstructionsCutWords) != line.npos) told.debug_log_tells = true;
    const std::size_t at = line.find(kEra);
    if (at == line.npos) return;
    const std::string_view era = line.substr(at + kEra.size());
    told.debug_era = era.substr(0, era.find('"'));
  });
}

Told ClaudeCode::told(Leavings leavings, std::string_view server) const {
  Told told;
  for (const store::File& file : leavings) {
    const bool tells = file.bytes.find(kCutWords) != file.bytes.npos;
    // Of several sessions: stdout-1, stdout-2, …
    told.stdout_tells |= tells && file.name.starts_with("stdout");
    told.stderr_tells |= tells && file.name.starts_with("stderr");
    if (file.name == "debug.log") read_debug_log(file.bytes, server, told);
    if (!file.name.starts_with("transcript")) continue;
    each_line(file.bytes, [&](std::string_view line) {
      if (auto text = text_in_line(line, server)) told.transcript_text = std::move(text);
    });
  }
  return told;
}

}  // namespace

Pairs claude_environment(const ClientStart& start, const sys::Scratch& scratch) {
  return {{"ANTHROPIC_BASE_URL", start.gateway},
          {"ANTHROPIC_API_KEY", std::string(kDummyKey)},
          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
          {"DISABLE_AUTOUPDATER", "1"},
          {"DISABLE_TELEMETRY", "1"},
          {"CLAUDE_CODE_TMPDIR", scratch.path() + "/tmp"}};
}

const Adapter& claude_code() {
  static const ClaudeCode kAdapter;
  return kAdapter;
}

}  // namespace cutline::run
