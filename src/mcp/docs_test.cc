// docs_test.cc: docs/offer.md and docs/offer.schema.json say what the code does.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "json/document.h"
#include "mcp/offer_json.h"
#include "support/scripted_server.h"

namespace cutline::mcp {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(std::string(CUTLINE_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// All first groups.
std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    all.insert((*match)[1]);
  return all;
}

/// What the sources note, wherever the code stands as a literal.
std::set<std::string> codes_in_sources() {
  std::set<std::string> codes;
  for (const char* file : {"answers.cc", "interview.cc", "lists.cc", "session.cc", "verdict.cc"}) {
    const std::string source = read(std::string("src/mcp/") + file);
    codes.merge(matches(source, std::regex(R"re(\bnote\(\s*"([a-z0-9-]+)")re")));
    codes.merge(matches(source, std::regex(R"re(\bnote\(json \? "([a-z0-9-]+)")re")));
    codes.merge(matches(source, std::regex(R"re(\bstop\(walk, "([a-z0-9-]+)")re")));
    // Codes that are handed on to a helper.
    codes.merge(matches(source, std::regex(R"re("([a-z]+-(?:shape|incomplete))")re")));
  }
  codes.insert("noise-on-stdout");
  return codes;
}

TEST(Docs, ListEveryIncident) {
  const std::string text = read("docs/offer.md");
  const std::string table = text.substr(text.find("## Incidents"));
  std::string first_cells;
  for (const std::string& row : matches(table, std::regex(R"(\n\| (`[^|]*) \|)")))
    first_cells += row;
  EXPECT_EQ(matches(first_cells, std::regex("`([a-z0-9-]+)`")), codes_in_sources());
}

/// Every member of a written offer stands in the schema, with a type that it may have.
void expect_described(const json::Value& value, json::Value schema, const json::Value& root,
                      const std::string& at) {
  if (const auto either = schema.find("oneOf")) {
    if (value.is(json::Type::kNull)) return;
    schema = either->elements().at(1);
  }
  if (const auto reference = schema.find("$ref"))
    schema =
        *root.find("$defs")->find(reference->string().value.substr(std::string("#/$defs/").size()));
  if (const auto items = schema.find("items"); items && value.is(json::Type::kArray)) {
    for (const json::Value& element : value.elements())
      expect_described(element, *items, root, at + "[]");
  }
  const auto properties = schema.find("properties");
  if (!properties || !value.is(json::Type::kObject)) return;
  for (const json::Value::Member& member : value.members()) {
    const auto described = properties->find(member.key);
    EXPECT_TRUE(described) << at << "." << member.key;
    if (described) expect_described(member.value, *described, root, at + "." + member.key);
  }
}

TEST(Docs, TheSchemaDescribesAnOffer) {
  const std::string text = read("docs/offer.schema.json");
  const Result<json::Document> schema = json::Document::parse(text);
  ASSERT_TRUE(schema);
  Offer offer = scripted::hold(scripted::dual_server()).offer;
  offer.exit = Exit{.code = 1, .signal = {}};
  offer.incidents = {{.code = "crlf", .message = "m"}};
  offer.modern->instructions = server_text("a\xff");
  offer.modern->instructions_wrong_type = "a number";
  offer.modern->server.title = "t";
  offer.modern->tools_problem = "p";
  offer.modern->tools = {{.name = "n",
                          .title = "t",
                          .description = server_text("d\xff"),
                          .input_schema = "{}",
                          .output_schema = "{}",
                          .annotations = "{}",
                          .meta = "{}",
                          .always_load = true}};
  offer.modern->prompts = {{.name = "p", .uri = "u", .description = "d"}};
  offer.probe.error_code = -32601;
  const Result<json::Document> written = json::Document::parse(write_offer(offer));
  ASSERT_TRUE(written);
  expect_described(written->root(), schema->root(), schema->root(), "offer");
}

}  // namespace
}  // namespace cutline::mcp
