// real_client_test.cc: the real Claude Code from npm, in its sandbox: the reference lab, a slice of
// it with the newest version, and `cutline measure` on the lab server and on a public one.
//
// The right values are not ours: what is kept and where it lands is what public write-ups measured
// on 2.1.285, and the positions of the last markers are those of the sample texts
// (tests/cases/README.md). The client is installed where `cutline run` installs it.
//
// A test is skipped, with the reason, where npm or network namespaces are not to be had; with
// CUTLINE_REQUIRE_ALL=1 in the environment it fails instead.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "report/schema_check.h"
#include "support/cases.h"
#include "support/command.h"
#include "support/json_path.h"

namespace cutline {
namespace {

using json::Value;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::at;
using testing_support::Command;
using testing_support::number;
using testing_support::Ran;
using testing_support::run;
using testing_support::ScratchFolder;
using testing_support::string;

constexpr const char* kProgram = CUTLINE_BUILD_DIR "/cutline";
constexpr const char* kReferenceVersion = "2.1.285";
constexpr const char* kNewestVersion = "2.1.332";  // on the day of tools/npm-package
constexpr std::chrono::seconds kLimit{240};

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

json::Document parsed(const Ran& ran) {
  Result<json::Document> document = json::Document::parse(ran.out);
  if (!document) {
    ADD_FAILURE() << ran.exit_code << "\n" << ran.out << ran.err;
    std::abort();
  }
  return *std::move(document);
}

void expect_schema(const Value& value, const std::string& name) {
  const std::string schema = file_text(CUTLINE_SOURCE_DIR "/docs/" + name);
  const Result<json::Document> document = json::Document::parse(schema);
  ASSERT_TRUE(document) << name;
  EXPECT_THAT(report::SchemaCheck(document->root()).errors(value), IsEmpty());
}

class RealClient : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Ran node =
        run({.argv = {CUTLINE_SOURCE_DIR "/tools/node-path"}, .limit = std::chrono::seconds(300)});
    if (node.exit_code == 0) {
      const std::string folder = node.out.substr(0, node.out.find('\n'));
      setenv("PATH", (folder + ":" + std::getenv("PATH")).c_str(), 1);
    }
    why_not_ = missing();
  }
  void SetUp() override {
    if (!why_not_.empty() && std::getenv("CUTLINE_REQUIRE_ALL") == nullptr)
      GTEST_SKIP() << why_not_;
    ASSERT_EQ(why_not_, "");
  }

  static Ran cutline(std::vector<std::string> words) {
    Command command{.argv = {kProgram}, .limit = kLimit};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    return run(command);
  }
  Ran measure(const char* version, std::vector<std::string> server,
              std::vector<std::string> options = {}) const {
    std::vector<std::string> words = {"measure", "--client", std::string("claude-code@") + version,
                                      "--format", "json"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), server.begin(), server.end());
    return cutline(words);
  }
  std::string store() const { return folder_.path() + "/store.db"; }

  ScratchFolder folder_;

 private:
  /// What this machine lacks; empty if nothing.
  static std::string missing() {
    for (const char* version : {kReferenceVersion, kNewestVersion}) {
      const Ran ran = cutline({"clients", "install", std::string("claude-code@") + version});
      if (ran.exit_code != 0) return "npm cannot bring the client: " + ran.err;
    }
    const Ran ran = run({.argv = {"unshare", "--net", "--map-root-user", "true"}});
    return ran.exit_code == 0 ? "" : "there are no namespaces here: " + ran.err;
  }
  static inline std::string why_not_;
};

// --- The reference lab ---------------------------------------------------------------------------

struct Row {
  std::string kept, bytes, last, place, handshake;
  std::string request = "1", begin_and_end = "both";
};

/// The ten configurations; `late` gets its text in the answer of the tool that was called
/// meanwhile.
const std::map<std::string, Row, std::less<>> kReferenceLab = {
    {"none", {"0", "0", "NONE", "", "server/discover, then initialize", "1", "none"}},
    {"english-1000", {"1000", "1000", "778", "user-reminder", "server/discover, then initialize"}},
    {"english-5000",
     {"2048", "2048", "2015", "user-reminder", "server/discover, then initialize", "1", "begin"}},
    {"english-20000",
     {"2048", "2048", "2015", "user-reminder", "server/discover, then initialize", "1", "begin"}},
    {"limit-25000",
     {"20000", "20000", "19786", "user-reminder", "server/discover, then initialize"}},
    {"limit-25,000",
     {"2048", "2048", "2015", "user-reminder", "server/discover, then initialize", "1", "begin"}},
    {"japanese-3000",
     {"2048", "5932", "2003", "user-reminder", "server/discover, then initialize", "1", "begin"}},
    {"search-off", {"1000", "1000", "778", "user-reminder", "server/discover, then initialize"}},
    {"dual-era", {"1000", "1000", "779", "user-reminder", "server/discover"}},
    {"late",
     {"1000", "1000", "778", "tool-result-reminder", "server/discover, then initialize", "2"}},
};

/// The piece with the first server's instructions.
Value instructions(const Value& cell) {
  for (const Value& piece : at(cell, {"pieces"}).elements())
    if (string(piece, {"kind"}) == "instructions") return piece;
  ADD_FAILURE() << "no instructions in " << string(cell, {"key"});
  std::abort();
}

std::string kept_bytes(const Value& piece) {
  if (string(piece, {"kept_units"}) == "0") return "0";
  const Value cut = at(piece, {"cut"});
  return cut.is(json::Type::kNull) ? string(piece, {"whole", "bytes"})
                                   : string(cut, {"at", "bytes"});
}

void expect_well(const Value& cell) {
  EXPECT_EQ(string(cell, {"problem"}), "");
  EXPECT_EQ(string(cell, {"well"}), "true") << cell.raw();
  EXPECT_EQ(at(cell, {"comparison", "differences"}).size(), 0U);
  EXPECT_EQ(at(cell, {"comparison", "unpredicted"}).size(), 0U);
  EXPECT_EQ(at(cell, {"unmet"}).size(), 0U);
}

void expect_answer(const Value& cell, const Row& row) {
  const std::string answer = string(cell, {"ideal_reader_answer"});
  EXPECT_THAT(answer, EndsWith("LAST=" + row.last));
  EXPECT_EQ(answer.find("BEGIN=NONE") != answer.npos, row.begin_and_end == "none") << answer;
  EXPECT_EQ(answer.find("END=NONE") != answer.npos, row.begin_and_end != "both") << answer;
}

/// What else a run leaves says the same as the wire.
void expect_agreement(const Value& cell, bool cut) {
  EXPECT_EQ(string(cell, {"ideal_reader_agrees"}), "true");
  EXPECT_EQ(string(cell, {"transcript_agrees"}), "true");
  EXPECT_EQ(string(cell, {"debug_log_agrees"}), "true");
  EXPECT_EQ(string(cell, {"server_log_agrees"}), "true");
  EXPECT_EQ(string(cell, {"repeats_alike"}), "true");
  EXPECT_EQ(string(cell, {"stdout_tells"}), "false");
  EXPECT_EQ(string(cell, {"stderr_tells"}), "false");
  EXPECT_EQ(string(cell, {"debug_log_tells"}), cut ? "true" : "false");
}

TEST_F(RealClient, IsInTheReferenceLabAsItWasMeasured) {
  const std::string file = CUTLINE_SOURCE_DIR "/experiments/reference-lab.toml";
  const Ran ran = cutline({"run", file, "--store", store(), "--format", "json"});
  const json::Document document = parsed(ran);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  expect_schema(document.root(), "experiment.schema.json");
  std::map<std::string, int> seen;
  for (const Value& cell : at(document.root(), {"cells"}).elements()) {
    SCOPED_TRACE(string(cell, {"key"}));
    const auto row = kReferenceLab.find(string(cell, {"cell"}));
    ASSERT_NE(row, kReferenceLab.end());
    ++seen[row->first];
    EXPECT_EQ(string(cell, {"version"}), kReferenceVersion);
    EXPECT_EQ(string(cell, {"handshake"}), row->second.handshake);
    expect_well(cell);
    expect_answer(cell, row->second);
    expect_agreement(cell, row->second.begin_and_end == "begin");
    const Value piece = instructions(cell);
    EXPECT_EQ(string(piece, {"kept_units"}), row->second.kept);
    EXPECT_EQ(kept_bytes(piece), row->second.bytes);
    EXPECT_EQ(string(piece, {"placement", "role"}), row->second.place);
    EXPECT_EQ(string(piece, {"request"}), row->second.request);
  }
  EXPECT_EQ(seen.size(), kReferenceLab.size());
  for (const auto& [name, times] : seen) EXPECT_EQ(times, 2) << name;

  // All of it is stored: a second start only judges.
  const auto began = std::chrono::steady_clock::now();
  const Ran again = cutline({"run", file, "--store", store(), "--format", "json"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, ran.out);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST_F(RealClient, OfOtherMakersAreAsPredicted) {
  const std::string file = folder_.path() + "/others.toml";
  std::ofstream(file) << R"(prompt = "Which codewords and markers do you see?"
turns = 2
script = [{ search = "*" }]
[[cells]]
name = "gemini"
client = "gemini-cli@0.61.0"
servers = [{ name = "lab", lab = { instructions = "english:5000", tool-names = "a.b|c d" } }]
expect = { kept = 5000, place = "user-message", handshake = "initialize" }
[[cells]]
name = "continue"
client = "continue@1.5.47"
servers = [{ name = "lab", lab = { instructions = "english:5000", tool-names = "bins.list|部品" } }]
expect = { state = "never", handshake = "initialize" }
[[cells]]
name = "codex"
client = "codex@0.171.0"
servers = [{ name = "lab", lab = { instructions = "japanese:1000", tools = 3 } }]
expect = { kept = 247, place = "developer-message", handshake = "initialize" }
[[cells]]
name = "codex-unknown-model"
client = "codex@0.171.0"
model = "gpt-5"
servers = [{ name = "lab", lab = { instructions = "english:5000", tools = 3 } }]
expect = { kept = 5000, place = "tool-namespace-description" }
)";
  const Ran ran = cutline({"run", file, "--store", store(), "--format", "json"});
  const json::Document document = parsed(ran);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(at(document.root(), {"cells"}).size(), 4U);
  for (const Value& cell : at(document.root(), {"cells"}).elements()) {
    SCOPED_TRACE(string(cell, {"key"}));
    EXPECT_EQ(string(cell, {"problem"}), "");
    EXPECT_EQ(at(cell, {"well"}).boolean(), true);
  }
}

TEST_F(RealClient, OfTheNewestVersionIsAsPredicted) {
  const std::string file = folder_.path() + "/newest.toml";
  std::ofstream(file) << "clients = ['claude-code@" << kNewestVersion << "']\n"
                      << R"(
prompt = "Which codewords and markers do you see?"
[[cells]]
name = "english-5000"
servers = [{ name = "lab", lab = { instructions = "english:5000" } }]
expect = { kept = 4096 }
[[cells]]
name = "japanese-5000"
servers = [{ name = "lab", lab = { instructions = "japanese:5000" } }]
expect = { kept = 4096 }
[[cells]]
name = "limit-3000"
variables = { CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH = "3000" }
servers = [{ name = "lab", lab = { instructions = "english:5000" } }]
expect = { kept = 3000 }
[[cells]]
name = "older-model"
model = "claude-sonnet-4-5-20250929"
servers = [{ name = "lab", lab = { instructions = "english:1000" } }]
expect = { kept = 1000, place = "user-reminder" }
)";
  const Ran ran = cutline({"run", file, "--store", store(), "--format", "json"});
  const json::Document document = parsed(ran);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  expect_schema(document.root(), "experiment.schema.json");
  EXPECT_EQ(at(document.root(), {"cells"}).size(), 4U);
  for (const Value& cell : at(document.root(), {"cells"}).elements()) {
    SCOPED_TRACE(string(cell, {"key"}));
    expect_well(cell);
  }
}

TEST_F(RealClient, ThatIsNotAsExpectedIsSaid) {
  const std::string file = folder_.path() + "/wrong.toml";
  std::ofstream(file) << "client = 'claude-code@" << kReferenceVersion << "'\n"
                      << R"(
prompt = "Which codewords do you see?"
servers = [{ name = "lab", lab = { instructions = "english:5000" } }]
[[cells]]
name = "wrong"
expect = { kept = 5000 }
)";
  const Ran ran = cutline({"run", file, "--store", store()});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("kept is 2,048, not 5,000"));
}

// --- One server ----------------------------------------------------------------------------------

TEST_F(RealClient, MeasuresTheLabServer) {
  const Ran ran = measure(kReferenceVersion, {kProgram, "lab", "--instructions", "japanese:3000"});
  const json::Document document = parsed(ran);
  const Value root = document.root();
  EXPECT_EQ(ran.exit_code, 1) << "text is lost";
  EXPECT_EQ(number(root, {"exit_code"}), ran.exit_code);
  expect_schema(root, "measure.schema.json");
  EXPECT_EQ(string(root, {"isolated"}), "true");
  EXPECT_EQ(string(root, {"comparison", "equal"}), "true");
  for (const char* side : {"predicted", "measured"}) {
    const Value piece = instructions(at(root, {side}));
    EXPECT_EQ(string(piece, {"kept_units"}), "2048") << side;
    EXPECT_EQ(kept_bytes(piece), "5932") << side;
  }
}

TEST_F(RealClient, LosesNothingOfAShortText) {
  const Ran ran = measure(kNewestVersion, {kProgram, "lab", "--instructions", "english:1000"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(string(parsed(ran).root(), {"comparison", "equal"}), "true");
}

TEST_F(RealClient, OfTwoVersionsStandsInOneTable) {
  const std::string reference = std::string("claude-code@") + kReferenceVersion;
  const std::string newest = std::string("claude-code@") + kNewestVersion;
  const Ran ran =
      cutline({"measure", "--client", reference, "--client", newest, "--jobs", "2", "--format",
               "json", "--", kProgram, "lab", "--instructions", "english:5000"});
  const json::Document document = parsed(ran);
  const Value root = document.root();
  EXPECT_EQ(ran.exit_code, 1) << "both lose text" << ran.err;
  expect_schema(root, "measure.schema.json");
  EXPECT_EQ(at(root, {"not_measured"}).size(), 0U);
  const std::vector<Value> both = at(root, {"measurements"}).elements();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(string(both[0], {"version"}), kReferenceVersion);
  EXPECT_EQ(string(instructions(at(both[0], {"measured"})), {"kept_units"}), "2048");
  EXPECT_EQ(string(both[1], {"version"}), kNewestVersion);
  EXPECT_EQ(string(instructions(at(both[1], {"measured"})), {"kept_units"}), "4096");
  for (const Value& one : both) EXPECT_EQ(string(one, {"comparison", "equal"}), "true");
}

TEST_F(RealClient, AServerThatDoesNotStartIsSaidNotToServe) {
  const Ran ran = measure(kReferenceVersion, {"/nowhere/server"});
  EXPECT_EQ(ran.exit_code, 3) << ran.out;
  const json::Document document = parsed(ran);
  expect_schema(document.root(), "measure.schema.json");
  EXPECT_EQ(string(at(document.root(), {"servers"}).elements().front(), {"served"}), "false");
}

TEST_F(RealClient, MeasuresAPublicServer) {
  const cases::File file("real-servers.json");
  const std::vector<cases::Case>& all = file.cases();
  const auto found = std::find_if(all.begin(), all.end(), [](const cases::Case& c) {
    return c.id == "real-doist-todoist-mcp";
  });
  ASSERT_NE(found, all.end());
  const Ran package =
      run({.argv = {CUTLINE_SOURCE_DIR "/tools/npm-package", string(found->input, {"package"}),
                    string(found->input, {"version"})},
           .limit = std::chrono::seconds(300)});
  ASSERT_EQ(package.exit_code, 0) << package.err;
  const std::string program = package.out.substr(0, package.out.find('\n'));

  std::vector<std::string> options;
  for (const Value::Member& variable : at(found->input, {"env"}).members()) {
    options.emplace_back("--env");
    options.push_back(variable.key + "=" + variable.value.string().value);
  }
  const Ran ran = measure(kReferenceVersion, {"node", program}, options);
  const json::Document document = parsed(ran);
  const Value root = document.root();
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_EQ(string(root, {"comparison", "equal"}), "true") << at(root, {"comparison"}).raw();
  const Value expected = at(found->expect, {"claude_code", kReferenceVersion});
  const Value piece = instructions(at(root, {"measured"}));
  EXPECT_EQ(number(piece, {"kept_units"}), number(expected, {"kept"}));
  EXPECT_EQ(number(piece, {"lost_units"}), number(expected, {"lost"}));
}

}  // namespace
}  // namespace cutline
