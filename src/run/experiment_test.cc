// experiment_test.cc: experiment files: what becomes of each word, and that no wrong one is taken.
#include "run/experiment.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "run/script_toml.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

constexpr const char* kFile = "/lab/files/some.toml";

Experiment read(std::string_view toml) {
  Result<Experiment> experiment = read_experiment(toml, kFile);
  if (!experiment) {
    ADD_FAILURE() << to_text(experiment.error());
    return {};
  }
  return *std::move(experiment);
}

std::vector<std::string> keys(std::string_view toml) {
  std::vector<std::string> all;
  for (const ExperimentCell& cell : read(toml).cells) all.push_back(cell.key());
  return all;
}

/// What every file needs.
std::string with_head(std::string_view rest) {
  return fmt::format(
      "client = 'claude-code@2.1.285'\nprompt = 'p'\nservers = [{{ name = 'lab', lab = {{}} "
      "}}]\n{}",
      rest);
}

// --- What is right -------------------------------------------------------------------------------

TEST(ReadExperiment, AFileWithoutCellsIsOne) {
  const std::string toml = with_head("");
  const Experiment experiment = read(toml);
  EXPECT_EQ(experiment.name, "some");
  EXPECT_EQ(experiment.hash, sha256_hex(toml));
  EXPECT_EQ(experiment.definition, toml);
  ASSERT_EQ(experiment.cells.size(), 1U);
  const ExperimentCell& cell = experiment.cells.front();
  EXPECT_EQ(cell.key(), "some claude-code@2.1.285 #1");
  EXPECT_EQ(cell.timeout, std::chrono::seconds(120));
  ASSERT_EQ(cell.sessions.size(), 1U);
  EXPECT_EQ(cell.sessions[0].turns, 1U);
  EXPECT_EQ(cell.sessions[0].script.prompt, "p");
  EXPECT_THAT(cell.sessions[0].servers[0].argv, ElementsAre("{cutline}", "lab"));
}

TEST(ReadExperiment, WhatStandsInACellComesBeforeWhatStandsAboveIt) {
  const Experiment experiment = read(R"(
name = "n"
about = "all of it"
clients = ["claude-code@2.1.285"]
models = ["above"]
prompt = "above"
turns = 3
timeout_s = 5
variables = { A = "above", B = "above" }
servers = [{ name = "above", lab = {} }]
[[cells]]
name = "own"
about = "a line"
client = "claude-code@2.1.100"
model = "own"
prompt = "own"
turns = 7
timeout_s = 6
variables = { B = "own", C = "own" }
[cells.expect]
state = "in-request"
kept = 10
request = 2
place = "system"
handshake = "h"
answer = "a"
[[cells.servers]]
name = "own"
command = ["./server", "-x"]
env = { K = "v" }
settings = { alwaysLoad = true }
network = true
[[cells]]
name = "other"
)");
  EXPECT_EQ(experiment.name, "n");
  EXPECT_EQ(experiment.about, "all of it");
  ASSERT_EQ(experiment.cells.size(), 2U);
  const ExperimentCell& own = experiment.cells[0];
  EXPECT_EQ(own.key(), "own claude-code@2.1.100 #1");
  EXPECT_EQ(own.about, "a line");
  EXPECT_EQ(own.model, "own");
  EXPECT_EQ(own.timeout, std::chrono::seconds(6));
  EXPECT_THAT(own.variables, ElementsAre(Pair("A", "above"), Pair("B", "own"), Pair("C", "own")));
  EXPECT_THAT(own.settings, ElementsAre(Pair("alwaysLoad", "true")));
  const Session& session = own.sessions.at(0);
  EXPECT_EQ(session.script.prompt, "own");
  EXPECT_EQ(session.turns, 7U);
  const PlannedServer& server = session.servers.at(0);
  EXPECT_EQ(server.name, "own");
  EXPECT_THAT(server.argv, ElementsAre("./server", "-x"));
  EXPECT_THAT(server.environment, ElementsAre(Pair("K", "v")));
  EXPECT_EQ(server.directory, "/lab/files");
  EXPECT_TRUE(server.outside);
  EXPECT_EQ(own.expect.state, "in-request");
  EXPECT_EQ(own.expect.kept, 10U);
  EXPECT_EQ(own.expect.request, 2U);
  EXPECT_EQ(own.expect.place, "system");
  EXPECT_EQ(own.expect.handshake, "h");
  EXPECT_EQ(own.expect.answer, "a");

  const ExperimentCell& other = experiment.cells[1];
  EXPECT_EQ(other.key(), "other claude-code@2.1.285 #1");
  EXPECT_EQ(other.model, "above");
  EXPECT_EQ(other.sessions[0].turns, 3U);
  EXPECT_EQ(other.sessions[0].servers[0].name, "above");
  EXPECT_FALSE(other.expect.kept);
}

TEST(ReadExperiment, ListsAreAMatrixInWhichTheLastTurnsFastest) {
  EXPECT_THAT(keys(R"(
name = "m"
clients = ["claude-code@2.1.285", "claude-code@latest"]
models = ["", "old"]
prompt = "p"
repeats = 2
variables = { LIMIT = ["1", "2"], ONE = ["x"] }
[[servers]]
name = "lab"
lab = { instructions = ["none", "english:99"], delay = { initialize = [0, 5] } }
)"),
              testing::SizeIs(2 * 2 * 2 * 2 * 2 * 2));
  const std::vector<std::string> few = keys(R"(
clients = ["claude-code@2.1.285", "claude-code@latest"]
prompt = "p"
variables = { LIMIT = ["1", "2"] }
servers = [{ name = "lab", lab = { delay = { initialize = [0, 5] } } }]
[[cells]]
name = "a"
repeats = 2
variables = { LIMIT = "3" }
[[cells]]
name = "b"
client = "claude-code@latest"
)");
  EXPECT_THAT(
      few,
      ElementsAre("a claude-code@2.1.285 initialize=0 #1", "a claude-code@2.1.285 initialize=0 #2",
                  "a claude-code@2.1.285 initialize=5 #1", "a claude-code@2.1.285 initialize=5 #2",
                  "a claude-code@latest initialize=0 #1", "a claude-code@latest initialize=0 #2",
                  "a claude-code@latest initialize=5 #1", "a claude-code@latest initialize=5 #2",
                  "b claude-code@latest LIMIT=1 initialize=0 #1",
                  "b claude-code@latest LIMIT=1 initialize=5 #1",
                  "b claude-code@latest LIMIT=2 initialize=0 #1",
                  "b claude-code@latest LIMIT=2 initialize=5 #1"));
}

TEST(ReadExperiment, LabSettingsAreTheLabsFlags) {
  const Experiment experiment = read(R"(
client = "claude-code@2.1.285"
prompt = "p"
[[servers]]
name = "lab"
[servers.lab]
era = "dual"
instructions = "file:texts/a.md"
tools = 5
delay = { initialize = 8000 }
fault = { "server/discover" = "exit" }
)");
  EXPECT_THAT(experiment.cells.at(0).sessions.at(0).servers.at(0).argv,
              ElementsAre("{cutline}", "lab", "--era", "dual", "--instructions",
                          "file:/lab/files/texts/a.md", "--tools", "5", "--delay",
                          "initialize=8000", "--fault", "server/discover=exit"));
}

TEST(ReadExperiment, SessionsTakeWhatTheyDoNotSayFromTheCell) {
  const Experiment experiment = read(R"(
client = "claude-code@2.1.285"
prompt = "first"
script = [{ text = "hello" }]
servers = [{ name = "lab", lab = {} }]
[[cells]]
name = "two"
[[cells.sessions]]
[[cells.sessions]]
prompt = "second"
resume = true
interactive = true
turns = 9
script = []
servers = []
)");
  const std::vector<Session>& sessions = experiment.cells.at(0).sessions;
  ASSERT_EQ(sessions.size(), 2U);
  EXPECT_EQ(sessions[0].script.prompt, "first");
  EXPECT_EQ(sessions[0].script.turns.size(), 1U);
  EXPECT_EQ(sessions[0].turns, 2U);
  EXPECT_FALSE(sessions[0].resume || sessions[0].interactive);
  EXPECT_EQ(sessions[1].script.prompt, "second");
  EXPECT_TRUE(sessions[1].script.turns.empty() && sessions[1].servers.empty());
  EXPECT_EQ(sessions[1].turns, 9U);
  EXPECT_TRUE(sessions[1].resume && sessions[1].interactive);
}

TEST(ReadExperiment, ReadsTheProjectsOwn) {
  for (const std::string name : {"reference-lab", "units", "late", "faults", "tools", "sessions"}) {
    const std::string file = fmt::format("{}/experiments/{}.toml", CUTLINE_SOURCE_DIR, name);
    const Result<Experiment> experiment =
        read_experiment(sys::read_file(file, std::size_t{1} << 20).value(), file);
    if (!experiment) {
      ADD_FAILURE() << to_text(experiment.error());
      continue;
    }
    EXPECT_EQ(experiment->name, name);
    if (name == "reference-lab") {
      EXPECT_EQ(experiment->cells.size(), 20U);
    }
  }
}

// --- What is wrong -------------------------------------------------------------------------------

struct Wrong {
  std::string_view rest, place, message;
};

/// `place` is how the place begins, behind the file's name.
void expect_problem(const std::string& toml, const Wrong& wrong) {
  SCOPED_TRACE(wrong.rest);
  const Result<Experiment> experiment = read_experiment(toml, kFile);
  ASSERT_FALSE(experiment) << "was taken";
  EXPECT_THAT(experiment.error().place, StartsWith(fmt::format("{}:{}", kFile, wrong.place)));
  EXPECT_THAT(to_text(experiment.error()), HasSubstr(wrong.message));
}

TEST(ReadExperiment, EveryWrongKeyOrValueIsAProblemAtItsPlace) {
  for (const Wrong& wrong : {
           Wrong{"nonsense = 1", "4:", "nonsense"},
           {"name = ''", "4:8", "empty"},
           {"name = 1", "4:8", "a string"},
           {"models = []", "4:10", "empty list"},
           {"models = ['a', 1]", "4:16", "an integer"},
           {"models = ['a', 'a']", "1:1", "there twice"},
           {"model = 'a'\nmodels = ['b']", "4:9", "say the same"},
           {"repeats = 0", "4:11", "from 1 to 100"},
           {"repeats = '2'", "4:11", "from 1 to 100"},
           {"timeout_s = 3601", "4:13", "from 1 to 3600"},
           {"turns = 0", "4:9", "from 1 to 1,000"},
           {"turns = 1.5", "4:9", "from 1 to 1,000"},
           {"interactive = 'yes'", "4:15", "true or false"},
           {"variables = 1", "4:13", "a table"},
           {"variables = { A = 1 }", "4:19", "an integer"},
           {"variables = { A = [] }", "4:19", "empty list"},
           {"variables = { 'A=B' = 'c' }", "4:23", "no name of a variable"},
           {"variables = { A = \"b\\u0000\" }", "4:19", "NUL"},
           {"cells = 1", "4:9", "list of tables"},
           {"cells = []", "4:9", "list of tables"},
           {"cells = [1]", "4:10", "a table"},
           {"[[cells]]", "4:1", "name"},
           {"[[cells]]\nname = ''", "5:8", "empty"},
           {"[[cells]]\nname = 1", "5:8", "a string"},
           {"[[cells]]\nname = 'a'\n[[cells]]\nname = 'a'", "7:8", "two cells"},
           {"[[cells]]\nname = 'a'\nnome = 1", "6:", "nome"},
           {"[[cells]]\nname = 'a'\nresume = true", "6:", "resume"},
           {"[[cells]]\nname = 'a'\nsessions = []", "6:12", "list of tables"},
           {"[[cells]]\nname = 'a'\nsessions = [1]", "6:13", "a table"},
           {"[[cells]]\nname = 'a'\nsessions = [{ model = 'm' }]", "6:", "model"},
           {"[[cells]]\nname = 'a'\nsessions = [{ resume = 1 }]", "6:24", "true or false"},
           {"[[cells]]\nname = 'a'\nsessions = [{ resume = true }]", "6:24", "none before it"},
           {"[[cells]]\nname = 'a'\nsessions = [{ resume = true }, {}]", "6:24", "hint: leave"},
           {"[[cells]]\nname = 'a'\nexpect = 1", "6:10", "a table"},
           {"[[cells]]\nname = 'a'\nexpect = { keep = 1 }", "6:", "keep"},
           {"[[cells]]\nname = 'a'\nexpect = { kept = -1 }", "6:19", "not negative"},
           {"[[cells]]\nname = 'a'\nexpect = { kept = '1' }", "6:19", "an integer"},
           {"[[cells]]\nname = 'a'\nexpect = { state = 'somewhere' }", "6:20", "no state"},
           {"[[cells]]\nname = 'a'\nexpect = { place = 1 }", "6:20", "a string"},
           {"[[cells]]\nname = 'a'\nexpect = { place = 'sytem' }", "6:20", "no place"},
           {"[[cells]]\nname = 'a'\nexpect = { later = 'both' }", "6:20", "no text of later"},
           {"[[cells]]\nname = 'a'\nexpect = { request = 0 }", "6:22", "counted from 1"},
           {"[[cells]]\nname = 'a'\nvariables = { HOME = '/' }", "6:22", "HOME is not for"},
           {"script = 1", "4:10", "list of turns"},
       })
    expect_problem(with_head(wrong.rest), wrong);
}

TEST(ReadExperiment, WhatIsMissingOrWrongAtTheTop) {
  constexpr std::string_view kRest = "prompt = 'p'\nservers = []\n";
  for (const Wrong& wrong : {
           Wrong{"", "", "no clients"},
           {"client = 'claude-code'", "1:10", "no version"},
           {"client = 'nobody@1.0'", "1:10", "no client that can be run"},
           {"client = 'claude-code@new'", "1:10", "no version"},
           {"client = 3", "1:10", "an integer"},
           {"clients = []", "1:11", "empty list"},
           {"client = ", "1:", ""},
       })
    expect_problem(fmt::format("{}\n{}", wrong.rest, kRest), wrong);
}

TEST(ReadExperiment, EveryWrongServerIsAProblemAtItsPlace) {
  for (const Wrong& wrong : {
           Wrong{"1", "3:11", "list of tables"},
           {"[1]", "3:12", "a table"},
           {"[{ lab = {} }]", "3:12", "name"},
           {"[{ name = '', lab = {} }]", "3:21", "empty"},
           {"[{ name = 'a' }]", "3:12", "either lab or command"},
           {"[{ name = 'a', lab = {}, command = ['x'] }]", "3:12", "either lab or command"},
           {"[{ name = 'a', command = [] }]", "3:12", "empty"},
           {"[{ name = 'a', command = 1 }]", "3:36", "string"},
           {"[{ name = 'a', lab = 1 }]", "3:32", "a table"},
           {"[{ name = 'a', lab = { colour = 'x' } }]", "3:43", "colour"},
           {"[{ name = 'a', lab = { instructions = 'x:y' } }]", "3:49", "x:y"},
           {"[{ name = 'a', lab = { instructions = [] } }]", "3:49", "cannot be"},
           {"[{ name = 'a', lab = { instructions = ['none', 'x:y'] } }]", "3:58", "x:y"},
           {"[{ name = 'a', lab = { tools = 1.5 } }]", "3:42", "cannot be"},
           {"[{ name = 'a', lab = { delay = { initialize = 'x' } } }]", "3:57", "x"},
           {"[{ name = 'a', lab = {}, env = 1 }]", "3:42", "a table"},
           {"[{ name = 'a', lab = {}, env = { A = 1 } }]", "3:48", "a string"},
           {"[{ name = 'a', lab = {}, network = 1 }]", "3:46", "boolean"},
           {"[{ name = 'a', lab = {}, netwerk = true }]", "3:", "netwerk"},
           {"[{ name = 'a', lab = {} }, { name = 'a', lab = {} }]", "3:38", "two servers"},
       })
    expect_problem(
        fmt::format("client = 'claude-code@2.1.285'\nprompt = 'p'\nservers = {}\n", wrong.rest),
        wrong);
}

TEST(ReadExperiment, AMatrixHasABound) {
  std::string values = "'0'";
  for (int i = 1; i < 101; ++i) values += fmt::format(",'{}'", i);
  const Result<Experiment> experiment = read_experiment(
      with_head(fmt::format("variables = {{ A = [{0}], B = [{0}] }}", values)), kFile);
  ASSERT_FALSE(experiment);
  EXPECT_THAT(experiment.error().message, HasSubstr("more than 10000 cells"));
}

// --- Scripts -------------------------------------------------------------------------------------

Result<std::vector<llm::Turn>> script(std::string_view list) {
  const config::Node root =
      config::parse_toml(fmt::format("script = {}\n", list), "s.toml").value();
  return read_script(*root.find("script"));
}

TEST(ReadScript, EveryKindOfTurn) {
  const std::vector<llm::Turn> turns = script(
                                           R"(["ideal-reader", { text = "t", delay_ms = 5 },
                 { tool = "Bash|Sh*", arguments = '{"a":1}' },
                 { search = "mcp__*" }, { error = 529, message = "m", type = "overloaded_error" },
                 { ideal-reader = true, delay_ms = 7 }, { tool = "X" }])")
                                           .value();
  ASSERT_EQ(turns.size(), 7U);
  EXPECT_TRUE(std::holds_alternative<llm::IdealReader>(turns[0].content));
  EXPECT_EQ(std::get<llm::TextReply>(turns[1].content).text, "t");
  EXPECT_EQ(turns[1].delay, std::chrono::milliseconds(5));
  EXPECT_EQ(std::get<llm::ToolCallTurn>(turns[2].content).pattern, "Bash|Sh*");
  EXPECT_EQ(std::get<llm::ToolCallTurn>(turns[2].content).arguments, R"({"a":1})");
  EXPECT_EQ(std::get<llm::SearchTurn>(turns[3].content).wanted, "mcp__*");
  EXPECT_EQ(std::get<llm::ErrorReply>(turns[4].content).status, 529);
  EXPECT_EQ(std::get<llm::ErrorReply>(turns[4].content).message, "m");
  EXPECT_EQ(turns[5].delay, std::chrono::milliseconds(7));
  EXPECT_EQ(std::get<llm::ToolCallTurn>(turns[6].content).arguments, "{}");
}

TEST(ReadScript, EveryWrongTurnIsAProblemAtItsPlace) {
  for (const Wrong& wrong : {
           Wrong{"'ideal-reader'", "1:10", "list of turns"},
           {"['real-reader']", "1:11", "no turn"},
           {"[1]", "1:11", "no turn"},
           {"[{}]", "1:11", "one of text"},
           {"[{ text = 'a', error = 500 }]", "1:11", "one of text"},
           {"[{ text = 1 }]", "1:20", "a string"},
           {"[{ txt = 'a' }]", "1:", "txt"},
           {"[{ error = 200 }]", "1:11", "from 400 to 599"},
           {"[{ error = 'x' }]", "1:21", "an integer"},
           {"[{ tool = 'a', arguments = '[1]' }]", "1:37", "JSON object"},
           {"[{ tool = 'a', arguments = 'x' }]", "1:37", "JSON object"},
           {"[{ text = 'a', delay_ms = -1 }]", "1:11", "delay_ms"},
       }) {
    SCOPED_TRACE(wrong.rest);
    const auto turns = script(wrong.rest);
    if (turns) {
      ADD_FAILURE() << "was taken";
      continue;
    }
    EXPECT_THAT(turns.error().place, StartsWith(fmt::format("s.toml:{}", wrong.place)));
    EXPECT_THAT(to_text(turns.error()), HasSubstr(wrong.message));
  }
}

}  // namespace
}  // namespace cutline::run
