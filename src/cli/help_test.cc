// help_test.cc
#include "cli/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/terminal.h"

namespace cutline::cli {
namespace {

using testing::HasSubstr;

const report::Style kPlain = {.colour = false, .columns = 80};

TEST(HelpText, OfTheProgramListsTheCommands) {
  const std::string help = help_text(program_spec(), kPlain);
  for (const CommandSpec& command : command_specs()) EXPECT_THAT(help, HasSubstr(command.summary));
}

TEST(HelpText, NamesEveryOptionAndHasExamples) {
  for (const CommandSpec& command : command_specs()) {
    const std::string help = help_text(command, kPlain);
    for (const std::string& option : command.option_names()) EXPECT_THAT(help, HasSubstr(option));
    EXPECT_THAT(help, HasSubstr("Examples"));
    EXPECT_FALSE(command.examples.empty());
  }
}

TEST(HelpText, FitsEightyColumns) {
  for (const CommandSpec& command : command_specs()) {
    const std::string help = help_text(command, kPlain);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      const std::string_view line = std::string_view(help).substr(at, end - at);
      EXPECT_LE(text::columns(line), 80U) << line;
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace cutline::cli
