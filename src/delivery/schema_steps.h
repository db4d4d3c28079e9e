// schema_steps.h: the steps of the fact tool.schema. Internal to this room.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "json/data.h"

namespace cutline::delivery {

/// Calls `visit` for every schema directly within `schema`: parameters, items, branches,
/// definitions. Boolean schemas are among them.
void for_each_subschema(json::Data& schema, const std::function<void(json::Data&)>& visit);

/// Parent first, then what stands within what is left of it.
void for_each_schema(json::Data& schema, const std::function<void(json::Data&)>& visit);

// --- Types and definitions (schema_types.cc)

/// {"const": x} becomes {"enum": [x]}.
void const_to_enum(json::Data& schema);
/// A schema without a type gets the one that its other members speak of; one of which nothing
/// speaks becomes {}. Objects get properties, arrays items.
void infer_types(json::Data& schema);
/// A schema with properties and without a type is an object's.
void type_objects(json::Data& schema);
/// ["string", "null"] becomes "string" and nullable.
void to_nullable(json::Data& schema);
/// Takes out the $defs and definitions that no $ref needs.
void drop_unused_definitions(json::Data& schema);

// --- Sizes (schema_compact.cc)

/// Until it has no more than `longest` bytes as compact JSON: takes out all descriptions, then all
/// definitions with what refers to them, then what lies deeper than `deepest` levels below the root
/// and is more than a simple type, then what has branches.
void compact(json::Data& schema, std::size_t longest, std::size_t deepest);

// --- Constraints (schema_fold.cc)

/// Moves the members of those names into the description: "…\n\n{minLength: 1, pattern: \"a\"}".
void fold(json::Data& schema, const std::vector<std::string>& members);

}  // namespace cutline::delivery
