// gateway_test.cc: connections as clients make and break them, what is kept of them, and when they
// are answered. Other HTTP stacks look at it in tests/e2e/gateway_program_test.cc.
#include "run/gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/gateway_fixture.h"

namespace cutline::run {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::string_view kPlain =
    R"({"model":"m","messages":[{"role":"user","content":"hello"}]})";
constexpr std::string_view kStreamed =
    R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hello"}]})";
constexpr std::string_view kWithTools =
    R"({"model":"m","messages":[{"role":"user","content":"go on"}],"tools":[{"name":"Bash"}]})";

llm::Turn says(std::string text, std::chrono::milliseconds delay = {}) {
  return {.content = llm::TextReply{std::move(text)}, .delay = delay};
}

Result<void> full_disk() {
  return fail({.code = "store.write", .message = "the disk is full", .place = {}, .hint = {}});
}

std::size_t count_of(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++count;
  return count;
}

TEST_F(GatewayTest, AnswersInOnePiece) {
  const auto gateway = start();
  const std::string answer = ask(*gateway, post(kPlain));
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Connection: close")));
  EXPECT_THAT(body_of(answer), AllOf(HasSubstr(R"("type":"message")"), HasSubstr("BEGIN=NONE")));
  ASSERT_THAT(gateway->kept, SizeIs(1));
  EXPECT_EQ(gateway->kept[0].body, kPlain);
  EXPECT_EQ(gateway->kept[0].method, "POST");
  EXPECT_EQ(gateway->kept[0].target, "/v1/messages");
  EXPECT_EQ(gateway->kept[0].problem, "");
  ASSERT_THAT(gateway->seen, SizeIs(1));
  EXPECT_EQ(gateway->seen[0].request.model, "m");
}

TEST_F(GatewayTest, StreamsInChunks) {
  const auto gateway = start();
  const std::string answer = ask(*gateway, post(kStreamed));
  EXPECT_THAT(answer, AllOf(HasSubstr("text/event-stream"), HasSubstr("chunked"),
                            HasSubstr("event: message_stop")));
  EXPECT_TRUE(answer.ends_with("0\r\n\r\n"));
}

TEST_F(GatewayTest, SaysWhoAnswered) {
  llm::Script script;
  script.turns = {says("first")};
  const auto gateway = start({.script = script, .upstream = {}, .limits = {}});
  EXPECT_THAT(ask(*gateway, post(kWithTools)), HasSubstr("first"));
  EXPECT_THAT(ask(*gateway, post(kWithTools)), HasSubstr("BEGIN=NONE"));
  ask(*gateway, request("GET", "/v1/models"));
  stop(*gateway);
  ASSERT_THAT(gateway->answers, SizeIs(3));
  EXPECT_THAT(gateway->answers[0], AllOf(HasSubstr(R"("by":"script")"), HasSubstr("rough_usage")));
  EXPECT_THAT(gateway->answers[1], HasSubstr(R"("by":"ideal reader")"));
  EXPECT_THAT(gateway->answers[2], HasSubstr(R"("by":"gateway")"));
}

// --- What is kept, and when ----------------------------------------------------------------------

TEST_F(GatewayTest, AnswersNothingBeforeTheRequestIsKept) {
  const auto gateway = start();
  const auto client = connect(gateway->port);
  std::size_t kept = 0;
  gateway->keeping = [&]() -> Result<void> {
    ++kept;
    EXPECT_FALSE(client->has_unread());
    EXPECT_EQ(client->text, "");
    return {};
  };
  client->send(post(kStreamed));
  ASSERT_TRUE(run_until([&] { return client->ended; }));
  EXPECT_EQ(kept, 1u);
  EXPECT_THAT(client->text, StartsWith("HTTP/1.1 200"));
}

TEST_F(GatewayTest, AnswersNothingThatCouldNotBeKept) {
  for (const std::string& bytes : {post(kPlain), std::string("no HTTP\r\n\r\n")}) {
    SCOPED_TRACE(bytes);
    const auto gateway = start();
    gateway->keeping = full_disk;
    const auto client = connect(gateway->port);
    client->send(bytes);
    ASSERT_TRUE(run_until([&] { return !gateway->failures.empty(); }));
    EXPECT_THAT(gateway->failures, ElementsAre("store.write"));
    stop(*gateway);
    ASSERT_TRUE(run_until([&] { return client->ended; }));
    EXPECT_EQ(client->text, "");
    EXPECT_THAT(gateway->kept, IsEmpty());
  }
}

TEST_F(GatewayTest, KeepsTogetherWhatComesTogether) {
  const auto gateway = start();
  std::size_t times = 0;
  gateway->keeping = [&]() -> Result<void> {
    ++times;
    return {};
  };
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(connect(gateway->port));
    clients.back()->send(post(kPlain));
  }
  ASSERT_TRUE(run_until([&] {
    return std::ranges::all_of(clients, [](const auto& client) { return client->ended; });
  }));
  EXPECT_THAT(gateway->kept, SizeIs(50));
  EXPECT_LT(times, 10u);
}

TEST_F(GatewayTest, KeepsNoKeys) {
  const auto gateway = start();
  ask(*gateway, post(kPlain,
                     "X-API-Key: sk-1\r\nAuthorization: Bearer sk-2\r\nCookie: sk-3\r\n"
                     "X-Goog-Api-Key: sk-4\r\nUser-Agent: me\r\n"));
  ask(*gateway, request("GET", "/v1/none?a=1&key=sk-5&b=2"));
  ASSERT_THAT(gateway->kept, SizeIs(2));
  EXPECT_THAT(gateway->kept[0].headers,
              AllOf(Not(HasSubstr("sk-")), HasSubstr(R"("X-API-Key":"REDACTED")"),
                    HasSubstr(R"("User-Agent":"me")")));
  EXPECT_EQ(gateway->kept[1].target, "/v1/none?a=1&key=REDACTED&b=2");
  stop(*gateway);
  for (const auto& [sequence, answer] : gateway->answers)
    EXPECT_THAT(answer, Not(HasSubstr("sk-")));
}

// --- Connections ---------------------------------------------------------------------------------

TEST_F(GatewayTest, GoesOnInOneConnection) {
  const auto gateway = start();
  const auto client = connect(gateway->port);
  client->send(post(kPlain, {}, false));
  ASSERT_TRUE(run_until([&] { return count_of(client->text, "HTTP/1.1 200") == 1; }));
  EXPECT_FALSE(client->ended);
  client->send(post(kPlain));
  ASSERT_TRUE(run_until([&] { return client->ended; }));
  EXPECT_EQ(count_of(client->text, "HTTP/1.1 200"), 2u);
}

TEST_F(GatewayTest, AnswersPipelinedRequestsInOrder) {
  llm::Script script;
  script.turns = {says("one", std::chrono::milliseconds(30)), says("two"), says("three")};
  const auto gateway = start({.script = script, .upstream = {}, .limits = {}});
  const std::string answers =
      ask(*gateway, post(kWithTools, {}, false) + post(kWithTools, {}, false) + post(kWithTools));
  EXPECT_LT(answers.find("one"), answers.find("two"));
  EXPECT_LT(answers.find("two"), answers.find("three"));
  EXPECT_EQ(count_of(answers, "HTTP/1.1 200"), 3u);
}

TEST_F(GatewayTest, RefusesEndlessPipelining) {
  const auto gateway = start();
  std::string many;
  for (int i = 0; i < 200; ++i) many += post(kPlain, {}, false);
  EXPECT_THAT(ask(*gateway, many), HasSubstr("more requests than answers"));
  EXPECT_THAT(gateway->kept,
              Contains(Field(&store::Request::problem, HasSubstr("more requests than answers"))));
}

TEST_F(GatewayTest, AnswersWhoWillSayNoMore) {
  const auto gateway = start();
  const auto client = connect(gateway->port);
  client->send(post(kPlain, {}, false));
  client->finish_sending();
  ASSERT_TRUE(run_until([&] { return client->ended; }));
  EXPECT_THAT(client->text, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(gateway->kept, SizeIs(1));
}

TEST_F(GatewayTest, LetsAClientAskWhetherToGoOn) {
  const auto gateway = start();
  const auto client = connect(gateway->port);
  const std::string whole = post(kPlain, "Expect: 100-continue\r\n");
  client->send(whole.substr(0, whole.size() - kPlain.size()));
  ASSERT_TRUE(run_until([&] { return !client->text.empty(); }));
  EXPECT_EQ(client->text, "HTTP/1.1 100 Continue\r\n\r\n");
  client->send(kPlain);
  ASSERT_TRUE(run_until([&] { return client->ended; }));
  EXPECT_THAT(client->text, HasSubstr("HTTP/1.1 200"));
}

TEST_F(GatewayTest, AnswersHeadWithoutABody) {
  const auto gateway = start();
  for (const std::string_view path : {"/", "/api/hello", "/nowhere"}) {
    SCOPED_TRACE(path);
    const std::string answer = ask(*gateway, request("HEAD", path));
    EXPECT_THAT(answer, StartsWith(path == "/nowhere" ? "HTTP/1.1 404" : "HTTP/1.1 200"));
    EXPECT_EQ(body_of(answer), "");
  }
}

TEST_F(GatewayTest, SurvivesAClientThatLeavesBeforeItsAnswer) {
  llm::Script script;
  script.turns = {says("late", std::chrono::milliseconds(50))};
  const auto gateway = start({.script = script, .upstream = {}, .limits = {}});
  const auto client = connect(gateway->port);
  client->send(post(kWithTools, {}, false));
  ASSERT_TRUE(run_until([&] { return gateway->kept.size() == 1; }));
  client->vanish();
  EXPECT_THAT(ask(*gateway, post(kWithTools)), HasSubstr("BEGIN=NONE"));
}

// --- What is no request --------------------------------------------------------------------------

TEST_F(GatewayTest, KeepsWhatBreaksOff) {
  const std::string whole = post(kPlain);
  struct Case {
    std::size_t sent;
    std::string_view problem;
  };
  const std::size_t head = whole.size() - kPlain.size();
  for (const Case& c : {Case{20, "0 bytes into its body"}, Case{head + 7, "7 bytes into its body"}})
    for (const bool vanishes : {false, true}) {
      SCOPED_TRACE(c.problem);
      const auto gateway = start();
      const auto client = connect(gateway->port);
      client->send(whole.substr(0, c.sent));
      vanishes ? client->vanish() : client->finish_sending();
      ASSERT_TRUE(run_until([&] { return !gateway->kept.empty(); }));
      EXPECT_THAT(gateway->kept[0].problem, HasSubstr(c.problem));
      EXPECT_EQ(gateway->kept[0].body, kPlain.substr(0, c.sent > head ? c.sent - head : 0));
    }
}

TEST_F(GatewayTest, WaitsNotForEverForTheRestOfARequest) {
  const std::string whole = post(kPlain);
  const std::size_t head = whole.size() - kPlain.size();
  for (const std::size_t sent : {std::size_t{20}, head + 7}) {
    SCOPED_TRACE(sent);
    const auto gateway = start({.script = {},
                                .upstream = {},
                                .limits = {},
                                .half_request_silence_max = std::chrono::milliseconds(5)});
    const std::string answer = ask(*gateway, whole.substr(0, sent));
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 408"), HasSubstr("nothing came for 5 ms")));
    ASSERT_THAT(gateway->kept, SizeIs(1));
    EXPECT_THAT(gateway->kept[0].problem,
                HasSubstr(sent > head ? "7 bytes into its body" : "0 bytes into its body"));
    EXPECT_EQ(gateway->kept[0].body, kPlain.substr(0, sent > head ? sent - head : 0));
  }
}

TEST_F(GatewayTest, AnswersWhatCameBeforeTheHalfRequest) {
  llm::Script script;
  script.turns = {says("late", std::chrono::milliseconds(50))};
  const auto gateway = start({.script = script,
                              .upstream = {},
                              .limits = {},
                              .half_request_silence_max = std::chrono::milliseconds(5)});
  const std::string answers = ask(*gateway, post(kWithTools, {}, false) + "POST /v1");
  EXPECT_THAT(answers, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("late")));
  EXPECT_LT(answers.find("late"), answers.find("HTTP/1.1 408"));
}

TEST_F(GatewayTest, IsPatientBetweenRequests) {
  llm::Script script;
  script.turns = {says("late", std::chrono::milliseconds(50))};
  const auto gateway = start({.script = script,
                              .upstream = {},
                              .limits = {},
                              .half_request_silence_max = std::chrono::milliseconds(1)});
  EXPECT_THAT(ask(*gateway, post(kWithTools)), AllOf(HasSubstr("late"), Not(HasSubstr("408"))));
  EXPECT_EQ(gateway->kept[0].problem, "");
}

TEST_F(GatewayTest, RefusesTwoHosts) {
  const auto gateway = start();
  EXPECT_THAT(ask(*gateway, post(kPlain, "Host: 127.0.0.1\r\n")),
              AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("two Host headers")));
  EXPECT_THAT(ask(*gateway, request("POST", "http://example.org/v1/messages", kPlain)),
              AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("another host")));
  EXPECT_THAT(ask(*gateway, request("POST", "http://127.0.0.1/v1/messages", kPlain)),
              StartsWith("HTTP/1.1 200"));
}

TEST_F(GatewayTest, AnswersAndKeepsWhatIsBroken) {
  struct Case {
    std::string bytes;
    std::string_view status, says;
    bool is_http;
  };
  wire::HttpLimits limits{.head_bytes_max = 1000, .body_bytes_max = 1000};
  for (const Case& c :
       {Case{"\x16\x03\x01 hello\r\n\r\n", "400", "first byte", false},
        Case{"GET / HTTP/9.9\r\n\r\n", "400", "not HTTP/1.1", false},
        Case{post(kPlain, "X: " + std::string(2000, 'x') + "\r\n"), "413", "1,000 bytes", false},
        Case{post(std::string(2000, 'x')), "413", "1,000 bytes", false},
        Case{post("{\"model\":"), "400", "not JSON", true}, Case{post(""), "400", "not JSON", true},
        Case{post("[]"), "400", "not an object", true},
        Case{post(kPlain, "Content-Encoding: gzip\r\n"), "415", "content-encoding", true}}) {
    SCOPED_TRACE(c.bytes.substr(0, 60));
    const auto gateway = start({.script = {}, .upstream = {}, .limits = limits});
    const std::string answer = ask(*gateway, c.bytes);
    EXPECT_THAT(answer, StartsWith(fmt::format("HTTP/1.1 {}", c.status)));
    EXPECT_THAT(body_of(answer), AllOf(StartsWith(R"({"type":"error")"), HasSubstr(c.says)));
    ASSERT_THAT(gateway->kept, SizeIs(1));
    EXPECT_EQ(gateway->kept[0].problem.empty(), c.is_http);
  }
}

}  // namespace
}  // namespace cutline::run
