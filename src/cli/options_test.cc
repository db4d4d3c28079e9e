// options_test.cc
#include "cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/settings.h"

namespace cutline::cli {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

template <class T>
T request(std::vector<std::string> words) {
  Result<Request> result = parse_request(words);
  EXPECT_TRUE(result) << (result ? "" : to_text(result.error()));
  return std::get<T>(result.value());
}

Problem problem(std::vector<std::string> words) {
  const Result<Request> result = parse_request(words);
  EXPECT_FALSE(result) << testing::PrintToString(words);
  return result ? Problem{} : result.error();
}

TEST(CheckRequest, HasItsDefaults) {
  const CheckRequest check = request<CheckRequest>({"check", "--", "node", "s.js"});
  EXPECT_THAT(check.source.command.argv, ElementsAre("node", "s.js"));
  EXPECT_FALSE(check.source.command.clear_environment);
  EXPECT_EQ(check.source.interview.era, mcp::EraWish::kBoth);
  EXPECT_EQ(check.source.interview.limits.probe_timeout, milliseconds(10'000));
  EXPECT_EQ(check.source.interview.limits.total_timeout, milliseconds(60'000));
  EXPECT_EQ(check.source.interview.limits.message_bytes_max, std::size_t{64} << 20);
  EXPECT_THAT(check.clients.wishes, IsEmpty());
  EXPECT_EQ(check.clients.situation.session, delivery::Session::kFirstParty);
  EXPECT_EQ(check.output.format, Format::kText);
  EXPECT_EQ(check.output.color, Color::kAuto);
  EXPECT_FALSE(check.details);
}

TEST(CheckRequest, TakesEverything) {
  const CheckRequest check = request<CheckRequest>({"check",
                                                    "--env",
                                                    "TOKEN=a=b",
                                                    "--env",
                                                    "EMPTY=",
                                                    "--clear-env",
                                                    "--cwd",
                                                    "/srv",
                                                    "--era",
                                                    "legacy",
                                                    "--timeout",
                                                    "2.5",
                                                    "--max-message",
                                                    "1MiB",
                                                    "--probe-timeout",
                                                    "0.25",
                                                    "--save-offer",
                                                    "o.json",
                                                    "--client",
                                                    "claude-code@2.1.280..2.1.290",
                                                    "--client",
                                                    "codex",
                                                    "--model",
                                                    "opus",
                                                    "--session",
                                                    "custom-endpoint",
                                                    "--name",
                                                    "lab",
                                                    "--set",
                                                    "A=25,000",
                                                    "--setting",
                                                    "alwaysLoad=true",
                                                    "--profiles",
                                                    "mine",
                                                    "--details",
                                                    "--format",
                                                    "json",
                                                    "--output",
                                                    "a.json",
                                                    "--output",
                                                    "b.txt",
                                                    "--color",
                                                    "never",
                                                    "--",
                                                    "cat"});
  EXPECT_THAT(check.source.command.environment,
              ElementsAre(Pair("TOKEN", "a=b"), Pair("EMPTY", "")));
  EXPECT_TRUE(check.source.command.clear_environment);
  EXPECT_EQ(check.source.command.directory, "/srv");
  EXPECT_EQ(check.source.interview.era, mcp::EraWish::kLegacy);
  EXPECT_EQ(check.source.interview.limits.total_timeout, milliseconds(2'500));
  EXPECT_EQ(check.source.interview.limits.probe_timeout, milliseconds(250));
  EXPECT_EQ(check.source.interview.limits.message_bytes_max, std::size_t{1} << 20);
  EXPECT_EQ(check.source.save_offer, "o.json");
  ASSERT_EQ(check.clients.wishes.size(), 2U);
  EXPECT_EQ(check.clients.wishes[0].range->text(), "2.1.280..2.1.290");
  EXPECT_FALSE(check.clients.wishes[1].names_versions());
  EXPECT_EQ(check.clients.situation.model, "opus");
  EXPECT_EQ(check.clients.situation.session, delivery::Session::kCustomEndpoint);
  EXPECT_THAT(check.clients.situation.variables, ElementsAre(Pair("A", "25,000")));
  EXPECT_THAT(check.clients.situation.settings, ElementsAre(Pair("alwaysLoad", "true")));
  EXPECT_EQ(check.clients.server_name, "lab");
  EXPECT_EQ(check.clients.profiles_folder, "mine");
  EXPECT_TRUE(check.details);
  EXPECT_EQ(check.output.format, Format::kJson);
  EXPECT_THAT(check.output.files, ElementsAre("a.json", "b.txt"));
  EXPECT_EQ(check.output.color, Color::kNever);
}

TEST(CheckRequest, NeedsExactlyOneSource) {
  EXPECT_EQ(request<CheckRequest>({"check", "--offer", "-"}).source.offer_file, "-");
  EXPECT_EQ(request<CheckRequest>({"check", "--instructions-file", "d.md"}).source.draft_file,
            "d.md");
  EXPECT_THAT(problem({"check"}).message, HasSubstr("no server"));
  EXPECT_THAT(problem({"check", "--"}).message, HasSubstr("no command"));
  EXPECT_THAT(problem({"check", "--offer", "a", "--", "node"}).message, HasSubstr("is enough"));
  EXPECT_THAT(problem({"check", "--offer", "a", "--instructions-file", "b"}).message,
              HasSubstr("is enough"));
  EXPECT_EQ(problem({"check", "--offer", "a", "--cwd", "b"}).place, "--cwd");
  EXPECT_EQ(problem({"check", "--offer", ""}).place, "--offer");
  EXPECT_EQ(problem({"check", "--instructions-file", ""}).place, "--instructions-file");
  // The command without "--" is the likeliest mistake of all.
  EXPECT_THAT(problem({"check", "node", "server.js"}).hint, HasSubstr("comes after --"));
}

TEST(CheckRequest, RefusesValuesThatMeanNothing) {
  struct Case {
    const char* option;
    const char* value;
  };
  for (const Case& c : {Case{"--env", "TOKEN"},
                        Case{"--env", "=x"},
                        Case{"--set", "A"},
                        Case{"--setting", "=1"},
                        Case{"--timeout", "0"},
                        Case{"--timeout", "-1"},
                        Case{"--timeout", "soon"},
                        Case{"--timeout", "1e9"},
                        Case{"--timeout", "5x"},
                        Case{"--probe-timeout", ""},
                        Case{"--max-message", "0"},
                        Case{"--max-message", "64 MiX"},
                        Case{"--max-message", "5GiB"},
                        Case{"--name", ""},
                        Case{"--client", "@2.1.0"},
                        Case{"--client", "claude-code@new"},
                        Case{"--client", "claude-code@"},
                        Case{"--client", "claude-code@2.1.2..2.1.1"},
                        Case{"--client", "c@2.1"},
                        Case{"--client", "c@2"},
                        Case{"--client", "c@2.1..2.1.9"},
                        Case{"--client", "c@2.1.0..2.2"},
                        Case{"--client", "c@..2"},
                        Case{"--client", "c@2.1-rc.1"},
                        Case{"--client", "c@2.1.0285"},
                        Case{"--client", "c@02.1.285"},
                        Case{"--output", "x.foo"},
                        Case{"--output", "json"},
                        Case{"--output", "-"},
                        Case{"--output", ""},
                        Case{"--save-offer", "-"},
                        Case{"--save-offer", ""}}) {
    const Problem found = problem({"check", c.option, c.value, "--", "node"});
    EXPECT_EQ(found.place, c.option) << c.value;
    EXPECT_EQ(found.blame, Blame::kUsage);
  }
}

TEST(CheckRequest, RefusesTheSameTwice) {
  struct Case {
    std::vector<std::string> words;
    const char* place;
    const char* names;
  };
  for (const Case& c : {
           Case{{"--set", "X=a", "--set", "X=b"}, "--set", "X is given twice"},
           Case{{"--setting", "k=a", "--setting", "k=a"}, "--setting", "k is given twice"},
           Case{{"--env", "E=", "--env", "E=1"}, "--env", "E is given twice"},
           Case{{"--output", "a.json", "--output", "a.json"}, "--output", "'a.json'"},
           Case{{"--output", "a.json", "--output", "./a.json"}, "--output", "'./a.json'"},
           Case{{"--save-offer", "f.json", "--output", "f.json"}, "--output", "'f.json'"},
       }) {
    std::vector<std::string> words = c.words;
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--", "node"});
    const Problem found = problem(words);
    EXPECT_EQ(found.code, "cli.repeated");
    EXPECT_EQ(found.place, c.place);
    EXPECT_THAT(found.message, HasSubstr(c.names));
  }
  request<CheckRequest>({"check", "--set", "X=a", "--set", "x=a", "--", "node"});
}

TEST(CheckRequest, TakesAnyEndingWhereTheFormatIsNamed) {
  const CheckRequest check = request<CheckRequest>(
      {"check", "--format", "json", "--output", "x.foo", "--output", "./-", "--", "node"});
  EXPECT_THAT(check.output.files, ElementsAre("x.foo", "./-"));
  EXPECT_EQ(format_of("x.foo"), std::nullopt);
  EXPECT_EQ(format_of("x.txt"), Format::kText);
  EXPECT_EQ(problem({"clients", "--output", "x.foo"}).place, "--output");
  EXPECT_EQ(format_of("x.md"), Format::kMarkdown);
  EXPECT_THAT(problem({"check", "--output", "x.md", "--", "node"}).message,
              HasSubstr("neither .json nor .txt"));
}

TEST(ParseClient, KnowsAllFourForms) {
  EXPECT_FALSE(parse_client("claude-code").value().names_versions());
  EXPECT_TRUE(parse_client("claude-code@latest").value().latest);
  EXPECT_EQ(parse_client("claude-code@2.1.285").value().range->text(), "2.1.285");
  EXPECT_EQ(parse_client("claude-code@2.1.285..").value().range->text(), "2.1.285..");
  EXPECT_EQ(parse_client("claude-code@2.1.1..2.1.9").value().range->text(), "2.1.1..2.1.9");
}

TEST(ParseBytes, KnowsDecimalAndBinaryUnits) {
  struct Case {
    const char* text;
    std::size_t bytes;
  };
  for (const Case& c :
       {Case{"1000", 1000}, Case{"64MiB", 64U << 20}, Case{"64M", 64U << 20}, Case{"1.5 kB", 1500},
        Case{"2KiB", 2048}, Case{"1GB", 1'000'000'000}, Case{"7B", 7}})
    EXPECT_EQ(parse_bytes(c.text, "--max-message").value(), c.bytes) << c.text;
}

TEST(ShowRequest, AsksForOneVersionAndOnePiece) {
  const ShowRequest show = request<ShowRequest>({"show", "--client", "claude-code@2.1.285",
                                                 "--what", "tool:add labels", "--lost", "--", "x"});
  EXPECT_EQ(show.tool, "add labels");
  EXPECT_EQ(show.shown, report::Shown::kLost);
  EXPECT_EQ(request<ShowRequest>({"show", "--client", "c", "--bare", "--", "x"}).shown,
            report::Shown::kBare);
  EXPECT_EQ(request<ShowRequest>({"show", "--client", "c@latest", "--", "x"}).shown,
            report::Shown::kFramed);
  EXPECT_THAT(problem({"show", "--", "x"}).message, HasSubstr("needs a client"));
  EXPECT_THAT(problem({"show", "--client", "c@1.0.0..2.0.0", "--", "x"}).message,
              HasSubstr("one version"));
  EXPECT_EQ(problem({"show", "--client", "a", "--client", "b", "--", "x"}).code, "cli.repeated");
  EXPECT_EQ(problem({"show", "--client", "c", "--what", "tool:", "--", "x"}).place, "--what");
  EXPECT_EQ(problem({"show", "--client", "c", "--what", "prompts", "--", "x"}).place, "--what");
  EXPECT_EQ(problem({"show", "--client", "c", "--bare", "--lost", "--", "x"}).place, "--bare");
}

TEST(LabRequest, PassesTheWordsOfTheSettings) {
  const LabRequest lab =
      request<LabRequest>({"lab", "--delay", "initialize=8000", "--instructions", "english:5859",
                           "--delay", "tools/list=1", "--config", "lab.toml"});
  EXPECT_EQ(lab.config_file, "lab.toml");
  EXPECT_THAT(lab.settings,
              ElementsAre(Pair("instructions", "english:5859"), Pair("delay", "initialize=8000"),
                          Pair("delay", "tools/list=1")));
  EXPECT_THAT(request<LabRequest>({"lab"}).settings, IsEmpty());
  EXPECT_THAT(problem({"lab", "english:5859"}).message, HasSubstr("no option"));
}

TEST(LabRequest, RefusesAMethodTwice) {
  for (const char* option : {"--delay", "--fault"}) {
    const Problem found = problem({"lab", option, "tools/list=1", option, "tools/list=2"});
    EXPECT_EQ(found.code, "cli.repeated");
    EXPECT_EQ(found.place, option);
    EXPECT_THAT(found.message, HasSubstr("tools/list is given twice"));
  }
  request<LabRequest>({"lab", "--delay", "initialize=1", "--fault", "initialize=hang"});
}

TEST(LabRequest, HasAnOptionForEverySetting) {
  const CommandSpec& lab = *find_command("lab");
  for (const std::string& key : lab::setting_keys())
    EXPECT_NE(lab.find("--" + key), nullptr) << key;
  for (const std::string& option : lab.option_names()) {
    if (option == "--config" || option == "--help") continue;
    EXPECT_THAT(lab::setting_keys(), testing::Contains(option.substr(2)));
  }
}

TEST(ClientsRequest, InstallsListsAndRemoves) {
  using Action = ClientsRequest::Action;
  const ClientsRequest install =
      request<ClientsRequest>({"clients", "install", "a@1.2.3", "b@latest", "c"});
  EXPECT_EQ(install.action, Action::kInstall);
  ASSERT_EQ(install.wishes.size(), 3U);
  EXPECT_EQ(install.wishes[0].name, "a");
  EXPECT_EQ(install.wishes[0].range->text(), "1.2.3");
  EXPECT_TRUE(install.wishes[1].latest);
  EXPECT_FALSE(install.wishes[2].names_versions());
  EXPECT_EQ(request<ClientsRequest>({"clients", "list"}).action, Action::kList);
  EXPECT_EQ(request<ClientsRequest>({"clients", "remove", "a@1.2.3"}).action, Action::kRemove);

  EXPECT_THAT(problem({"clients", "install"}).message, HasSubstr("needs a client"));
  EXPECT_THAT(problem({"clients", "install", "a@1.0.0..2.0.0"}).message, HasSubstr("a range"));
  EXPECT_THAT(problem({"clients", "install", "a@2.1"}).message, HasSubstr("not a whole version"));
  EXPECT_THAT(problem({"clients", "remove", "a"}).message, HasSubstr("which version"));
  EXPECT_THAT(problem({"clients", "remove", "a@latest"}).message, HasSubstr("which version"));
  EXPECT_THAT(problem({"clients", "list", "a"}).message, HasSubstr("one name too many"));
}

TEST(Options, ClientsProving) {
  EXPECT_THAT(problem({"clients", "bisect", "codex"}).message, HasSubstr("needs the name"));
  EXPECT_THAT(problem({"clients", "verify", "codex", "--fact", "x"}).message,
              HasSubstr("only bisect"));
  EXPECT_THAT(problem({"clients", "learn", "codex@1.0.0", "--format", "json"}).message,
              HasSubstr("as a patch"));
  EXPECT_THAT(problem({"clients", "learn", "codex@1.0.0..2.0.0"}).message, HasSubstr("a range"));
  EXPECT_THAT(problem({"clients", "verify"}).message, HasSubstr("verify needs a client"));
}

TEST(Options, ClientsDiffTakesTwoAndPerhapsAServer) {
  using Action = ClientsRequest::Action;
  const auto facts = request<ClientsRequest>({"clients", "diff", "a@1.2.3", "b"});
  EXPECT_EQ(facts.action, Action::kDiff);
  ASSERT_EQ(facts.wishes.size(), 2U);
  EXPECT_EQ(facts.wishes[0].range->text(), "1.2.3");
  EXPECT_EQ(facts.wishes[1].name, "b");
  EXPECT_FALSE(facts.source);
  const auto server = request<ClientsRequest>(
      {"clients", "diff", "a", "b@latest", "--set", "A=1", "--name", "lab", "--", "node"});
  ASSERT_TRUE(server.source);
  EXPECT_THAT(server.source->command.argv, ElementsAre("node"));
  EXPECT_EQ(server.diffed.server_name, "lab");
  EXPECT_THAT(server.diffed.situation.variables, ElementsAre(Pair("A", "1")));
  EXPECT_EQ(
      request<ClientsRequest>({"clients", "diff", "a", "b", "--offer", "o"}).source->offer_file,
      "o");

  EXPECT_THAT(problem({"clients", "diff"}).message, HasSubstr("needs two clients"));
  EXPECT_THAT(problem({"clients", "diff", "a"}).message, HasSubstr("two clients"));
  EXPECT_THAT(problem({"clients", "diff", "a", "b", "c"}).message, HasSubstr("one name too many"));
  EXPECT_THAT(problem({"clients", "diff", "a@1.0.0..2.0.0", "b"}).message, HasSubstr("a range"));
  EXPECT_EQ(problem({"clients", "diff", "a", "b", "--env", "A=1"}).place, "--env");
  EXPECT_EQ(problem({"clients", "diff", "a", "b", "--model", "m"}).place, "--model");
  EXPECT_EQ(problem({"clients", "a", "--offer", "o"}).place, "--offer");
  EXPECT_THAT(problem({"clients", "list", "--", "node"}).message, HasSubstr("takes no command"));
}

TEST(Options, MeasureTakesSeveralClientsOrAll) {
  const auto several = request<MeasureRequest>(
      {"measure", "--client", "a@1.2.3", "--client", "b", "--jobs", "3", "--", "node"});
  ASSERT_EQ(several.clients.wishes.size(), 2U);
  EXPECT_EQ(several.measuring.jobs, 3U);
  EXPECT_FALSE(several.all_installed);
  const auto all = request<MeasureRequest>({"measure", "--client", "all", "--", "node"});
  EXPECT_TRUE(all.all_installed);
  EXPECT_THAT(all.clients.wishes, IsEmpty());
  EXPECT_THAT(problem({"measure", "--client", "all", "--client", "a", "--", "node"}).message,
              HasSubstr("cannot go with another"));
  EXPECT_THAT(problem({"measure", "--client", "all@1.2.3", "--", "node"}).message,
              HasSubstr("the newest of each"));
  EXPECT_THAT(
      problem({"measure", "--client", "a", "--client", "b@1.0.0..2.0.0", "--", "node"}).message,
      HasSubstr("one version"));
}

TEST(MeasureRequest, HasItsDefaults) {
  const MeasureRequest measure = request<MeasureRequest>({"measure", "--", "node", "s.js"});
  EXPECT_THAT(measure.source.command.argv, ElementsAre("node", "s.js"));
  ASSERT_EQ(measure.clients.wishes.size(), 1U);
  EXPECT_EQ(measure.clients.wishes.front().name, "claude-code");
  EXPECT_TRUE(measure.clients.wishes.front().latest);
  EXPECT_EQ(measure.clients.situation.session, delivery::Session::kCustomEndpoint);
  EXPECT_TRUE(measure.measuring.isolated);
  EXPECT_EQ(measure.measuring.store, std::nullopt);
  EXPECT_FALSE(measure.server_network);
  EXPECT_EQ(measure.turns, 2U);
  EXPECT_EQ(measure.timeout, milliseconds(120'000));
}

TEST(MeasureRequest, TakesEverything) {
  // The client without isolation and the server with the network are two wishes, and go together.
  const MeasureRequest measure = request<MeasureRequest>({"measure",
                                                          "--client",
                                                          "claude-code@2.1.285",
                                                          "--model",
                                                          "opus",
                                                          "--name",
                                                          "lab",
                                                          "--set",
                                                          "A=1",
                                                          "--setting",
                                                          "alwaysLoad=1",
                                                          "--turns",
                                                          "5",
                                                          "--timeout",
                                                          "2.5",
                                                          "--env",
                                                          "TOKEN=x",
                                                          "--cwd",
                                                          "/srv",
                                                          "--server-network",
                                                          "--store",
                                                          "m.db",
                                                          "--no-isolation",
                                                          "--format",
                                                          "json",
                                                          "--output",
                                                          "m.json",
                                                          "--color",
                                                          "never",
                                                          "--profiles",
                                                          "mine",
                                                          "--",
                                                          "node"});
  EXPECT_EQ(measure.clients.wishes.front().range->text(), "2.1.285");
  EXPECT_EQ(measure.clients.situation.model, "opus");
  EXPECT_EQ(measure.clients.server_name, "lab");
  EXPECT_THAT(measure.clients.situation.variables, ElementsAre(Pair("A", "1")));
  EXPECT_THAT(measure.clients.situation.settings, ElementsAre(Pair("alwaysLoad", "1")));
  EXPECT_EQ(measure.clients.profiles_folder, "mine");
  EXPECT_EQ(measure.turns, 5U);
  EXPECT_EQ(measure.timeout, milliseconds(2'500));
  EXPECT_THAT(measure.source.command.environment, ElementsAre(Pair("TOKEN", "x")));
  EXPECT_EQ(measure.source.command.directory, "/srv");
  EXPECT_TRUE(measure.server_network);
  EXPECT_FALSE(measure.measuring.isolated);
  EXPECT_EQ(measure.measuring.store, "m.db");
  EXPECT_EQ(measure.output.format, Format::kJson);
}

TEST(MeasureRequest, RefusesWhatItCannotDo) {
  EXPECT_THAT(problem({"measure"}).hint, HasSubstr("cutline measure -- node server.js"));
  EXPECT_THAT(problem({"measure", "node", "s.js"}).hint, HasSubstr("comes after --"));
  EXPECT_THAT(problem({"measure", "--client", "c@1.0.0..2.0.0", "--", "x"}).message,
              HasSubstr("one version"));
  for (const auto& [option, value] : {std::pair{"--client", "c@1.0.0.."},
                                      {"--client", "c@new"},
                                      {"--name", ""},
                                      {"--turns", "0"},
                                      {"--turns", "101"},
                                      {"--turns", "two"},
                                      {"--timeout", "0"},
                                      {"--timeout", "soon"},
                                      {"--store", ""},
                                      {"--output", "m.md"},
                                      {"--output", ""},
                                      {"--set", "A"},
                                      {"--setting", "=1"},
                                      {"--env", "=1"},
                                      {"--jobs", "0"},
                                      {"--profiles", ""}}) {
    const Problem found = problem({"measure", option, value, "--", "node"});
    EXPECT_EQ(found.place, option) << value;
    EXPECT_EQ(found.blame, Blame::kUsage);
  }
  for (const char* foreign : {"--offer", "--instructions-file", "--save-offer", "--era",
                              "--session", "--clear-env", "--details"})
    EXPECT_EQ(problem({"measure", foreign, "x", "--", "node"}).code, "cli.option") << foreign;
  EXPECT_EQ(problem({"measure", "--format", "markdown", "--", "node"}).code, "cli.choice");
}

TEST(RunRequest, IsOneFileAndHowToRunIt) {
  const RunRequest plain = request<RunRequest>({"run", "a.toml"});
  EXPECT_EQ(plain.file, "a.toml");
  EXPECT_TRUE(plain.measuring.isolated);
  EXPECT_FALSE(plain.measuring.again);
  EXPECT_FALSE(plain.dry_run);
  EXPECT_EQ(plain.measuring.jobs, std::nullopt);
  const RunRequest run = request<RunRequest>({"run", "--jobs", "4", "--again", "--no-isolation",
                                              "--store", "x.db", "--profiles", "mine", "--format",
                                              "markdown", "--output", "x.md", "a.toml"});
  EXPECT_EQ(run.measuring.jobs, 4U);
  EXPECT_TRUE(run.measuring.again);
  EXPECT_FALSE(run.measuring.isolated);
  EXPECT_EQ(run.measuring.store, "x.db");
  EXPECT_FALSE(run.dry_run);
  EXPECT_EQ(run.profiles_folder, "mine");
  EXPECT_EQ(run.output.format, Format::kMarkdown);
  EXPECT_TRUE(run.output.has_markdown);

  const RunRequest dry =
      request<RunRequest>({"run", "--dry-run", "--format", "json", "--output", "x.txt", "a.toml"});
  EXPECT_TRUE(dry.dry_run);
  EXPECT_EQ(dry.output.format, Format::kJson);
  for (const auto& [option, value] : {std::pair{"--format", "markdown"}, {"--output", "x.md"}}) {
    const Problem refused = problem({"run", "--dry-run", option, value, "a.toml"});
    EXPECT_EQ(refused.place, option);
    EXPECT_THAT(refused.hint, HasSubstr("text or json"));
  }

  EXPECT_THAT(problem({"run"}).hint, HasSubstr("cutline run experiments/"));
  EXPECT_THAT(problem({"run", "a.toml", "b.toml"}).message, HasSubstr("one experiment file"));
  EXPECT_THAT(problem({"run", ""}).message, HasSubstr("empty"));
  EXPECT_EQ(problem({"run", "a.toml", "--", "node"}).place, "--");
  for (const auto& [option, value] : {std::pair{"--jobs", "0"},
                                      {"--jobs", "257"},
                                      {"--jobs", "all"},
                                      {"--store", ""},
                                      {"--output", "x.foo"}})
    EXPECT_EQ(problem({"run", option, value, "a.toml"}).place, option) << value;
  EXPECT_EQ(problem({"run", "--client", "claude-code", "a.toml"}).code, "cli.option");
}

TEST(GatewayRequest, HasAPortAndOneSourceOfAnswers) {
  const GatewayRequest plain = request<GatewayRequest>({"gateway"});
  EXPECT_EQ(plain.port, 0);
  EXPECT_FALSE(plain.quiet);
  const GatewayRequest gateway = request<GatewayRequest>(
      {"gateway", "--port", "65535", "--script", "s.toml", "--store", "g.db", "--quiet"});
  EXPECT_EQ(gateway.port, 65'535);
  EXPECT_EQ(gateway.script_file, "s.toml");
  EXPECT_EQ(gateway.store, "g.db");
  EXPECT_TRUE(gateway.quiet);
  EXPECT_EQ(request<GatewayRequest>({"gateway", "--upstream", "http://127.0.0.1:1"}).upstream,
            "http://127.0.0.1:1");
  for (const auto& [option, value] : {std::pair{"--port", "0"},
                                      {"--port", "65536"},
                                      {"--port", "-1"},
                                      {"--port", "http"},
                                      {"--store", ""},
                                      {"--script", ""},
                                      {"--upstream", ""}})
    EXPECT_EQ(problem({"gateway", option, value}).place, option) << value;
  EXPECT_EQ(problem({"gateway", "--upstream", "http://a", "--script", "s"}).place, "--script");
  EXPECT_THAT(problem({"gateway", "8080"}).message, HasSubstr("no option of gateway"));
  EXPECT_EQ(problem({"gateway", "--", "node"}).place, "--");
}

TEST(ShimRequest, NeedsANameALogAndOneServer) {
  const ShimRequest shim = request<ShimRequest>(
      {"shim", "--server", "lab", "--log", "x.jsonl", "--", "node", "s.js", "--log"});
  EXPECT_EQ(shim.server, "lab");
  EXPECT_EQ(shim.log_file, "x.jsonl");
  EXPECT_THAT(shim.command.argv, ElementsAre("node", "s.js", "--log"));
  EXPECT_EQ(request<ShimRequest>({"shim", "--server", "a", "--log", "b", "--connect", "c"}).socket,
            "c");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"shim"},
           {"shim", "--server", "a", "--", "node"},
           {"shim", "--log", "b", "--", "node"},
           {"shim", "--server", "a", "--log", "b"},
           {"shim", "--server", "a", "--log", "b", "--"},
           {"shim", "--server", "a", "--log", "b", "--connect", ""},
           {"shim", "--server", "a", "--log", "b", "--connect", "c", "--", "node"},
           {"shim", "--server", "a", "--log", "b", "node"}}) {
    const Problem found = problem(words);
    EXPECT_EQ(found.code, "cli.value");
    EXPECT_THAT(found.hint, HasSubstr("cutline shim --server NAME"));
  }
}

TEST(OtherRequests, AreWhatTheySay) {
  EXPECT_EQ(request<ClientsRequest>({"clients"}).name, std::nullopt);
  EXPECT_EQ(request<ClientsRequest>({"clients", "claude-code"}).name, "claude-code");
  EXPECT_THAT(problem({"clients", "a", "b"}).message, HasSubstr("one name too many"));
  EXPECT_EQ(request<CompletionRequest>({"completion", "fish"}).shell, Shell::kFish);
  EXPECT_THAT(problem({"completion", "tcsh"}).message, HasSubstr("tcsh"));
  EXPECT_THAT(problem({"completion"}).message, HasSubstr("one shell"));
  request<VersionRequest>({"--version"});
  EXPECT_EQ(problem({"--version", "extra"}).place, "--version");
  EXPECT_TRUE(request<HelpRequest>({}).missing);
  EXPECT_FALSE(request<HelpRequest>({"--help"}).missing);
  EXPECT_EQ(request<HelpRequest>({"show", "--help"}).command->name, "show");
  EXPECT_THAT(problem({"clients", "--", "node"}).message, HasSubstr("takes no command"));
}

}  // namespace
}  // namespace cutline::cli
