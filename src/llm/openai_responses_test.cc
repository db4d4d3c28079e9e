// openai_responses_test.cc: requests as clients send them, answers as the API's reference has them.
#include "llm/openai_responses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/dialect_fixture.h"

namespace cutline::llm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Dialect& api() { return *dialect_named("openai-responses"); }

Request read(std::string body) { return read_with(api(), "/v1/responses", std::move(body)); }

TEST(OpenAiResponses, KnowsItsPlaces) {
  struct Case {
    std::string_view method, path, endpoint;
  };
  for (const Case& c : {
           Case{"POST", "/v1/responses", "generate"},
           Case{"POST", "/responses?a=b", "generate"},
           Case{"POST", "/some/prefix/responses", "generate"},
           Case{"POST", "/v1/responses/input_tokens", "count-tokens"},
           Case{"GET", "/v1/models", "models"},
           Case{"GET", "/models?client_version=1", "models"},
           Case{"GET", "/v1/models/gpt-5", "models"},
           Case{"GET", "/v1/responses", ""},
           Case{"POST", "/v1/models", ""},
           Case{"POST", "/v1/responses/resp_1/cancel", ""},
           Case{"POST", "/v1/chat/completions", ""},
           Case{"GET", "/v1/models/", ""},
           Case{"GET", "", ""},
       })
    EXPECT_EQ(endpoint_name(api(), c.method, c.path), c.endpoint) << c.method << " " << c.path;
}

TEST(OpenAiResponses, ReadsEveryTextInItsPlace) {
  const Request request = read(R"({
    "model": "gpt-5", "stream": true, "max_output_tokens": 4096, "instructions": "You",
    "input": [
      {"type": "message", "role": "developer",
       "content": [{"type": "input_text", "text": "D\u00e9"}, {"type": "input_text", "text": "E"}]},
      {"role": "system", "content": "S"},
      {"type": "message", "role": "user", "content": [
        {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
        {"type": "input_text", "text": "Hi"}]},
      {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
      {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]},
      {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
      {"type": "function_call_output", "call_id": "c", "output": "out"},
      {"type": "function_call_output", "call_id": "d",
       "output": [{"type": "input_text", "text": "part"}]},
      {"type": "custom_tool_call_output", "call_id": "e", "output": "patched"},
      {"role": "user", "content": "more"}
    ]})");
  EXPECT_EQ(request.model, "gpt-5");
  EXPECT_TRUE(request.stream);
  EXPECT_EQ(request.max_tokens, 4096u);
  EXPECT_EQ(request.turns, 10u);
  EXPECT_THAT(
      parts(request),
      ElementsAre("system instructions@0 You", "developer input[0].content[0].text@0 Dé",
                  "developer input[0].content[1].text@0 E", "system-message input[1].content@1 S",
                  "user input[2].content[1].text@2 Hi", "assistant input[4].content[0].text@4 ok",
                  "tool-result input[6].output@6 out", "tool-result input[7].output[0].text@7 part",
                  "tool-result input[8].output@8 patched", "user input[9].content@9 more"));
}

TEST(OpenAiResponses, ReadsAnInputThatIsOneString) {
  const Request request = read(R"({"input": "Hi"})");
  EXPECT_THAT(parts(request), ElementsAre("user input@0 Hi"));
  EXPECT_EQ(request.turns, 1u);
}

TEST(OpenAiResponses, ReadsTools) {
  const Request request = read(R"({"instructions": "I", "tools": [
    {"type": "function", "name": "shell", "description": "Runs", "strict": false,
     "parameters": { "type": "object" }},
    {"type": "namespace", "name": "mcp__lab", "description": "About the lab", "tools": [
      {"type": "function", "name": "find", "description": "Finds", "parameters": {}},
      {"type": "function", "name": "late", "defer_loading": true}]},
    {"type": "namespace", "name": "ns", "description": "N", "defer_loading": true, "tools": [
      {"type": "function", "name": "a"}]},
    {"type": "custom", "name": "apply_patch", "description": "Patches",
     "format": {"type": "grammar"}},
    {"type": "tool_search", "execution": "client", "description": "Searches",
     "parameters": {"type": "object"}},
    {"type": "tool_search"},
    {"type": "web_search", "external_web_access": false},
    {"type": "local_shell"},
    {"name": "untyped"}]})");
  EXPECT_THAT(
      tools(request),
      ElementsAre("tools[0] shell Runs", "tools[1].tools[0] mcp__lab__find Finds in mcp__lab",
                  "tools[1].tools[1] mcp__lab__late  deferred in mcp__lab",
                  "tools[2].tools[0] ns__a  deferred in ns",
                  "tools[3] apply_patch Patches freeform", "tools[4] tool_search Searches search",
                  "tools[5] tool_search  provided", "tools[6] web_search  provided",
                  "tools[7] local_shell  provided", "tools[8] untyped "));
  EXPECT_EQ(request.tools[0].schema, R"({ "type": "object" })");
  EXPECT_THAT(parts(request),
              ElementsAre("namespace tools[1].description@0 About the lab",
                          "namespace tools[2].description@0 N", "system instructions@0 I"));
  EXPECT_FALSE(request.says("About"));
}

TEST(OpenAiResponses, ReadsToolsThatTheInputDefines) {
  const Request request = read(R"({
    "tools": [{"type": "function", "name": "a", "description": "A", "defer_loading": true}],
    "input": [
      {"type": "additional_tools", "role": "developer", "tools": [
        {"type": "function", "name": "b", "description": "B", "defer_loading": true}]},
      {"role": "user", "content": "Hi"},
      {"type": "tool_search_call", "call_id": "c", "execution": "client",
       "arguments": {"query": "lab"}},
      {"type": "tool_search_output", "call_id": "c", "execution": "client", "tools": [
        {"type": "namespace", "name": "lab", "description": "Whole", "defer_loading": true,
         "tools": [{"type": "function", "name": "x", "defer_loading": true}]},
        {"type": "function", "name": "a", "description": "A", "defer_loading": true}]},
      {"type": "tool_search_output", "execution": "server", "tools": [
        {"type": "function", "name": "y"}]}
    ]})");
  EXPECT_THAT(tools(request),
              ElementsAre("tools[0] a A deferred", "input[0].tools[0] b B",
                          "input[3].tools[0].tools[0] lab__x  deferred in lab",
                          "input[3].tools[1] a A deferred", "input[4].tools[0] y  deferred"));
  EXPECT_THAT(parts(request), ElementsAre("user input[1].content@1 Hi",
                                          "namespace input[3].tools[0].description@3 Whole"));
  EXPECT_EQ(visible_tools(request).size(), 5u) << "the search has loaded the others";
}

TEST(OpenAiResponses, PassesOverWhatHasAnotherShape) {
  for (const char* body :
       {"{}", R"({"model": 1, "stream": 1, "max_output_tokens": "4", "instructions": {}, "input": 5,
                  "tools": {"name": "x"}})",
        R"({"input": [1, null, [], {}, {"type": 5}, {"role": "user"}, {"content": {}},
            {"content": [1, null, [], {"text": 5}]}, {"type": "function_call_output"},
            {"type": "function_call_output", "output": {"text": "x"}},
            {"type": "additional_tools", "tools": 5}, {"type": "tool_search_output"}]})",
        R"({"tools": [1, null, [], {}, {"name": 5}, {"name": ""}, {"type": "function"},
            {"type": ""}, {"type": "custom"}, {"type": "namespace"},
            {"type": "namespace", "name": [], "description": 1, "tools": {}},
            {"type": "namespace", "name": "n", "tools": [1, {}, {"name": 1}]}]})"}) {
    SCOPED_TRACE(body);
    const Request request = read(body);
    EXPECT_THAT(parts(request), IsEmpty());
    EXPECT_THAT(tools(request), IsEmpty());
    EXPECT_EQ(request.max_tokens, std::nullopt);
  }
  // A namespace without a name is none.
  EXPECT_THAT(tools(read(R"({"tools": [{"type": "namespace", "tools": [{"name": "a"}]}]})")),
              ElementsAre("tools[0].tools[0] a "));
}

// --- Answers ------------------------------------------------------------------------------------

constexpr Usage kUsage = {.input_tokens = 25, .output_tokens = 15};

constexpr std::string_view kUsageJson =
    R"("usage":{"input_tokens":25,"input_tokens_details":{"cached_tokens":0},"output_tokens":15,)"
    R"("output_tokens_details":{"reasoning_tokens":0},"total_tokens":40})";

TEST(OpenAiResponses, WritesPlainAnswers) {
  const Answer answer = api().write(asking("gpt-5", false), {TextReply{"Hel\"lo"}, kUsage, 7});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_FALSE(answer.streamed);
  EXPECT_EQ(answer.body,
            R"({"id":"resp_cutline_7","object":"response","created_at":0,"status":"completed",)"
            R"("error":null,"incomplete_details":null,"model":"gpt-5","output":[)"
            R"({"id":"msg_cutline_7","type":"message","status":"completed","role":"assistant",)"
            R"("content":[{"type":"output_text","text":"Hel\"lo","annotations":[]}]}],)" +
                std::string(kUsageJson) + "}");
}

TEST(OpenAiResponses, StreamsText) {
  const Answer answer = api().write(asking("gpt-5", true), {TextReply{"Hi!"}, kUsage, 7});
  expect_events_named_by_type(answer);
  const std::string item =
      R"({"id":"msg_cutline_7","type":"message","status":"completed","role":"assistant",)"
      R"("content":[{"type":"output_text","text":"Hi!","annotations":[]}]})";
  const std::string at = R"("item_id":"msg_cutline_7","output_index":0,"content_index":0)";
  const std::string head = R"("response":{"id":"resp_cutline_7","object":"response",)"
                           R"("created_at":0,"status":)";
  const std::string tail = R"("error":null,"incomplete_details":null,"model":"gpt-5","output":[)";
  EXPECT_THAT(
      event_data(answer),
      ElementsAre(
          R"({"type":"response.created","sequence_number":0,)" + head + R"("in_progress",)" + tail +
              R"(],"usage":null}})",
          R"({"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":)"
          R"({"id":"msg_cutline_7","type":"message","status":"in_progress","role":"assistant",)"
          R"("content":[]}})",
          R"({"type":"response.content_part.added","sequence_number":2,)" + at +
              R"(,"part":{"type":"output_text","text":"","annotations":[]}})",
          R"({"type":"response.output_text.delta","sequence_number":3,)" + at +
              R"(,"delta":"Hi!"})",
          R"({"type":"response.output_text.done","sequence_number":4,)" + at + R"(,"text":"Hi!"})",
          R"({"type":"response.content_part.done","sequence_number":5,)" + at +
              R"(,"part":{"type":"output_text","text":"Hi!","annotations":[]}})",
          R"({"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":)" +
              item + "}",
          R"({"type":"response.completed","sequence_number":7,)" + head + R"("completed",)" + tail +
              item + "]," + std::string(kUsageJson) + "}}"));
}

/// With a function, one in a namespace, a freeform tool and a client's search.
Request with_tools() {
  Request request = read(R"({"model": "gpt-5", "stream": true, "tools": [
    {"type": "function", "name": "shell"},
    {"type": "namespace", "name": "mcp__lab", "tools": [{"type": "function", "name": "find"}]},
    {"type": "custom", "name": "apply_patch"},
    {"type": "tool_search", "execution": "client"}]})");
  EXPECT_EQ(request.tools.size(), 4u);
  return request;
}

TEST(OpenAiResponses, StreamsFunctionCalls) {
  const auto stream = event_data(
      api().write(with_tools(), {ToolCall{"mcp__lab__find", R"({"q":"a"})"}, kUsage, 9}));
  ASSERT_EQ(stream.size(), 6u);
  EXPECT_EQ(stream[1],
            R"({"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":)"
            R"({"id":"fc_cutline_9","type":"function_call","status":"in_progress",)"
            R"("call_id":"call_cutline_9","namespace":"mcp__lab","name":"find","arguments":""}})");
  EXPECT_EQ(stream[2], R"({"type":"response.function_call_arguments.delta","sequence_number":2,)"
                       R"("item_id":"fc_cutline_9","output_index":0,"delta":"{\"q\":\"a\"}"})");
  EXPECT_EQ(stream[3], R"({"type":"response.function_call_arguments.done","sequence_number":3,)"
                       R"("name":"find","item_id":"fc_cutline_9","output_index":0,)"
                       R"("arguments":"{\"q\":\"a\"}"})");
  EXPECT_THAT(stream[4], HasSubstr(R"("status":"completed","call_id":"call_cutline_9",)"
                                   R"("namespace":"mcp__lab","name":"find",)"
                                   R"("arguments":"{\"q\":\"a\"}"})"));
  EXPECT_THAT(stream[5], AllOf(HasSubstr(R"("type":"response.completed")"),
                               HasSubstr(R"("output":[{"id":"fc_cutline_9",)")));
}

TEST(OpenAiResponses, CallsEachKindOfToolInItsForm) {
  struct Case {
    ToolCall call;
    std::string_view item;
  };
  Request request = with_tools();
  request.stream = false;
  for (const Case& c : {
           Case{{"shell", R"({"command": "ls"})"},
                R"("output":[{"id":"fc_cutline_3","type":"function_call","status":"completed",)"
                R"("call_id":"call_cutline_3","name":"shell",)"
                R"("arguments":"{\"command\": \"ls\"}"}])"},
           Case{{"shell", "ls"}, R"("name":"shell","arguments":"{}"}])"},
           Case{{"unknown", "{}"}, R"("name":"unknown","arguments":"{}"}])"},
           Case{{"apply_patch", R"({"input":"*** Begin"})"},
                R"("output":[{"id":"ctc_cutline_3","type":"custom_tool_call",)"
                R"("status":"completed","call_id":"call_cutline_3","name":"apply_patch",)"
                R"("input":"*** Begin"}])"},
           Case{{"apply_patch", "*** Begin"}, R"("name":"apply_patch","input":"*** Begin"}])"},
           Case{{"tool_search", R"({"query":"lab","limit":8})"},
                R"("output":[{"id":"tsc_cutline_3","type":"tool_search_call",)"
                R"("status":"completed","call_id":"call_cutline_3","execution":"client",)"
                R"("arguments":{"query":"lab","limit":8}}])"},
       }) {
    EXPECT_THAT(api().write(request, {c.call, kUsage, 3}).body, HasSubstr(std::string(c.item)));
  }
}

TEST(OpenAiResponses, StreamsEachKindOfCall) {
  const auto names = [](const ToolCall& call) {
    std::vector<std::string> out;
    for (const wire::SseEvent& event : events(api().write(with_tools(), {call, kUsage, 3})))
      out.push_back(event.event);
    return out;
  };
  EXPECT_THAT(
      names({"apply_patch", "x"}),
      ElementsAre("response.created", "response.output_item.added",
                  "response.custom_tool_call_input.delta", "response.custom_tool_call_input.done",
                  "response.output_item.done", "response.completed"));
  EXPECT_THAT(names({"tool_search", "{}"}),
              ElementsAre("response.created", "response.output_item.done", "response.completed"));
  EXPECT_THAT(api().write(with_tools(), {ToolCall{"apply_patch", "x"}, kUsage, 3}).body,
              AllOf(HasSubstr(R"("delta":"x")"), HasSubstr(R"("output_index":0,"input":"x")"),
                    Not(HasSubstr("arguments"))));
}

TEST(OpenAiResponses, NamesErrorsAsTheApiDoes) {
  struct Case {
    int status;
    std::string_view type, code;
  };
  for (const Case& c : {Case{400, "invalid_request_error", "null"},
                        Case{401, "invalid_request_error", R"("invalid_api_key")"},
                        Case{404, "invalid_request_error", "null"},
                        Case{429, "requests", R"("rate_limit_exceeded")"},
                        Case{500, "server_error", "null"}, Case{503, "server_error", "null"}}) {
    const Answer answer = api().error({.status = c.status, .type = {}, .message = "no \"x\""});
    EXPECT_EQ(answer.status, c.status);
    EXPECT_EQ(
        answer.body,
        fmt::format(R"({{"error":{{"message":"no \"x\"","type":"{}","param":null,"code":{}}}}})",
                    c.type, c.code));
  }
  const Answer own =
      api().write(asking("m", true), {ErrorReply{429, "insufficient_quota", "m"}, kUsage, 1});
  EXPECT_EQ(own.status, 429);
  EXPECT_FALSE(own.streamed);
  EXPECT_EQ(own.body, R"({"error":{"message":"m","type":"insufficient_quota","param":null,)"
                      R"("code":"insufficient_quota"}})");
}

TEST(OpenAiResponses, AnswersTheSmallQuestions) {
  EXPECT_EQ(api().count({}, 14).body, R"({"object":"response.input_tokens","input_tokens":14})");
  EXPECT_EQ(api().models().body, R"({"object":"list","data":[]})");
  EXPECT_EQ(api().models("/v1/models/org/x?a").body,
            R"({"id":"org/x","object":"model","created":0,"owned_by":"cutline"})");
  EXPECT_EQ(api().health().status, 200);
}

TEST(OpenAiResponses, ReadsUsageOfRealAnswers) {
  const std::string stream =
      "event: response.created\n"
      R"(data: {"type":"response.created","response":{"id":"resp_1","usage":null}})"
      "\n\nevent: response.completed\n"
      R"(data: {"type":"response.completed","response":{"id":"resp_1","usage":{"input_tokens":37,)"
      R"("input_tokens_details":{"cached_tokens":30},"output_tokens":11,)"
      R"("output_tokens_details":{"reasoning_tokens":4},"total_tokens":48}}})"
      "\n\n";
  EXPECT_EQ(usage_text(api(), "text/event-stream; charset=utf-8", stream), "37/11");
  EXPECT_EQ(usage_text(api(), "text/event-stream", stream.substr(0, 120)), "");
  EXPECT_EQ(usage_text(api(), "application/json",
                       R"({"object":"response","usage":{"input_tokens":36,"output_tokens":87}})"),
            "36/87");
  EXPECT_EQ(usage_text(api(), "application/json",
                       R"({"usage":{"input_tokens":-1,"output_tokens":99999999999}})"),
            "0/1000000000");
  for (const char* none : {R"({"error":{}})", R"({"usage":5,"response":[]})", "[1]", "<html>", ""})
    EXPECT_EQ(usage_text(api(), "application/json", none), "") << none;
}

}  // namespace
}  // namespace cutline::llm
