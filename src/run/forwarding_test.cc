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

class ForwardingTest : public GatewayTest {
 protected:
  std::unique_ptr<Started> start_in_front_of(std::uint16_t port, std::string key = {}) {
    return start({.script = {},
                  .upstream = Upstream{.endpoint = {.host = "127.0.0.1", .port = port},
                                       .path_prefix = "/api",
                                       .key = std::move(key)},
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
    const auto gateway = start_in_front_of(api->port, "sk-real");
    const std::string answer = ask(*gateway, post(body, "x-api-key: sk-dummy\r\nx-other: 1\r\n"));
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("BEGIN=NONE")));
    ASSERT_THAT(api->kept, SizeIs(1));
    EXPECT_EQ(api->kept[0].target, "/api/v1/messages");
    EXPECT_EQ(api->kept[0].body, body);
    EXPECT_THAT(api->kept[0].headers, HasSubstr(R"("x-other":"1")"));
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
  const auto gateway = start_in_front_of(api.port, "sk-real");
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
             "Authorization: Bearer sk-real\r\n", R"({"input_tokens":7,"output_tokens":3})"},
        Case{"/v1/chat/completions", "Authorization: Bearer sk-dummy\r\n",
             R"({"usage":{"prompt_tokens":7,"completion_tokens":3}})",
             "POST /api/v1/chat/completions HTTP", "Authorization: Bearer sk-real\r\n",
             R"({"input_tokens":7,"output_tokens":3})"},
        Case{"/v1beta/models/m:generateContent?a=b&key=sk-dummy", "x-goog-api-key: sk-dummy\r\n",
             R"({"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}})",
             "POST /api/v1beta/models/m:generateContent?a=b&key=sk-real HTTP",
             "x-goog-api-key: sk-real\r\n", R"({"input_tokens":7,"output_tokens":3})"}}) {
    SCOPED_TRACE(c.target);
    Stub api(loop_, fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                "Content-Length: {}\r\n\r\n{}",
                                c.answer.size(), c.answer));
    const auto gateway = start_in_front_of(api.port, "sk-real");
    ask(*gateway, request("POST", c.target, "{}", c.header));
    EXPECT_THAT(api.text, AllOf(HasSubstr(std::string(c.sent_target)),
                                HasSubstr(std::string(c.sent_header)), Not(HasSubstr("dummy"))));
    stop(*gateway);
    EXPECT_THAT(gateway->kept[0].target + gateway->kept[0].headers + gateway->answers[0],
                AllOf(HasSubstr(R"("usage":)" + std::string(c.usage)), Not(HasSubstr("sk-"))));
  }
}

TEST_F(ForwardingTest, ABadGatewayAnswersAsTheApiWould) {
  Stub api(loop_, "220 mail.example.org\r\n");
  const auto gateway = start_in_front_of(api.port);
  EXPECT_THAT(body_of(ask(*gateway, request("POST", "/v1/responses", "{}"))),
              HasSubstr(R"("type":"server_error")"));
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

TEST(ParseUpstream, TakesUrls) {
  struct Case {
    std::string_view url, host;
    int port;
    bool tls;
    std::string_view prefix;
  };
  for (const Case& c : {Case{"https://api.anthropic.com", "api.anthropic.com", 443, true, ""},
                        Case{"https://host/", "host", 443, true, ""},
                        Case{"http://127.0.0.1:8080/a/b/", "127.0.0.1", 8080, false, "/a/b"},
                        Case{"http://[::1]:8080", "::1", 8080, false, ""},
                        Case{"http://[::1]", "::1", 80, false, ""}}) {
    SCOPED_TRACE(c.url);
    const Result<Upstream> upstream = parse_upstream(c.url);
    ASSERT_TRUE(upstream);
    EXPECT_EQ(upstream->endpoint.host, c.host);
    EXPECT_EQ(upstream->endpoint.port, c.port);
    EXPECT_EQ(upstream->endpoint.tls, c.tls);
    EXPECT_EQ(upstream->path_prefix, c.prefix);
  }
}

TEST(ParseUpstream, RefusesWhatIsNone) {
  for (const std::string_view url :
       {"", "api.anthropic.com", "ftp://host", "https://", "https:///path", "https://user@host",
        "http://host:0", "http://host:65536", "http://host:port", "http://host:", "http://[]",
        "http://[::1", "https://host?x=1", "https://host#x", "https://ho st"}) {
    SCOPED_TRACE(url);
    const Result<Upstream> upstream = parse_upstream(url);
    ASSERT_FALSE(upstream);
    EXPECT_EQ(upstream.error().code, "run.upstream");
  }
}

}  // namespace
}  // namespace cutline::run
