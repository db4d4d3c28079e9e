// schema.cc: reading input schemas for what clients look at.
#include "mcp/schema.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace cutline::mcp {
namespace {

using json::Type;
using json::Value;

enum class Form {
  kString,
  kBoolean,
  kNumber,
  kPositive,  // a number over 0
  kCount,     // a whole number from 0 on
  kSchema,
  kSchemas,        // a list of at least one
  kSchemaMap,      // an object of schemas
  kStrings,        // a list of different strings
  kStringListMap,  // an object of such lists
  kList,
  kType,
};

struct Member {
  std::string_view name;
  Form form;
};

constexpr std::array<Member, 55> kMembers = {{
    {"$id", Form::kString},
    {"$schema", Form::kString},
    {"$ref", Form::kString},
    {"$anchor", Form::kString},
    {"$dynamicRef", Form::kString},
    {"$dynamicAnchor", Form::kString},
    {"$comment", Form::kString},
    {"$defs", Form::kSchemaMap},
    {"definitions", Form::kSchemaMap},
    {"title", Form::kString},
    {"description", Form::kString},
    {"format", Form::kString},
    {"pattern", Form::kString},
    {"contentEncoding", Form::kString},
    {"contentMediaType", Form::kString},
    {"contentSchema", Form::kSchema},
    {"deprecated", Form::kBoolean},
    {"readOnly", Form::kBoolean},
    {"writeOnly", Form::kBoolean},
    {"uniqueItems", Form::kBoolean},
    {"maximum", Form::kNumber},
    {"minimum", Form::kNumber},
    {"exclusiveMaximum", Form::kNumber},
    {"exclusiveMinimum", Form::kNumber},
    {"multipleOf", Form::kPositive},
    {"minLength", Form::kCount},
    {"maxLength", Form::kCount},
    {"minItems", Form::kCount},
    {"maxItems", Form::kCount},
    {"minContains", Form::kCount},
    {"maxContains", Form::kCount},
    {"minProperties", Form::kCount},
    {"maxProperties", Form::kCount},
    {"items", Form::kSchema},
    {"contains", Form::kSchema},
    {"additionalProperties", Form::kSchema},
    {"propertyNames", Form::kSchema},
    {"not", Form::kSchema},
    {"if", Form::kSchema},
    {"then", Form::kSchema},
    {"else", Form::kSchema},
    {"anyOf", Form::kSchemas},
    {"oneOf", Form::kSchemas},
    {"allOf", Form::kSchemas},
    {"prefixItems", Form::kSchemas},
    {"properties", Form::kSchemaMap},
    {"patternProperties", Form::kSchemaMap},
    {"dependentSchemas", Form::kSchemaMap},
    {"unevaluatedItems", Form::kSchema},
    {"unevaluatedProperties", Form::kSchema},
    {"required", Form::kStrings},
    {"dependentRequired", Form::kStringListMap},
    {"enum", Form::kList},
    {"examples", Form::kList},
    {"type", Form::kType},
}};
constexpr std::array<std::string_view, 7> kTypes = {"string", "number", "integer", "boolean",
                                                    "object", "array",  "null"};

bool is_type(const Value& value) {
  return value.is(Type::kString) && std::ranges::find(kTypes, value.string().value) != kTypes.end();
}

bool are_different_strings(const Value& list) {
  if (!list.is(Type::kArray)) return false;
  std::set<std::string> seen;
  return std::ranges::all_of(list.elements(), [&](const Value& element) {
    return element.is(Type::kString) && seen.insert(element.string().value).second;
  });
}

/// The place of the first thing that is not as it must be, from the value on ("" is the value
/// itself); nothing if all is.
using Fault = std::optional<std::string>;

Fault unless(bool good) { return good ? Fault() : Fault(""); }

/// The fault of what stands within at `step`: "anyOf", "[2]".
Fault within(std::string_view step, Fault fault) {
  if (!fault || fault->empty()) return fault ? Fault(step) : fault;
  return fmt::format("{}{}{}", step, fault->front() == '[' ? "" : ".", *fault);
}

Fault fault_in(const Value& schema);

Fault fault_in_list(const Value& list) {
  if (!list.is(Type::kArray) || list.size() == 0) return "";
  std::size_t i = 0;
  for (const Value& element : list.elements()) {
    if (Fault fault = fault_in(element)) return within(fmt::format("[{}]", i), std::move(fault));
    ++i;
  }
  return {};
}

Fault fault_in_map(const Value& map) {
  if (!map.is(Type::kObject)) return "";
  for (const Value::Member& member : map.members())
    if (Fault fault = fault_in(member.value)) return within(member.key, std::move(fault));
  return {};
}

bool are_lists_of_strings(const Value& map) {
  return map.is(Type::kObject) &&
         std::ranges::all_of(map.members(), [](const Value::Member& member) {
           return are_different_strings(member.value);
         });
}

bool is_type_or_types(const Value& value) {
  return is_type(value) || (value.size() > 0 && are_different_strings(value) &&
                            std::ranges::all_of(value.elements(), is_type));
}

Fault fault_of(const Value& value, Form form) {
  switch (form) {
    case Form::kString:
      return unless(value.is(Type::kString));
    case Form::kBoolean:
      return unless(value.is(Type::kBool));
    case Form::kNumber:
      return unless(value.is(Type::kNumber));
    case Form::kPositive:
      return unless(value.is(Type::kNumber) && value.number().value_or(1) > 0);
    case Form::kCount:
      return unless(value.is(Type::kNumber) && value.int64().value_or(-1) >= 0);
    case Form::kSchema:
      return fault_in(value);
    case Form::kSchemas:
      return fault_in_list(value);
    case Form::kSchemaMap:
      return fault_in_map(value);
    case Form::kStrings:
      return unless(are_different_strings(value));
    case Form::kStringListMap:
      return unless(are_lists_of_strings(value));
    case Form::kList:
      return unless(value.is(Type::kArray));
    case Form::kType:
      return unless(is_type_or_types(value));
  }
  return {};
}

Fault fault_in(const Value& schema) {
  if (schema.is(Type::kBool)) return {};
  if (!schema.is(Type::kObject)) return "";
  for (const Value::Member& member : schema.members()) {
    const auto* known = std::ranges::find(kMembers, member.key, &Member::name);
    if (known == kMembers.end()) continue;
    if (Fault fault = fault_of(member.value, known->form))
      return within(member.key, std::move(fault));
  }
  return {};
}

}  // namespace

SchemaTraits schema_traits(const std::optional<Value>& schema) {
  SchemaTraits traits;
  const auto type = schema ? schema->find("type") : std::nullopt;
  traits.is_object = type && type->is(Type::kString) && type->string().value == "object";
  if (!schema || !schema->is(Type::kObject)) return traits;
  if (const auto parameters = schema->find("properties")) {
    for (const Value::Member& parameter : parameters->members()) {
      traits.parameters.push_back(parameter.key);
      traits.boolean_parameter = traits.boolean_parameter || parameter.value.is(Type::kBool);
    }
  }
  for (const std::string_view key : {"anyOf", "oneOf", "allOf"})
    traits.branches = traits.branches || schema->find(key).has_value();
  traits.invalid = fault_in(*schema).value_or("");
  return traits;
}

}  // namespace cutline::mcp
