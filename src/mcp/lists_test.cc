// lists_test.cc: pages, cursors, and what stands on them.
#include "mcp/lists.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"

namespace cutline::mcp {
namespace {

using namespace scripted;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> codes(const Offer& offer) {
  std::vector<std::string> all;
  for (const Incident& incident : offer.incidents) all.push_back(incident.code);
  return all;
}

std::vector<std::string> names(const EraOffer& offer) {
  std::vector<std::string> all;
  for (const Tool& tool : offer.tools) all.push_back(tool.name);
  return all;
}

std::string page(std::string_view name, std::string_view next_cursor = {}) {
  std::string json =
      R"({"tools":[{"name":")" + std::string(name) + R"(","inputSchema":{"type":"object"}}])";
  if (!next_cursor.empty()) json += R"(,"nextCursor":)" + std::string(next_cursor);
  return json + "}";
}

/// Pages of tools/list by the cursor in the request, as a JSON token; "" for the first.
Server paged(std::map<std::string, std::string> pages) {
  Server server = legacy_server();
  server.on["tools/list"] = [pages = std::move(pages)](const Call& call) {
    const wire::Message message = wire::parse_line(call.line).at(0);
    const auto cursor = message.params ? message.params->find("cursor") : std::nullopt;
    const auto found = pages.find(cursor ? std::string(cursor->raw()) : std::string());
    return found == pages.end() ? error(-32602)(call) : result(found->second)(call);
  };
  return server;
}

struct Paging {
  const char* what;
  std::map<std::string, std::string> pages;
  std::vector<std::string> tools, incidents;
  std::string problem;
};

TEST(Lists, GoOnUntilThereIsNoCursor) {
  for (const Paging& c : std::vector<Paging>{
           {"one page", {{"", page("a")}}, {"a"}, {}, ""},
           {"three pages",
            {{"", page("a", R"("2")")}, {R"("2")", page("b", R"("3")")}, {R"("3")", page("c")}},
            {"a", "b", "c"},
            {},
            ""},
           {"the empty string is a cursor",
            {{"", page("a", R"("")")}, {R"("")", page("b")}},
            {"a", "b"},
            {},
            ""},
           {"a cursor goes back as it came",
            {{"", page("a", R"("\u00e9\ud800/")")}, {R"("\u00e9\ud800/")", page("b")}},
            {"a", "b"},
            {},
            ""},
           {"the same cursor again",
            {{"", page("a", R"("2")")}, {R"("2")", page("b", R"("2")")}},
            {"a", "b"},
            {"cursor-loop"},
            "tools/list: the cursor “2” came for a second time (after 2 pages)"},
           {"round in a circle",
            {{"", page("a", R"("2")")},
             {R"("2")", page("b", R"("3")")},
             {R"("3")", page("c", R"("2")")}},
            {"a", "b", "c"},
            {"cursor-loop"},
            "tools/list: the cursor “2” came for a second time (after 3 pages)"},
           {"null ends it", {{"", page("a", "null")}}, {"a"}, {"cursor-shape"}, ""},
           {"a number",
            {{"", page("a", "2")}},
            {"a"},
            {"cursor-shape"},
            "tools/list: nextCursor is a number instead of a string (after 1 page)"},
           {"a page that is refused",
            {{"", page("a", R"("2")")}},
            {"a"},
            {"list-refused"},
            "tools/list: it is answered with error -32602 (“no”) (after 1 page)"},
           {"no list",
            {{"", "{}"}},
            {},
            {"list-shape"},
            "tools/list: the result has no 'tools' (after 1 page)"},
           {"no object",
            {{"", "[]"}},
            {},
            {"list-shape"},
            "tools/list: the result is an array, not an object (after 1 page)"},
           {"null for a list",
            {{"", R"({"tools":null})"}},
            {},
            {"list-shape"},
            "tools/list: 'tools' is null, not an array (after 1 page)"},
           {"the same name twice",
            {{"", page("a", R"("2")")}, {R"("2")", page("a")}},
            {"a", "a"},
            {"duplicate-tool"},
            ""},
       }) {
    SCOPED_TRACE(c.what);
    const Held held = hold(paged(c.pages));
    EXPECT_EQ(held.offer.outcome, Outcome::kServes) << held.offer.outcome_detail;
    ASSERT_TRUE(held.offer.legacy);
    EXPECT_EQ(names(*held.offer.legacy), c.tools);
    EXPECT_EQ(codes(held.offer), c.incidents);
    EXPECT_EQ(held.offer.legacy->tools_problem.value_or(""), c.problem);
  }
}

/// A list without end, with a new cursor on each page.
Server endless() {
  Server server = legacy_server();
  server.on["tools/list"] = [](const Call& call) {
    return result(page("a", '"' + std::to_string(call.position) + '"'))(call);
  };
  return server;
}

TEST(Lists, HaveAnEnd) {
  InterviewOptions options;
  options.limits.pages_max = 20;
  const Held by_pages = hold(endless(), options);
  EXPECT_EQ(by_pages.offer.legacy->tools.size(), 20u);
  EXPECT_THAT(codes(by_pages.offer), ElementsAre("list-too-long", "duplicate-tool"));
  EXPECT_EQ(by_pages.offer.legacy->tools_problem,
            "tools/list: it has more than 20 pages; the rest is not read (after 20 pages)");
  options.limits.pages_max = 1'000;
  options.limits.list_bytes_max = 1'000;
  const Held by_bytes = hold(endless(), options);
  EXPECT_LT(by_bytes.offer.legacy->tools.size(), 20u);
  EXPECT_EQ(by_bytes.offer.legacy->tools_problem.value_or("").substr(0, 66),
            "tools/list: it has more than 1,000 bytes; the rest is not read (af");
}

TEST(Lists, KeepNoMoreEntriesThanTheyMay) {
  InterviewOptions options;
  options.limits.tools_max = 3;
  options.limits.listed_max = 2;
  const auto pages = [](int count) {
    std::map<std::string, std::string> all;
    for (int i = 1; i <= count; ++i) {
      const std::string next = i < count ? fmt::format("\"{}\"", i) : "";
      all[i == 1 ? "" : fmt::format("\"{}\"", i - 1)] = page(std::string(1, "?abcd"[i]), next);
    }
    return paged(all);
  };
  const Held three = hold(pages(3), options);
  EXPECT_THAT(names(*three.offer.legacy), ElementsAre("a", "b", "c"));
  EXPECT_THAT(three.offer.incidents, IsEmpty());
  const Held four = hold(pages(4), options);
  EXPECT_EQ(four.offer.outcome, Outcome::kServes);
  EXPECT_THAT(names(*four.offer.legacy), ElementsAre("a", "b", "c"));
  EXPECT_THAT(codes(four.offer), ElementsAre("list-too-long"));
  EXPECT_EQ(four.offer.legacy->tools_problem,
            "tools/list: it has more than 3 tools; the rest is not read (after 4 pages)");

  Server server;
  server.on["initialize"] =
      result(initialize_result("2025-11-25", "", R"({"tools":{},"prompts":{}})"));
  server.on["tools/list"] = result(R"({"tools":[1,2,3,{"name":"a"}]})");  // bad ones count, too
  server.on["prompts/list"] = result(R"({"prompts":[{"name":"p"},{"name":"q"},{"name":"r"}]})");
  const Offer offer = hold(server, options).offer;
  EXPECT_THAT(offer.legacy->tools, IsEmpty());
  EXPECT_EQ(offer.legacy->prompts.size(), 2u);
  EXPECT_THAT(codes(offer), ElementsAre("tool-shape", "list-too-long", "list-too-long"));
  EXPECT_EQ(offer.incidents[2].message,
            "prompts/list: it has more than 2 items; the rest is not read (after 1 page)");
}

TEST(Lists, CountTheirLinesAsSent) {
  const Held held = hold(paged({{"", page("a", R"("2")")}, {R"("2")", page("b")}}));
  const std::string envelope = R"({"jsonrpc":"2.0","id":3,"result":})";
  EXPECT_EQ(held.offer.legacy->tools_list_bytes,
            2 * (envelope.size() + 1) + page("a", R"("2")").size() + page("b").size());
}

TEST(Lists, AskForAllFirstPagesAtOnce) {
  Server server;
  server.on["initialize"] =
      result(initialize_result("2025-11-25", "", R"({"tools":{},"prompts":{},"resources":{}})"));
  server.on["tools/list"] = late(milliseconds(500), result(std::string(kTools)));
  server.on["prompts/list"] =
      result(R"({"prompts":[{"name":"p","description":"a prompt"},{"name":"q"}]})");
  server.on["resources/list"] = result(R"({"resources":[{"name":"r","uri":"file:///r"}]})");
  server.on["resources/templates/list"] =
      result(R"({"resourceTemplates":[{"name":"t","uriTemplate":"file:///{x}"}]})");
  const Held held = hold(server);
  EXPECT_THAT(held.sent,
              ElementsAre("1:server/discover", "1:initialize", "1:notifications/initialized",
                          "1:tools/list", "1:prompts/list", "1:resources/list",
                          "1:resources/templates/list"));
  EXPECT_THAT(held.offer.legacy->prompts,
              ElementsAre(Listed{.name = "p", .uri = "", .description = "a prompt"},
                          Listed{.name = "q", .uri = "", .description = ""}));
  EXPECT_THAT(held.offer.legacy->resources,
              ElementsAre(Listed{.name = "r", .uri = "file:///r", .description = ""}));
  EXPECT_THAT(held.offer.legacy->templates,
              ElementsAre(Listed{.name = "t", .uri = "file:///{x}", .description = ""}));
  EXPECT_THAT(held.offer.incidents, IsEmpty());
}

TEST(Lists, OfOtherThingsMayFail) {
  Server server;
  server.on["initialize"] =
      result(initialize_result("2025-11-25", "", R"({"tools":{},"prompts":{},"resources":{}})"));
  server.on["tools/list"] = result(std::string(kTools));
  server.on["prompts/list"] = silence();
  server.on["resources/list"] = error(-32603);
  const Held held = hold(server);  // templates: -32601, which is no incident
  EXPECT_EQ(held.offer.outcome, Outcome::kServes);
  EXPECT_THAT(codes(held.offer), ElementsAre("list-refused", "list-unanswered"));
  EXPECT_EQ(held.offer.legacy->tools_problem, std::nullopt);
  EXPECT_EQ(held.offer.times.total, milliseconds(10'000));

  server.on["prompts/list"] = exits(1);
  const Held dead = hold(server);
  EXPECT_EQ(dead.offer.outcome, Outcome::kServes);
  EXPECT_EQ(dead.offer.exit, (Exit{.code = 1, .signal = {}}));
}

TEST(Lists, OfToolsThatNobodyDeclared) {
  Server server;
  server.on["initialize"] = result(initialize_result("2025-11-25", "", "{}"));
  const Held none = hold(server);
  EXPECT_EQ(none.offer.outcome, Outcome::kServes);
  EXPECT_EQ(none.offer.legacy->tools_problem, std::nullopt);
  EXPECT_THAT(none.offer.incidents, IsEmpty());

  server.on["tools/list"] = result(std::string(kTools));
  const Held some = hold(server);
  EXPECT_EQ(some.offer.legacy->tools.size(), 1u);
  EXPECT_THAT(codes(some.offer), ElementsAre("tools-not-declared"));

  server.on["tools/list"] = silence();
  const Held silent = hold(server);
  EXPECT_EQ(silent.offer.outcome, Outcome::kServes);
  EXPECT_EQ(silent.offer.times.total, milliseconds(10'000));
}

TEST(Lists, KeepWhatToolsSayAsItWasSent) {
  Server server = legacy_server();
  server.on["tools/list"] = result(
      R"({"tools":[{"name":"a","title":"A","description":"é","inputSchema":{ "type": "object" },)"
      R"("outputSchema":{"z":1e-07},"annotations":{"readOnlyHint":true},)"
      R"("_meta":{"anthropic/alwaysLoad":true}},{"name":"b","inputSchema":{}}]})");
  const Offer offer = hold(server).offer;
  ASSERT_EQ(offer.legacy->tools.size(), 2u);
  const Tool& tool = offer.legacy->tools[0];
  EXPECT_EQ(tool.title, "A");
  EXPECT_EQ(tool.description->value, "é");
  EXPECT_EQ(tool.description->length.bytes.value, 2u);
  EXPECT_EQ(tool.input_schema, R"({ "type": "object" })");
  EXPECT_EQ(tool.output_schema, R"({"z":1e-07})");
  EXPECT_EQ(tool.annotations, R"({"readOnlyHint":true})");
  EXPECT_EQ(tool.meta, R"({"anthropic/alwaysLoad":true})");
  EXPECT_TRUE(tool.always_load);
  EXPECT_EQ(offer.legacy->tools[1].description, std::nullopt);
  EXPECT_FALSE(offer.legacy->tools[1].always_load);
}

TEST(Lists, PassOverWhatIsNoTool) {
  Server server = legacy_server();
  server.on["tools/list"] =
      result(R"({"tools":[1,{"description":"nameless"},{"name":7},{"name":"a","description":5,)"
             R"("inputSchema":"none"},{"name":"b"}]})");
  const Offer offer = hold(server).offer;
  EXPECT_THAT(names(*offer.legacy), ElementsAre("a", "b"));
  EXPECT_THAT(codes(offer), ElementsAre("tool-shape", "tool-shape", "tool-schema", "tool-schema"));
  EXPECT_EQ(offer.incidents[0].times, 3u);
  EXPECT_EQ(offer.incidents[1].message,
            "the description of tool “a” is a number; it must be a string");
}

TEST(Lists, InTheModernEraAreCompleteOrInvalid) {
  Server server = modern_server();
  server.on["tools/list"] = result(R"({"resultType":"input_required","tools":[]})");
  const Offer offer = hold(server).offer;
  EXPECT_THAT(codes(offer), ElementsAre("list-shape"));
  EXPECT_THAT(offer.modern->tools_problem.value_or(""), HasSubstr("resultType"));
}

}  // namespace
}  // namespace cutline::mcp
