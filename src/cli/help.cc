// help.cc: laying out the help.
#include "cli/help.h"

#include <fmt/format.h>

#include "report/table.h"

namespace cutline::cli {
namespace {

using report::Align;
using report::Ink;
using report::Style;
using report::Table;

constexpr std::size_t kWidestLeft = 28;  // a longer option has its help on the next line

std::string title(std::string_view text, const Style& style) {
  return "\n" + report::paint(text, Ink::kStrong, style) + "\n";
}

std::string option_words(const OptionSpec& option) {
  std::string words;
  if (!option.letter.empty()) words += fmt::format("{}, ", option.letter);
  words += option.name;
  if (!option.value.empty()) words += fmt::format(" {}", option.value);
  return words;
}

std::string option_lines(const std::vector<OptionSpec>& options, const Style& style) {
  std::string out;
  for (const OptionSpec& option : options) {
    std::string left = "  " + option_words(option);
    std::string help(option.help);
    if (option.repeatable) help += "; may be repeated";
    if (left.size() > kWidestLeft) {
      out += left + "\n";
      left.clear();
    }
    left.resize(kWidestLeft + 2, ' ');
    out += report::paragraph({left}, help, style);
  }
  return out;
}

std::string command_lines(const Style& style) {
  Table table({Align::kLeft, Align::kLeft});
  for (const CommandSpec& command : command_specs())
    table.row({{fmt::format("  {}", command.name), Ink::kStrong}, {std::string(command.summary)}});
  return table.render(style);
}

std::string example_lines(const CommandSpec& command) {
  std::string out;
  // Never wrapped: they are there to be copied.
  for (const std::string_view example : command.examples) out += fmt::format("  {}\n", example);
  return out;
}

}  // namespace

std::string help_text(const CommandSpec& command, const Style& style) {
  std::string out;
  std::string summary(command.summary);
  if (&command == &program_spec()) {
    out += report::paragraph({}, summary, style);
  } else {
    out += report::paragraph({}, fmt::format("cutline {}: {}.", command.name, summary), style);
  }
  out += title("Usage", style) + fmt::format("  cutline {}\n", command.synopsis);
  if (&command == &program_spec()) out += title("Commands", style) + command_lines(style);
  for (const OptionGroup& group : command.groups)
    out += title(group.title, style) + option_lines(group.options, style);
  if (!command.about.empty()) {
    out += "\n";
    std::string_view rest = command.about;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out += report::paragraph({}, rest.substr(0, end), style);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (!command.examples.empty()) out += title("Examples", style) + example_lines(command);
  return out;
}

}  // namespace cutline::cli
