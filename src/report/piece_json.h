// piece_json.h: one delivered piece inside the JSON of a check.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "delivery/delivery.h"
#include "delivery/schemas.h"
#include "json/writer.h"
#include "text/structure.h"

namespace cutline::report {

/// {"utf16": …, "code_points": …, "bytes": …}.
void write_lengths(json::Writer& out, const text::Place& place);

/// "utf16", "bytes", …: what `kept_units` and `lost_units` are counted in.
std::string_view unit_name(const delivery::Delivered& piece);

/// The members "kind", "server" and "tool".
void write_piece_id(json::Writer& out, const delivery::Delivered& piece);

/// What is worked out once, however many groups have it: the outlines of the texts that are cut, by
/// where they stand, and what becomes of schemas.
struct Known {
  std::map<std::pair<const char*, std::size_t>, text::Outline> outlines;
  delivery::SchemaEffects schemas;
};

/// More headings, list items or names than that are counted, but not listed.
inline constexpr std::size_t kListedMax = 200;

void write_piece(json::Writer& out, const delivery::Delivered& piece,
                 std::span<const std::string> tool_names, Known& known);

}  // namespace cutline::report
