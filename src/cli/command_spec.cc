// command_spec.cc: the table of commands.
#include "cli/command_spec.h"

#include <algorithm>

namespace cutline::cli {
namespace {

constexpr std::string_view kClientValue = "NAME[@VERSION]";
const OptionSpec kHelp = {"--help", "", "show this help", false, "-h"};
const OptionSpec kColor = {"--color", "auto|always|never",
                           "when to use colours (auto: on a terminal, unless NO_COLOR is set)"};
const OptionSpec kFormat = {"--format", "text|json", "what goes to standard output"};
const OptionSpec kOutput = {"--output", "FILE",
                            "write a file too, in the format of its ending (.json, .txt)", true};
const OptionSpec kSetting = {"--setting", "KEY=VALUE",
                             "set something in the client's configuration of the server: true and "
                             "false are booleans, all else a string",
                             true};
const OptionSpec kProfiles = {"--profiles", "DIR",
                              "add the profiles (*.toml) of a folder, or replace those inside"};

OptionGroup server_group(std::string_view title = "The server") {
  return {title,
          {{"--env", "K=V", "set an environment variable of the server", true},
           {"--clear-env", "", "start it with no environment but --env"},
           {"--cwd", "DIR", "start it in this folder"},
           {"--era", "both|auto|legacy|modern",
            "how to ask it: initialize (legacy), server/discover (modern), what it answers first "
            "(auto), or both, which is the default"},
           {"--probe-timeout", "SECONDS", "wait so long for an answer to server/discover (10)"},
           {"--timeout", "SECONDS", "wait so long for everything (60)"},
           {"--max-message", "BYTES", "the longest line that is read (64MiB)"},
           {"--save-offer", "FILE", "store what it offers, for --offer"}}};
}

OptionGroup stored_group(std::string_view title = "Instead of a server") {
  return {title,
          {{"--offer", "FILE",
            "what --save-offer stored, or a dump of initialize and tools/list; - is standard "
            "input"},
           {"--instructions-file", "FILE", "a draft: a server of nothing but these instructions"}}};
}

/// What decides of a prediction besides client and server.
OptionGroup situation_group(std::string_view title) {
  return {title,
          {{"--model", "MODEL", "the model asked for (default: the client's own)"},
           {"--session", "first-party|custom-endpoint",
            "an account, which is the default, or an API key with an own base URL"},
           {"--name", "SERVER", "the server's name in the client's configuration"},
           {"--set", "VARIABLE=VALUE", "set one of the client's environment variables", true},
           kSetting}};
}

OptionGroup client_group(const OptionSpec& client) {
  OptionGroup group = situation_group("The client");
  group.options.insert(group.options.begin(), client);
  group.options.push_back(kProfiles);
  return group;
}

CommandSpec check_spec() {
  return {.name = "check",
          .summary = "what of a server's text reaches the model, version by version",
          .synopsis = "check [options] -- COMMAND ARGS…",
          .groups = {server_group(),
                     stored_group(),
                     client_group({"--client", "NAME[@VERSION]",
                                   "a client, one version of it, @latest or a range @FROM..TO "
                                   "(default: all clients, all versions)",
                                   true}),
                     {"Output",
                      {{"--details", "", "every piece in every group, with the evidence"},
                       kFormat,
                       kOutput,
                       kColor,
                       kHelp}}},
          .takes_server = true,
          .about =
              "Starts the server, asks it in both protocol eras, and predicts from measured "
              "profiles what each version of each client passes on.\n"
              "Exit code 1 if text is lost for good in a version held to: those named with "
              "--client NAME@VERSION, otherwise the newest of each measured client. 2: wrong "
              "usage. 3: the server did not serve. 4: an internal error.",
          .examples = {"cutline check -- npx -y @doist/todoist-mcp@11.0.0",
                       "cutline check --client claude-code@2.1.285 --env TOKEN=x -- node server.js",
                       "cutline check --set ENABLE_TOOL_SEARCH=false -- node server.js",
                       "cutline check --instructions-file draft.md --format json"}};
}

CommandSpec show_spec() {
  return {.name = "show",
          .summary = "exactly what the model gets of one text",
          .synopsis = "show --client NAME@VERSION [options] -- COMMAND ARGS…",
          .groups = {{"What",
                      {{"--what", "WHAT", "instructions, which is the default, or tool:NAME"},
                       {"--bare", "", "what was kept and the marker alone, without the frame"},
                       {"--lost", "", "what was cut off"}}},
                     client_group({"--client", "NAME[@VERSION]",
                                   "the client; without a version, the newest that is known"}),
                     server_group(),
                     stored_group(),
                     {"Output", {kColor, kHelp}}},
          .takes_server = true,
          .about =
              "Into a pipe or a file go the exact bytes, without a line feed of our own. On a "
              "terminal the frame is dimmed, the cut is marked with ✂, and what could confuse "
              "the terminal is shown in another way. Where nothing arrives, nothing is printed, "
              "and standard error says why.",
          .examples = {
              "cutline show --client claude-code@2.1.285 -- node server.js",
              "cutline show --client claude-code --lost -- node server.js | less",
              "cutline show --client claude-code --what tool:search --bare --offer saved.json"}};
}

const OptionSpec kStore = {"--store", "FILE", "keep the evidence in this SQLite file"};
const OptionSpec kJobs = {"--jobs", "N", "so many clients at a time (default: one for each core)"};
const OptionSpec kNoIsolation = {
    "--no-isolation", "",
    "run the client in the network of this machine, where namespaces are not to be had"};

CommandSpec measure_spec() {
  return {
      .name = "measure",
      .summary = "run the real client on a server, and read the wire",
      .synopsis = "measure [options] -- COMMAND ARGS…",
      .groups = {{"The server",
                  {{"--env", "K=V", "set an environment variable of the server", true},
                   {"--cwd", "DIR", "start it in this folder"},
                   {"--server-network", "",
                    "start it outside of the client's network, which has nothing but loopback"}}},
                 {"The client",
                  {{"--client", "NAME[@VERSION]|all",
                    "the client, one version of it (default: claude-code@latest); all: the newest "
                    "of each that is installed",
                    true},
                   {"--model", "MODEL", "the model asked for (default: the client's own)"},
                   {"--name", "SERVER", "the server's name in the client's configuration (server)"},
                   {"--set", "VARIABLE=VALUE", "set one of the client's environment variables",
                    true},
                   kSetting,
                   {"--turns", "N", "how many answers it takes at most (2)"},
                   {"--timeout", "SECONDS", "end it after so long (120)"},
                   kJobs,
                   kProfiles}},
                 {"Output", {kStore, kNoIsolation, kFormat, kOutput, kColor, kHelp}}},
      .takes_server = true,
      .about =
          "The unmodified client from npm runs offline, with a scratch HOME and a network of "
          "its own, against a stand-in for the model's API that keeps every byte. Beside what "
          "was on the wire stands what the profile predicted. Several clients are shown in one "
          "table, and below it where predictions were wrong.\n"
          "Exit code 1 if the prediction was wrong (which is then said first) or text of the "
          "server is lost for good. 2: wrong usage. 3: the client, npm or a namespace is not "
          "to be had, the client or the server did not do its part, or there was no prediction "
          "to compare with. Of several clients it is the highest.",
      .examples = {
          "cutline measure -- node server.js",
          "cutline measure --client claude-code@2.1.285 -- node server.js",
          "cutline measure --client all -- node server.js",
          "cutline measure --set ENABLE_TOOL_SEARCH=false --store m.db -- node server.js"}};
}

CommandSpec run_spec() {
  return {.name = "run",
          .summary = "measure a matrix of clients, settings and servers",
          .synopsis = "run [options] FILE.toml",
          .groups = {{"Options",
                      {{"--dry-run", "", "list the cells, as text or json"},
                       kJobs,
                       {"--again", "", "measure what is stored already, too"},
                       {"--store", "FILE",
                        "keep the evidence in this SQLite file (default: NAME.db in "
                        "~/.local/state/cutline)"},
                       kNoIsolation,
                       kProfiles}},
                     {"Output",
                      {{"--format", "text|json|markdown", "what goes to standard output"},
                       {"--output", "FILE",
                        "write a file too, in the format of its ending (.json, .md, .txt)", true},
                       kColor,
                       kHelp}}},
          .positional = "FILE.toml",
          .about =
              "Runs every cell of an experiment (docs/experiments.md) with the real clients, and "
              "compares what was on the wire with what the profiles predict. A run that was "
              "interrupted goes on where it was.\n"
              "Exit code 1 if a cell differs from its prediction or from what the file expects. 2: "
              "wrong usage or a wrong file. 3: something needed is missing, or a cell could not be "
              "measured or has no prediction.",
          .examples = {"cutline run --dry-run experiments/reference-lab.toml",
                       "cutline run experiments/reference-lab.toml",
                       "cutline run experiments/units.toml --output units.md"}};
}

CommandSpec gateway_spec() {
  return {.name = "gateway",
          .summary = "the stand-in for a model's API, to point a client at",
          .synopsis = "gateway [options]",
          .groups = {{"Options",
                      {{"--port", "PORT", "listen on 127.0.0.1:PORT (default: any)"},
                       {"--script", "FILE",
                        "a TOML file with prompt and script, as in an experiment; without one the "
                        "ideal reader answers"},
                       {"--upstream", "URL",
                        "forward to a real API; a request's key comes from ANTHROPIC_API_KEY, "
                        "OPENAI_API_KEY or GEMINI_API_KEY, as its API is"},
                       kStore,
                       {"--quiet", "", "do not tell of each request"},
                       kHelp}}},
          .about =
              "Speaks the APIs of Anthropic, OpenAI and Gemini on loopback and keeps every request "
              "before it is answered. Prints its URL, then a line for each request on standard "
              "error, until it is interrupted. Without a script the ideal reader answers: it says "
              "which codewords a model could see in the request, and is no model. Its usage "
              "figures are rough.",
          .examples = {"cutline gateway --port 8080 --store requests.db",
                       "ANTHROPIC_BASE_URL=http://127.0.0.1:8080 claude -p hello"}};
}

CommandSpec clients_spec() {
  return {
      .name = "clients",
      .summary = "what is known of the clients, and how; installing them",
      .synopsis =
          "clients [NAME | install NAME[@VERSION]… | list | remove NAME@VERSION…]\n"
          "  cutline clients verify|bisect NAME[@VERSIONS] | learn NAME@VERSION\n"
          "  cutline clients diff CLIENT[@VERSION] CLIENT[@VERSION] [-- COMMAND ARGS…]",
      .groups = {{"Options", {kProfiles, kFormat, kOutput, kColor, kHelp}},
                 {"Proving",
                  {{"--fact", "NAME", "the fact whose changes bisect looks for"},
                   {"--jobs", "N", "so many clients at a time (default: one for each core)"},
                   {"--again", "", "measure what is stored already, too"},
                   {"--store", "FILE",
                    "keep the evidence in this SQLite file (default: atlas-NAME.db in "
                    "~/.local/state/cutline)"},
                   kNoIsolation}},
                 situation_group("Of diff with a server"),
                 server_group("Of that server"),
                 stored_group("Instead of that server")},
      .positional = "CLIENT",
      .actions = {"bisect", "diff", "install", "learn", "list", "remove", "verify"},
      .takes_server = true,
      .about =
          "With a name: every fact, the versions it holds for, its value and its "
          "evidence. Evidence that disagrees is marked with '!'.\n"
          "diff shows which facts of two clients, or of two versions of one, differ; with a "
          "server's command, --offer or --instructions-file it shows in what their deliveries "
          "of that server's text differ. Without a version it takes the newest that is known. "
          "Exit code 0 if nothing is known to differ, 1 if something does.\n"
          "install gets the real client from npm, any number of versions side by side, in "
          "$XDG_CACHE_HOME/cutline (~/.cache/cutline); without a version, or with @latest, the "
          "newest. Its install scripts are not run.\n"
          "verify runs the real client over cells that touch the facts of its profile, and "
          "says of each whether it was confirmed, contradicted, or not tested. bisect finds in "
          "which published version a fact changed, in few runs. learn measures a version that "
          "the profile does not cover, and proposes the change of the profile as a patch.",
      .examples = {"cutline clients", "cutline clients claude-code", "cutline clients verify codex",
                   "cutline clients diff claude-code@2.1.285 claude-code@2.1.332",
                   "cutline clients diff claude-code codex -- node server.js",
                   "cutline clients bisect claude-code --fact instructions.budget",
                   "cutline clients claude-code --format json",
                   "cutline clients install claude-code@2.1.285 claude-code@latest"}};
}

CommandSpec lab_spec() {
  return {
      .name = "lab",
      .summary = "a server that can be everything, to test clients with",
      .synopsis = "lab [options]",
      .groups =
          {{"Texts",
            {{"--name", "NAME", "the name that the server gives itself (lab)"},
             {"--instructions", "TEXT", "none, KIND:N (a sample text), text:TEXT, or file:PATH"},
             {"--discover-instructions", "TEXT",
              "the same for server/discover (default: the same text)"},
             {"--tool-description", "TEXT", "the same for each tool"},
             {"--tool-members", "TEXT",
              "the same for each title, annotations.title and output schema"},
             {"--tools", "N", "how many tools (default: the three of the reference lab)"},
             {"--tool-names", "NAMES", "tools of these names instead, as in a|b|c"},
             {"--tool-schema", "JSON", "the input schema of all tools; of a list, in turn"}}},
           {"Behaviour",
            {{"--era", "legacy|modern|dual", "which eras it speaks (legacy)"},
             {"--delay", "METHOD=MS", "hold an answer back", true},
             {"--fault", "METHOD=FAULT",
              "exit, hang, malformed, noise, wrong-id, null-id, huge or error:CODE instead "
              "of an answer; METHOD may be unknown-first",
              true},
             {"--exit-after", "METHOD", "end after this answer"},
             {"--page-size", "N", "so many tools a page of tools/list"},
             {"--log", "FILE", "append every message as a line of JSON"}}},
           {"Options",
            {{"--config", "FILE", "a TOML file with the same words; options win over it"}, kHelp}}},
      .about =
          "Speaks MCP on standard input and output until its input ends. KIND is english, "
          "japanese, chinese, emoji or mixed; N counts UTF-16 units. Each text begins and "
          "ends with a codeword and carries markers, so that whatever of it turns up tells "
          "how much arrived.",
      .examples = {"cutline lab --instructions english:5859",
                   "cutline lab --era dual --delay initialize=8000 --log lab.jsonl",
                   "cutline check -- cutline lab --instructions japanese:3000 --tools 20"}};
}

CommandSpec completion_spec() {
  return {
      .name = "completion",
      .summary = "a script that teaches a shell to complete cutline's words",
      .synopsis = "completion bash|zsh|fish",
      .groups = {{"Options", {kHelp}}},
      .positional = "bash|zsh|fish",
      .examples = {"cutline completion bash > ~/.local/share/bash-completion/completions/cutline",
                   "cutline completion zsh > ~/.zfunc/_cutline",
                   "cutline completion fish > ~/.config/fish/completions/cutline.fish"}};
}

CommandSpec shim_spec() {
  return {.name = "shim",
          .summary = "stands between a client and its server, and writes down what they say",
          .synopsis = "shim --server NAME --log FILE (--connect SOCKET | -- COMMAND ARGS…)",
          .groups = {{"Options",
                      {{"--server", "NAME", "the server's name in the client's configuration"},
                       {"--log", "FILE", "append what is said, a JSON object a line"},
                       {"--connect", "FILE", "the socket of who starts the server for us"},
                       kHelp}}},
          .takes_server = true,
          .about = "For cutline itself, which tells clients to start their servers so."};
}

}  // namespace

const OptionSpec* CommandSpec::find(std::string_view option_name) const {
  for (const OptionGroup& group : groups) {
    for (const OptionSpec& option : group.options)
      if (option.name == option_name || option.letter == option_name) return &option;
  }
  return nullptr;
}

std::vector<std::string> CommandSpec::option_names() const {
  std::vector<std::string> names;
  for (const OptionGroup& group : groups)
    for (const OptionSpec& option : group.options) names.emplace_back(option.name);
  return names;
}

const CommandSpec& program_spec() {
  static const CommandSpec spec = {
      .name = "cutline",
      .summary = "What of an MCP server's text reaches the model, in every client version.",
      .synopsis = "COMMAND [options]",
      .groups = {{"Options", {{"--version", "", "print the version"}, kHelp}}},
      .examples = {"cutline check -- node server.js", "cutline help check"}};
  return spec;
}

std::span<const CommandSpec> command_specs() {
  static const std::vector<CommandSpec> specs = {check_spec(), show_spec(),      measure_spec(),
                                                 run_spec(),   gateway_spec(),   clients_spec(),
                                                 lab_spec(),   completion_spec()};
  return specs;
}

const CommandSpec* find_command(std::string_view name) {
  const std::span<const CommandSpec> all = command_specs();
  const auto found = std::ranges::find(all, name, &CommandSpec::name);
  if (found != all.end()) return &*found;
  static const CommandSpec shim = shim_spec();
  return name == shim.name ? &shim : nullptr;
}

ValueKind kind_of(std::string_view value) {
  if (value.empty()) return ValueKind::kNone;
  if (value == "CLIENT" || value.starts_with(kClientValue)) return ValueKind::kClient;
  if (value.find('|') != std::string_view::npos) return ValueKind::kChoice;
  if (value.starts_with("FILE")) return ValueKind::kFile;
  if (value == "DIR") return ValueKind::kFolder;
  return ValueKind::kWord;
}

std::string_view other_than_client(std::string_view value) {
  const std::size_t bar = kClientValue.size();
  return kind_of(value) == ValueKind::kClient && value.size() > bar ? value.substr(bar + 1)
                                                                    : std::string_view();
}

std::string_view ending_of(std::string_view value) {
  constexpr std::string_view kAny = "FILE";
  return kind_of(value) == ValueKind::kFile ? value.substr(kAny.size()) : std::string_view();
}

std::vector<std::string> choices_of(std::string_view value) {
  std::vector<std::string> choices;
  if (kind_of(value) != ValueKind::kChoice) return choices;
  while (true) {
    const std::size_t bar = value.find('|');
    choices.emplace_back(value.substr(0, bar));
    if (bar == std::string_view::npos) return choices;
    value.remove_prefix(bar + 1);
  }
}

}  // namespace cutline::cli
