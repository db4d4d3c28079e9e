// arguments_test.cc
#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Result<Arguments> read(std::vector<std::string> words) { return read_arguments(words); }

TEST(ReadArguments, TellsOptionsValuesAndTheServersCommandApart) {
  const Arguments arguments =
      read({"check", "--env", "A=1", "--env=B=2", "--details", "--", "node", "--env", "C", "--"})
          .value();
  EXPECT_EQ(arguments.command->name, "check");
  EXPECT_THAT(arguments.all("--env"), ElementsAre("A=1", "B=2"));
  EXPECT_TRUE(arguments.has("--details"));
  EXPECT_FALSE(arguments.has("--format"));
  EXPECT_THAT(arguments.after_dashes.value(), ElementsAre("node", "--env", "C", "--"));
  EXPECT_THAT(arguments.positionals, IsEmpty());
}

TEST(ReadArguments, TakesValuesThatLookStrange) {
  const Arguments arguments =
      read({"check", "--offer", "-", "--name", "", "--set", "A=-1 x"}).value();
  EXPECT_EQ(arguments.value("--offer"), "-");
  EXPECT_EQ(arguments.value("--name"), "");
  EXPECT_EQ(arguments.value("--set"), "A=-1 x");
  EXPECT_FALSE(arguments.after_dashes.has_value());
}

TEST(ReadArguments, KeepsPositionals) {
  EXPECT_THAT(read({"clients", "claude-code", "check"}).value().positionals,
              ElementsAre("claude-code", "check"));
}

TEST(ReadArguments, KnowsHelpInEveryForm) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "--help"}, {"check", "-h"}, {"help", "check"}}) {
    const Arguments arguments = read(words).value();
    EXPECT_EQ(arguments.command->name, "check");
    EXPECT_TRUE(arguments.has("--help"));
  }
  EXPECT_EQ(read({"help"}).value().command, &program_spec());
  EXPECT_EQ(read({}).value().command, &program_spec());
}

TEST(ReadArguments, SuggestsTheNearest) {
  struct Case {
    std::vector<std::string> words;
    const char* code;
    const char* hint;
  };
  for (const Case& c : {
           Case{{"chekc"}, "cli.command", "did you mean 'check'?"},
           Case{{"survey"}, "cli.command", "cutline --help lists the commands"},
           Case{{"mesure"}, "cli.command", "did you mean 'measure'?"},
           Case{{"measure", "--offer", "x.json"},
                "cli.option",
                "cutline measure --help lists its options"},
           Case{{"measure", "--format", "markdown"}, "cli.choice", ""},
           Case{{"run", "--format", "markdwon"}, "cli.choice", "did you mean 'markdown'?"},
           Case{{"help", "shwo"}, "cli.command", "did you mean 'show'?"},
           Case{{"check", "--detials"}, "cli.option", "did you mean '--details'?"},
           Case{{"check", "--formt=json"}, "cli.option", "did you mean '--format'?"},
           Case{{"check", "--formt", "json"}, "cli.option", "did you mean '--format'?"},
           Case{{"check", "--xyzxyzxyz"}, "cli.option", "cutline check --help lists its options"},
           Case{{"--versoin"}, "cli.option", "did you mean '--version'?"},
           Case{{"check", "--format", "jsno"}, "cli.choice", "did you mean 'json'?"},
           Case{{"check", "--format", "yaml"}, "cli.choice", ""},
           Case{{"lab", "--era", "daul"}, "cli.choice", "did you mean 'dual'?"},
           Case{{"check", "--format"}, "cli.value", "cutline check --help lists its options"},
           Case{
               {"check", "--format", "json", "--format", "text"}, "cli.repeated", "once is enough"},
           Case{
               {"check", "--details=maybe"}, "cli.value", "cutline check --help lists its options"},
       }) {
    const Result<Arguments> result = read(c.words);
    ASSERT_FALSE(result) << testing::PrintToString(c.words);
    EXPECT_EQ(result.error().code, c.code) << testing::PrintToString(c.words);
    EXPECT_EQ(result.error().hint, c.hint) << result.error().message;
    EXPECT_EQ(result.error().blame, Blame::kUsage);
    EXPECT_FALSE(result.error().message.empty());
  }
}

TEST(ReadArguments, SaysWhatAnOptionNeeds) {
  EXPECT_EQ(read({"check", "--era"}).error().message, "--era needs a value");
  EXPECT_EQ(read({"check", "--details=maybe"}).error().message, "--details takes no value");
}

}  // namespace
}  // namespace cutline::cli
