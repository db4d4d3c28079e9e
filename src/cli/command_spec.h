// command_spec.h: the commands and their options, as data.
//
// One table is behind everything that knows options: the parser (arguments.cc makes a CLI11 App of
// it), the help, and the completion of the shells.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutline::cli {

struct OptionSpec {
  std::string_view name;  // "--format"
  std::string_view
      value;              // "text|json" (choices), "FILE", "FILE.toml", "DIR", any noun; "": a flag
  std::string_view help;  // without a full stop
  bool repeatable = false;
  std::string_view letter = "";  // "-h"
};

struct OptionGroup {
  std::string_view title;
  std::vector<OptionSpec> options;
};

struct CommandSpec {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view synopsis;  // what comes after "cutline "
  std::vector<OptionGroup> groups;
  std::string_view positional = "";            // "NAME", "FILE.toml", "bash|zsh|fish"; "": none
  std::vector<std::string_view> actions = {};  // words that may stand before it
  bool takes_server = false;                   // "-- COMMAND ARGS…"
  std::string_view about = "";                 // paragraphs for the help
  std::vector<std::string_view> examples = {};

  const OptionSpec* find(std::string_view option_name) const;
  std::vector<std::string> option_names() const;
};

/// The options of `cutline` itself.
const CommandSpec& program_spec();
/// In the order of the help.
std::span<const CommandSpec> command_specs();
/// Also one that no help lists, because nobody types it: cutline starts itself with it.
const CommandSpec* find_command(std::string_view name);

enum class ValueKind { kNone, kWord, kChoice, kFile, kFolder, kClient };
ValueKind kind_of(std::string_view value);
/// "all" of "NAME[@VERSION]|all"; "" where only a client can stand.
std::string_view other_than_client(std::string_view value);
/// ".toml" of "FILE.toml"; "" for any file, and for what is none.
std::string_view ending_of(std::string_view value);
/// "text", "json" of "text|json".
std::vector<std::string> choices_of(std::string_view value);

}  // namespace cutline::cli
