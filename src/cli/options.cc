// options.cc: from words to values.
#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace cutline::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

tl::unexpected<Problem> usage(std::string_view place, std::string message, std::string hint = {}) {
  return fail({.code = "cli.value",
               .message = std::move(message),
               .place = std::string(place),
               .hint = std::move(hint)});
}

/// A number with digits before anything else; `rest` is what follows it.
std::optional<double> leading_number(std::string_view text, std::string_view& rest) {
  double value = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || !(text[0] >= '0' && text[0] <= '9')) return std::nullopt;
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  rest = std::string_view(stop, static_cast<std::size_t>(end - stop));
  return value;
}

std::optional<double> bytes_in(std::string_view suffix) {
  struct Suffix {
    std::string_view name;
    double bytes;
  };
  constexpr double k = 1000, ki = 1024;
  static constexpr Suffix kSuffixes[] = {
      {"", 1},        {"B", 1},          {"kB", k},           {"KB", k},
      {"MB", k * k},  {"GB", k * k * k}, {"K", ki},           {"KiB", ki},
      {"M", ki * ki}, {"MiB", ki * ki},  {"G", ki * ki * ki}, {"GiB", ki * ki * ki}};
  for (const Suffix& known : kSuffixes)
    if (known.name == suffix) return known.bytes;
  return std::nullopt;
}

tl::unexpected<Problem> repeated(std::string_view place, std::string_view what) {
  return fail({.code = "cli.repeated",
               .message = fmt::format("{} is given twice", what),
               .place = std::string(place),
               .hint = "leave one of them out"});
}

Result<Pairs> pairs_of(const Arguments& arguments, std::string_view option) {
  Pairs pairs;
  for (const std::string& text : arguments.all(option)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return usage(option, fmt::format("'{}' is no NAME=VALUE", text));
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(pairs, name, &Pairs::value_type::first) != pairs.end())
      return repeated(option, name);
    pairs.emplace_back(name, text.substr(equals + 1));
  }
  return pairs;
}

Result<void> read_limits(const Arguments& arguments, mcp::Limits& limits) {
  if (const auto text = arguments.value("--probe-timeout")) {
    CUTLINE_TRY_ASSIGN(limits.probe_timeout, parse_seconds(*text, "--probe-timeout"));
  }
  if (const auto text = arguments.value("--timeout")) {
    CUTLINE_TRY_ASSIGN(limits.total_timeout, parse_seconds(*text, "--timeout"));
  }
  if (const auto text = arguments.value("--max-message")) {
    CUTLINE_TRY_ASSIGN(limits.message_bytes_max, parse_bytes(*text, "--max-message"));
  }
  return {};
}

/// Options that mean something only to a process that we start.
constexpr std::string_view kNeedServer[] = {
    "--env", "--clear-env", "--cwd", "--era", "--probe-timeout", "--timeout", "--max-message"};

std::string example_of(std::string_view command) {
  return fmt::format("cutline {} -- node server.js",
                     command == "clients" ? "clients diff claude-code codex" : command);
}

Result<void> check_source(const Arguments& arguments, const Source& source) {
  const std::string example = example_of(arguments.command->name);
  if (!arguments.positionals.empty()) {
    return usage("", fmt::format("'{}' is no option", arguments.positionals.front()),
                 "the server's command comes after --, as in: " + example);
  }
  const bool has_command = !source.command.argv.empty();
  const int sources =
      (has_command ? 1 : 0) + (source.offer_file ? 1 : 0) + (source.draft_file ? 1 : 0);
  if (arguments.after_dashes && !has_command)
    return usage("--", "there is no command after it", "as in: " + example);
  if (sources == 0) return usage("", "there is no server to ask", "as in: " + example);
  if (source.offer_file == "" || source.draft_file == "")
    return usage(source.offer_file == "" ? "--offer" : "--instructions-file",
                 "the name of the file is empty");
  if (sources > 1) {
    return usage("", "one of a server's command, --offer and --instructions-file is enough",
                 "leave the others out");
  }
  if (has_command) return {};
  for (const std::string_view option : kNeedServer) {
    if (arguments.has(option))
      return usage(option, "it needs a server to start", "as in: " + example);
  }
  return {};
}

Result<Source> read_source(const Arguments& arguments) {
  Source source;
  source.command.argv = arguments.after_dashes.value_or(std::vector<std::string>{});
  source.command.clear_environment = arguments.has("--clear-env");
  CUTLINE_TRY_ASSIGN(source.command.environment, pairs_of(arguments, "--env"));
  source.command.directory = arguments.value("--cwd").value_or("");
  if (const auto era = arguments.value("--era"))
    source.interview.era = mcp::era_wish_named(*era).value_or(mcp::EraWish::kBoth);
  CUTLINE_TRY(read_limits(arguments, source.interview.limits));
  source.offer_file = arguments.value("--offer");
  source.draft_file = arguments.value("--instructions-file");
  source.save_offer = arguments.value("--save-offer");
  CUTLINE_TRY(check_source(arguments, source));
  return source;
}

Result<std::size_t> parse_count(std::string_view text, std::string_view option, std::size_t most) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (whole && number >= 1 && number <= most) return number;
  return usage(option, fmt::format("'{}' is no whole number from 1 to {}", text, most));
}

Result<Clients> read_clients(const Arguments& arguments) {
  Clients clients;
  for (const std::string& text : arguments.all("--client")) {
    CUTLINE_TRY_ASSIGN(ClientWish wish, parse_client(text));
    clients.wishes.push_back(std::move(wish));
  }
  clients.situation.model = arguments.value("--model").value_or("");
  if (const auto session = arguments.value("--session"))
    clients.situation.session =
        delivery::session_named(*session).value_or(delivery::Session::kFirstParty);
  CUTLINE_TRY_ASSIGN(clients.situation.variables, pairs_of(arguments, "--set"));
  CUTLINE_TRY_ASSIGN(clients.situation.settings, pairs_of(arguments, "--setting"));
  clients.server_name = arguments.value("--name");
  if (clients.server_name && clients.server_name->empty())
    return usage("--name", "a server has a name that is not empty");
  clients.profiles_folder = arguments.value("--profiles");
  if (clients.profiles_folder == "") return usage("--profiles", "the name of the folder is empty");
  return clients;
}

Color read_color(const Arguments& arguments) {
  const std::optional<std::string> color = arguments.value("--color");
  if (color == "always") return Color::kAlways;
  return color == "never" ? Color::kNever : Color::kAuto;
}

Result<void> check_file_name(std::string_view option, const std::string& file) {
  if (file.empty()) return usage(option, "the name of the file is empty");
  if (file != "-") return {};
  return usage(option, "- is no file",
               "what goes to standard output is for --format to say; ./- is a file of that name");
}

/// Whether the command has that format, too.
bool writes_markdown(const CommandSpec& command) {
  const OptionSpec* format = command.find("--format");
  return format && format->value.ends_with("|markdown");
}

/// Files that are written: each once, and each in a format that it or the user names.
Result<void> check_files(const Arguments& arguments) {
  const bool markdown = writes_markdown(*arguments.command);
  std::vector<std::string> files;
  for (const std::string_view option : {"--save-offer", "--output"}) {
    for (const std::string& file : arguments.all(option)) {
      CUTLINE_TRY(check_file_name(option, file));
      const std::string plain = std::filesystem::path(file).lexically_normal().string();
      if (std::ranges::find(files, plain) != files.end())
        return repeated(option, fmt::format("the file '{}'", file));
      files.push_back(plain);
      const std::optional<Format> ending = format_of(file);
      const bool known = ending && (markdown || *ending != Format::kMarkdown);
      if (option == "--save-offer" || arguments.has("--format") || known) continue;
      return usage(option,
                   fmt::format("'{}' ends in neither .json{}", file,
                               markdown ? ", .md nor .txt" : " nor .txt"),
                   "end it so, or say with --format what goes into it");
    }
  }
  return {};
}

Result<Output> read_output(const Arguments& arguments) {
  CUTLINE_TRY(check_files(arguments));
  Output output;
  const std::optional<std::string> format = arguments.value("--format");
  if (format == "json") output.format = Format::kJson;
  if (format == "markdown") output.format = Format::kMarkdown;
  output.files = arguments.all("--output");
  output.has_markdown = writes_markdown(*arguments.command);
  output.color = read_color(arguments);
  return output;
}

Result<Request> check_request(const Arguments& arguments) {
  CheckRequest request;
  CUTLINE_TRY_ASSIGN(request.source, read_source(arguments));
  CUTLINE_TRY_ASSIGN(request.clients, read_clients(arguments));
  CUTLINE_TRY_ASSIGN(request.output, read_output(arguments));
  request.details = arguments.has("--details");
  return request;
}

/// A range of more than one version.
bool names_many(const ClientWish& wish) {
  const std::optional<VersionRange>& range = wish.range;
  return range && (!range->from || !range->to || *range->from != *range->to);
}

Result<void> check_one_version(const Clients& clients, std::string_view command) {
  if (std::ranges::none_of(clients.wishes, names_many)) return {};
  return usage("--client", fmt::format("{} needs one version, not a range of them", command));
}

Result<Request> show_request(const Arguments& arguments) {
  ShowRequest request;
  CUTLINE_TRY_ASSIGN(request.clients, read_clients(arguments));
  if (request.clients.wishes.empty()) {
    return usage("", "show needs a client",
                 "as in: cutline show --client claude-code@2.1.285 -- node server.js");
  }
  CUTLINE_TRY(check_one_version(request.clients, "show"));
  CUTLINE_TRY_ASSIGN(request.source, read_source(arguments));
  CUTLINE_TRY_ASSIGN(request.output, read_output(arguments));
  constexpr std::string_view kTool = "tool:";
  const std::string what = arguments.value("--what").value_or("instructions");
  if (what.starts_with(kTool) && what.size() > kTool.size()) {
    request.tool = what.substr(kTool.size());
  } else if (what != "instructions") {
    return usage("--what", fmt::format("'{}' is neither instructions nor tool:NAME", what));
  }
  if (arguments.has("--bare") && arguments.has("--lost"))
    return usage("--bare", "it cannot go with --lost");
  if (arguments.has("--bare")) request.shown = report::Shown::kBare;
  if (arguments.has("--lost")) request.shown = report::Shown::kLost;
  return request;
}

Result<Measuring> read_measuring(const Arguments& arguments) {
  Measuring measuring;
  measuring.isolated = !arguments.has("--no-isolation");
  measuring.again = arguments.has("--again");
  measuring.store = arguments.value("--store");
  if (measuring.store == "") return usage("--store", "the name of the file is empty");
  if (const auto jobs = arguments.value("--jobs")) {
    constexpr std::size_t kJobsMax = 256;
    CUTLINE_TRY_ASSIGN(measuring.jobs, parse_count(*jobs, "--jobs", kJobsMax));
  }
  return measuring;
}

/// --client: some by name, all that are installed, or the newest Claude Code.
Result<void> read_measured(MeasureRequest& request) {
  constexpr std::string_view kAll = "all";
  std::vector<ClientWish>& wishes = request.clients.wishes;
  if (wishes.empty()) wishes.push_back({.name = "claude-code", .range = {}, .latest = true});
  const auto all = std::ranges::find(wishes, kAll, &ClientWish::name);
  if (all == wishes.end()) return check_one_version(request.clients, "measure");
  if (all->names_versions())
    return usage("--client", "all is the newest of each that is installed, not one version");
  if (wishes.size() > 1)
    return usage("--client", "all cannot go with another client", "leave the others out");
  wishes.clear();
  request.all_installed = true;
  return {};
}

Result<Request> measure_request(const Arguments& arguments) {
  MeasureRequest request;
  CUTLINE_TRY_ASSIGN(request.source, read_source(arguments));
  CUTLINE_TRY_ASSIGN(request.clients, read_clients(arguments));
  CUTLINE_TRY_ASSIGN(request.output, read_output(arguments));
  CUTLINE_TRY_ASSIGN(request.measuring, read_measuring(arguments));
  CUTLINE_TRY(read_measured(request));
  request.clients.situation.session = delivery::Session::kCustomEndpoint;
  if (const auto turns = arguments.value("--turns")) {
    constexpr std::size_t kTurnsMax = 100;
    CUTLINE_TRY_ASSIGN(request.turns, parse_count(*turns, "--turns", kTurnsMax));
  }
  if (const auto text = arguments.value("--timeout")) {
    CUTLINE_TRY_ASSIGN(request.timeout, parse_seconds(*text, "--timeout"));
  }
  request.server_network = arguments.has("--server-network");
  return request;
}

/// The table of findings, which --dry-run has none of, is the only thing that is Markdown.
Result<void> only_text_and_json(const Output& output) {
  constexpr const char* kWhy = "there are no findings to write as Markdown with --dry-run";
  constexpr const char* kInstead = "it lists the cells as text or json";
  if (output.format == Format::kMarkdown) return usage("--format", kWhy, kInstead);
  for (const std::string& file : output.files)
    if (format_of(file) == Format::kMarkdown) return usage("--output", kWhy, kInstead);
  return {};
}

Result<Request> run_request(const Arguments& arguments) {
  if (arguments.positionals.size() != 1)
    return usage("", "run needs one experiment file",
                 "as in: cutline run experiments/reference-lab.toml");
  RunRequest request;
  request.file = arguments.positionals.front();
  if (request.file.empty()) return usage("", "the name of the experiment's file is empty");
  request.profiles_folder = arguments.value("--profiles");
  request.dry_run = arguments.has("--dry-run");
  CUTLINE_TRY_ASSIGN(request.measuring, read_measuring(arguments));
  CUTLINE_TRY_ASSIGN(request.output, read_output(arguments));
  if (request.dry_run) CUTLINE_TRY(only_text_and_json(request.output));
  return request;
}

Result<Request> gateway_request(const Arguments& arguments) {
  if (!arguments.positionals.empty())
    return usage("", fmt::format("'{}' is no option of gateway", arguments.positionals.front()));
  GatewayRequest request;
  if (const auto port = arguments.value("--port")) {
    CUTLINE_TRY_ASSIGN(const std::size_t number, parse_count(*port, "--port", 65'535));
    request.port = static_cast<std::uint16_t>(number);
  }
  request.script_file = arguments.value("--script");
  request.upstream = arguments.value("--upstream");
  request.store = arguments.value("--store");
  request.quiet = arguments.has("--quiet");
  if (request.store == "") return usage("--store", "the name of the file is empty");
  if (request.script_file == "") return usage("--script", "the name of the file is empty");
  if (request.upstream == "") return usage("--upstream", "the URL is empty");
  if (request.upstream && request.script_file)
    return usage("--script", "with --upstream the answers come from there");
  return request;
}

/// Of `clients ACTION`: how many clients it takes, and which versions of them.
struct ActionRule {
  std::string_view word;
  ClientsRequest::Action action;
  std::size_t least = 0, most = 0;
  bool range = false;          // one may be named
  bool needs_version = false;  // and has to be
  std::string_view example;
};

const std::vector<ActionRule>& action_rules() {
  using Action = ClientsRequest::Action;
  constexpr std::size_t kMany = 10'000;
  static const std::vector<ActionRule> rules = {
      {"list", Action::kList, 0, 0, false, false, ""},
      {"install", Action::kInstall, 1, kMany, false, false, "claude-code@2.1.285"},
      {"remove", Action::kRemove, 1, kMany, false, true, "claude-code@2.1.285"},
      {"verify", Action::kVerify, 1, 1, true, false, "codex"},
      {"bisect", Action::kBisect, 1, 1, true, false, "claude-code --fact instructions.budget"},
      {"learn", Action::kLearn, 1, 1, false, false, "codex@latest"},
      {"diff", Action::kDiff, 2, 2, false, false, "claude-code@2.1.285 claude-code@2.1.332"}};
  return rules;
}

Result<ClientWish> client_of(const std::string& text, const ActionRule& rule) {
  Result<ClientWish> wish = parse_client(text);
  if (!wish) {
    wish.error().place = "";
    return wish;
  }
  const std::optional<VersionRange>& range = wish->range;
  if (!rule.range && names_many(*wish))
    return usage("", fmt::format("'{}' names a range; one version is needed", text));
  if (rule.needs_version && !range) {
    return usage("", fmt::format("'{}' does not say which version to remove", text),
                 "cutline clients list shows what is installed");
  }
  return wish;
}

Result<void> read_action(const std::vector<std::string>& words, ClientsRequest& request) {
  const auto rule = std::ranges::find(action_rules(), words.front(), &ActionRule::word);
  if (rule == action_rules().end()) {
    if (words.size() > 1) return usage("", fmt::format("'{}' is one name too many", words[1]));
    request.name = words.front();
    return {};
  }
  request.action = rule->action;
  const auto named = std::span(words).subspan(1);
  if (named.size() > rule->most)
    return usage("", fmt::format("'{}' is one name too many", named[rule->most]));
  if (named.size() < rule->least) {
    return usage("",
                 rule->least == 2
                     ? fmt::format("{} needs two clients, or two versions of one", rule->word)
                     : fmt::format("{} needs a client", rule->word),
                 fmt::format("as in: cutline clients {} {}", rule->word, rule->example));
  }
  for (const std::string& word : named) {
    CUTLINE_TRY_ASSIGN(ClientWish wish, client_of(word, *rule));
    request.wishes.push_back(std::move(wish));
  }
  return {};
}

/// Options that no other action takes, nor diff of facts.
constexpr std::string_view kStoredSource[] = {"--offer", "--instructions-file"};
constexpr std::string_view kNeedDiff[] = {"--model", "--session", "--name",
                                          "--set",   "--setting", "--save-offer"};

Result<void> read_diff(const Arguments& arguments, ClientsRequest& request) {
  const auto given = [&](std::string_view option) { return arguments.has(option); };
  const bool source = arguments.after_dashes || std::ranges::any_of(kStoredSource, given);
  if (source && request.action == ClientsRequest::Action::kDiff) {
    Arguments of_server = arguments;
    of_server.positionals.clear();
    CUTLINE_TRY_ASSIGN(request.source, read_source(of_server));
    CUTLINE_TRY_ASSIGN(request.diffed, read_clients(arguments));
    request.diffed.wishes = request.wishes;
    return {};
  }
  const std::string as_in = "as in: " + example_of(arguments.command->name);
  if (arguments.after_dashes)
    return usage("--", "clients takes no command of a server, but for diff", as_in);
  using Names = std::span<const std::string_view>;
  for (const Names options : {Names(kStoredSource), Names(kNeedServer), Names(kNeedDiff)}) {
    const auto found = std::ranges::find_if(options, given);
    if (found != options.end()) return usage(*found, "it is for diff with a server", as_in);
  }
  return {};
}

Result<Request> clients_request(const Arguments& arguments) {
  ClientsRequest request;
  if (!arguments.positionals.empty()) CUTLINE_TRY(read_action(arguments.positionals, request));
  CUTLINE_TRY(read_diff(arguments, request));
  request.profiles_folder = arguments.value("--profiles");
  request.fact = arguments.value("--fact").value_or("");
  if (request.action == ClientsRequest::Action::kBisect && request.fact.empty())
    return usage("--fact", "bisect needs the name of a fact", "cutline clients NAME lists them");
  if (request.action != ClientsRequest::Action::kBisect && arguments.has("--fact"))
    return usage("--fact", "only bisect looks for the changes of a fact");
  CUTLINE_TRY_ASSIGN(request.measuring, read_measuring(arguments));
  CUTLINE_TRY_ASSIGN(request.output, read_output(arguments));
  const bool text_alone = request.action == ClientsRequest::Action::kBisect ||
                          request.action == ClientsRequest::Action::kLearn;
  if (text_alone && (request.output.format != Format::kText || !request.output.files.empty()))
    return usage("--format", "bisect says its result as text, and learn as a patch",
                 "leave --format and --output away; > FILE keeps what is printed");
  return request;
}

Result<Request> shim_request(const Arguments& arguments) {
  const std::string how = fmt::format("as in: cutline {}", arguments.command->synopsis);
  if (!arguments.positionals.empty()) {
    return usage("", fmt::format("'{}' is no option of shim", arguments.positionals.front()), how);
  }
  ShimRequest request;
  request.server = arguments.value("--server").value_or("");
  request.log_file = arguments.value("--log").value_or("");
  request.socket = arguments.value("--connect");
  request.command.argv = arguments.after_dashes.value_or(std::vector<std::string>{});
  if (request.server.empty()) return usage("--server", "the name of the server is missing", how);
  if (request.log_file.empty()) return usage("--log", "the name of the log is missing", how);
  if (request.socket == "") return usage("--connect", "the name of the socket is empty", how);
  if (request.socket.has_value() == arguments.after_dashes.has_value())
    return usage("", "either --connect or a command is needed, and not both", how);
  if (!request.socket && request.command.argv.empty())
    return usage("--", "there is no command after it", how);
  return request;
}

/// --delay and --fault are for one method each.
Result<void> check_methods(std::string_view option, const std::vector<std::string>& values) {
  std::vector<std::string> methods;
  for (const std::string& value : values) {
    std::string method = value.substr(0, value.find('='));
    if (std::ranges::find(methods, method) != methods.end()) return repeated(option, method);
    methods.push_back(std::move(method));
  }
  return {};
}

Result<Request> lab_request(const Arguments& arguments) {
  LabRequest request;
  if (!arguments.positionals.empty())
    return usage("", fmt::format("'{}' is no option of lab", arguments.positionals.front()));
  request.config_file = arguments.value("--config");
  if (request.config_file == "") return usage("--config", "the name of the file is empty");
  for (const std::string& option : arguments.command->option_names()) {
    if (option == "--config" || option == "--help") continue;
    CUTLINE_TRY(check_methods(option, arguments.all(option)));
    for (const std::string& value : arguments.all(option))
      request.settings.emplace_back(option.substr(2), value);
  }
  return request;
}

Result<Request> completion_request(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positionals;
  if (words.size() == 1) {
    if (words[0] == "bash") return CompletionRequest{Shell::kBash};
    if (words[0] == "zsh") return CompletionRequest{Shell::kZsh};
    if (words[0] == "fish") return CompletionRequest{Shell::kFish};
    return usage("", fmt::format("there is no completion for '{}'", words[0]), "bash, zsh or fish");
  }
  return usage("", "completion needs the name of one shell", "bash, zsh or fish");
}

/// MAJOR.MINOR.PATCH in plain digits: 2.1 or 2.1.0285 would be taken for versions that are not
/// meant.
bool is_full_version(const Version& version) {
  const std::string numbers = version.text().substr(0, version.text().find('-'));
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= numbers.size(); ++parts) {
    const std::size_t dot = std::min(numbers.find('.', at), numbers.size());
    if (numbers[at] == '0' && dot - at > 1) return false;
    at = dot + 1;
  }
  return parts >= 3;
}

}  // namespace

std::optional<Format> format_of(std::string_view file) {
  if (file.ends_with(".json")) return Format::kJson;
  if (file.ends_with(".txt")) return Format::kText;
  if (file.ends_with(".md")) return Format::kMarkdown;
  return std::nullopt;
}

Result<ClientWish> parse_client(std::string_view text) {
  constexpr std::string_view kLatest = "latest";
  ClientWish wish;
  const std::size_t at = text.find('@');
  wish.name = text.substr(0, at);
  if (wish.name.empty()) {
    return usage("--client", fmt::format("'{}' names no client", text),
                 "as in: --client claude-code@2.1.285");
  }
  if (at == std::string_view::npos) return wish;
  const std::string_view version = text.substr(at + 1);
  if (version == kLatest) {
    wish.latest = true;
    return wish;
  }
  Result<VersionRange> range = VersionRange::parse(version);
  if (!range) {
    range.error().place = "--client";
    range.error().hint = "a version (2.1.285), a range (2.1.280..2.1.332) or latest";
    return fail(std::move(range).error());
  }
  wish.range = *std::move(range);
  for (const std::optional<Version>& end : {wish.range->from, wish.range->to}) {
    if (end && !is_full_version(*end)) {
      return usage("--client", fmt::format("'{}' is not a whole version", end->text()),
                   "write all of it (2.1.285), or a range (2.1.0..2.1.332)");
    }
  }
  return wish;
}

Result<std::chrono::milliseconds> parse_seconds(std::string_view text, std::string_view option) {
  constexpr double kDay = 24 * 60 * 60;
  std::string_view rest;
  const std::optional<double> seconds = leading_number(text, rest);
  if (!seconds || !(rest.empty() || rest == "s") || *seconds <= 0 || *seconds > kDay) {
    return usage(option, fmt::format("'{}' is no number of seconds", text),
                 "more than 0 and at most 86400; parts of a second are possible, as in 2.5");
  }
  return std::chrono::milliseconds(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(*seconds * 1000))));
}

Result<std::size_t> parse_bytes(std::string_view text, std::string_view option) {
  constexpr double kMost = 4.0 * 1024 * 1024 * 1024;
  std::string_view rest;
  const std::optional<double> number = leading_number(text, rest);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::optional<double> unit = bytes_in(rest);
  if (!number || !unit || *number * *unit < 1 || *number * *unit > kMost) {
    return usage(option, fmt::format("'{}' is no number of bytes", text),
                 "at least 1 and at most 4GiB, as in 1000000, 512KiB or 64MiB");
  }
  return static_cast<std::size_t>(*number * *unit);
}

Result<Request> parse_request(std::span<const std::string> words) {
  CUTLINE_TRY_ASSIGN(const Arguments arguments, read_arguments(words));
  const std::string_view command = arguments.command->name;
  if (arguments.has("--help") || (words.empty()))
    return HelpRequest{arguments.command, words.empty(), read_color(arguments)};
  if (arguments.has("--version")) {
    const bool more = !arguments.positionals.empty() || arguments.after_dashes;
    if (more) return usage("--version", "nothing can follow it");
    return VersionRequest{};
  }
  const bool takes_server = arguments.command->takes_server;
  if (arguments.after_dashes && !takes_server)
    return usage("--", fmt::format("{} takes no command of a server", command));
  if (command == "check") return check_request(arguments);
  if (command == "show") return show_request(arguments);
  if (command == "measure") return measure_request(arguments);
  if (command == "run") return run_request(arguments);
  if (command == "gateway") return gateway_request(arguments);
  if (command == "clients") return clients_request(arguments);
  if (command == "lab") return lab_request(arguments);
  if (command == "shim") return shim_request(arguments);
  if (command == "completion") return completion_request(arguments);
  return usage("", "there is no command", "cutline --help lists them");
}

}  // namespace cutline::cli
