// document_test.cc: the tables of texts follow the ideas of JSONTestSuite (n_, y_ and i_ cases);
// which of them are valid was checked with CPython's json module in its strict reading.
#include "json/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"

namespace cutline::json {
namespace {

using ::testing::ElementsAre;

Document parsed(std::string_view text) {
  Result<Document> document = Document::parse(text);
  if (!document) throw std::runtime_error(to_text(document.error()));
  return *std::move(document);
}

std::string code_of(std::string_view text, const Limits& limits = {}) {
  const Result<Document> document = Document::parse(text, limits);
  return document ? "" : document.error().code;
}

TEST(Parse, AcceptsWhatIsJson) {
  for (const std::string_view text : std::vector<std::string_view>{
           "null",
           "true",
           "false",
           "0",
           "-0",
           " 1 ",
           "\"\"",
           "[]",
           "{}",
           "[[]   ]",
           "[ ]",
           "{ }\n",
           "[1e2]",
           "[1E+2]",
           "[1e-2]",
           "[0e0]",
           "[0.5]",
           "[-0.0]",
           "[123456789012345678901234567890]",
           "[-1]",
           "[1e400]",
           "[0.1e1]",
           "\t[\r\n1 , 2\t]\r\n",
           R"({"a":1,"a":2})",
           R"({"":0})",
           R"(["\u0000"])",
           R"(["\"\\\/\b\f\n\r\t"])",
           R"(["\uD834\udd1e"])",
           R"(["\uD800"])",
           R"(["\uDC00\uD800"])",
           R"(["\uD83D\u0041"])",
           "[\"\x7F\"]",
           "[\"\xE2\x80\xA8\"]",
           "[\"\xF4\x8F\xBF\xBF\"]",
           R"(["a",[{"b":[null,true,false]}],-1.5e-7])",
           R"({"a":{"b":{}}})",
           R"("\\")",
           R"("\\\\\"")",
           R"({"\u0061":1})",
           "[\"\\u00e9\",\"\xC3\xA9\"]",
           "[1]   ",
       }) {
    EXPECT_EQ(code_of(text), "") << text;
  }
}

TEST(Parse, RefusesWhatIsNotAndSaysWhere) {
  struct Case {
    std::string_view text;
    std::size_t at;
    std::string_view message;
  };
  using namespace std::string_view_literals;
  for (const Case& c : std::vector<Case>{
           {"", 0, "expected a value, found nothing"},
           {"  \n ", 4, "expected a value, found nothing"},
           {"\0"sv, 0, "expected a value"},
           {"nul", 0, "expected a value"},
           {"nulll", 0, "expected a value"},
           {"True", 0, "expected a value"},
           {"NaN", 0, "expected a value"},
           {"[Infinity]", 1, "expected a value"},
           {"'a'", 0, "expected a value"},
           {"Server listening on port 3000", 0, "expected a value"},
           {"+1", 0, "expected a value"},
           {".5", 0, "expected a value"},
           {"-", 0, "this is not how JSON writes a number"},
           {"[-]", 1, "this is not how JSON writes a number"},
           {"[01]", 1, "this is not how JSON writes a number"},
           {"[-01]", 1, "this is not how JSON writes a number"},
           {"[1.]", 1, "this is not how JSON writes a number"},
           {"[1.e2]", 1, "this is not how JSON writes a number"},
           {"[1e]", 1, "this is not how JSON writes a number"},
           {"[1e+]", 1, "this is not how JSON writes a number"},
           {"[0x1F]", 1, "this is not how JSON writes a number"},
           {"[1_000]", 1, "this is not how JSON writes a number"},
           {"[1\0]"sv, 1, "this is not how JSON writes a number"},
           {"[-Infinity]", 1, "this is not how JSON writes a number"},
           {"[1\"a\"]", 1, "this is not how JSON writes a number"},
           {"[1\x0B]", 1, "this is not how JSON writes a number"},
           {"[\xEF\xBC\x91]", 1, "expected a value"},  // a full-width digit
           {"[1,]", 3, "expected a value"},
           {"[,1]", 1, "expected a value"},
           {"[1,,2]", 3, "expected a value"},
           {"[1 2]", 3, "expected ',' or ']'"},
           {"[\"a\" \"b\"]", 5, "expected ',' or ']'"},
           {"[\"a\"x]", 4, "expected ',' or ']'"},
           {"[1:2]", 2, "expected ',' or ']'"},
           {"[[1]2]", 4, "expected ',' or ']'"},
           {"[\"a\":1]", 4, "expected ',' or ']'"},
           {"[[\"a\":1]]", 5, "expected ',' or ']'"},
           {"{\"a\":\"b\":1}", 8, "expected ',' or '}'"},
           {"[1}]", 2, "expected ',' or ']'"},
           {"[[1]", 4, "expected ',' or ']'"},
           {"[[]", 3, "expected ',' or ']'"},
           {"[[{}]", 5, "expected ',' or ']'"},
           {"{\"a\":{\"b\":1}", 12, "expected ',' or '}'"},
           {"[", 1, "what begins with '[' has to end with ']'"},
           {"[1", 2, "what begins with '[' has to end with ']'"},
           {"[1,", 3, "what begins with '[' has to end with ']'"},
           {"[info] started", 14, "what begins with '[' has to end with ']'"},
           {"{", 1, "what begins with '{' has to end with '}'"},
           {"{\"a\":1", 6, "what begins with '{' has to end with '}'"},
           {"]", 0, "expected a value"},
           {"{]}", 1, "expected a key or '}'"},
           {"{1:1}", 1, "expected a key or '}'"},
           {"{,}", 1, "expected a key or '}'"},
           {"{a:1}", 1, "expected a key or '}'"},
           {"{\"a\":1,}", 7, "expected a key"},
           {"{\"a\":1,b:2}", 7, "expected a key"},
           {"{\"a\"}", 4, "expected ':'"},
           {"{\"a\",\"b\"}", 4, "expected ':'"},
           {"{\"a\" 1}", 5, "expected ':'"},
           {"{\"a\":1,\"b\" 1}", 11, "expected ':'"},
           {"{\"a\":}", 5, "expected a value"},
           {"{\"a\"::1}", 5, "expected a value"},
           {"{\"a\":1 \"b\":2}", 7, "expected ',' or '}'"},
           {"{\"a\":1]}", 6, "expected ',' or '}'"},
           {"[1] 2", 5, "what begins with '[' has to end with ']'"},
           {"[1][2]", 3, "expected the end of the text"},
           {"{}}", 2, "expected the end of the text"},
           {"1 2", 2, "expected the end of the text"},
           {"null null", 5, "expected the end of the text"},
           {"\"a\" \"b\"", 4, "expected the end of the text"},
           {"\"a", 0, "this string does not end"},
           {"[\"a\\\"]", 1, "this string does not end"},
           {"[\"a\nb\"]", 3, "a control character in a string has to be escaped"},
           {"[\"\0\"]"sv, 2, "a control character in a string has to be escaped"},
           {"[\"\\a\"]", 2, "JSON has no such escape"},
           {"[\"\\x00\"]", 2, "JSON has no such escape"},
           {"[\"\\U0041\"]", 2, "JSON has no such escape"},
           {"[\"ab\\u00g0\"]", 4, "\\u needs four hex digits"},
           {"[\"\\u12\"]", 2, "\\u needs four hex digits"},
           {"{\"\\q\":1}", 2, "JSON has no such escape"},
           {"\xEF\xBB\xBF{}", 0, "a byte order mark stands before the text"},
       }) {
    SCOPED_TRACE(c.text);
    const Result<Document> document = Document::parse(c.text);
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code, "json.syntax");
    EXPECT_EQ(document.error().message, c.message);
    EXPECT_EQ(document.error().place, "byte " + std::to_string(c.at));
  }
}

TEST(Parse, NoBeginningOfATextIsAText) {
  const std::string_view whole = R"({"a":[1.5,-2e3,"x\u00e9\"y",{"b":null,"":[[],{}]}],"c":true})";
  ASSERT_EQ(code_of(whole), "");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(code_of(whole.substr(0, length)), "json.syntax") << whole.substr(0, length);
}

TEST(Parse, KeepsToItsLimits) {
  const std::string deep = std::string(20, '[') + std::string(20, ']');
  EXPECT_EQ(code_of(deep, {.depth_max = 20}), "");
  EXPECT_EQ(code_of(deep, {.depth_max = 19}), "json.too_deep");
  EXPECT_EQ(code_of(R"({"a":{"a":1}})", {.depth_max = 1}), "json.too_deep");
  EXPECT_EQ(code_of("[1,2,3]", {.bytes_max = 7}), "");
  EXPECT_EQ(code_of("[1,2,3]", {.bytes_max = 6}), "json.too_large");
  EXPECT_EQ(code_of(R"({"a":1})", {.values_max = 3}), "");
  EXPECT_EQ(code_of(R"({"a":1})", {.values_max = 2}), "json.too_large");
  EXPECT_EQ(code_of("\"\x80\x80\"", {.repairs_max = 2}), "");
  // Refused before it is parsed: brackets that no value is in, and what only looks like structure.
  EXPECT_EQ(code_of("[[],[],[]]", {.values_max = 4}), "");
  EXPECT_EQ(code_of("]]]]]]]]]]]]", {.values_max = 2}), "json.too_large");
  EXPECT_EQ(code_of("1 1 1 1 1 1 1 1 1 1", {.values_max = 2}), "json.too_large");
  EXPECT_EQ(code_of(R"(\"[],[],[],[])", {.values_max = 2}), "json.too_large");
  EXPECT_EQ(code_of(R"(["[],[],\"[],[],[]"])", {.values_max = 2}), "");
  EXPECT_EQ(code_of("\"\x80\x80\x80\"", {.repairs_max = 2}), "json.too_large");
}

TEST(Parse, SurvivesAnyDepth) {
  for (const std::string_view one : {"[", "{\"a\":", "[{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += one;
    // Closed on the outside alone, so that the first stage has nothing to object to.
    deep += one[0] == '[' ? "]" : "1}";
    EXPECT_EQ(code_of(deep, {.depth_max = 1'000'000}), "json.too_deep") << one;
  }
}

TEST(Value, KeepsWhatWasWritten) {
  const Document document = parsed(
      R"( {"n" : [1.0, -0, 1e-07, 12345678901234567890123] , "z":{"a":1,"a":2}, "e":[ ] } )");
  const Value root = document.root();
  EXPECT_EQ(root.offset(), 1u);
  EXPECT_EQ(root.size(), 3u);
  std::vector<std::string> raws;
  for (const Value& number : root.find("n")->elements()) raws.emplace_back(number.raw());
  EXPECT_THAT(raws, ElementsAre("1.0", "-0", "1e-07", "12345678901234567890123"));
  EXPECT_EQ(root.find("n")->raw(), "[1.0, -0, 1e-07, 12345678901234567890123]");
  EXPECT_EQ(root.find("z")->raw(), R"({"a":1,"a":2})");
  EXPECT_EQ(root.find("e")->raw(), "[ ]");
  EXPECT_EQ(root.find("e")->size(), 0u);
  EXPECT_EQ(document.bytes().substr(root.find("z")->offset(), 4), R"({"a")");
}

TEST(Value, LooksUpTheLastOfEqualKeysAndListsAll) {
  const Document document = parsed(R"({"a":1,"\u0061":2,"b":[0,0,{"a":9}],"a":3})");
  EXPECT_EQ(document.root().find("a")->raw(), "3");
  EXPECT_EQ(document.root().size(), 4u);
  std::vector<std::string> keys;
  for (const Value::Member& member : document.root().members()) keys.push_back(member.key);
  EXPECT_THAT(keys, ElementsAre("a", "a", "b", "a"));
}

TEST(Value, FindsDecodedKeys) {
  EXPECT_EQ(parsed(R"({"\u006e\"":1})").root().find("n\"")->raw(), "1");
  EXPECT_FALSE(parsed(R"({"n\\":1})").root().find("n\\\\"));
}

TEST(Value, IsEmptyHandedWhereThereIsNothing) {
  EXPECT_FALSE(parsed("[1]").root().find("a"));
  EXPECT_FALSE(parsed("{}").root().find("a"));
  EXPECT_TRUE(parsed("1").root().members().empty());
  EXPECT_TRUE(parsed("{}").root().elements().empty());
  EXPECT_EQ(string_member(parsed(R"({"a":1})").root(), "a"), std::nullopt);
  EXPECT_EQ(string_member(parsed(R"({"a":"\n"})").root(), "a"), "\n");
}

TEST(Value, HandlesOutliveAMoveOfTheDocument) {
  Document first = parsed(R"(["x"])");
  const Value value = first.root().elements()[0];
  const Document second = std::move(first);
  EXPECT_EQ(value.string().value, "x");
}

TEST(Value, ReadsNumbers) {
  struct Case {
    std::string_view text;
    std::optional<std::int64_t> integer;
    std::optional<double> number;
  };
  for (const Case& c : std::vector<Case>{
           {"0", 0, 0.0},
           {"-0", 0, -0.0},
           {"-32601", -32601, -32601.0},
           {"9223372036854775807", 9223372036854775807, 9223372036854775807.0},
           {"9223372036854775808", std::nullopt, 9223372036854775808.0},
           {"1.0", 1, 1.0},
           {"1e2", 100, 100.0},
           {"1.5", std::nullopt, 1.5},
           {"1e300", std::nullopt, 1e300},
           {"1e400", std::nullopt, std::nullopt},
           {"0.1", std::nullopt, 0.1},
       }) {
    SCOPED_TRACE(c.text);
    const Document document = parsed(c.text);
    EXPECT_EQ(document.root().int64(), c.integer);
    EXPECT_EQ(document.root().number(), c.number);
  }
  EXPECT_EQ(parsed("\"1\"").root().int64(), std::nullopt);
}

TEST(Value, KnowsItsType) {
  const Document document = parsed(R"([null,true,false,-1,"s",[],{}])");
  std::string types;
  for (const Value& value : document.root().elements())
    types += std::string(name(value.type())) + " ";
  EXPECT_EQ(types, "null boolean boolean number string array object ");
}

TEST(Compaction, LeavesOutWhiteSpaceBetweenTokensAlone) {
  const std::pair<std::string_view, std::string_view> texts[] = {
      {" [ ] ", "[]"},
      {"{ }", "{}"},
      {"\t\"a \\\" b\\\\\"\r\n", "\"a \\\" b\\\\\""},
      {"{ \"a b\" : [ 1 , -2.50e+3, { \"\" : null } ],\n \"c\": \" 箱 { , } \" }",
       "{\"a b\":[1,-2.50e+3,{\"\":null}],\"c\":\" 箱 { , } \"}"}};
  for (const auto& [text, compact] : texts) {
    EXPECT_EQ(compacted(text), compact);
    EXPECT_EQ(parsed(text).root().compact_size(), compact.size()) << text;
  }
  EXPECT_EQ(compacted(""), "");
  const Document inner = parsed(R"({"x": [ {"a" : [ 1 , 2 ]}, 3 ]})");
  EXPECT_EQ(inner.root().find("x")->elements()[0].compact_size(),
            std::string_view(R"({"a":[1,2]})").size());
}

TEST(Strings, AreDecoded) {
  struct Case {
    std::string_view json, value;
    std::size_t replaced;
  };
  using namespace std::string_view_literals;
  for (const Case& c : std::vector<Case>{
           {R"("")", "", 0},
           {R"("plain µ 🔩")", "plain µ 🔩", 0},
           {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t", 0},
           {R"("a\u0000b\u001f")", "a\0b\x1F"sv, 0},
           {R"("\u00e9\u4e03\uD83D\uDD29!")", "é七🔩!", 0},
           {R"("\ud83d")", "\xEF\xBF\xBD", 1},
           {R"("\ud83dx\udd29")", "\xEF\xBF\xBDx\xEF\xBF\xBD", 2},
           {R"("\ud83d\ud83d\udd29")", "\xEF\xBF\xBD🔩", 1},
           {R"("\ud83d\n")", "\xEF\xBF\xBD\n", 1},
           {R"("\uFFFD")", "\xEF\xBF\xBD", 0},
       }) {
    SCOPED_TRACE(c.json);
    const Document document = parsed(c.json);
    const Text text = document.root().string();
    EXPECT_EQ(text.value, c.value);
    EXPECT_EQ(text.replaced, c.replaced);
    EXPECT_EQ(text.first_invalid_byte, std::nullopt);
  }
}

TEST(Strings, TellWhereTheirBytesWereNotUtf8) {
  // A U+FFFD that was sent is no replacement; the offset counts in the string, not in the document.
  const Document document = parsed(
      "{\"good\":\"\xEF\xBF\xBD\",\"b\xFF\":\"Count \x80 "
      "first\xE3\x81.\",\"esc\":\"\\n\\u00e9\xC0\xAF\\t\"}");
  const std::vector<Value::Member> members = document.root().members();
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].value.string().replaced, 0u);
  EXPECT_EQ(members[0].value.string().first_invalid_byte, std::nullopt);

  EXPECT_EQ(members[1].key, "b\xEF\xBF\xBD");
  const Text bad = members[1].value.string();
  EXPECT_EQ(bad.value, "Count \xEF\xBF\xBD first\xEF\xBF\xBD.");
  EXPECT_EQ(bad.replaced, 2u);
  EXPECT_EQ(bad.first_invalid_byte, 6u);

  const Text escaped = members[2].value.string();
  EXPECT_EQ(escaped.value, "\né\xEF\xBF\xBD\xEF\xBF\xBD\t");
  EXPECT_EQ(escaped.replaced, 2u);
  EXPECT_EQ(escaped.first_invalid_byte, 3u);
  EXPECT_EQ(string_member(document.root(), "b\xEF\xBF\xBD"), bad.value);
}

TEST(Strings, ThatAreNotUtf8LeaveTheOthersOffsetsOfProblemsAsGiven) {
  const Result<Document> document = Document::parse("[\"\x80\xE3\x81 \xF0\x9F\x94\", oops]");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().place, "byte 12");
  EXPECT_EQ(Document::parse("[\"\x80\", \x80]").error().place, "byte 6");
}

TEST(Strings, HoldTheCasesOfEncoding) {
  const auto unhex = [](std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
  };
  const cases::File file("encoding.json");
  int seen = 0;
  for (const cases::Case& c : file.cases()) {
    SCOPED_TRACE(c.id);
    if (const std::optional<std::string> hex = string_member(c.input, "hex")) {
      const Document document = parsed("\"" + unhex(*hex) + "\"");
      const Text text = document.root().string();
      EXPECT_EQ(text.value, string_member(c.expect, "repaired"));
      EXPECT_EQ(text.first_invalid_byte, c.expect.find("invalid_at_byte")->int64());
      ++seen;
    }
    const std::optional<std::string> literal = string_member(c.input, "json");
    const std::optional<std::string> hash = string_member(c.expect, "delivered_sha256");
    if (literal && hash) {
      EXPECT_EQ(cases::sha256(parsed(*literal).root().string().value), *hash);
      ++seen;
    }
  }
  EXPECT_GE(seen, 2);
}

TEST(Strings, StayLinearWithManyEscapes) {
  // A quadratic scan would take minutes here.
  std::string text = "\"";
  for (int i = 0; i < 2'000'000; ++i) text += i % 2 == 0 ? "\\n" : "\\\"";
  text += "\"";
  EXPECT_EQ(parsed(text).root().string().value.size(), 2'000'000u);
}

}  // namespace
}  // namespace cutline::json
