// forwarding_test.cc: `--upstream`: a gateway in front of another one, and in front of what is
// none.
#include "run/forwarding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/gateway_fixture.h"

namespace cutline::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::string_view kBody = R"({"model":"m","messages":[{"role":"user","content":"hi"}]})";
constexpr std::string_view kStreamed =
    R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]})";

const ApiKeys kKeys = {{"anthropic-messages", "sk-real"},
                       {"openai-responses", "sk-openai"},
                       {"openai-chat", "sk-openai"},
                       {"gemini", "sk-gemini"}};

class ForwardingTest : public GatewayTest {
 protected:
  std::unique_ptr<Started> start_in_front_of(std::uint16_t port, ApiKeys keys = {}) {
    return start({.script = {},
                  .upstream = Upstream{.endpoint = {.host = "127.0.0.1", .port = port},
                                       .path_prefix = "/api",
                                       .keys = std::move(keys)},
                  .limits = {}});
  }

  /// Something that sends these bytes to whoever says anything, and hangs up.
  class Stub {
   public:
    Stub(sys::Loop& loop, std::string bytes)
        : loop_(loop), bytes_(std::move(bytes)), socket_(sys::listen_on_loopback(0).value()) {
      port = sys::port_of(socket_);
      listener_ = std::make_unique<sys::Listener>(loop_, std::move(socket_), [this](sys::Fd fd) {
        writer_ = std::make_unique<sys::Writer>(loop_, sys::duplicate(fd.get()).value());
        reader_ = std::make_unique<sys::Reader>(
            loop_, std::move(fd),
            sys::Reader::Callbacks{.bytes =
                                       [this](std::string_view heard) {
                                         text += heard;
                                         writer_->write(bytes_);
                                         writer_->close_when_done();
                                       },
                                   .end = [] {}});
      });
    }
    std::uint16_t port = 0;
    std::string text;

   private:
    sys::Loop& loop_;
    std::string bytes_;
    sys::Fd socket_;
    std::unique_ptr<sys::Writer> writer_;
    std::unique_ptr<sys::Reader> reader_;
    std::unique_ptr<sys::Listener> listener_;
  };
};

TEST_F(ForwardingTest, PassesRequestAndAnswerOn) {
  for (const std::string_view body : {kBody, kStreamed}) {
    SCOPED_TRACE(body);
    const auto api = start();
    const auto gateway = start_in_front_of(api->port, kKeys);
    const std::string answer = ask(*gateway, post(body, "x-api-key: sk-dummy\r\nx-other: 1\r\n"));
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("BEGIN=NONE")));
    ASSERT_THAT(api->kept, SizeIs(1));
    EXPECT_EQ(api->kept[0].target, "/api/v1/messages");
    EXPECT_EQ(api->kept[0].body, body);
    EXPECT_THAT(api->kept[0].headers, HasSubstr(R"("x-other":"1")"));
    EXPECT_THAT(gateway->not_forwarded, SizeIs(0));
    stop(*gateway);
    ASSERT_THAT(gateway->kept, SizeIs(1));
    EXPECT_EQ(gateway->kept[0].body, body);
    EXPECT_THAT(gateway->kept[0].headers, Not(HasSubstr("sk-")));
    EXPECT_THAT(gateway->answers[0],
                AllOf(HasSubstr(R"("by":"upstream")"), HasSubstr(R"("status":200)"),
                      HasSubstr(R"("usage":{"input_tokens":)"), HasSubstr("BEGIN=NONE"),
                      Not(HasSubstr("sk-"))));
  }
}

TEST_F(ForwardingTest, ReplacesTheKeyAndOnlyThat) {
  Stub api(loop_, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  const auto gateway = start_in_front_of(api.port, kKeys);
  ask(*gateway, post(kBody, "X-Api-Key: sk-dummy\r\nAuthorization: Bearer sk-dummy\r\n"));
  EXPECT_THAT(api.text, AllOf(HasSubstr("X-Api-Key: sk-real\r\n"),
                              HasSubstr("Authorization: Bearer sk-real\r\n"),
                              Not(HasSubstr("sk-dummy")), HasSubstr(std::string(kBody))));
}

TEST_F(ForwardingTest, KnowsEveryDialectsKeyAndUsage) {
  struct Case {
    std::string_view target, header, answer, sent_target, sent_header, usage;
  };
  for (const Case& c :
       {Case{"/v1/responses", "Authorization: Bearer sk-dummy\r\n",
             R"({"usage":{"input_tokens":7,"output_tokens":3}})", "POST /api/v1/responses HTTP",
             "Authorization: Bearer sk-openai\r\n", R"({"input_tokens":7,"output_tokens":3})"},
        Case{"/v1/chat/completions", "Authorization: Bearer sk-dummy\r\n",
             R"({"usage":{"prompt_tokens":7,"completion_tokens":3}})",
             "POST /api/v1/chat/completions HTTP", "Authorization: Bearer sk-openai\r\n",
             R"({"input_tokens":7,"output_tokens":3})"},
        Case{"/v1beta/models/m:generateContent?a=b&key=sk-dummy", "x-goog-api-key: sk-dummy\r\n",
             R"({"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}})",
             "POST /api/v1beta/models/m:generateContent?a=b&key=sk-gemini HTTP",
             "x-goog-api-key: sk-gemini\r\n", R"({"input_tokens":7,"output_tokens":3})"}}) {
    SCOPED_TRACE(c.target);
    Stub api(loop_, fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                "Content-Length: {}\r\n\r\n{}",
                                c.answer.size(), c.answer));
    const auto gateway = start_in_front_of(api.port, kKeys);
    ask(*gateway, request("POST", c.target, "{}", c.header));
    EXPECT_THAT(api.text, AllOf(HasSubstr(std::string(c.sent_target)),
                                HasSubstr(std::string(c.sent_header)), Not(HasSubstr("dummy"))));
    stop(*gateway);
    EXPECT_THAT(gateway->kept[0].target + gateway->kept[0].headers + gateway->answers[0],
                AllOf(HasSubstr(R"("usage":)" + std::string(c.usage)), Not(HasSubstr("sk-"))));
  }
}

TEST_F(ForwardingTest, SendsNoKeyInAnothersHeader) {
  struct Case {
    std::string_view target, headers;
    std::vector<std::string> sent;
  };
  const std::string_view all =
      "x-api-key: a\r\nAuthorization: Bearer b\r\nx-goog-api-key: c\r\napi-key: d\r\n";
  for (const Case& c : {Case{"/v1/messages",
                             all,
                             {"x-api-key: sk-real", "Authorization: Bearer sk-real",
                              "x-goog-api-key: c", "api-key: d"}},
                        Case{"/v1/messages?key=e", all, {"/v1/messages?key=e HTTP"}},
                        Case{"/v1/responses",
                             all,
                             {"x-api-key: a", "Authorization: Bearer sk-openai",
                              "x-goog-api-key: c", "api-key: sk-openai"}},
                        Case{"/v1beta/models/m:generateContent",
                             all,
                             {"x-api-key: a", "Authorization: Bearer b",
                              "x-goog-api-key: sk-gemini", "api-key: d"}}}) {
    SCOPED_TRACE(c.target);
    Stub api(loop_, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    const auto gateway = start_in_front_of(api.port, kKeys);
    ask(*gateway, request("POST", c.target, "{}", c.headers));
    for (const std::string& line : c.sent) EXPECT_THAT(api.text, HasSubstr(line));
  }
}

TEST_F(ForwardingTest, AGatewayInFrontOfAnotherHasTheKeysOfAllApis) {
  Stub api(loop_, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  const auto proxy = start_in_front_of(api.port);
  const auto gateway = start_in_front_of(proxy->port, kKeys);
  ask(*gateway, post(kBody, "x-api-key: sk-dummy\r\n"));
  EXPECT_THAT(api.text, HasSubstr("x-api-key: sk-real\r\n"));
  ask(*gateway, request("POST", "/v1/responses", "{}", "Authorization: Bearer sk-dummy\r\n"));
  EXPECT_THAT(api.text, HasSubstr("Authorization: Bearer sk-openai\r\n"));
  EXPECT_THAT(api.text, Not(HasSubstr("dummy")));
}

TEST_F(ForwardingTest, ABadGatewayAnswersAsTheApiWould) {
  Stub api(loop_, "220 mail.example.org\r\n");
  const auto gateway = start_in_front_of(api.port);
  EXPECT_THAT(body_of(ask(*gateway, request("POST", "/v1/responses", "{}"))),
              HasSubstr(R"("type":"server_error")"));
}

TEST_F(ForwardingTest, SendsATargetWithoutItsHost) {
  const auto api = start();
  const auto gateway = start_in_front_of(api->port);
  ask(*gateway, request("POST", "http://127.0.0.1/v1/messages?a=b", kBody));
  ASSERT_THAT(api->kept, SizeIs(1));
  EXPECT_EQ(api->kept[0].target, "/api/v1/messages?a=b");
}

TEST_F(ForwardingTest, GoesOnInOneConnection) {
  const auto api = start();
  const auto gateway = start_in_front_of(api->port);
  const std::string answers = ask(*gateway, post(kBody, {}, false) + post(kStreamed));
  EXPECT_LT(answers.find("HTTP/1.1 200"), answers.rfind("HTTP/1.1 200"));
  EXPECT_THAT(api->kept, SizeIs(2));
}

TEST_F(ForwardingTest, AnUpstreamThatIsDownIsABadGateway) {
  std::uint16_t port = 0;
  {
    const sys::Fd taken = sys::listen_on_loopback(0).value();
    port = sys::port_of(taken);
  }
  const auto gateway = start_in_front_of(port);
  const std::string answer = ask(*gateway, post(kBody));
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 502"), HasSubstr("cannot connect")));
  EXPECT_THAT(body_of(answer), StartsWith(R"({"type":"error")"));
  ASSERT_THAT(gateway->not_forwarded, SizeIs(1));
  EXPECT_EQ(gateway->not_forwarded[0].sequence, 0u);
  EXPECT_THAT(gateway->not_forwarded[0].problem, HasSubstr("cannot connect"));
  stop(*gateway);
  EXPECT_THAT(gateway->answers[0], HasSubstr("cannot connect"));
}

TEST_F(ForwardingTest, NonsenseIsABadGateway) {
  for (const std::string_view bytes : {"220 mail.example.org\r\n", "HTTP/1.1 200 OK\r\n"}) {
    SCOPED_TRACE(bytes);
    Stub api(loop_, std::string(bytes));
    const auto gateway = start_in_front_of(api.port);
    EXPECT_THAT(ask(*gateway, post(kBody)), StartsWith("HTTP/1.1 502"));
    stop(*gateway);
    EXPECT_THAT(gateway->answers[0], HasSubstr(R"("problem":)"));
  }
}

TEST_F(ForwardingTest, AnAnswerCutShortStaysCutShort) {
  Stub api(loop_, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":");
  const auto gateway = start_in_front_of(api.port);
  // The client would wait for the next answer, and must be told that this one is not whole.
  const std::string answer = ask(*gateway, post(kBody, {}, false));
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("{\"half\":")));
  EXPECT_FALSE(answer.ends_with("0\r\n\r\n"));
  ASSERT_THAT(gateway->not_forwarded, SizeIs(1));
  EXPECT_THAT(gateway->not_forwarded[0].problem, HasSubstr("in the middle of its body"));
  stop(*gateway);
  EXPECT_THAT(gateway->answers[0],
              AllOf(HasSubstr("ends in the middle of its body"), HasSubstr("half")));
}

TEST_F(ForwardingTest, SurvivesAClientThatLeaves) {
  const auto api = start();
  const auto gateway = start_in_front_of(api->port);
  const auto client = connect(gateway->port);
  client->send(post(kBody, {}, false));
  ASSERT_TRUE(run_until([&] { return gateway->kept.size() == 1; }));
  client->vanish();
  EXPECT_THAT(ask(*gateway, post(kBody)), StartsWith("HTTP/1.1 200"));
}

}  // namespace
}  // namespace cutline::run
