// gemini_test.cc: requests as clients send them, answers as the API's reference has them.
#include "llm/gemini.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/dialect_fixture.h"

namespace cutline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Dialect& api() { return *dialect_named("gemini"); }

constexpr std::string_view kPlain = "/v1beta/models/gemini-2.5-pro:generateContent";
constexpr std::string_view kEvents =
    "/v1beta/models/gemini-2.5-pro:streamGenerateContent?key=k&alt=sse";
constexpr std::string_view kArray = "/v1beta/models/gemini-2.5-pro:streamGenerateContent?key=k";

Request read(std::string body, std::string_view target = kPlain) {
  return read_with(api(), target, std::move(body));
}

TEST(Gemini, KnowsItsPlaces) {
  struct Case {
    std::string_view method, path, endpoint;
  };
  for (const Case& c : {
           Case{"POST", kPlain, "generate"},
           Case{"POST", kEvents, "generate"},
           Case{"POST", "/v1/models/m:generateContent", "generate"},
           Case{"POST", "/v1beta1/projects/p/publishers/google/models/m:generateContent",
                "generate"},
           Case{"POST", "/a/prefix/v1beta/models/m:countTokens", "count-tokens"},
           Case{"GET", "/v1beta/models", "models"},
           Case{"GET", "/v1beta/models?pageSize=50", "models"},
           Case{"GET", "/v1beta1/models/gemini-2.5-pro", "models"},
           Case{"GET", "/v1/models", "models"},
           Case{"GET", kPlain, ""},
           Case{"GET", "/v1beta/openai/models", ""},
           Case{"GET", "/v1beta/modelsx", ""},
           Case{"GET", "/v1beta/models/", ""},
           Case{"POST", "/v1beta/models/m:embedContent", ""},
           Case{"POST", "/v1beta/models/m", ""},
           Case{"POST", "/v1beta/models/generateContent", ""},
           Case{"POST", "/v1beta/m:x/generateContent", ""},
           Case{"POST", "", ""},
       })
    EXPECT_EQ(endpoint_name(api(), c.method, c.path), c.endpoint) << c.method << " " << c.path;
}

TEST(Gemini, ReadsWhatThePathSays) {
  struct Case {
    std::string_view target, model;
    bool stream, array;
  };
  for (const Case& c : {
           Case{kPlain, "gemini-2.5-pro", false, false},
           Case{kEvents, "gemini-2.5-pro", true, false},
           Case{kArray, "gemini-2.5-pro", true, true},
           Case{"/v1/models/m:streamGenerateContent?alt=sse", "m", true, false},
           Case{"/v1/models/m:streamGenerateContent?alt=json", "m", true, true},
           Case{"/v1/tunedModels/a:b:generateContent", "a:b", false, false},
           Case{"/", "", false, false},
           Case{"", "", false, false},
       }) {
    SCOPED_TRACE(c.target);
    const Request request = read("{}", c.target);
    EXPECT_EQ(request.model, c.model);
    EXPECT_EQ(request.stream, c.stream);
    EXPECT_EQ(request.array_stream, c.array);
  }
}

TEST(Gemini, ReadsEveryTextInItsPlace) {
  const Request request = read(R"({
    "systemInstruction": {"role": "user", "parts": [{"text": "You"}, {"text": "S\u00e9"}]},
    "generationConfig": {"maxOutputTokens": 64},
    "contents": [
      {"role": "user", "parts": [{"text": "Hi"}, {"inlineData": {"data": "AA=="}},
                                 {"text": "there"}]},
      {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": "ok"},
                                  {"functionCall": {"name": "f", "args": {"a": "b"}}}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "f", "response":
        {"output": "out", "n": 5, "list": ["x", {"a key": "y"}], "output2": {"": "z"}}}}]},
      {"parts": [{"text": "more"}]}
    ]})");
  EXPECT_EQ(request.max_tokens, 64u);
  EXPECT_EQ(request.turns, 4u);
  EXPECT_THAT(
      parts(request),
      ElementsAre(
          "system systemInstruction.parts[0].text@0 You",
          "system systemInstruction.parts[1].text@0 Sé", "user contents[0].parts[0].text@0 Hi",
          "user contents[0].parts[2].text@0 there", "assistant contents[1].parts[1].text@1 ok",
          "tool-result contents[2].parts[0].functionResponse.response.output@2 out",
          "tool-result contents[2].parts[0].functionResponse.response.list[0]@2 x",
          R"(tool-result contents[2].parts[0].functionResponse.response.list[1]["a key"]@2 y)",
          R"(tool-result contents[2].parts[0].functionResponse.response.output2[""]@2 z)",
          "user contents[3].parts[0].text@3 more"));
}

TEST(Gemini, ReadsSnakeCaseAndSingleObjects) {
  const Request request = read(R"({
    "system_instruction": {"parts": {"text": "You"}},
    "generation_config": {"max_output_tokens": 7},
    "contents": {"parts": {"function_response": {"name": "f", "response": {"a": "b"}}}},
    "tools": {"function_declarations": {"name": "f"}}})");
  EXPECT_EQ(request.max_tokens, 7u);
  EXPECT_EQ(request.turns, 1u);
  EXPECT_THAT(parts(request),
              ElementsAre("system system_instruction.parts.text@0 You",
                          "tool-result contents.parts.function_response.response.a@0 b"));
  EXPECT_THAT(tools(request), ElementsAre("tools.function_declarations f "));
}

TEST(Gemini, ReadsARequestThatIsCounted) {
  const Request request = read(
      R"({"generateContentRequest": {"model": "models/m", "contents": [
            {"role": "user", "parts": [{"text": "Hi"}]}],
          "tools": [{"functionDeclarations": [{"name": "f"}]}]}})",
      "/v1beta/models/m:countTokens");
  EXPECT_THAT(parts(request),
              ElementsAre("user generateContentRequest.contents[0].parts[0].text@0 Hi"));
  EXPECT_THAT(tools(request),
              ElementsAre("generateContentRequest.tools[0].functionDeclarations[0] f "));
}

TEST(Gemini, ReadsTools) {
  const Request request = read(R"({"tools": [
    {"functionDeclarations": [
      {"name": "find", "description": "Finds", "parameters": { "type": "OBJECT" }},
      {"name": "look", "parametersJsonSchema": {"type": "object"}}]},
    {"googleSearch": {}},
    {"codeExecution": {}, "functionDeclarations": [{"name": "a"}]}]})");
  EXPECT_THAT(tools(request), ElementsAre("tools[0].functionDeclarations[0] find Finds",
                                          "tools[0].functionDeclarations[1] look ",
                                          "tools[1].googleSearch googleSearch  provided",
                                          "tools[2].codeExecution codeExecution  provided",
                                          "tools[2].functionDeclarations[0] a "));
  EXPECT_EQ(request.tools[0].schema, R"({ "type": "OBJECT" })");
  EXPECT_EQ(request.tools[1].schema, R"({"type": "object"})");
}

TEST(Gemini, PassesOverWhatHasAnotherShape) {
  for (const char* body :
       {"{}", R"({"systemInstruction": "x", "contents": 5, "tools": "x", "generationConfig": []})",
        R"({"systemInstruction": {"parts": [1, {"text": 5}]}, "generateContentRequest": 5,
            "generationConfig": {"maxOutputTokens": "x"},
            "contents": [1, null, [], {}, {"parts": 5}, {"role": 5, "parts": [null, [], {},
            {"functionResponse": 5}, {"functionResponse": {}},
            {"functionResponse": {"response": [1, {}, {"a": null}]}}]}],
            "tools": [1, null, [], {}, {"functionDeclarations": 5},
            {"functionDeclarations": [1, {}, {"name": 5}, {"name": ""}]}, {"": {}}]})"}) {
    SCOPED_TRACE(body);
    const Request request = read(body);
    EXPECT_THAT(parts(request), IsEmpty());
    EXPECT_THAT(tools(request), IsEmpty());
    EXPECT_EQ(request.max_tokens, std::nullopt);
  }
}

std::string with_response(const std::string& response) {
  return R"({"contents": [{"parts": [{"functionResponse": {"response": )" + response + "}}]}]}";
}

TEST(Gemini, ReadsResultsOfAnyShapeWithinBounds) {
  // Of a name given twice the last counts, as JavaScript has it.
  EXPECT_THAT(parts(read(with_response(R"({"a": "x", "b": "y", "a": "z"})"))),
              ElementsAre("tool-result contents[0].parts[0].functionResponse.response.b@0 y",
                          "tool-result contents[0].parts[0].functionResponse.response.a@0 z"));
  EXPECT_THAT(parts(read(with_response(R"("bare")"))),
              ElementsAre("tool-result contents[0].parts[0].functionResponse.response@0 bare"));

  std::string deep = R"("x")";
  for (int i = 0; i < 400; ++i) deep = R"({"k": )" + deep + "}";
  const Request request = read(with_response(deep));
  ASSERT_EQ(request.parts.size(), 1u);
  EXPECT_EQ(request.parts[0].path.size(),
            std::string_view("contents[0].parts[0]").size() +
                std::string_view(".functionResponse.response").size() + 800);

  // A long name before many texts would make a body of 1 MB one of 100 GB.
  std::string many = R"({")" + std::string(1'000'000, 'k') + R"(": [""])";
  for (int i = 0; i < 99'000; ++i) many.insert(many.size() - 1, R"(,"")");
  const Result<Request> refused = api().read(kPlain, with_response(many + "}"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "llm.request");
  EXPECT_THAT(refused.error().message, HasSubstr("take more than 67,108,864 bytes"));
  EXPECT_LE(refused.error().place.size(), 256u);
}

// --- Answers ------------------------------------------------------------------------------------

constexpr Usage kUsage = {.input_tokens = 25, .output_tokens = 15};

std::string response(std::string_view part) {
  return fmt::format(
      R"({{"candidates":[{{"content":{{"role":"model","parts":[{}]}},"finishReason":"STOP",)"
      R"("index":0}}],"usageMetadata":{{"promptTokenCount":25,"candidatesTokenCount":15,)"
      R"("totalTokenCount":40}},"modelVersion":"gemini-2.5-pro",)"
      R"("responseId":"response_cutline_7"}})",
      part);
}

TEST(Gemini, WritesPlainAnswers) {
  Answer answer = api().write(read("{}"), {TextReply{"Hel\"lo"}, kUsage, 7});
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(answer.streamed);
  EXPECT_EQ(answer.body, response(R"({"text":"Hel\"lo"})"));
  answer = api().write(read("{}"), {ToolCall{"find", R"({"q": "a"})"}, kUsage, 7});
  EXPECT_EQ(answer.body, response(R"({"functionCall":{"name":"find","args":{"q": "a"}}})"));
  answer = api().write(read("{}"), {ToolCall{"find", "[1]"}, kUsage, 7});
  EXPECT_EQ(answer.body, response(R"({"functionCall":{"name":"find","args":{}}})"));
}

TEST(Gemini, StreamsEventsWithoutNames) {
  const Answer answer = api().write(read("{}", kEvents), {TextReply{"Hi!"}, kUsage, 7});
  EXPECT_THAT(event_data(answer), ElementsAre(response(R"({"text":"Hi!"})")));
  EXPECT_TRUE(answer.body.starts_with("data: {"));
}

TEST(Gemini, StreamsAnArrayWhereNoEventsAreAskedFor) {
  const Answer answer = api().write(read("{}", kArray), {TextReply{"Hi!"}, kUsage, 7});
  EXPECT_TRUE(answer.streamed);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(answer.body, "[" + response(R"({"text":"Hi!"})") + "]");
  EXPECT_EQ(usage_text(api(), answer.content_type, answer.body), "25/15");
}

TEST(Gemini, NamesErrorsAsTheApiDoes) {
  struct Case {
    int status;
    std::string_view word;
  };
  for (const Case& c :
       {Case{400, "INVALID_ARGUMENT"}, Case{401, "UNAUTHENTICATED"}, Case{403, "PERMISSION_DENIED"},
        Case{404, "NOT_FOUND"}, Case{409, "ABORTED"}, Case{415, "INVALID_ARGUMENT"},
        Case{429, "RESOURCE_EXHAUSTED"}, Case{499, "CANCELLED"}, Case{500, "INTERNAL"},
        Case{501, "UNIMPLEMENTED"}, Case{502, "INTERNAL"}, Case{503, "UNAVAILABLE"},
        Case{504, "DEADLINE_EXCEEDED"}}) {
    const Answer answer = api().error({.status = c.status, .type = {}, .message = "m"});
    EXPECT_EQ(answer.status, c.status);
    EXPECT_EQ(answer.body, fmt::format(R"({{"error":{{"code":{},"message":"m","status":"{}"}}}})",
                                       c.status, c.word));
  }
  EXPECT_THAT(api().write(read("{}"), {ErrorReply{503, "MINE", "m"}, kUsage, 1}).body,
              HasSubstr(R"("status":"MINE")"));
}

TEST(Gemini, AnswersTheSmallQuestions) {
  EXPECT_EQ(api().count({}, 14).body, R"({"totalTokens":14})");
  EXPECT_EQ(api().models().body, R"({"models":[]})");
  EXPECT_EQ(api().models("/v1beta/models/gemini-2.5-pro?key=k").body,
            R"({"name":"models/gemini-2.5-pro","displayName":"gemini-2.5-pro",)"
            R"("supportedGenerationMethods":["generateContent","countTokens"]})");
  EXPECT_EQ(api().health().status, 200);
}

TEST(Gemini, ReadsUsageOfRealAnswers) {
  const std::string stream =
      R"(data: {"candidates":[],"usageMetadata":{"promptTokenCount":10,"totalTokenCount":10}})"
      "\r\n\r\n"
      R"(data: {"candidates":[],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":7,)"
      R"("thoughtsTokenCount":5,"toolUsePromptTokenCount":3,"totalTokenCount":25}})"
      "\r\n\r\n";
  EXPECT_EQ(usage_text(api(), "text/event-stream", stream), "13/12");
  EXPECT_EQ(usage_text(api(), "application/json; charset=UTF-8",
                       R"([{"usageMetadata":{"promptTokenCount":4}},
                           {"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2}}])"),
            "4/2");
  for (const char* none : {R"({"error":{}})", R"([1, null, {"usageMetadata": 5}])", "<html>", ""})
    EXPECT_EQ(usage_text(api(), "application/json", none), "") << none;
}

}  // namespace
}  // namespace cutline::llm
