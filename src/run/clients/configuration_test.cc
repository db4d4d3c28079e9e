// configuration_test.cc: what clients' configurations have in common.
#include "run/clients/configuration.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::run {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const ServerEntry kServer = {.name = "lab",
                             .argv = {"node", "a b", "\"c\""},
                             .environment = {{"KEY", "v"}},
                             .settings = {{"on", "true"}, {"off", "false"}, {"note", "text"}}};

template <class Write>
std::string object(Write write) {
  json::Writer out;
  out.begin_object();
  write(out);
  return out.end_object().take();
}

TEST(Configuration, WritesServersWithTheirSettingsLast) {
  EXPECT_EQ(
      object([](json::Writer& out) { write_servers(out, "servers", {kServer}, write_command); }),
      R"({"servers":{"lab":{"command":"node","args":["a b","\"c\""],"env":{"KEY":"v"},)"
      R"("on":true,"off":false,"note":"text"}}})");
  EXPECT_EQ(object([](json::Writer& out) { write_servers(out, "none", {}, write_command); }),
            R"({"none":{}})");
}

TEST(Configuration, TrustsAServerUnlessItsSettingsSpeakOfThat) {
  const auto trusted = [](const ServerEntry& server) {
    return object([&](json::Writer& out) { write_trusted_command(out, server); });
  };
  EXPECT_THAT(trusted(kServer), HasSubstr(R"("trust":true)"));
  ServerEntry other = kServer;
  other.settings = {{"trust", "false"}};
  EXPECT_THAT(trusted(other), Not(HasSubstr("trust")));
}

TEST(Configuration, TellsFlagsFromVariables) {
  EXPECT_TRUE(is_flag("--all"));
  EXPECT_FALSE(is_flag("ALL"));
  EXPECT_FALSE(is_flag("-a"));
  EXPECT_THAT(flags_of({{"--all", "true"},
                        {"VARIABLE", "x"},
                        {"--mode", "fast"},
                        {"--none", "false"},
                        {"--empty", ""}}),
              ElementsAre("--all", "--mode", "fast"));
  EXPECT_THAT(flags_of({}), IsEmpty());
}

TEST(Configuration, PutsArgumentsBehindTheFlags) {
  ClientStart start;
  start.variables = {{"--all", "true"}};
  start.arguments = {"--all=false", "x"};
  std::vector<std::string> argv = {"client"};
  add_arguments(argv, start);
  EXPECT_THAT(argv, ElementsAre("client", "--all", "--all=false", "x"));
}

TEST(Configuration, TakesTheFirstProgramThatIsThere) {
  const sys::Scratch scratch = sys::Scratch::make().value();
  const fs::path modules = fs::path(scratch.path()) / "node_modules";
  fs::create_directories(modules);
  const auto found = [&] { return program_in(scratch.path(), "Parrot", {"first", "second"}); };
  const Problem none = found().error();
  EXPECT_EQ(none.code, "run.client.program");
  EXPECT_EQ(none.blame, Blame::kMissing);
  EXPECT_THAT(none.message, HasSubstr("Parrot"));
  std::ofstream(modules / "second") << "x";
  EXPECT_EQ(found(), (modules / "second").string());
  std::ofstream(modules / "first") << "x";
  EXPECT_EQ(found(), (modules / "first").string());
}

TEST(Configuration, RefusesSessionsThatAreNotHeadless) {
  ClientStart start;
  EXPECT_TRUE(only_headless(start, "Parrot"));
  start.resume = true;
  EXPECT_THAT(only_headless(start, "Parrot").error().message, HasSubstr("resumed"));
  start.interactive = true;
  EXPECT_THAT(only_headless(start, "Parrot").error().message, HasSubstr("terminal"));
}

}  // namespace
}  // namespace cutline::run
