// arguments.h: words of a command line, taken apart after the table of commands.
//
// CLI11 stays behind this file: it tells options from values ("--format=json", "--format json").
// What a value means, and what to say when it means nothing, is options.cc.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_spec.h"

namespace cutline::cli {

struct Arguments {
  const CommandSpec* command = nullptr;  // program_spec() if no command was given
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // "--format" -> values
  std::vector<std::string> positionals;
  std::optional<std::vector<std::string>> after_dashes;  // what follows the first "--"

  bool has(std::string_view option) const { return values.contains(option); }
  /// The only value of an option, if it was given.
  std::optional<std::string> value(std::string_view option) const;
  std::vector<std::string> all(std::string_view option) const;
};

/// `words` are without the program's name. Problems "cli.command", "cli.option", "cli.value",
/// "cli.repeated" and "cli.choice", each with the nearest word where there is one.
Result<Arguments> read_arguments(std::span<const std::string> words);

}  // namespace cutline::cli
