// jsonrpc_test.cc
#include "wire/jsonrpc.h"

#include <gtest/gtest.h>

namespace cutline::wire {
namespace {

Message only(std::string_view line) {
  std::vector<Message> messages = parse_line(line);
  EXPECT_EQ(messages.size(), 1u) << line;
  return messages.at(0);
}

TEST(ParseLine, TellsTheKindsApart) {
  struct Case {
    std::string_view line;
    MessageKind kind;
    std::string_view id, method;
    std::string_view problem;
  };
  using enum MessageKind;
  for (const Case& c : std::vector<Case>{
           {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})", kRequest, "1",
            "tools/list", ""},
           {R"({"jsonrpc":"2.0","id":"a","method":"ping"})", kRequest, R"("a")", "ping", ""},
           {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", kNotification, "",
            "notifications/initialized", ""},
           {R"({"jsonrpc":"2.0","id":1,"result":{}})", kResult, "1", "", ""},
           {R"({"jsonrpc":"2.0","id":1,"result":"text"})", kResult, "1", "", ""},
           {R"({"jsonrpc":"2.0","id":1,"result":null})", kResult, "1", "", ""},
           {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})", kError, "1", "",
            ""},
           {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})", kError, "null",
            "", ""},
           {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})", kError, "", "", ""},

           // Told apart all the same, with a word about it.
           {R"({"id":1,"result":{}})", kResult, "1", "", R"(no "jsonrpc": "2.0")"},
           {R"({"jsonrpc":2.0,"id":1,"method":"ping"})", kRequest, "1", "ping",
            R"(no "jsonrpc": "2.0")"},
           {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", kRequest, "null", "ping",
            "the id of a request is null"},
           {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":7})", kRequest, "1", "ping",
            "params is a number"},
           {R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})", kResult, "1", "",
            "a null error beside the result"},
           {R"({"id":1,"result":null,"error":{"code":1,"message":"no"}})", kError, "1", "",
            R"(a null result beside the error; no "jsonrpc": "2.0")"},
           {R"({"jsonrpc":"2.0","id":1,"error":"boom"})", kError, "1", "",
            "the error is a string, not an object"},
           {R"({"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"no"}})", kError, "1", "",
            "the error has no integer as code"},
           {R"({"jsonrpc":"2.0","id":1,"error":{}})", kError, "1", "",
            "the error has no integer as code; the error has no string as message"},

           // No messages.
           {R"({"jsonrpc":"2.0","id":1})", kNotRpc, "1", "",
            "neither a method nor a result nor an error"},
           {R"({"jsonrpc":"2.0","id":1,"error":null})", kNotRpc, "1", "",
            "neither a method nor a result nor an error"},
           {R"({"jsonrpc":"2.0","result":{}})", kNotRpc, "", "", "a result without an id"},
           {R"({"jsonrpc":"2.0","id":1,"method":"x","result":{}})", kNotRpc, "1", "",
            "both a call and an answer"},
           {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}})", kNotRpc, "1",
            "", "both a result and an error"},
           {R"({"jsonrpc":"2.0","id":1,"method":7})", kNotRpc, "1", "",
            "the method is a number, not a string"},
           {R"({"jsonrpc":"2.0","id":true,"result":{}})", kNotRpc, "", "",
            "the id is neither a string nor an integer: true"},
           {R"({"jsonrpc":"2.0","id":1.5,"method":"x"})", kNotRpc, "", "",
            "the id is neither a string nor an integer: 1.5"},
           {R"({"jsonrpc":"2.0","id":[1],"method":"x"})", kNotRpc, "", "",
            "the id is neither a string nor an integer: [1]"},
           {"42", kNotRpc, "", "", "JSON, but a number where a message is an object"},
           {"\"ready\"", kNotRpc, "", "", "JSON, but a string where a message is an object"},
           {"Server ready", kNotJson, "", "", "expected a value at byte 0"},
           {"", kNotJson, "", "", "expected a value, found nothing at byte 0"},
           {R"({"jsonrpc":"2.0","id":1,"result":)", kNotJson, "", "",
            "what begins with '{' has to end with '}' at byte 33"},
       }) {
    SCOPED_TRACE(c.line);
    const Message message = only(c.line);
    EXPECT_EQ(name(message.kind), name(c.kind));
    EXPECT_EQ(message.id, c.id);
    EXPECT_EQ(message.method, c.method);
    EXPECT_EQ(message.problem, c.problem);
    EXPECT_FALSE(message.in_batch);
    EXPECT_EQ(message.document == nullptr, c.kind == kNotJson);
    EXPECT_EQ(message.result.has_value(), c.kind == kResult);
    EXPECT_EQ(message.error.has_value(), c.kind == kError);
  }
}

TEST(ParseLine, KeepsWhatTheMessageCarries) {
  const Message call =
      only(R"({"jsonrpc":"2.0","id":1,"method":"tools\/list","params":{"cursor":"","a":[1.0]}})");
  EXPECT_EQ(call.method, "tools/list");
  EXPECT_EQ(call.params->raw(), R"({"cursor":"","a":[1.0]})");

  const Message error =
      only(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no\n","data":{"a":[]}}})");
  EXPECT_EQ(error.error->code, -32022);
  EXPECT_EQ(error.error->message, "no\n");
  EXPECT_EQ(error.error->data->raw(), R"({"a":[]})");

  const Message text = only(R"({"jsonrpc":"2.0","id":1,"error":"boom"})");
  EXPECT_EQ(text.error->code, 0);
  EXPECT_EQ(text.error->message, "boom");
  EXPECT_EQ(text.error->data->raw(), "\"boom\"");
}

TEST(ParseLine, WritesEqualIdsInOneWay) {
  const auto id = [](std::string_view token) {
    return only(R"({"jsonrpc":"2.0","result":{},"id":)" + std::string(token) + "}").id;
  };
  EXPECT_EQ(id("1.0"), "1");  // as a server in Lua or Go may send 1 back
  EXPECT_EQ(id("1e2"), "100");
  EXPECT_EQ(id("-0"), "0");
  EXPECT_EQ(id(R"("\u0061\/")"), R"("a/")");
  EXPECT_EQ(id(R"("1")"), R"("1")");
  EXPECT_EQ(id("18446744073709551616"), "18446744073709551616");
}

TEST(ParseLine, ReadsBatches) {
  const std::vector<Message> messages = parse_line(
      R"([{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"ping"},[]])");
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].kind, MessageKind::kResult);
  EXPECT_EQ(messages[1].kind, MessageKind::kNotRpc);
  EXPECT_EQ(messages[2].kind, MessageKind::kNotification);
  EXPECT_EQ(messages[3].kind, MessageKind::kNotRpc);
  for (const Message& message : messages) EXPECT_TRUE(message.in_batch);
  EXPECT_EQ(messages[0].document, messages[2].document);

  const Message empty = only(" [ ] ");
  EXPECT_EQ(empty.kind, MessageKind::kNotRpc);
  EXPECT_EQ(empty.problem, "an empty batch");
  EXPECT_TRUE(empty.in_batch);
}

TEST(ParseLine, BoundsBatches) {
  std::string line = "[0";
  for (std::size_t i = 0; i < 3 * kBatchMessagesMax; ++i) line += ",0";
  const std::vector<Message> messages = parse_line(line + "]");
  ASSERT_EQ(messages.size(), kBatchMessagesMax + 1);
  EXPECT_EQ(messages.back().problem, "a batch of more than 10,000 messages");
}

TEST(ParseLine, PassesTheLimitsOn) {
  const std::vector<Message> messages = parse_line(R"({"a":[[]]})", {.depth_max = 2});
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].kind, MessageKind::kNotJson);
  EXPECT_EQ(messages[0].problem, "nested deeper than 2 levels");
}

TEST(ParseLine, TellsWhatIsOverALimitFromWhatIsNoJson) {
  struct Case {
    std::string line;
    json::Limits limits;
    bool over;
  };
  const json::Limits few_values{.values_max = 3}, few_bytes{.bytes_max = 3}, flat{.depth_max = 1};
  for (const Case& c : std::vector<Case>{{R"({"a":1})", few_values, false},
                                         {R"([1,2,3])", few_values, true},
                                         {"1234", few_bytes, true},
                                         {"[[]]", flat, true},
                                         {"[]", flat, false},
                                         {"[1,", flat, false},
                                         {"text", few_bytes, true},
                                         {"text", flat, false}}) {
    EXPECT_EQ(parse_line(c.line, c.limits).at(0).over_limit, c.over) << c.line;
  }
}

TEST(Lines, AreWholeMessagesOnOneLine) {
  EXPECT_EQ(request_line("1", "tools/list", R"({"cursor":""})"),
            R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}})"
            "\n");
  EXPECT_EQ(request_line("\"a\"", "ping", ""), R"({"jsonrpc":"2.0","id":"a","method":"ping"})"
                                               "\n");
  EXPECT_EQ(notification_line("notifications/initialized", ""),
            R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
            "\n");
  EXPECT_EQ(result_line("1", "{\r\n  \"a\": \"\\n\"\n}"),
            R"({"jsonrpc":"2.0","id":1,"result":{    "a": "\n" }})"
            "\n");
  EXPECT_EQ(error_line("null", error_code::kParse, "not \"JSON\""),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not \"JSON\""}})"
            "\n");
  EXPECT_EQ(error_line("1", -32022, "no", "[\n1]"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":[ 1]}})"
            "\n");
}

TEST(Lines, ReadBackAsWhatTheyWere) {
  const auto read = [](std::string line) {
    EXPECT_EQ(line.back(), '\n');
    line.pop_back();
    EXPECT_EQ(line.find('\n'), std::string::npos);
    return only(line);
  };
  EXPECT_EQ(read(request_line("1", "a\"b\n", "[]")).method, "a\"b\n");
  EXPECT_EQ(read(notification_line("n", "{}")).kind, MessageKind::kNotification);
  EXPECT_EQ(read(result_line("\"x\"", "{}")).id, "\"x\"");
  EXPECT_EQ(read(error_line("1", -1, "m", "{}")).error->message, "m");
}

}  // namespace
}  // namespace cutline::wire
