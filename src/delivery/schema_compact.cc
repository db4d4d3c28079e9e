// schema_compact.cc: making a schema shorter, pass by pass.
#include <algorithm>
#include <array>

#include "delivery/schema_steps.h"

namespace cutline::delivery {
namespace {

using json::Data;
using json::Type;

constexpr std::array<std::string_view, 3> kBranches = {"anyOf", "oneOf", "allOf"};

void drop_descriptions(Data& schema) {
  for_each_schema(schema, [](Data& one) {
    const Data* description = one.find("description");
    if (description && description->type == Type::kString) one.erase("description");
  });
}

void drop_definitions(Data& schema) {
  schema.erase("$defs");
  schema.erase("definitions");
  for_each_schema(schema, [](Data& one) {
    if (one.find("$ref")) one = json::object();
  });
}

bool has_branches(const Data& schema) {
  return std::ranges::any_of(kBranches, [&](std::string_view key) { return schema.find(key); });
}

bool is_simple(const Data& schema) {
  const Data* additional = schema.find("additionalProperties");
  return !schema.find("properties") && !schema.find("items") && !has_branches(schema) &&
         (!additional || additional->type != Type::kObject);
}

/// `levels` below this one stay; deeper ones only if they are simple.
void drop_depths(Data& schema, std::size_t levels, std::size_t depth = 0) {
  if (depth > levels && !is_simple(schema)) {
    schema = json::object();
    return;
  }
  for_each_subschema(schema, [&](Data& within) { drop_depths(within, levels, depth + 1); });
}

void drop_branches(Data& schema) {
  for_each_schema(schema, [](Data& one) {
    if (has_branches(one)) one = json::object();
  });
}

}  // namespace

void compact(Data& schema, std::size_t longest, std::size_t deepest) {
  const auto fits = [&] { return json::text(schema).size() <= longest; };
  if (!fits()) drop_descriptions(schema);
  if (!fits()) drop_definitions(schema);
  if (!fits()) drop_depths(schema, deepest);
  if (!fits()) drop_branches(schema);
}

}  // namespace cutline::delivery
