// schema_test.cc: what clients look at in an input schema.
#include "mcp/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::mcp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SchemaTraits traits(std::string_view json) {
  const Result<json::Document> document = json::Document::parse(json);
  EXPECT_TRUE(document) << json;
  return schema_traits(document->root());
}

TEST(SchemaTraits, OfAGoodSchema) {
  const SchemaTraits good = traits(
      R"({"type":"object","properties":{"bin":{"type":"string"},"a b":{}},"required":["bin"]})");
  EXPECT_TRUE(good.is_object);
  EXPECT_FALSE(good.boolean_parameter);
  EXPECT_FALSE(good.branches);
  EXPECT_THAT(good.parameters, ElementsAre("bin", "a b"));
  EXPECT_THAT(good.invalid, IsEmpty());
}

TEST(SchemaTraits, WithoutTheTypeObject) {
  EXPECT_FALSE(schema_traits(std::nullopt).is_object);
  EXPECT_FALSE(traits("{}").is_object);
  EXPECT_FALSE(traits(R"({"type":"string"})").is_object);
  EXPECT_FALSE(traits(R"({"type":["object"]})").is_object);
  EXPECT_FALSE(traits("7").is_object);
}

TEST(SchemaTraits, BooleanParametersAndBranches) {
  EXPECT_TRUE(traits(R"({"properties":{"a":{},"b":true}})").boolean_parameter);
  EXPECT_TRUE(traits(R"({"oneOf":[{}]})").branches);
  EXPECT_FALSE(traits(R"({"properties":{"a":{"anyOf":[{}]}}})").branches);
}

TEST(SchemaTraits, TheFirstFaultHasAPlace) {
  const auto invalid = [](std::string_view json) { return traits(json).invalid; };
  EXPECT_EQ(invalid(R"({"properties":{"a":{"type":"text"}}})"), "properties.a.type");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"type":[]}}})"), "properties.a.type");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"format":null}}})"), "properties.a.format");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"enum":"x"}}})"), "properties.a.enum");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"items":[{}]}}})"), "properties.a.items");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"anyOf":true}}})"), "properties.a.anyOf");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"allOf":[]}}})"), "properties.a.allOf");
  EXPECT_EQ(invalid(R"({"properties":{"a":{"anyOf":[{},{"minLength":-1}]}}})"),
            "properties.a.anyOf[1].minLength");
  EXPECT_EQ(invalid(R"({"required":["a","a"]})"), "required");
  EXPECT_EQ(invalid(R"({"properties":[]})"), "properties");
  EXPECT_EQ(invalid(R"({"multipleOf":0})"), "multipleOf");
  EXPECT_EQ(invalid(R"({"items":7})"), "items");
}

TEST(SchemaTraits, WhatSchemasMayHaveIsNoFault) {
  EXPECT_THAT(traits(R"({"type":["string","null"],"const":null,"default":{},"x-hint":[7],
      "minLength":1.0,"enum":[],"additionalProperties":false,"items":true,"nullable":"yes",
      "dependentRequired":{"a":["b"]},"patternProperties":{"^x":{"type":"integer"}}})")
                  .invalid,
              IsEmpty());
}

}  // namespace
}  // namespace cutline::mcp
