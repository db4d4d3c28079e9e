// offer_json_test.cc: offers as files, and the dumps of others.
#include "mcp/offer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "json/document.h"
#include "json/writer.h"
#include "mcp/schema.h"

namespace cutline::mcp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// --- Our own form -------------------------------------------------------------------------------

/// Any text: ASCII, controls, quotes, characters of all lengths, and now and then bad bytes.
std::string any_bytes() {
  static const std::vector<std::string> kParts = {"a",  "\"", "\\",   "\n",     "\t",   "é",
                                                  "七", "🔩", "\x01", "\u202e", "\r\n", "</x>"};
  std::string all;
  for (const std::size_t part : *rc::gen::container<std::vector<std::size_t>>(
           rc::gen::inRange<std::size_t>(0, kParts.size())))
    all += kParts[part];
  return all;
}

std::string any_text() { return any_bytes(); }

std::optional<std::string> maybe_text() {
  return *rc::gen::arbitrary<bool>() ? std::optional(any_text()) : std::nullopt;
}

std::optional<ServerText> maybe_server_text() {
  if (!*rc::gen::arbitrary<bool>()) return std::nullopt;
  return server_text(any_bytes() + (*rc::gen::arbitrary<bool>() ? "\xff z" : ""));
}

/// A JSON text with white space and numbers that must stay as they are; or none.
std::string any_json() {
  std::string text;
  json::append_string(text, any_text());
  return *rc::gen::element<std::string>("", R"({ "type": "object" })", R"({"z":1e-07,"y":1.0})",
                                        R"([1,23456789012345678901])", "null",
                                        R"({"\ud800":)" + text + "}");
}

std::optional<Milliseconds> maybe_time() {
  if (!*rc::gen::arbitrary<bool>()) return std::nullopt;
  return Milliseconds(*rc::gen::inRange(0, 1'000'000) / 7.0);
}

Tool any_tool() {
  const std::string schema = any_json();
  const auto document = json::Document::parse(schema);
  return {.name = any_text(),
          .title = maybe_text(),
          .description = maybe_server_text(),
          .input_schema = schema,
          .output_schema = any_json(),
          .annotations = any_json(),
          .meta = any_json(),
          .schema = schema_traits(document ? std::optional(document->root()) : std::nullopt),
          .always_load = *rc::gen::arbitrary<bool>()};
}

template <class Make>
auto some(Make make) {
  std::vector<decltype(make())> all;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) all.push_back(make());
  return all;
}

std::optional<EraOffer> maybe_era(Era era) {
  if (!*rc::gen::arbitrary<bool>()) return std::nullopt;
  const auto listed = [] {
    return Listed{.name = any_text(), .uri = any_text(), .description = any_text()};
  };
  EraOffer offer;
  offer.era = era;
  offer.protocol_version = any_text();
  offer.supported_versions = some(any_text);
  offer.instructions = maybe_server_text();
  offer.instructions_wrong_type = maybe_text();
  offer.server = {.name = any_text(), .version = any_text(), .title = maybe_text()};
  offer.capabilities = any_json();
  offer.tools = some(any_tool);
  offer.tools_list_bytes = *rc::gen::inRange<std::size_t>(0, 1'000'000'000);
  offer.prompts = some(listed);
  offer.resources = some(listed);
  offer.templates = some(listed);
  offer.tools_problem = maybe_text();
  return offer;
}

Offer any_offer() {
  Offer offer;
  offer.command = some(any_text);
  offer.legacy = maybe_era(Era::kLegacy);
  offer.modern = maybe_era(Era::kModern);
  offer.outcome = offer.any() ? Outcome::kServes
                              : *rc::gen::element(Outcome::kDidNotStart, Outcome::kRefuses,
                                                  Outcome::kHangs, Outcome::kBroke);
  offer.outcome_detail = any_text();
  offer.probe = {.answer = static_cast<ProbeAnswer>(*rc::gen::inRange(0, 9)),
                 .error_code = *rc::gen::arbitrary<bool>()
                                   ? std::optional(*rc::gen::arbitrary<std::int64_t>())
                                   : std::nullopt,
                 .versions = some(any_text),
                 .elapsed = maybe_time().value_or(Milliseconds(0))};
  offer.incidents = some([] {
    return Incident{.code = any_text(), .message = any_text(), .times = *rc::gen::inRange(1u, 99u)};
  });
  if (*rc::gen::arbitrary<bool>()) offer.exit = Exit{.code = 3, .signal = {}};
  if (*rc::gen::arbitrary<bool>()) offer.exit = Exit{.code = {}, .signal = 9};
  offer.stderr_tail = any_text();
  offer.times = {.first_answer = maybe_time(),
                 .probe = maybe_time(),
                 .handshake = maybe_time(),
                 .lists = maybe_time(),
                 .total = maybe_time().value_or(Milliseconds(0)),
                 .process_starts = *rc::gen::inRange<std::size_t>(0, 9)};
  return offer;
}

TEST(OfferFile, ReadsBackToWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const Offer offer = any_offer();
    const std::string file = write_offer(offer);
    const Result<Offer> again = read_offer(file, "offer.json");
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == offer);
    RC_ASSERT(write_offer(*again) == file);
  }));
}

TEST(OfferFile, WritesWhatIsNoUtf8AsReplaced) {
  Offer offer = draft_offer("x");
  offer.command = {"node", "caf\xe9"};
  offer.stderr_tail = "\xff oops";
  const Offer again = read_offer(write_offer(offer), "o").value();
  EXPECT_THAT(again.command, ElementsAre("node", "caf\uFFFD"));
  EXPECT_EQ(again.stderr_tail, "\uFFFD oops");
}

TEST(OfferFile, IsReadLenientlyButNotBlindly) {
  struct Case {
    const char* json;
    const char *code, *place, *message;
  };
  for (const Case& c : std::vector<Case>{
           {"", "offer.syntax", "o.json:1:1", ""},
           {"{\n  \"schema_version\": 1,\n  oops\n}", "offer.syntax", "o.json:3:3", ""},
           {R"({"schema_version":2})", "offer.version", "o.json:1:19", "reads 1"},
           {R"({"schema_version":"1"})", "offer.version", "o.json:1:19", "reads 1"},
           {R"({"schema_version":1})", "offer.shape", "o.json:1:1", "there is no 'outcome'"},
           {R"({"schema_version":1,"outcome":"servs"})", "offer.shape", "o.json:1:31",
            "'outcome' is “servs”; it is one of serves, did-not-start, refuses, hangs and broke"},
           {R"({"schema_version":1,"outcome":"serves"})", "offer.shape", "o.json:1:1",
            "neither 'legacy' nor 'modern'"},
           {"{\"schema_version\":1,\"outcome\":\"hangs\",\n\"command\":\"node\"}", "offer.shape",
            "o.json:2:11", "'command' is a string where an array is expected"},
           {R"({"schema_version":1,"outcome":"serves","legacy":{"tools":[{}]}})", "offer.shape",
            "o.json:1:59", "a tool has no 'name'"},
           {R"({"schema_version":1,"outcome":"serves","legacy":{"tools":[1]}})", "offer.shape",
            "o.json:1:59", "'tools' holds a number"},
           {R"({"schema_version":1,"outcome":"hangs","times":{"process_starts":-1}})",
            "offer.shape", "o.json:1:65", "'process_starts' is “-1”"},
           {R"({"schema_version":1,"outcome":"hangs","exit":{"code":99999999999}})", "offer.shape",
            "o.json:1:54", "'code' is 99999999999"},
       }) {
    SCOPED_TRACE(c.json);
    const Result<Offer> offer = read_offer(c.json, "o.json");
    ASSERT_FALSE(offer);
    EXPECT_EQ(offer.error().code, c.code);
    EXPECT_EQ(offer.error().place, c.place);
    EXPECT_THAT(offer.error().message, HasSubstr(c.message));
  }
  const Result<Offer> least = read_offer(R"({"schema_version":1,"outcome":"serves","new":[1],)"
                                         R"("legacy":{"instructions":"x","tools":null}})",
                                         "o.json");
  ASSERT_TRUE(least) << to_text(least.error());
  EXPECT_EQ(least->legacy->instructions, server_text("x"));
}

// --- Dumps --------------------------------------------------------------------------------------

constexpr std::string_view kInitialize =
    R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
    R"("serverInfo":{"name":"s","version":"1"},"instructions":"Count first."})";
constexpr std::string_view kDiscover =
    R"({"supportedVersions":["2026-07-28"],"resultType":"complete","capabilities":{},"ttlMs":0,)"
    R"("cacheScope":"private","instructions":"Count first, too."})";
constexpr std::string_view kPage1 =
    R"({"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"2"})";
constexpr std::string_view kPage2 = R"({"tools":[{"name":"b","inputSchema":{"type":"object"}}]})";

std::string answer(int id, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + std::string(result) +
         "}";
}

std::string joined_by(const std::string& between, const std::vector<std::string>& parts) {
  std::string all;
  for (std::size_t i = 0; i < parts.size(); ++i) all += (i > 0 ? between : "") + parts[i];
  return all;
}

/// Indented by hand, as pretty printers do: a line feed and blanks after commas and brackets
/// outside strings.
std::string pretty(std::string_view json) {
  std::string all;
  bool in_string = false;
  for (const char c : json) {
    all += c;
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == ',' || c == '{' || c == ':' || c == '[')) all += "\n   ";
  }
  return all;
}

TEST(OfferDump, IsReadInManyShapes) {
  const std::string initialize(kInitialize), page1(kPage1), page2(kPage2);
  const std::string request = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
  const std::string by_method =
      R"({"initialize":)" + initialize + R"(,"tools/list":[)" + page1 + "," + page2 + "]}";
  const std::vector<std::string> answers = {answer(1, initialize), request, answer(2, page1),
                                            answer(3, page2)};
  const std::vector<std::string> shapes = {
      by_method,
      pretty(by_method),
      "[" + joined_by(",", answers) + "]",
      pretty("[" + joined_by(",", answers) + "]"),
      "[" + joined_by(",", {initialize, page1, page2}) + "]",
      joined_by("\n", answers) + "\n",
      joined_by("\r\n\r\n", answers),
      joined_by("\n", {initialize, page1, page2}),
      R"({"initialize":)" + answer(1, initialize) + R"(,"tools/list":[)" + answer(2, page1) + "," +
          answer(3, page2) + "]}",
  };
  for (const std::string& shape : shapes) {
    SCOPED_TRACE(shape);
    const Result<Offer> offer = read_offer(shape, "dump.json");
    ASSERT_TRUE(offer) << to_text(offer.error());
    EXPECT_EQ(offer->outcome, Outcome::kServes);
    ASSERT_TRUE(offer->legacy);
    EXPECT_FALSE(offer->modern);
    EXPECT_EQ(offer->probe.answer, ProbeAnswer::kNotAsked);
    EXPECT_EQ(offer->legacy->instructions->value, "Count first.");
    EXPECT_EQ(offer->legacy->protocol_version, "2025-06-18");
    ASSERT_EQ(offer->legacy->tools.size(), 2u);
    EXPECT_EQ(offer->legacy->tools[0].input_schema, R"({"type":"object"})");
    EXPECT_EQ(offer->legacy->tools_list_bytes,
              (answer(2, page1) + "\n" + answer(3, page2) + "\n").size());
    EXPECT_EQ(offer->legacy->tools_problem, std::nullopt);
  }
}

TEST(OfferDump, MayHoldBothErasAndMore) {
  const std::string dump = R"({"server/discover":)" + std::string(kDiscover) + R"(,"initialize":)" +
                           std::string(kInitialize) + R"(,"tools/list":)" + std::string(kPage2) +
                           R"(,"prompts/list":{"prompts":[{"name":"p"}]}})";
  const Result<Offer> offer = read_offer(dump, "dump.json");
  ASSERT_TRUE(offer) << to_text(offer.error());
  EXPECT_EQ(offer->modern->instructions->value, "Count first, too.");
  EXPECT_EQ(offer->legacy->instructions->value, "Count first.");
  EXPECT_EQ(offer->modern->tools, offer->legacy->tools);
  EXPECT_EQ(offer->modern->prompts.size(), 1u);
  EXPECT_EQ(offer->probe.answer, ProbeAnswer::kModern);
}

TEST(OfferDump, SaysWhatItLacks) {
  const std::string initialize(kInitialize);
  const Offer no_tools = read_offer(initialize, "d").value();
  EXPECT_EQ(no_tools.legacy->tools_problem, "the dump has no answer to tools/list");
  const Offer first_page =
      read_offer("[" + initialize + "," + std::string(kPage1) + "]", "d").value();
  EXPECT_EQ(first_page.legacy->tools_problem, "the dump ends before the last page of tools/list");
  std::string many = R"({"tools":[{"name":"a"})";
  for (int i = 0; i < 10'000; ++i) many += R"(,{"name":"a"})";
  const Offer too_many = read_offer("[" + initialize + "," + many + "]}]", "d").value();
  EXPECT_EQ(too_many.legacy->tools.size(), 10'000u);
  EXPECT_EQ(too_many.legacy->tools_problem,
            "the dump has more than 10,000 tools; the rest is not read");
  const Offer refused = read_offer(R"({"server/discover":{"error":{"code":-32601,"message":""}},)"
                                   R"("initialize":)" +
                                       initialize + "}",
                                   "d")
                            .value();
  EXPECT_EQ(refused.probe.answer, ProbeAnswer::kError);
  EXPECT_EQ(refused.probe.error_code, -32601);
}

TEST(OfferDump, RefusesWhatIsNone) {
  struct Case {
    std::string json;
    const char *code, *place;
  };
  for (const Case& c : std::vector<Case>{
           {"{}", "offer.shape", "d"},
           {"[]", "offer.shape", "d"},
           {"17", "offer.shape", "d:1:1"},
           {std::string(kPage2), "offer.shape", "d"},
           {R"({"initialize":{"instructions":"x"}})", "offer.shape", "d:1:15"},
           {R"({"initialize":"x"})", "offer.shape", "d:1:15"},
           {R"({"protocolVersion":"2027-01-01"})", "offer.shape", "d"},
           {R"({"supportedVersions":"2026-07-28"})", "offer.shape", "d"},
           {R"([{"protocolVersion":"2025-11-25"},{"tools":7}])", "offer.shape", "d"},
           {std::string(kInitialize) + "\n{oops\n", "offer.syntax", "d:2"},
           {std::string(kInitialize) + "\n\n7\n", "offer.shape", "d:3"},
       }) {
    const Result<Offer> offer = read_offer(c.json, "d");
    ASSERT_FALSE(offer) << c.json;
    EXPECT_EQ(offer.error().code, c.code) << c.json;
    EXPECT_EQ(offer.error().place, c.place) << c.json;
  }
}

TEST(OfferDump, CountsWhatIsNotUtf8) {
  const std::string dump =
      R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{},"instructions":"ab)"
      "\xff\xfe"
      R"(c"})";
  const Offer offer = read_offer(dump, "d").value();
  EXPECT_EQ(offer.legacy->instructions->value,
            "ab\uFFFD\uFFFD"
            "c");
  EXPECT_EQ(offer.legacy->instructions->first_invalid_byte, 2u);
  EXPECT_EQ(offer.legacy->instructions->replaced, 2u);
  ASSERT_FALSE(offer.incidents.empty());
  EXPECT_EQ(offer.incidents[0].code, "invalid-utf8");
}

// --- Drafts -------------------------------------------------------------------------------------

TEST(DraftOffer, SaysTheSameInBothEras) {
  const Offer offer = draft_offer("Count first.\n");
  EXPECT_EQ(offer.outcome, Outcome::kServes);
  for (const Era era : {Era::kLegacy, Era::kModern}) {
    ASSERT_TRUE(offer.era(era));
    EXPECT_EQ(offer.era(era)->instructions, server_text("Count first.\n"));
    EXPECT_TRUE(offer.era(era)->tools.empty());
    EXPECT_EQ(offer.era(era)->tools_problem, std::nullopt);
  }
  EXPECT_TRUE(offer.incidents.empty());
  const Offer broken = draft_offer("a\xff");
  EXPECT_EQ(broken.legacy->instructions->value, "a\uFFFD");
  ASSERT_EQ(broken.incidents.size(), 1u);
  EXPECT_EQ(broken.incidents[0].message,
            "the draft: not UTF-8 at byte 1 (1 part replaced by U+FFFD)");
}

}  // namespace
}  // namespace cutline::mcp
