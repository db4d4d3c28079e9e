// schema.h: what can be told of an input schema by itself.
#pragma once

#include <optional>

#include "json/document.h"
#include "mcp/offer.h"

namespace cutline::mcp {

/// Valid is what the meta-schema of JSON Schema 2020-12 admits, as far as it is about the form of
/// the members that tools use: types, names, lists, numbers, and schemas where schemas belong.
SchemaTraits schema_traits(const std::optional<json::Value>& schema);

}  // namespace cutline::mcp
