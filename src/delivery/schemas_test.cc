// schemas_test.cc: what clients make of input schemas, against what the real programs sent.
#include "delivery/schemas.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delivery/deliver.h"
#include "delivery/profiles_fixture.h"
#include "mcp/schema.h"
#include "support/cases.h"

namespace cutline::delivery {
namespace {

using json::Value;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// One tool of a server, delivered by one client.
class Sent {
 public:
  Sent(const Profile& profile, const Version& version, std::string model, const Value& schema) {
    offer_.outcome = mcp::Outcome::kServes;
    offer_.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
    offer_.legacy.emplace();
    offer_.legacy->era = mcp::Era::kLegacy;
    mcp::Tool tool;
    tool.name = "open";
    tool.description = mcp::server_text("Opens a bin.");
    tool.input_schema = schema.raw();
    tool.schema = mcp::schema_traits(schema);
    offer_.legacy->tools = {std::move(tool)};
    Situation situation;
    situation.session = Session::kCustomEndpoint;
    situation.model = std::move(model);
    const Configured server = {.name = "lab", .offer = &offer_};
    delivery_ = deliver(profile, version, situation, {&server, 1});
    schema_ = sent_schema(tool_piece());
  }

  const Delivered& tool_piece() const { return *delivery_.tool("lab", "open"); }
  const SentSchema& schema() const { return schema_; }

 private:
  mcp::Offer offer_;
  Delivery delivery_;
  SentSchema schema_;
};

const json::Document& measured() {
  static const json::Document document = [] {
    const std::ifstream file(CUTLINE_SOURCE_DIR "/tests/cases/schemas-measured.json");
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return json::Document::parse(bytes.str()).value();
  }();
  return document;
}

// Of these the profile says that it does not know them.
const std::map<std::string, std::vector<std::string>> kNotKnown = {
    {"claude-code", {"topany", "topone", "topall", "topanyone"}},
    {"codex", {"arr", "combos2", "enumsx", "fmt", "infer", "nulls2"}},
    {"copilot", {"topall", "topany", "topanyone", "topenum", "topnot", "topone"}},
    {"langchain-mcp-adapters",
     {"allkw", "combos", "combos2", "deepany", "defsx", "infer", "nestdefs", "nulls", "nulls2",
      "nulldefs", "olddefs", "refs", "topall", "topany", "topanyone", "topif", "topnot", "topone",
      "topref"}},
};

class MeasuredSchemas : public testing::TestWithParam<std::string> {};

TEST_P(MeasuredSchemas, AreAsPredicted) {
  const std::string& id = GetParam();
  const Profile profile = profile_named(id);
  const Value client = *measured().root().find("clients")->find(id);
  const Version version = Version::parse(*json::string_member(client, "version")).value();
  std::vector<std::string> lost;
  for (const Value& name : client.find("lost")->elements()) lost.push_back(name.string().value);
  const auto unknown = kNotKnown.find(id);
  for (const Value::Member& one : measured().root().find("sent")->members()) {
    SCOPED_TRACE(one.key);
    const Sent sent(profile, version, id == "codex" ? "gpt-5" : "", one.value);
    const Delivered& tool = sent.tool_piece();
    if (unknown != kNotKnown.end() && std::ranges::count(unknown->second, one.key) > 0) {
      EXPECT_TRUE(tool.state == State::kUnknown || !sent.schema().known);
      continue;
    }
    EXPECT_EQ(tool.never == Never::kSchemaRefused, std::ranges::count(lost, one.key) > 0)
        << tool.reason;
    if (!tool.arrives()) continue;
    ASSERT_TRUE(sent.schema().known) << sent.schema().reason;
    const auto got = client.find("got")->find(one.key);
    const Value theirs = got ? *got : one.value;
    EXPECT_EQ(schema_difference(sent.schema(), theirs.raw()), std::nullopt)
        << json::text(sent.schema().schema) << "\n"
        << theirs.raw();
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, MeasuredSchemas,
                         testing::Values("claude-code", "codex", "copilot", "gemini-cli",
                                         "continue", "cline", "mcp-sdk-ts-v1", "mcp-sdk-ts-v2",
                                         "langchain-mcp-adapters"),
                         [](const auto& client) {
                           std::string name = client.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// These four were kept for fewer schemas: what they do is the same for all.
class ClosedSchemas : public testing::TestWithParam<std::string> {};

TEST_P(ClosedSchemas, AreAsPredicted) {
  const Profile profile = profile_named(GetParam());
  const Value client = *measured().root().find("clients")->find(GetParam());
  const Version version = Version::parse(*json::string_member(client, "version")).value();
  for (const Value::Member& got : client.find("got")->members()) {
    SCOPED_TRACE(got.key);
    const Value schema = *measured().root().find("sent")->find(got.key);
    const Sent sent(profile, version, "", schema);
    EXPECT_EQ(schema_difference(sent.schema(), got.value.raw()), std::nullopt)
        << json::text(sent.schema().schema);
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, ClosedSchemas,
                         testing::Values("opencode", "kilo", "ai-sdk-mcp", "openai-agents-js"),
                         [](const auto& client) {
                           std::string name = client.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// --- The cases ----------------------------------------------------------------------------------

/// The schema of a case, in which a text may stand as {"units": N}.
json::Data with_texts(const Value& value) {
  json::Data data = json::data(value);
  const std::function<void(json::Data&)> fill = [&](json::Data& one) {
    const json::Data* units = one.find("units");
    if (units && one.members.size() == 1 && units->type == json::Type::kNumber) {
      one = json::string(std::string(std::stoul(units->text), 'x'));
      return;
    }
    for (json::Data::Member& member : one.members) fill(member.value);
    for (json::Data& element : one.elements) fill(element);
  };
  fill(data);
  return data;
}

const json::Data* at(const json::Data& schema, std::string_view path) {
  const json::Data* here = &schema;
  while (here && !path.empty()) {
    const std::size_t dot = path.find('.');
    here = here->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return here;
}

std::vector<std::string> schema_paths(const Value& expect, std::string_view key) {
  std::vector<std::string> paths;
  const auto list = expect.find(key);
  if (!list) return paths;
  constexpr std::string_view kSchema = "inputSchema.";
  for (const Value& path : list->elements()) {
    const std::string text = path.string().value;
    if (text.starts_with(kSchema)) paths.push_back(text.substr(kSchema.size()));
  }
  return paths;
}

void check_case(const cases::Case& c) {
  const std::size_t split = c.client.find('@');
  const Profile profile = profile_named(c.client.substr(0, split));
  const Version version = Version::parse(c.client.substr(split + 1)).value();
  const json::Data schema = with_texts(*c.input.find("tool")->find("inputSchema"));
  const json::Document document = json::Document::parse(json::text(schema)).value();
  if (const auto bytes = c.input.find("compact_schema_bytes")) {
    EXPECT_EQ(json::text(schema).size(), static_cast<std::size_t>(*bytes->int64()));
  }
  const Sent sent(profile, version, json::string_member(c.input, "model").value_or(""),
                  document.root());
  ASSERT_TRUE(sent.schema().known) << sent.schema().reason;
  const json::Data& now = sent.schema().schema;
  for (const std::string& path : schema_paths(c.expect, "arrives")) {
    ASSERT_NE(at(now, path), nullptr) << path;
    EXPECT_TRUE(json::same(*at(now, path), *at(schema, path))) << path;
  }
  for (const std::string& path : schema_paths(c.expect, "lost"))
    EXPECT_EQ(at(now, path), nullptr) << path;
}

TEST(SchemaCases, Hold) {
  const cases::File file("schemas.json");
  EXPECT_EQ(file.cases().size(), 7u);
  for (const cases::Case& c : file.cases()) {
    SCOPED_TRACE(c.id);
    check_case(c);
  }
}

TEST(SchemaCases, WhatIsChangedAndAdded) {
  const json::Document nullable =
      json::Document::parse(
          R"({"type":"object","properties":{"aisle":{"type":["string","null"]}}})")
          .value();
  const Sent gemini(profile_named("gemini-cli"), Version::parse("0.61.0").value(), "",
                    nullable.root());
  EXPECT_EQ(json::text(*at(gemini.schema().schema, "properties.aisle")),
            R"({"type":"string","nullable":true})");
  EXPECT_THAT(gemini.schema().own_parameters, ElementsAre("wait_for_previous"));

  const json::Document constant =
      json::Document::parse(R"({"type":"object","properties":{"mode":{"const":"fast"}}})").value();
  const Sent codex(profile_named("codex"), Version::parse("0.171.0").value(), "gpt-5",
                   constant.root());
  EXPECT_EQ(json::text(*at(codex.schema().schema, "properties.mode")),
            R"({"enum":["fast"],"type":"string"})");
}

// --- What is said of it -------------------------------------------------------------------------

SchemaChange change(SchemaChange::What what, std::string path, std::string now = "") {
  return {.what = what, .path = std::move(path), .now = std::move(now)};
}

MATCHER_P(IsChange, wanted, "") {
  return arg.what == wanted.what && arg.path == wanted.path && arg.now == wanted.now;
}

TEST(SentSchema, TellsWhatIsLostChangedAndAdded) {
  const json::Document schema = json::Document::parse(R"({"type":"object","title":"T",
      "properties":{"a":{"$ref":"#/$defs/A"}},
      "$defs":{"A":{"type":"string","description":"The A."}}})")
                                    .value();
  const Sent sent(profile_named("continue"), Version::parse("1.5.47").value(), "", schema.root());
  using enum SchemaChange::What;
  EXPECT_THAT(sent.schema().changes,
              ElementsAre(IsChange(change(kLost, "title")), IsChange(change(kLost, "$defs"))));
  EXPECT_THAT(sent.schema().lost_texts, ElementsAre("$defs.A.description"));

  const Sent closed(profile_named("opencode"), Version::parse("1.18.33").value(), "",
                    schema.root());
  EXPECT_THAT(closed.schema().changes,
              ElementsAre(IsChange(change(kAdded, "additionalProperties", "false"))));
  EXPECT_THAT(closed.schema().lost_texts, IsEmpty());
}

TEST(SentSchema, ADescriptionThatGrowsIsNotLost) {
  const json::Document schema =
      json::Document::parse(
          R"({"type":"object","properties":{"a":{"type":"string","minLength":2,
          "description":"Words."}}})")
          .value();
  const Sent sent(profile_named("copilot"), Version::parse("1.0.102").value(), "", schema.root());
  EXPECT_THAT(sent.schema().lost_texts, IsEmpty());
  using enum SchemaChange::What;
  EXPECT_THAT(sent.schema().changes, Contains(IsChange(change(kChanged, "properties.a.description",
                                                              R"("Words.\n\n{minLength: 2}")"))));
}

TEST(SentSchema, IsNotKnownWithoutAFactOrASchema) {
  const json::Document schema = json::Document::parse(R"({"type":"object"})").value();
  const Sent cursor(profile_named("cursor"), Version{}, "", schema.root());
  EXPECT_FALSE(cursor.schema().known);
  const json::Document number = json::Document::parse("7").value();
  const Sent cline(profile_named("cline"), Version::parse("3.0.65").value(), "", number.root());
  EXPECT_FALSE(cline.schema().known);
}

}  // namespace
}  // namespace cutline::delivery
