// openai_chat_test.cc: requests as clients send them, answers as the API's reference has them.
#include "llm/openai_chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/dialect_fixture.h"

namespace cutline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Dialect& api() { return *dialect_named("openai-chat"); }

Request read(std::string body) { return read_with(api(), "/v1/chat/completions", std::move(body)); }

TEST(OpenAiChat, KnowsItsPlaces) {
  struct Case {
    std::string_view method, path, endpoint;
  };
  for (const Case& c : {
           Case{"POST", "/v1/chat/completions", "generate"},
           Case{"POST", "/openai/deployments/d/chat/completions?api-version=1", "generate"},
           Case{"GET", "/v1/models", "models"},
           Case{"GET", "/models", "models"},
           Case{"GET", "/api/models/org/name", "models"},
           Case{"GET", "/v1/chat/completions", ""},
           Case{"POST", "/v1/completions", ""},
           Case{"POST", "/v1/responses", ""},
           Case{"DELETE", "/v1/models/x", ""},
       })
    EXPECT_EQ(endpoint_name(api(), c.method, c.path), c.endpoint) << c.method << " " << c.path;
}

TEST(OpenAiChat, ReadsEveryTextInItsPlace) {
  const Request request = read(R"({
    "model": "gpt-5", "stream": true, "max_completion_tokens": 100, "max_tokens": 5,
    "messages": [
      {"role": "system", "content": "You"},
      {"role": "system", "content": [{"type": "text", "text": "S\u00e9"}]},
      {"role": "developer", "content": "D"},
      {"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        {"type": "text", "text": "Hi"}, {"type": "text", "text": "there"}]},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "c", "content": "out"},
      {"role": "tool", "tool_call_id": "d", "content": [{"type": "text", "text": "part"}]},
      {"role": "assistant", "content": "ok"},
      {"role": "system", "content": "late"},
      {"role": "function", "name": "f", "content": "old"}
    ]})");
  EXPECT_EQ(request.model, "gpt-5");
  EXPECT_TRUE(request.stream);
  EXPECT_EQ(request.max_tokens, 100u);
  EXPECT_EQ(request.turns, 10u);
  EXPECT_THAT(
      parts(request),
      ElementsAre(
          "system messages[0].content@0 You", "system messages[1].content[0].text@1 Sé",
          "developer messages[2].content@2 D", "user messages[3].content[1].text@3 Hi",
          "user messages[3].content[2].text@3 there", "tool-result messages[5].content@5 out",
          "tool-result messages[6].content[0].text@6 part", "assistant messages[7].content@7 ok",
          "system-message messages[8].content@8 late", "tool-result messages[9].content@9 old"));
  EXPECT_EQ(read(R"({"max_completion_tokens": null, "max_tokens": 5})").max_tokens, 5u);
}

TEST(OpenAiChat, ReadsTools) {
  const Request request = read(R"({"tools": [
    {"type": "function", "function": {"name": "find", "description": "Finds",
                                      "parameters": { "type": "object" }}},
    {"type": "function", "function": {"name": "late"}, "defer_loading": true},
    {"type": "custom", "custom": {"name": "patch", "description": "Patches"}},
    {"type": "web_search"}]})");
  EXPECT_THAT(tools(request),
              ElementsAre("tools[0] find Finds", "tools[1] late  deferred",
                          "tools[2] patch Patches freeform", "tools[3] web_search  provided"));
  EXPECT_EQ(request.tools[0].schema, R"({ "type": "object" })");
}

TEST(OpenAiChat, PassesOverWhatHasAnotherShape) {
  for (const char* body :
       {"{}", R"({"model": [], "stream": null, "max_tokens": -1, "max_completion_tokens": 1.5,
                  "messages": "x", "tools": {"type": "function"}})",
        R"({"messages": [1, null, [], {}, {"role": 5, "content": 5}, {"content": {}},
            {"content": [1, null, [], {}, {"text": []}]}],
            "tools": [1, null, [], {}, {"type": 1}, {"type": "function"}, {"type": "custom"},
            {"type": "function", "function": 5}, {"type": "function", "function": {"name": ""}},
            {"type": "custom", "function": {"name": "x"}}, {"function": {"name": "x"}}]})"}) {
    SCOPED_TRACE(body);
    const Request request = read(body);
    EXPECT_THAT(parts(request), IsEmpty());
    EXPECT_THAT(tools(request), IsEmpty());
    EXPECT_EQ(request.max_tokens, std::nullopt);
  }
}

// --- Answers ------------------------------------------------------------------------------------

constexpr Usage kUsage = {.input_tokens = 25, .output_tokens = 15};

constexpr std::string_view kUsageJson =
    R"("usage":{"prompt_tokens":25,"prompt_tokens_details":{"cached_tokens":0},)"
    R"("completion_tokens":15,"completion_tokens_details":{"reasoning_tokens":0},)"
    R"("total_tokens":40})";

TEST(OpenAiChat, WritesPlainAnswers) {
  Answer answer = api().write(asking("gpt-5", false), {TextReply{"Hel\"lo"}, kUsage, 7});
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(answer.streamed);
  EXPECT_EQ(answer.body, R"({"id":"chatcmpl-cutline_7","object":"chat.completion","created":0,)"
                         R"("model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant",)"
                         R"("content":"Hel\"lo"},"finish_reason":"stop"}],)" +
                             std::string(kUsageJson) + "}");
  answer = api().write(asking("gpt-5", false), {ToolCall{"find", R"({"q":"a"})"}, kUsage, 8});
  EXPECT_THAT(answer.body,
              HasSubstr(R"("message":{"role":"assistant","content":null,"tool_calls":[{)"
                        R"("id":"call_cutline_8","type":"function","function":{"name":"find",)"
                        R"("arguments":"{\"q\":\"a\"}"}}]},"finish_reason":"tool_calls"}])"));
  answer = api().write(asking("gpt-5", false), {ToolCall{"find", "no"}, kUsage, 8});
  EXPECT_THAT(answer.body, HasSubstr(R"("arguments":"{}")"));
}

std::string chunk(std::string_view choice) {
  return fmt::format(R"({{"id":"chatcmpl-cutline_7","object":"chat.completion.chunk","created":0,)"
                     R"("model":"gpt-5","choices":[{}]}})",
                     choice);
}

TEST(OpenAiChat, StreamsText) {
  const Answer answer = api().write(asking("gpt-5", true), {TextReply{"Hi!"}, kUsage, 7});
  EXPECT_EQ(answer.body.find("event:"), std::string::npos);
  std::string last = chunk("");
  last.insert(last.size() - 1, "," + std::string(kUsageJson));
  EXPECT_THAT(
      event_data(answer),
      ElementsAre(
          chunk(R"({"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null})"),
          chunk(R"({"index":0,"delta":{"content":"Hi!"},"finish_reason":null})"),
          chunk(R"({"index":0,"delta":{},"finish_reason":"stop"})"), last, "[DONE]"));
}

TEST(OpenAiChat, StreamsToolCalls) {
  Request request = read(R"({"model": "gpt-5", "stream": true, "tools": [
    {"type": "custom", "custom": {"name": "patch"}}]})");
  const auto stream = event_data(api().write(request, {ToolCall{"find", "{}"}, kUsage, 7}));
  ASSERT_EQ(stream.size(), 5u);
  EXPECT_EQ(
      stream[0],
      chunk(R"({"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null})"));
  EXPECT_EQ(stream[1],
            chunk(R"({"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_cutline_7",)"
                  R"("type":"function","function":{"name":"find","arguments":"{}"}}]},)"
                  R"("finish_reason":null})"));
  EXPECT_EQ(stream[2], chunk(R"({"index":0,"delta":{},"finish_reason":"tool_calls"})"));
  EXPECT_THAT(event_data(api().write(request, {ToolCall{"patch", R"({"input":"x"})"}, {}, 7}))[1],
              HasSubstr(R"("type":"custom","custom":{"name":"patch","input":"x"})"));
}

TEST(OpenAiChat, ReadsUsageOfRealAnswers) {
  const std::string stream =
      R"(data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"a"}}],"usage":null})"
      "\n\n"
      R"(data: {"id":"chatcmpl-1","choices":[],"usage":{"prompt_tokens":19,)"
      R"("completion_tokens":10,"total_tokens":29}})"
      "\n\ndata: [DONE]\n\n";
  EXPECT_EQ(usage_text(api(), "text/event-stream", stream), "19/10");
  EXPECT_EQ(usage_text(api(), "text/event-stream", "data: [DONE]\n\n"), "");
  EXPECT_EQ(usage_text(api(), "application/json",
                       R"({"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}})"),
            "9/12");
  // Of another API.
  EXPECT_EQ(usage_text(api(), "application/json", R"({"usage":{"input_tokens":9}})"), "0/0");
}

}  // namespace
}  // namespace cutline::llm
