// dialects_test.cc: what holds for every dialect: whose a request is, what is refused, and that a
// script and the ideal reader work with each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/writer.h"
#include "llm/dialect_fixture.h"
#include "llm/script.h"
#include "text/sample.h"

namespace cutline::llm {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Dialects, AreFoundByName) {
  EXPECT_EQ(dialects().size(), 4u);
  for (const Dialect* dialect : dialects()) EXPECT_EQ(dialect_named(dialect->name()), dialect);
  EXPECT_EQ(dialect_named("anthropic"), nullptr);
  EXPECT_EQ(name(Endpoint::kCountTokens), "count-tokens");
}

TEST(Dialects, AreToldApartByPlaceAndThenByHeaders) {
  struct Case {
    std::string_view method, target, header, dialect, endpoint;
  };
  for (const Case& c : {
           Case{"POST", "/v1/messages", "authorization", "anthropic-messages", "generate"},
           Case{"POST", "/v1/responses", "", "openai-responses", "generate"},
           Case{"POST", "/v1/responses", "x-api-key", "openai-responses", "generate"},
           Case{"POST", "/v1/chat/completions", "", "openai-chat", "generate"},
           Case{"POST", "/v1/models/m:generateContent", "", "gemini", "generate"},
           // The lists of models have one place.
           Case{"GET", "/v1/models", "", "anthropic-messages", "models"},
           Case{"GET", "/v1/models", "Anthropic-Version", "anthropic-messages", "models"},
           Case{"GET", "/v1/models", "x-api-key", "anthropic-messages", "models"},
           Case{"GET", "/v1/models", "Authorization", "openai-responses", "models"},
           Case{"GET", "/v1/models/m", "x-goog-api-key", "gemini", "models"},
           Case{"GET", "/v1/models?key=k", "", "gemini", "models"},
           Case{"GET", "/v1beta/models", "", "gemini", "models"},
           Case{"GET", "/v1beta/models", "authorization", "gemini", "models"},
           Case{"GET", "/v1beta/openai/models", "authorization", "openai-responses", "models"},
           Case{"GET", "/other/models", "", "openai-responses", "models"},
           Case{"HEAD", "/", "authorization", "anthropic-messages", "health"},
           // What none has, the one answers that is most likely meant.
           Case{"POST", "/v1/embeddings", "authorization", "openai-responses", ""},
           Case{"POST", "/v1beta/models/m:embedContent", "", "gemini", ""},
           Case{"POST", "/v1/files", "x-goog-api-client", "gemini", ""},
           Case{"POST", "/v1/files", "x-api-key", "anthropic-messages", ""},
           Case{"POST", "/v1/files", "", "anthropic-messages", ""},
           Case{"", "", "", "anthropic-messages", ""},
       }) {
    SCOPED_TRACE(fmt::format("{} {} {}", c.method, c.target, c.header));
    wire::HttpRequest request{.method = std::string(c.method),
                              .target = std::string(c.target),
                              .headers = {},
                              .body = {}};
    if (!c.header.empty()) request.headers = {{std::string(c.header), "x"}};
    const Addressee whose = addressee(request);
    EXPECT_EQ(whose.dialect->name(), c.dialect);
    EXPECT_EQ(whose.endpoint ? name(*whose.endpoint) : "", c.endpoint);
  }
  // Anthropic's clients may have a token that goes where OpenAI's keys go.
  const wire::HttpRequest both{
      .method = "GET",
      .target = "/v1/models",
      .headers = {{"authorization", "Bearer x"}, {"anthropic-version", "2023-06-01"}},
      .body = {}};
  EXPECT_EQ(addressee(both).dialect->name(), "anthropic-messages");
}

/// A body of each dialect around one text; and one of many texts, where the first too many is.
struct Shape {
  std::string_view dialect, target, before, after, too_many_at;
};
constexpr Shape kShapes[] = {
    {"anthropic-messages", "/v1/messages",
     R"({"model":"m","tools":[{"name":"lab_find"}],"messages":[{"role":"user","content":[)", "]}]}",
     "messages[0].content[100000].text"},
    {"openai-responses", "/v1/responses",
     R"({"model":"m","tools":[{"type":"function","name":"lab_find"}],)"
     R"("input":[{"role":"developer","content":[)",
     "]}]}", "input[0].content[99999].text"},
    {"openai-chat", "/v1/chat/completions",
     R"({"model":"m","tools":[{"type":"function","function":{"name":"lab_find"}}],)"
     R"("messages":[{"role":"system","content":[)",
     "]}]}", "messages[0].content[100000].text"},
    {"gemini", "/v1beta/models/m:generateContent",
     R"({"tools":[{"functionDeclarations":[{"name":"lab_find"}]}],)"
     R"("contents":[{"role":"user","parts":[)",
     "]}]}", "contents[0].parts[100000].text"},
};

std::string body_of(const Shape& shape, std::string_view text) {
  std::string literal;
  json::append_string(literal, text);
  return fmt::format(R"({}{{"text":{}}}{})", shape.before, literal, shape.after);
}

TEST(Dialects, RefuseWhatIsNoRequest) {
  for (const Shape& shape : kShapes) {
    struct Case {
      std::string body;
      std::string_view message, place;
    };
    std::string many(shape.before);
    for (int i = 0; i < 100'001; ++i) many += i == 0 ? R"({"text":""})" : R"(,{"text":""})";
    many += shape.after;
    for (const Case& c : std::vector<Case>{
             {"", "not JSON", "byte 0"},
             {"{\"model\": }", "not JSON", "byte 10"},
             {" [{}]", "of type array, not an object", "byte 1"},
             {"null", "of type null", "byte 0"},
             {std::string(100'000, '['), "not JSON: ", ""},
             {many, "more than 100,000 pieces", shape.too_many_at},
         }) {
      SCOPED_TRACE(fmt::format("{} {}", shape.dialect, c.body.substr(0, 40)));
      const Result<Request> request = dialect_named(shape.dialect)->read(shape.target, c.body);
      ASSERT_FALSE(request);
      EXPECT_EQ(request.error().code, "llm.request");
      EXPECT_THAT(request.error().message, HasSubstr(c.message));
      if (!c.place.empty()) {
        EXPECT_EQ(request.error().place, c.place);
      }
    }
  }
}

TEST(Dialects, AreAllPlayedByScripts) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.dialect);
    const Dialect& api = *dialect_named(shape.dialect);
    const std::string text = text::sample(text::SampleKind::kEnglish, 300, {}).value();
    const text::Codewords words = text::codewords(text::SampleKind::kEnglish, 300, {});
    const Request request = read_with(api, shape.target, body_of(shape, text + " Go on."));
    ScriptPlayer player(
        {.prompt = "Go on.",
         .turns = {{.content = ToolCallTurn{"lab_*", R"({"part":"A-7"})", {}}, .delay = {}},
                   {.content = TextReply{"done"}, .delay = {}},
                   {.content = ErrorReply{429, {}, "slow down"}, .delay = {}}}});
    const Answer call = api.write(request, player.next(request).reply);
    EXPECT_THAT(call.body, AllOf(HasSubstr("lab_find"), HasSubstr("A-7")));
    EXPECT_THAT(api.write(request, player.next(request).reply).body, HasSubstr(R"("done")"));
    const Answer error = api.write(request, player.next(request).reply);
    EXPECT_EQ(error.status, 429);
    EXPECT_THAT(error.body, HasSubstr("slow down"));
    const Answer ideal = api.write(request, player.next(request).reply);
    EXPECT_THAT(ideal.body, HasSubstr("BEGIN=" + words.begin + " END=" + words.end));
  }
}

TEST(Dialects, ReadTheUsageOfTheirOwnAnswers) {
  for (const Shape& shape : kShapes) {
    for (const bool streamed : {false, true}) {
      SCOPED_TRACE(shape.dialect);
      const Dialect& api = *dialect_named(shape.dialect);
      const Answer ours = api.write(asking("m", streamed),
                                    {TextReply{"a"}, {.input_tokens = 25, .output_tokens = 15}, 1});
      EXPECT_EQ(ours.streamed, streamed);
      EXPECT_EQ(usage_text(api, ours.content_type, ours.body), "25/15");
    }
  }
}

}  // namespace
}  // namespace cutline::llm
