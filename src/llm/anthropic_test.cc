// anthropic_test.cc: requests as clients send them, answers as the API's documentation shows them.
#include "llm/anthropic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/dialect_fixture.h"

namespace cutline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Dialect& api() { return *dialect_named("anthropic-messages"); }

Request read(std::string body) { return read_with(api(), "/v1/messages", std::move(body)); }

TEST(Anthropic, KnowsItsPlaces) {
  struct Case {
    std::string_view method, path, endpoint;
  };
  for (const Case& c : {
           Case{"POST", "/v1/messages", "generate"},
           Case{"POST", "/v1/messages?beta=true", "generate"},
           Case{"POST", "/some/prefix/v1/messages", "generate"},
           Case{"POST", "/v1/messages/count_tokens", "count-tokens"},
           Case{"POST", "/v1/messages/count_tokens?beta=true", "count-tokens"},
           Case{"GET", "/v1/models", "models"},
           Case{"GET", "/v1/models?limit=1000", "models"},
           Case{"GET", "/v1/models/claude-opus-5-5", "models"},
           Case{"HEAD", "/api/hello", "health"},
           Case{"GET", "/api/hello", "health"},
           Case{"HEAD", "/", "health"},
           Case{"GET", "/", ""},
           Case{"GET", "/v1/messages", ""},
           Case{"PUT", "/v1/messages", ""},
           Case{"POST", "/v1/messages/batches", ""},
           Case{"POST", "/v1/models", ""},
           Case{"GET", "", ""},
       })
    EXPECT_EQ(endpoint_name(api(), c.method, c.path), c.endpoint) << c.method << " " << c.path;
}

TEST(Anthropic, ReadsEveryTextInItsPlace) {
  const Request request = read(R"({
    "model": "claude-opus-5-5", "max_tokens": 32000, "stream": true,
    "system": [{"type": "text", "text": "You"}, {"type": "text", "text": "S\u00e9",
                "cache_control": {"type": "ephemeral"}}],
    "messages": [
      {"role": "user", "content": [{"type": "text", "text": "<system-reminder>"},
                                   {"type": "image", "source": {"type": "base64", "data": "AA=="}},
                                   {"type": "text", "text": "Hi"}]},
      {"role": "system", "content": [{"type": "text", "text": "# MCP"}]},
      {"role": "system", "content": "# MCP"},
      {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"},
                                        {"type": "text", "text": "ok"},
                                        {"type": "tool_use", "id": "a", "name": "X", "input": {}}]},
      {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "out"},
        {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "x"},
           {"type": "tool_reference", "tool_name": "mcp__lab__a"}]},
        {"type": "tool_search_tool_result", "tool_use_id": "c", "content":
           {"type": "tool_search_tool_search_result",
            "tool_references": [{"type": "tool_reference", "tool_name": "mcp__lab__b"}]}},
        {"type": "document", "source": {"type": "text", "data": "doc"}}]}
    ]})");
  EXPECT_EQ(request.model, "claude-opus-5-5");
  EXPECT_TRUE(request.stream);
  EXPECT_EQ(request.max_tokens, 32000u);
  EXPECT_EQ(request.turns, 5u);
  EXPECT_THAT(parts(request),
              ElementsAre("system system[0].text@0 You", "system system[1].text@0 Sé",
                          "user messages[0].content[0].text@0 <system-reminder>",
                          "user messages[0].content[2].text@0 Hi",
                          "system-message messages[1].content[0].text@1 # MCP",
                          "system-message messages[2].content@2 # MCP",
                          "assistant messages[3].content[1].text@3 ok",
                          "tool-result messages[4].content[0].content@4 out",
                          "tool-result messages[4].content[1].content[0].text@4 x",
                          "user messages[4].content[3].source.data@4 doc"));
  EXPECT_THAT(request.tool_references, ElementsAre("mcp__lab__a", "mcp__lab__b"));
  EXPECT_TRUE(request.says("# MCP"));
  EXPECT_FALSE(request.says("ok"));
}

TEST(Anthropic, ReadsTools) {
  const Request request = read(R"({"model": "m", "system": "S", "messages": [], "tools": [
    {"name": "Bash", "description": "Runs", "input_schema": { "type": "object" }},
    {"type": "custom", "name": "mcp__lab__a", "description": "", "input_schema": {},
     "defer_loading": true},
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 8}]})");
  EXPECT_FALSE(request.stream);
  EXPECT_EQ(request.max_tokens, std::nullopt);
  EXPECT_THAT(parts(request), ElementsAre("system system@0 S"));
  ASSERT_EQ(request.tools.size(), 3u);
  EXPECT_EQ(request.tools[0].description, "Runs");
  EXPECT_EQ(request.tools[0].schema, R"({ "type": "object" })");
  EXPECT_EQ(request.tools[1].path, "tools[1]");
  EXPECT_TRUE(request.tools[1].deferred && !request.tools[1].provided);
  EXPECT_TRUE(request.tools[2].provided && !request.tools[2].deferred);
  EXPECT_EQ(request.tool("web_search"), &request.tools[2]);
  EXPECT_THAT(visible_tools(request), ElementsAre(&request.tools[0], &request.tools[2]));
}

TEST(Anthropic, PassesOverWhatHasAnotherShape) {
  for (const char* body :
       {"{}", R"({"model": 1, "stream": "yes", "max_tokens": -1, "system": 5, "messages": {},
                  "tools": "x"})",
        R"({"system": [1, null, [], {"type": 1}, {"text": {}}], "messages": [1, null, {}, []],
            "tools": [1, {}, {"name": 5}, {"name": ""}]})",
        R"({"messages": [{"role": 7, "content": 1}, {"content": [[], {"type": "tool_result"},
            {"type": "tool_result", "content": 4}, {"type": "tool_reference", "tool_name": []},
            {"type": "document", "source": "x"}, {"type": "document", "source": {"data": 1}}]}]})",
        R"({"max_tokens": 1e99})"}) {
    SCOPED_TRACE(body);
    const Request request = read(body);
    EXPECT_THAT(request.parts, IsEmpty());
    EXPECT_THAT(request.tools, IsEmpty());
    EXPECT_EQ(request.max_tokens, std::nullopt);
  }
  EXPECT_THAT(
      parts(read(R"({"messages": [5, {"content": "a"}, {"role": "tool", "content": ["b"]}]})")),
      ElementsAre("user messages[1].content@1 a", "user messages[2].content[0]@2 b"));
  // A result in a result is none; what is not UTF-8 is replaced.
  EXPECT_THAT(
      parts(read("{\"system\": \"\xff\", \"messages\": [{\"content\": [{\"type\": \"tool_result\","
                 "\"content\": [{\"type\": \"tool_result\", \"content\": \"a\"}]}]}]}")),
      ElementsAre("system system@0 \xEF\xBF\xBD"));
}

// --- Answers
// --------------------------------------------------------------------------------------

constexpr Usage kUsage = {.input_tokens = 25, .output_tokens = 15};

Request asking(bool stream) { return llm::asking("claude-opus-5-5", stream); }

TEST(Anthropic, WritesPlainAnswers) {
  Answer answer = api().write(asking(false), {TextReply{"Hel\"lo"}, kUsage, 7});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_FALSE(answer.streamed);
  EXPECT_EQ(
      answer.body,
      R"({"id":"msg_cutline_7","type":"message","role":"assistant","model":"claude-opus-5-5",)"
      R"("content":[{"type":"text","text":"Hel\"lo"}],"stop_reason":"end_turn",)"
      R"("stop_sequence":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":0,)"
      R"("cache_read_input_tokens":0,"output_tokens":15}})");
  answer = api().write(asking(false), {ToolCall{"Bash", R"({"command": "ls"})"}, kUsage, 8});
  EXPECT_THAT(answer.body,
              HasSubstr(R"("content":[{"type":"tool_use","id":"toolu_cutline_8","name":"Bash",)"
                        R"("input":{"command": "ls"}}],"stop_reason":"tool_use")"));
  answer = api().write(asking(false), {ToolCall{"Bash", "ls"}, kUsage, 8});
  EXPECT_THAT(answer.body, HasSubstr(R"("input":{})"));
}

TEST(Anthropic, StreamsText) {
  const Answer answer = api().write(asking(true), {TextReply{"Hello!"}, kUsage, 7});
  expect_events_named_by_type(answer);
  EXPECT_THAT(
      event_data(answer),
      ElementsAre(
          R"({"type":"message_start","message":{"id":"msg_cutline_7","type":"message",)"
          R"("role":"assistant","model":"claude-opus-5-5","content":[],"stop_reason":null,)"
          R"("stop_sequence":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":0,)"
          R"("cache_read_input_tokens":0,"output_tokens":1}}})",
          R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})",
          R"({"type":"ping"})",
          R"({"type":"content_block_delta","index":0,)"
          R"("delta":{"type":"text_delta","text":"Hello!"}})",
          R"({"type":"content_block_stop","index":0})",
          R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},)"
          R"("usage":{"output_tokens":15}})",
          R"({"type":"message_stop"})"));
}

TEST(Anthropic, StreamsToolCalls) {
  const auto stream =
      event_data(api().write(asking(true), {ToolCall{"Bash", R"({"command":"ls"})"}, kUsage, 9}));
  ASSERT_EQ(stream.size(), 7u);
  EXPECT_EQ(stream[1],
            R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use",)"
            R"("id":"toolu_cutline_9","name":"Bash","input":{}}})");
  EXPECT_EQ(stream[3],
            R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",)"
            R"("partial_json":"{\"command\":\"ls\"}"}})");
  EXPECT_THAT(stream[5], HasSubstr(R"("stop_reason":"tool_use")"));
}

TEST(Anthropic, NamesErrorsAsTheApiDoes) {
  struct Case {
    int status;
    std::string_view type;
  };
  for (const Case& c :
       {Case{400, "invalid_request_error"}, Case{401, "authentication_error"},
        Case{403, "permission_error"}, Case{404, "not_found_error"}, Case{413, "request_too_large"},
        Case{418, "invalid_request_error"}, Case{429, "rate_limit_error"}, Case{500, "api_error"},
        Case{504, "timeout_error"}, Case{529, "overloaded_error"}, Case{503, "api_error"}}) {
    const Answer answer = api().error({.status = c.status, .type = {}, .message = "no \"x\""});
    EXPECT_EQ(answer.status, c.status);
    EXPECT_EQ(
        answer.body,
        fmt::format(R"({{"type":"error","error":{{"type":"{}","message":"no \"x\""}}}})", c.type));
  }
  const Answer own = api().write(asking(true), {ErrorReply{529, "mine", "m"}, kUsage, 1});
  EXPECT_EQ(own.status, 529);
  EXPECT_FALSE(own.streamed);
  EXPECT_THAT(own.body, HasSubstr(R"("type":"mine")"));
}

TEST(Anthropic, AnswersTheSmallQuestions) {
  EXPECT_EQ(api().count({}, 14).body, R"({"input_tokens":14})");
  EXPECT_EQ(api().models().body, R"({"data":[],"has_more":false,"first_id":null,"last_id":null})");
  EXPECT_THAT(api().models("/v1/models/claude-x?a").body,
              StartsWith(R"({"type":"model","id":"claude-x","display_name":"claude-x",)"));
  EXPECT_EQ(api().health().status, 200);
}

TEST(Anthropic, ReadsUsageOfRealAnswers) {
  // Of the API's documentation; the totals of message_delta are cumulative.
  const std::string stream =
      "event: message_start\n"
      R"(data: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":2679,)"
      R"("cache_creation_input_tokens":100,"cache_read_input_tokens":20,"output_tokens":3}}})"
      "\n\nevent: ping\ndata: {\"type\": \"ping\"}\n\nevent: message_delta\n"
      R"(data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
      R"("usage":{"output_tokens":89}})"
      "\n\n";
  struct Case {
    std::string_view type;
    std::string body;
    std::string_view usage;
  };
  for (const Case& c : std::vector<Case>{
           {"text/event-stream; charset=utf-8", stream, "2799/89"},
           {"text/event-stream", stream.substr(0, 230), "2799/3"},
           {"text/event-stream", stream.substr(0, 100), ""},
           {"application/json", R"({"usage":{"input_tokens":12,"output_tokens":6}})", "12/6"},
           {"application/json",
            R"({"usage":{"input_tokens":1,"cache_read_input_tokens":2,)"
            R"("cache_creation_input_tokens":null}})",
            "3/0"},
           {"application/json", R"({"usage":{"input_tokens":-5,"output_tokens":"x"}})", "0/0"},
           {"application/json", R"({"type":"error"})", ""},
           {"application/json", "<html>", ""},
           {"", "", ""},
       })
    EXPECT_EQ(usage_text(api(), c.type, c.body), c.usage) << c.body;
}

}  // namespace
}  // namespace cutline::llm
