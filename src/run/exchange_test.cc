// exchange_test.cc: which request gets which answer, and what is noted of it.
#include "run/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kWithTools =
    R"({"model":"m","messages":[{"role":"user","content":"go on"}],"tools":[{"name":"Bash"}]})";

constexpr const char* kResponses = R"({"model":"m","input":"go on"})";
constexpr const char* kGemini = R"({"contents":[{"role":"user","parts":[{"text":"go on"}]}]})";

Heard hear(std::string method, std::string target, std::string body, llm::ScriptPlayer& player) {
  return hear_request({.method = std::move(method),
                       .target = std::move(target),
                       .headers = {},
                       .body = std::move(body)},
                      player);
}

TEST(Exchange, EveryPlaceHasItsAnswer) {
  struct Case {
    std::string method, target, body;
    int status;
    std::string_view says;
  };
  llm::ScriptPlayer player({});
  for (const Case& c :
       {Case{"POST", "/v1/messages?beta=true", kWithTools, 200, R"("type":"message")"},
        Case{"POST", "/v1/messages/count_tokens", kWithTools, 200, R"({"input_tokens":)"},
        Case{"GET", "/v1/models", "", 200, R"("data":[])"},
        Case{"GET", "/v1/models/some-model", "", 200, R"("id":"some-model")"},
        Case{"GET", "/api/hello", "", 200, "hello"},
        Case{"POST", "/v1/responses", kResponses, 200, R"("object":"response")"},
        Case{"POST", "/v1/chat/completions", kWithTools, 200, R"("object":"chat.completion")"},
        Case{"POST", "/v1beta/models/m:generateContent", kGemini, 200, R"("candidates":[)"},
        Case{"POST", "/v1beta/models/m:countTokens", kGemini, 200, R"({"totalTokens":)"},
        Case{"GET", "/v1beta/models", "", 200, R"({"models":[]})"},
        Case{"POST", "/v1/responses", "[]", 400, R"("type":"invalid_request_error")"},
        Case{"POST", "/v1beta/models/m:generateContent", "[]", 400, "INVALID_ARGUMENT"},
        Case{"GET", "/v1beta/files", "", 404, R"("status":"NOT_FOUND")"},
        Case{"GET", "/v1/files", "", 404, "there is no GET /v1/files here"},
        Case{"GET", "/v1/messages", "", 404, R"("type":"not_found_error")"}}) {
    SCOPED_TRACE(c.method + " " + c.target);
    const Heard heard = hear(c.method, c.target, c.body, player);
    EXPECT_EQ(heard.response.status, c.status);
    EXPECT_THAT(heard.response.body, HasSubstr(c.says));
  }
}

TEST(Exchange, HeadersTellWhoseModelsAreAskedFor) {
  struct Case {
    std::string header, body;
  };
  llm::ScriptPlayer player({});
  for (const Case& c :
       {Case{"anthropic-version", R"({"data":[],"has_more":false,"first_id":null,"last_id":null})"},
        Case{"Authorization", R"({"object":"list","data":[]})"},
        Case{"X-Goog-Api-Key", R"({"models":[]})"}}) {
    const Heard heard = hear_request(
        {.method = "GET", .target = "/v1/models", .headers = {{c.header, "x"}}, .body = {}},
        player);
    EXPECT_EQ(heard.response.body, c.body) << c.header;
  }
}

TEST(Exchange, TheScriptIsPlayed) {
  llm::Script script;
  script.turns = {
      {.content = llm::ToolCallTurn{.pattern = "NoSuch", .arguments = "{}", .wanted = {}}},
      {.content =
           llm::ToolCallTurn{
               .pattern = "Ba*", .arguments = R"({"command":"sleep 10"})", .wanted = {}},
       .delay = std::chrono::milliseconds(250)},
      {.content = llm::ErrorReply{.status = 529, .type = {}, .message = "busy"}},
      {.content = llm::IdealReader{}}};
  llm::ScriptPlayer player(script);

  const Heard call = hear("POST", "/v1/messages", kWithTools, player);
  EXPECT_THAT(call.response.body, AllOf(HasSubstr("tool_use"), HasSubstr("sleep 10")));
  EXPECT_EQ(call.delay.count(), 250);
  EXPECT_THAT(call.note, AllOf(HasSubstr(R"("calls":"Bash")"), HasSubstr("no tool 'NoSuch'")));

  const Heard error = hear("POST", "/v1/messages", kWithTools, player);
  EXPECT_EQ(error.response.status, 529);
  EXPECT_THAT(error.response.body, AllOf(HasSubstr("overloaded_error"), HasSubstr("busy")));

  const Heard ideal = hear("POST", "/v1/messages", kWithTools, player);
  EXPECT_THAT(ideal.note, AllOf(HasSubstr(R"("by":"ideal reader")"), HasSubstr("BEGIN=NONE")));
}

TEST(Exchange, OnlyLoopbackIsAnswered) {
  struct Case {
    std::string_view header, value;
    bool refused;
  };
  for (const Case& c :
       {Case{"Host", "127.0.0.1:8080", false}, Case{"Host", "localhost", false},
        Case{"host", "LOCALHOST:1", false}, Case{"Host", "[::1]:80", false},
        Case{"Host", "example.org", true}, Case{"Host", "127.0.0.1.example.org", true},
        Case{"Host", "", true}, Case{"Origin", "http://localhost:5173", false},
        Case{"Origin", "https://example.org", true}, Case{"Origin", "null", true},
        Case{"Origin", "http://localhost@example.org", true},
        Case{"Origin", "http://127.0.0.1:80@example.org", true}}) {
    SCOPED_TRACE(c.value);
    const wire::HttpRequest request{.method = "GET",
                                    .target = "/",
                                    .headers = {{std::string(c.header), std::string(c.value)}},
                                    .body = {}};
    const std::optional<Heard> refused = refusal(request);
    EXPECT_EQ(refused.has_value(), c.refused);
    EXPECT_EQ(refused ? refused->response.status : 403, 403);
  }
}

TEST(Exchange, WhatNamesTwoHostsIsRefused) {
  struct Case {
    std::string target;
    wire::HttpHeaders headers;
    int status;  // 0: not refused
  };
  const auto host = [](std::string value) { return std::pair("Host", std::move(value)); };
  for (const Case& c : {Case{"/", {host("127.0.0.1"), {"hOST", "127.0.0.1"}}, 400},
                        Case{"/", {host("127.0.0.1"), {"Host", "example.org"}}, 400},
                        Case{"/", {host("example.org"), {"Host", "localhost"}}, 400},
                        Case{"http://example.org/v1/messages", {host("127.0.0.1")}, 400},
                        Case{"http://example.org/v1/messages", {host("example.org")}, 400},
                        Case{"HTTP://example.org?a", {}, 400},
                        Case{"http://localhost/v1/messages", {host("127.0.0.1")}, 400},
                        Case{"http://127.0.0.1:81/", {host("127.0.0.1:80")}, 400},
                        Case{"http://127.0.0.1@example.org/", {host("127.0.0.1")}, 400},
                        Case{"http://127.0.0.1:80/v1/messages", {host("127.0.0.1:80")}, 0},
                        Case{"HTTP://LocalHost/", {host("localhost")}, 0},
                        Case{"http://[::1]:80?a=b", {host("[::1]:80")}, 0},
                        Case{"/v1?next=http://example.org/", {host("127.0.0.1")}, 0},
                        Case{"/http://example.org/", {host("127.0.0.1")}, 0}}) {
    SCOPED_TRACE(c.target);
    const std::optional<Heard> refused =
        refusal({.method = "GET", .target = c.target, .headers = c.headers, .body = {}});
    EXPECT_EQ(refused ? refused->response.status : 0, c.status);
  }
}

TEST(Exchange, TakesTheHostOutOfATarget) {
  for (const auto& [target, form] :
       {std::pair("http://127.0.0.1:80/v1/messages?a", "/v1/messages?a"),
        std::pair("http://127.0.0.1", "/"), std::pair("http://127.0.0.1?a", "/?a"),
        std::pair("/v1?u=http://x/", "/v1?u=http://x/"), std::pair("*", "*")})
    EXPECT_EQ(origin_form(target), form);
}

TEST(Exchange, NoKeyInAQueryIsRecorded) {
  for (const auto& [target, kept] :
       {std::pair("/v1?a=1&API_KEY=x&key=y&key=z",
                  "/v1?a=1&API_KEY=REDACTED&key=REDACTED&key=REDACTED"),
        std::pair("/v1?apikey=x?Token=y&b", "/v1?apikey=REDACTED?Token=REDACTED&b"),
        std::pair("/v1?access_token=&monkey=1&key", "/v1?access_token=REDACTED&monkey=1&key"),
        std::pair("/key=1", "/key=1"), std::pair("", "")}) {
    const store::Request record =
        record_of({.method = "GET", .target = target, .headers = {}, .body = {}}, 0);
    EXPECT_EQ(record.target, kept);
  }
}

TEST(Exchange, KeysAreNotRecorded) {
  const store::Request record = record_of({.method = "POST",
                                           .target = "/v1?key=secret",
                                           .headers = {{"X-Api-Key", "secret"},
                                                       {"AUTHORIZATION", "Bearer secret"},
                                                       {"x-goog-api-key", "secret"},
                                                       {"Accept", "\xFF"}},
                                           .body = "secret"},
                                          7);
  EXPECT_EQ(record.target, "/v1?key=REDACTED");
  EXPECT_EQ(record.headers,
            "{\"X-Api-Key\":\"REDACTED\",\"AUTHORIZATION\":\"REDACTED\","
            "\"x-goog-api-key\":\"REDACTED\",\"Accept\":\"\uFFFD\"}");
  EXPECT_EQ(record.at_us, 7);
  EXPECT_EQ(record.body, "");
}

}  // namespace
}  // namespace cutline::run
