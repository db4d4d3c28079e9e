// real_servers_test.cc: `cutline check` on public servers from npm, against what was measured of
// them (tests/cases/real-servers.json).
//
// A server is installed once, at its exact version, without its install scripts, and with its
// dependencies as they were on one day (tools/npm-package). It runs with a cleared environment, an
// empty home and, where the machine lets us, no network: so none of them can tell the world about
// our runs, and those whose answer depends on a reachable backend answer the same everywhere.
//
// CI runs three of them, `make full` all. A test is skipped, with the reason, where npm is not to
// be had; with CUTLINE_REQUIRE_ALL=1 in the environment it fails instead.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "support/cases.h"
#include "support/command.h"
#include "support/json_path.h"
#include "text/unit.h"

namespace cutline {
namespace {

using json::Value;
using testing_support::at;
using testing_support::Command;
using testing_support::number;
using testing_support::Ran;
using testing_support::run;
using testing_support::ScratchFolder;
using testing_support::string;

constexpr const char* kClient = "claude-code";
constexpr const char* kVersions[] = {"2.1.285", "2.1.332"};

/// What a server needs besides what its case records, to do what the case says.
struct Extra {
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string dummy_file;  // content of a file `dummy` in its home
};
const std::map<std::string, Extra, std::less<>> kExtras = {
    {"real-21st-dev-magic", {{}, {{"API_KEY", "dummy"}}, {}}},
    {"real-stripe-mcp", {{"--api-key=rk_test_dummy"}, {}, {}}},
    {"real-cocal-google-calendar-mcp",
     {{}, {}, R"({"installed":{"client_id":"dummy","client_secret":"dummy","redirect_uris":[]}})"}},
};

const cases::File& real_servers() {
  static const cases::File kFile("real-servers.json");
  return kFile;
}

const cases::Case& server_case(std::string_view id) {
  for (const cases::Case& c : real_servers().cases())
    if (c.id == id) return c;
  ADD_FAILURE() << "tests/cases/real-servers.json has no case " << id;
  std::abort();
}

bool machine_lets_us_cut_the_network() {
  static const bool kCan =
      run({.argv = {"unshare", "--net", "--map-root-user", "true"}}).exit_code == 0;
  return kCan;
}

class RealServer : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    const Ran ran =
        run({.argv = {CUTLINE_SOURCE_DIR "/tools/node-path"}, .limit = std::chrono::seconds(300)});
    if (ran.exit_code != 0) return;
    const std::string folder = ran.out.substr(0, ran.out.find('\n'));
    setenv("PATH", (folder + ":" + std::getenv("PATH")).c_str(), 1);
  }

  /// The path of the server's program; nothing, and the reason, where npm cannot bring it.
  static std::optional<std::string> install(const Value& input, std::string& why) {
    const Ran ran = run({.argv = {CUTLINE_SOURCE_DIR "/tools/npm-package",
                                  string(input, {"package"}), string(input, {"version"})},
                         .limit = std::chrono::seconds(300)});
    why = ran.err;
    if (ran.exit_code != 0) return {};
    return ran.out.substr(0, ran.out.find('\n'));
  }

  Ran check(const cases::Case& c, const std::string& program) {
    Command command{.argv = {CUTLINE_BUILD_DIR "/cutline", "check", "--format", "json"}};
    const auto add = [&](std::initializer_list<std::string> words) {
      command.argv.insert(command.argv.end(), words);
    };
    for (const char* version : kVersions) add({"--client", std::string(kClient) + "@" + version});
    add({"--set", "ENABLE_TOOL_SEARCH=false"});  // so that all tools are preloaded
    // What the server says is looked at, not how fast it says it on a busy machine.
    add({"--timeout", "90", "--probe-timeout", "60"});
    add({"--cwd", home_.path(), "--clear-env"});
    add({"--env", std::string("PATH=") + std::getenv("PATH"), "--env", "HOME=" + home_.path()});
    for (const Value::Member& variable : at(c.input, {"env"}).members())
      add({"--env", variable.key + "=" + variable.value.string().value});
    const auto found = kExtras.find(c.id);
    const Extra extra = found == kExtras.end() ? Extra{} : found->second;
    for (const auto& [name, value] : extra.environment) add({"--env", name + "=" + value});
    if (!extra.dummy_file.empty()) std::ofstream(home_.path() + "/dummy") << extra.dummy_file;

    add({"--"});
    if (machine_lets_us_cut_the_network()) add({"unshare", "--net", "--map-root-user"});
    add({program});
    const std::vector<Value> words = at(c.input, {"command"}).elements();
    for (std::size_t i = 3; i < words.size(); ++i) {  // after npx -y PACKAGE@VERSION
      const std::string word = words[i].string().value;
      add({word == "{dir}" ? home_.path() : word});
    }
    add_all(extra.arguments, command.argv);
    command.limit = std::chrono::seconds(150);
    return run(command);
  }

 private:
  static void add_all(const std::vector<std::string>& words, std::vector<std::string>& argv) {
    argv.insert(argv.end(), words.begin(), words.end());
  }

  ScratchFolder home_;
};

void expect_lengths(const Value& expected, const std::optional<Value>& got) {
  const bool absent = !got || got->is(json::Type::kNull);
  EXPECT_EQ(absent ? 0 : number(*got, {"utf16"}), number(expected, {"utf16_units"}));
  EXPECT_EQ(absent ? 0 : number(*got, {"code_points"}), number(expected, {"code_points"}));
  EXPECT_EQ(absent ? 0 : number(*got, {"bytes"}), number(expected, {"bytes"}));
}

/// What arrives of a piece in UTF-16 units, marker included.
std::int64_t arriving_units(const Value& piece) {
  std::int64_t units = number(piece, {"kept_units"});
  if (!at(piece, {"cut"}).is(json::Type::kNull))
    units += static_cast<std::int64_t>(
        text::length(string(piece, {"cut", "marker"}), text::Unit::kUtf16));
  return units;
}

void expect_tools(const Value& expected, const std::vector<Value>& pieces) {
  std::int64_t longest = 0;
  std::string longest_of;
  for (const Value& piece : pieces) {
    const bool anew = !at(piece, {"rewriting"}).is(json::Type::kNull);
    const std::int64_t characters = anew ? number(piece, {"rewriting", "sent", "code_points"})
                                         : number(piece, {"whole", "code_points"});
    if (string(piece, {"kind"}) != "tool" || characters <= longest) continue;
    longest = characters;
    longest_of = string(piece, {"tool"});
  }
  EXPECT_EQ(longest, number(expected, {"descriptions", "longest"}));
  EXPECT_EQ(longest_of, string(expected, {"descriptions", "longest_of"}));
}

void expect_delivery(const Value& expected, const std::vector<Value>& pieces) {
  std::int64_t kept = 0, lost = 0, longest = 0;
  bool outside_plane = false;  // the longest description has characters of two units
  for (const Value& piece : pieces) {
    if (string(piece, {"kind"}) == "instructions") {
      kept = number(piece, {"kept_units"});
      lost = number(piece, {"lost_units"});
    } else if (arriving_units(piece) > longest) {
      longest = arriving_units(piece);
      outside_plane = number(piece, {"whole", "utf16"}) != number(piece, {"whole", "code_points"});
    }
  }
  EXPECT_EQ(kept, number(expected, {"kept"}));
  EXPECT_EQ(lost, number(expected, {"lost"}));
  // The case has characters here where the client counts units: one more, where they differ.
  const std::int64_t characters = number(expected, {"longest_description_preloaded"});
  EXPECT_TRUE(longest == characters || (outside_plane && longest == characters + 1))
      << longest << " units, expected " << characters;
}

void expect_served(const Value& expected, const Value& got) {
  const Value legacy = at(got, {"eras", "legacy"});
  expect_lengths(at(expected, {"instructions"}), legacy.find("instructions"));
  EXPECT_EQ(number(legacy, {"tools"}), number(expected, {"tools", "count"}));
  // Within what another request id and the line feed are worth.
  EXPECT_NEAR(static_cast<double>(number(legacy, {"tools_list_bytes"})),
              static_cast<double>(number(expected, {"bytes", "tools_list_reply"})), 8);

  const Value probe = at(expected, {"probe", "answer"});
  if (probe.find("error")) {
    EXPECT_EQ(string(got, {"probe", "answer"}), "error");
    EXPECT_EQ(number(got, {"probe", "error_code"}), number(probe, {"error"}));
    EXPECT_TRUE(at(got, {"eras", "modern"}).is(json::Type::kNull));
  } else {
    EXPECT_EQ(string(got, {"probe", "answer"}), "modern");
    EXPECT_EQ(at(got, {"probe", "versions"}).elements().size(),
              at(probe, {"supportedVersions"}).elements().size());
    EXPECT_EQ(string(got, {"eras", "same"}), "true");
  }

  const std::vector<Value> clients = at(got, {"clients"}).elements();
  ASSERT_EQ(clients.size(), 1U);
  const std::vector<Value> groups = at(clients[0], {"groups"}).elements();
  ASSERT_EQ(groups.size(), std::size(kVersions));
  for (const Value& group : groups) {
    const std::string version = string(group, {"to"});
    SCOPED_TRACE(version);
    const std::vector<Value> pieces = at(group, {"pieces"}).elements();
    expect_tools(expected, pieces);
    expect_delivery(at(expected, {"claude_code", version}), pieces);
  }
}

void expect_not_served(const Value& expected, const Value& got) {
  EXPECT_TRUE(at(got, {"clients"}).elements().empty()) << "something is said about unseen text";
  EXPECT_TRUE(at(got, {"verdict", "losses"}).elements().empty());
  if (const std::optional<Value> code = expected.find("exit_code")) {
    EXPECT_EQ(number(got, {"exit", "code"}), code->int64());
  }
  if (const std::optional<Value> probe = expected.find("probe")) {
    EXPECT_EQ(number(got, {"probe", "error_code"}), number(*probe, {"answer", "error"}));
  }
}

TEST_P(RealServer, IsCheckedAsItWasMeasured) {
  const cases::Case& c = server_case(GetParam());
  std::string why;
  const std::optional<std::string> program = install(c.input, why);
  if (!program && std::getenv("CUTLINE_REQUIRE_ALL") == nullptr)
    GTEST_SKIP() << "npm cannot bring " << string(c.input, {"package"}) << ": " << why;
  ASSERT_TRUE(program) << why;

  const Ran ran = check(c, *program);
  const Result<json::Document> document = json::Document::parse(ran.out);
  ASSERT_TRUE(document) << ran.exit_code << "\n" << ran.out << ran.err;
  const Value got = document->root();
  const std::string outcome = string(c.expect, {"outcome"});
  ASSERT_EQ(string(got, {"outcome"}), outcome) << string(got, {"outcome_detail"}) << ran.err;
  EXPECT_EQ(ran.exit_code, number(got, {"verdict", "exit_code"}));
  if (outcome == "serves") {
    EXPECT_LE(ran.exit_code, 1);
    expect_served(c.expect, got);
  } else {
    EXPECT_EQ(ran.exit_code, 3);
    expect_not_served(c.expect, got);
  }
}

const std::vector<std::string> kInCi = {"real-doist-todoist-mcp",
                                        "real-modelcontextprotocol-server-everything",
                                        "real-upstash-context7-mcp"};

std::vector<std::string> all_others() {
  std::vector<std::string> ids;
  for (const cases::Case& c : real_servers().cases())
    if (std::find(kInCi.begin(), kInCi.end(), c.id) == kInCi.end()) ids.push_back(c.id);
  return ids;
}

/// "doist_todoist_mcp": a test's name has no other signs.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(std::string_view("real-").size());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Ci, RealServer, testing::ValuesIn(kInCi), test_name);
INSTANTIATE_TEST_SUITE_P(Full, RealServer, testing::ValuesIn(all_others()), test_name);

}  // namespace
}  // namespace cutline
