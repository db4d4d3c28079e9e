// gateway_program_test.cc: `cutline gateway` as other HTTP stacks see it: curl, and the official
// client library of the API. What it stores is looked at as bytes: requests are in it, and no keys.
//
// Where curl, Node or npm is missing the tests are skipped with the reason, unless
// CUTLINE_REQUIRE_ALL is set in the environment.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"

namespace cutline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Ran;

constexpr int kCannotRunHere = 77;  // tests/e2e/gateway/run says so
constexpr const char* kBody =
    R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})";

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// tests/e2e/gateway/run starts a gateway, runs a shell command with its address in $URL, and ends
/// the gateway again.
class GatewayProgram : public testing::Test {
 protected:
  Ran with_gateway(const std::string& shell, const std::string& flags = {}) {
    testing_support::Command command;
    command.argv = {CUTLINE_SOURCE_DIR "/tests/e2e/gateway/run", CUTLINE_BUILD_DIR "/cutline",
                    "--quiet --store " + store() + " " + flags, shell};
    command.limit = std::chrono::seconds(300);  // the first run installs the library
    return testing_support::run(command);
  }
  std::string store() const { return folder_.path() + "/requests.db"; }
  std::string script(const std::string& toml) const {
    const std::string path = folder_.path() + "/script.toml";
    std::ofstream(path) << toml;
    return "--script " + path;
  }
  static bool cannot(const Ran& ran) {
    return ran.exit_code == kCannotRunHere && !std::getenv("CUTLINE_REQUIRE_ALL");
  }

 private:
  testing_support::ScratchFolder folder_;
};

TEST_F(GatewayProgram, AnswersCurl) {
  struct Case {
    std::string arguments, says;
  };
  for (const Case& c :
       {Case{"-d '" + std::string(kBody) + "' $URL/v1/messages", "BEGIN=NONE END=NONE LAST=NONE"},
        Case{"-d '{\"stream\":true}' $URL/v1/messages", "event: message_stop"},
        Case{"-d '{}' $URL/v1/messages/count_tokens", R"({"input_tokens":)"},
        Case{"$URL/v1/models", R"("data":[])"}, Case{"-I $URL/", "200 OK"},
        Case{"$URL/v1/nowhere", R"("type":"not_found_error")"},
        Case{"-d '{' $URL/v1/messages", R"("type":"invalid_request_error")"},
        Case{"-H 'Host: example.org' $URL/v1/models", R"("type":"permission_error")"},
        Case{"-H 'Origin: https://example.org' $URL/v1/models", R"("type":"permission_error")"}}) {
    SCOPED_TRACE(c.arguments);
    const Ran ran = with_gateway("curl -sS -m 20 -H 'x-api-key: sk-secret' " + c.arguments);
    if (cannot(ran)) GTEST_SKIP() << ran.err;
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(c.says));
  }
  EXPECT_THAT(file_text(store()), AllOf(HasSubstr(kBody), HasSubstr("ideal reader"),
                                        HasSubstr("REDACTED"), Not(HasSubstr("sk-secret"))));
}

TEST_F(GatewayProgram, SaysWhatItCouldNotForward) {
  const Ran ran = with_gateway(
      "curl -sS -m 20 -d '" + std::string(kBody) + "' $URL/v1/messages $URL/v1/messages",
      "--upstream http://127.0.0.1:1");
  if (cannot(ran)) GTEST_SKIP() << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("cannot connect"));
  EXPECT_THAT(ran.err, testing::ContainsRegex("    1 +[0-9.]+ s  not answered by the API: .*cannot "
                                              "connect.*\n    2 +[0-9.]+ s  not answered"));
}

TEST_F(GatewayProgram, AnswersTheOfficialLibrary) {
  const Ran ran = with_gateway(CUTLINE_SOURCE_DIR "/tests/e2e/gateway/sdk", script(R"(script = [
  { text = "plain" },
  { text = "streamed \u00e9\U0001F600" },
  { tool = "B*", arguments = '{"command":"ls"}' },
  { error = 529, message = "busy" },
])"));
  if (cannot(ran)) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "plain end_turn\n"
            "streamed \u00e9\U0001F600 end_turn\n"
            "Bash {\"command\":\"ls\"} tool_use\n"
            "529 overloaded_error busy\n"
            "true\n"
            "404 not_found_error\n");
}

}  // namespace
}  // namespace cutline
