// arguments.cc: the one translation unit that knows CLI11.
//
// The command is found first and gets an App of its own, so that a word is never taken for another
// command's. Everything after the first "--" is the server's and never shown to the parser. All
// values are read as lists and judged afterwards, because CLI11's own messages name no nearest
// word.
#include "cli/arguments.h"

#include <algorithm>
#include <deque>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "base/nearest.h"

namespace cutline::cli {
namespace {

tl::unexpected<Problem> usage(std::string code, std::string message, std::string place,
                              std::string hint) {
  return fail({.code = std::move(code),
               .message = std::move(message),
               .place = std::move(place),
               .hint = std::move(hint)});
}

std::string help_hint(const CommandSpec& command) {
  return &command == &program_spec()
             ? "cutline --help lists the commands"
             : fmt::format("cutline {} --help lists its options", command.name);
}

tl::unexpected<Problem> unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const CommandSpec& command : command_specs()) names.emplace_back(command.name);
  const std::optional<std::string> near = nearest(word, names);
  return usage("cli.command", fmt::format("there is no command '{}'", word), "",
               near ? fmt::format("did you mean '{}'?", *near) : help_hint(program_spec()));
}

tl::unexpected<Problem> unknown_option(const CommandSpec& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> names = command.option_names();
  const std::optional<std::string> near = nearest(name, names);
  return usage("cli.option", fmt::format("{} has no option '{}'", command.name, name), "",
               near ? fmt::format("did you mean '{}'?", *near) : help_hint(command));
}

/// An App with the command's options; their values end up in `lists`, flags in `flags`.
struct Parser {
  explicit Parser(const CommandSpec& command) {
    app.set_help_flag();
    app.allow_extras();
    for (const OptionGroup& group : command.groups) {
      for (const OptionSpec& option : group.options) {
        std::string names(option.name);
        if (!option.letter.empty()) names = fmt::format("{},{}", option.letter, option.name);
        if (option.value.empty()) {
          options.emplace_back(&option, app.add_flag(names)->disable_flag_override());
        } else {
          options.emplace_back(&option, app.add_option(names, lists.emplace_back())
                                            ->allow_extra_args(false)
                                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
        }
      }
    }
  }

  CLI::App app;
  std::deque<std::vector<std::string>> lists;  // stable addresses
  std::vector<std::pair<const OptionSpec*, CLI::Option*>> options;
};

Result<void> judge(const OptionSpec& option, const std::vector<std::string>& values) {
  const std::string name(option.name);
  if (values.size() > 1 && !option.repeatable) {
    return usage("cli.repeated", fmt::format("it is given {} times", values.size()), name,
                 "once is enough");
  }
  const std::vector<std::string> choices = choices_of(option.value);
  for (const std::string& value : values) {
    if (choices.empty() || std::ranges::find(choices, value) != choices.end()) continue;
    const std::optional<std::string> near = nearest(value, choices);
    return usage("cli.choice", fmt::format("'{}' is none of {}", value, fmt::join(choices, ", ")),
                 name, near ? fmt::format("did you mean '{}'?", *near) : "");
  }
  return {};
}

/// CLI11 begins with the option's name; what is wrong with one follows from whether it has a value.
std::string without_jargon(const CommandSpec& command, const std::string& message) {
  const std::string name = message.substr(0, message.find_first_of(": "));
  const OptionSpec* option = command.find(name.starts_with('-') ? name : "--" + name);
  if (!option) return message;
  return fmt::format("{} {}", option->name,
                     option->value.empty() ? "takes no value" : "needs a value");
}

Result<void> parse(Parser& parser, const CommandSpec& command, std::span<const std::string> words) {
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
  try {
    parser.app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return usage("cli.value", without_jargon(command, error.what()), "", help_hint(command));
  }
  return {};
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = values.find(option);
  if (found == values.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  const auto found = values.find(option);
  return found == values.end() ? std::vector<std::string>{} : found->second;
}

Result<Arguments> read_arguments(std::span<const std::string> words) {
  Arguments arguments;
  arguments.command = &program_spec();
  if (!words.empty() && !words.front().starts_with('-')) {
    const bool help = words.front() == "help";
    const std::size_t at = help && words.size() > 1 ? 1 : 0;
    arguments.command = help && at == 0 ? &program_spec() : find_command(words[at]);
    if (!arguments.command) return unknown_command(words[at]);
    words = words.subspan(at + 1);
    if (help) arguments.values["--help"];
  }
  const CommandSpec& command = *arguments.command;
  const auto dashes = std::ranges::find(words, "--");
  if (dashes != words.end()) arguments.after_dashes.emplace(dashes + 1, words.end());

  Parser parser(command);
  CUTLINE_TRY(parse(parser, command, {words.begin(), dashes}));
  for (const std::string& word : parser.app.remaining()) {
    if (word.starts_with('-') && word != "-") return unknown_option(command, word);
    arguments.positionals.push_back(word);
  }
  for (const auto& [spec, option] : parser.options) {
    if (option->count() == 0) continue;
    std::vector<std::string> values;
    if (!spec->value.empty()) values = option->as<std::vector<std::string>>();
    CUTLINE_TRY(judge(*spec, values));
    arguments.values[std::string(spec->name)] = std::move(values);
  }
  return arguments;
}

}  // namespace cutline::cli
