// completion_script.cc: one generator a shell, over the table of commands.
//
// All words in the scripts are ours (letters, digits, '-', '.', '@'), but for the help texts, which
// are quoted for the shell that reads them.
#include "cli/completion_script.h"

#include <algorithm>

#include <fmt/format.h>

namespace cutline::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// The words that may follow an option or stand as a positional; empty for files and free words.
std::vector<std::string> words_for(std::string_view value, std::span<const std::string> clients) {
  if (kind_of(value) != ValueKind::kClient) return choices_of(value);
  std::vector<std::string> words(clients.begin(), clients.end());
  if (const std::string_view other = other_than_client(value); !other.empty())
    words.emplace_back(other);
  return words;
}

/// The words that may be a command's first.
std::vector<std::string> first_words(const CommandSpec& command,
                                     std::span<const std::string> clients) {
  std::vector<std::string> words = words_for(command.positional, clients);
  words.insert(words.end(), command.actions.begin(), command.actions.end());
  return words;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandSpec& command : command_specs()) names.emplace_back(command.name);
  names.emplace_back("help");
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// In single quotes for bash and zsh.
std::string quoted(std::string_view text) {
  return "'" + replaced(std::string(text), "'", R"('\'')") + "'";
}

// --- bash -------------------------------------------------------------------------------------

std::string bash_value_case(const CommandSpec& command, const OptionSpec& option,
                            std::span<const std::string> clients) {
  std::string action;
  switch (kind_of(option.value)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kFile:
      action = "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames";
      break;
    case ValueKind::kFolder:
      action = "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames";
      break;
    case ValueKind::kWord:
      action = "COMPREPLY=()";
      break;
    case ValueKind::kChoice:
    case ValueKind::kClient:
      action = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                           joined(words_for(option.value, clients)));
      break;
  }
  return fmt::format("        {}:{}) {}; return ;;\n", command.name, option.name, action);
}

std::string bash_script(std::span<const std::string> clients) {
  std::string values, words;
  for (const CommandSpec& command : command_specs()) {
    for (const OptionGroup& group : command.groups)
      for (const OptionSpec& option : group.options)
        values += bash_value_case(command, option, clients);
    std::vector<std::string> all = command.option_names();
    for (std::string& word : first_words(command, clients)) all.push_back(std::move(word));
    const std::string_view ending = ending_of(command.positional);
    words += fmt::format("        {}) words='{}'{} ;;\n", command.name, joined(all),
                         ending.empty() ? "" : fmt::format(" ending='{}'", ending));
  }
  return fmt::format(R"(# bash completion for cutline
_cutline() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
    local command=${{COMP_WORDS[1]}} words='' ending='' i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '{commands} {options}' -- "$cur"))
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} == -- ]]; then
            if ((i == COMP_CWORD - 1)); then
                COMPREPLY=($(compgen -c -- "$cur"))
            else
                COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames
            fi
            return
        fi
    done
    case $command:$prev in
{values}    esac
    case $command in
{words}        help) words='{commands}' ;;
    esac
    if [[ $ending && $cur != -* ]]; then
        COMPREPLY=($(compgen -d -- "$cur"; compgen -f -X "!*$ending" -- "$cur"))
        compopt -o filenames
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -F _cutline cutline
)",
                     fmt::arg("commands", joined(command_names())),
                     fmt::arg("options", joined(program_spec().option_names())),
                     fmt::arg("values", values), fmt::arg("words", words));
}

// --- zsh --------------------------------------------------------------------------------------

std::string zsh_action(std::string_view value, std::span<const std::string> clients) {
  switch (kind_of(value)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kFile:
      return ":file:_files";
    case ValueKind::kFolder:
      return ":folder:_files -/";
    case ValueKind::kWord:
      return ":" + replaced(std::string(value), ":", "\\:") + ": ";
    case ValueKind::kChoice:
    case ValueKind::kClient:
      return fmt::format(":{}:({})", kind_of(value) == ValueKind::kClient ? "client" : "choice",
                         joined(words_for(value, clients)));
  }
  return "";
}

/// Help inside '[…]' of _arguments.
std::string zsh_help(std::string_view help) {
  std::string text(help);
  for (const std::string_view special : {"\\", "[", "]", ":"})
    text = replaced(std::move(text), special, std::string("\\") + std::string(special));
  return text;
}

std::string zsh_option(const OptionSpec& option, std::span<const std::string> clients) {
  return quoted(fmt::format("{}{}[{}]{}", option.repeatable ? "*" : "", option.name,
                            zsh_help(option.help), zsh_action(option.value, clients)));
}

std::string zsh_command(const CommandSpec& command, std::span<const std::string> clients) {
  std::string out = fmt::format("        {})\n            _arguments", command.name);
  for (const OptionGroup& group : command.groups) {
    for (const OptionSpec& option : group.options)
      out += " \\\n                " + zsh_option(option, clients);
  }
  if (const std::string_view ending = ending_of(command.positional); !ending.empty()) {
    out += " \\\n                " + quoted(fmt::format("1:file:_files -g \"*{}\"", ending));
  } else if (!command.positional.empty()) {
    const bool client = kind_of(command.positional) == ValueKind::kClient;
    out += " \\\n                " + quoted(fmt::format("1:{}:({})", client ? "client" : "choice",
                                                        joined(first_words(command, clients))));
  }
  if (!command.actions.empty())
    out += " \\\n                " + quoted("*" + zsh_action(command.positional, clients));
  return out + "\n            ;;\n";
}

std::string zsh_script(std::span<const std::string> clients) {
  std::string commands, cases;
  for (const CommandSpec& command : command_specs()) {
    commands +=
        fmt::format("        {}\n", quoted(fmt::format("{}:{}", command.name, command.summary)));
    cases += zsh_command(command, clients);
  }
  return fmt::format(R"(#compdef cutline
# zsh completion for cutline
_cutline() {{
    local -i dashes=${{words[(i)--]}}
    if ((dashes < CURRENT)); then
        # The server's own command line.
        words=("${{(@)words[dashes+1,-1]}}")
        ((CURRENT -= dashes))
        _normal
        return
    fi
    if ((CURRENT == 2)); then
        local -a commands=(
{commands}        'help:the help of a command'
        )
        _describe 'command' commands
        _arguments {options}
        return
    fi
    local command=${{words[2]}}
    words=("${{(@)words[2,-1]}}")
    ((CURRENT -= 1))
    case $command in
{cases}        help) _arguments '1:command:({names})' ;;
    esac
}}
if [[ ${{funcstack[1]}} == _cutline ]]; then
    _cutline "$@"
else
    compdef _cutline cutline
fi
)",
                     fmt::arg("commands", commands), fmt::arg("cases", cases),
                     fmt::arg("names", joined(command_names())),
                     fmt::arg("options", joined(program_spec().option_names())));
}

// --- fish -------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) {
  return "'" + replaced(replaced(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const CommandSpec& command, const OptionSpec& option,
                        std::span<const std::string> clients) {
  std::string line = fmt::format("complete -c cutline -n '__cutline_in {}' -l {}", command.name,
                                 option.name.substr(2));
  if (!option.letter.empty()) line += fmt::format(" -s {}", option.letter.substr(1));
  switch (kind_of(option.value)) {
    case ValueKind::kNone:
      break;
    case ValueKind::kFile:
      line += " -r -F";
      break;
    case ValueKind::kFolder:
      line += " -x -a '(__fish_complete_directories)'";
      break;
    case ValueKind::kWord:
      line += " -x";
      break;
    case ValueKind::kChoice:
    case ValueKind::kClient:
      line += " -x -a " + fish_quoted(joined(words_for(option.value, clients)));
      break;
  }
  return line + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_script(std::span<const std::string> clients) {
  std::string out = R"(# fish completion for cutline
function __cutline_dashes
    contains -- -- (commandline -opc)
end
function __cutline_in
    set -l words (commandline -opc)
    not __cutline_dashes; and test (count $words) -ge 2; and test $words[2] = $argv[1]
end
function __cutline_first
    test (count (commandline -opc)) -eq 1
end
function __cutline_server
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- -- $words)
    complete -C (string join -- ' ' $words[(math $at + 1)..-1])
end
complete -c cutline -f
complete -c cutline -n __cutline_dashes -x -a '(__cutline_server)'
)";
  for (const CommandSpec& command : command_specs()) {
    out += fmt::format("complete -c cutline -n __cutline_first -a {} -d {}\n", command.name,
                       fish_quoted(command.summary));
    const std::vector<std::string> words = first_words(command, clients);
    if (!words.empty()) {
      out += fmt::format("complete -c cutline -n '__cutline_in {}' -a {}\n", command.name,
                         fish_quoted(joined(words)));
    }
    if (const std::string_view ending = ending_of(command.positional); !ending.empty()) {
      out += fmt::format(
          "complete -c cutline -n '__cutline_in {}' -x -a '(__fish_complete_suffix {})'\n",
          command.name, ending);
    }
    for (const OptionGroup& group : command.groups)
      for (const OptionSpec& option : group.options) out += fish_option(command, option, clients);
  }
  out += "complete -c cutline -n __cutline_first -a help -d 'the help of a command'\n";
  out += "complete -c cutline -n '__cutline_in help' -a " + fish_quoted(joined(command_names())) +
         "\n";
  for (const OptionGroup& group : program_spec().groups) {
    for (const OptionSpec& option : group.options) {
      out += fmt::format("complete -c cutline -n __cutline_first -l {} -d {}\n",
                         option.name.substr(2), fish_quoted(option.help));
    }
  }
  return out;
}

}  // namespace

std::string completion_script(Shell shell, std::span<const std::string> clients) {
  switch (shell) {
    case Shell::kBash:
      return bash_script(clients);
    case Shell::kZsh:
      return zsh_script(clients);
    case Shell::kFish:
      return fish_script(clients);
  }
  return "";
}

}  // namespace cutline::cli
