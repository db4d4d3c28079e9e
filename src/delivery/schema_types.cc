// schema_types.cc: steps that change types, constants and definitions.
#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "delivery/schema_steps.h"

namespace cutline::delivery {
namespace {

using json::Data;
using json::Type;

constexpr std::array<std::string_view, 7> kTypes = {"string", "number", "integer", "boolean",
                                                    "object", "array",  "null"};

bool is_type(const Data& name) {
  return name.type == Type::kString && std::ranges::find(kTypes, name.text) != kTypes.end();
}

bool has_any(const Data& schema, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return schema.find(key); });
}

bool says_type(const Data& schema, std::string_view wanted) {
  const Data* type = schema.find("type");
  if (!type) return false;
  return type->is_text(wanted) || std::ranges::any_of(type->elements, [&](const Data& element) {
           return element.is_text(wanted);
         });
}

/// Takes out names that are no types, and a list around a single one.
void tidy_type(Data& schema) {
  Data* type = schema.find("type");
  if (!type) return;
  std::erase_if(type->elements, [](const Data& element) { return !is_type(element); });
  if (type->elements.size() == 1) *type = Data(type->elements.front());
  const bool list = type->type == Type::kArray && !type->elements.empty();
  if (!list && !is_type(*type)) schema.erase("type");
}

/// "" where nothing tells.
std::string_view type_told_by(const Data& schema) {
  if (has_any(schema, {"properties", "required", "additionalProperties"})) return "object";
  if (has_any(schema, {"items", "prefixItems"})) return "array";
  if (has_any(schema, {"enum", "const", "format"})) return "string";
  if (has_any(schema, {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}))
    return "number";
  return "";
}

void infer_type(Data& schema) {
  if (schema.type == Type::kBool) {
    schema = json::object();
    schema.set("type", json::string("string"));
  }
  if (schema.type != Type::kObject) return;
  tidy_type(schema);
  if (!has_any(schema, {"type", "$ref", "anyOf", "oneOf", "allOf"})) {
    const std::string_view type = type_told_by(schema);
    if (type.empty()) {
      schema = json::object();
      return;
    }
    schema.set("type", json::string(type));
  }
  if (says_type(schema, "object") && !schema.find("properties"))
    schema.set("properties", json::object());
  if (says_type(schema, "array") && !schema.find("items")) {
    Data items = json::object();
    items.set("type", json::string("string"));
    schema.set("items", std::move(items));
  }
}

/// "#/$defs/Bin" -> the definition's place, "$defs/Bin"; "" for other references.
std::string definition_of(const Data& schema) {
  const Data* reference = schema.find("$ref");
  if (!reference || !reference->text.starts_with("#/")) return "";
  return reference->text.substr(2);
}

constexpr std::array<std::string_view, 2> kDefinitions = {"$defs", "definitions"};

}  // namespace

void const_to_enum(Data& schema) {
  for_each_schema(schema, [](Data& one) {
    const Data* constant = one.find("const");
    if (!constant) return;
    Data values;
    values.type = Type::kArray;
    values.elements.push_back(*constant);
    one.set("enum", std::move(values));
    one.erase("const");
  });
}

void infer_types(Data& schema) { for_each_schema(schema, infer_type); }

void type_objects(Data& schema) {
  for_each_schema(schema, [](Data& one) {
    if (one.find("properties") && !one.find("type")) one.set("type", json::string("object"));
  });
}

void to_nullable(Data& schema) {
  for_each_schema(schema, [](Data& one) {
    Data* type = one.find("type");
    if (!type || type->elements.size() != 2) return;
    const auto null = std::ranges::find_if(
        type->elements, [](const Data& element) { return element.is_text("null"); });
    if (null == type->elements.end()) return;
    const std::size_t other = null == type->elements.begin() ? 1 : 0;
    *type = Data(type->elements[other]);
    Data yes;
    yes.type = Type::kBool;
    yes.text = "true";
    one.set("nullable", std::move(yes));
  });
}

void drop_unused_definitions(Data& schema) {
  // What is needed from outside of the definitions, and then what those need in turn.
  std::set<std::string> needed;
  std::vector<std::string> open;
  const auto need = [&](Data& one) {
    std::string place = definition_of(one);
    if (!place.empty() && needed.insert(place).second) open.push_back(std::move(place));
  };
  Data outside = schema;
  for (const std::string_view key : kDefinitions) outside.erase(key);
  for_each_schema(outside, need);
  std::unordered_map<std::string, Data*> definitions;  // by place
  for (const std::string_view key : kDefinitions) {
    Data* all = schema.find(key);
    if (!all) continue;
    for (Data::Member& member : all->members)
      definitions.emplace(std::string(key) + "/" + member.key, &member.value);
  }
  while (!open.empty()) {
    const auto definition = definitions.find(open.back());
    open.pop_back();
    if (definition != definitions.end()) for_each_schema(*definition->second, need);
  }
  for (const std::string_view key : kDefinitions) {
    Data* all = schema.find(key);
    if (!all) continue;
    std::erase_if(all->members, [&](const Data::Member& member) {
      return !needed.contains(std::string(key) + "/" + member.key);
    });
    if (all->members.empty()) schema.erase(key);
  }
}

}  // namespace cutline::delivery
