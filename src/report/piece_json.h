// piece_json.h: one delivered piece inside the JSON of a check.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "delivery/delivery.h"
#include "json/writer.h"
#include "text/structure.h"

namespace cutline::report {

/// {"utf16": …, "code_points": …, "bytes": …}.
void write_lengths(json::Writer& out, const text::Place& place);

/// "utf16", "bytes", …: what `kept_units` and `lost_units` are counted in.
std::string_view unit_name(const delivery::Delivered& piece);

/// The members "kind", "server" and "tool".
void write_piece_id(json::Writer& out, const delivery::Delivered& piece);

/// The outlines of the texts that are cut, by where they stand, so that each is made once however
/// many groups cut it.
using Outlines = std::map<std::pair<const char*, std::size_t>, text::Outline>;

/// More headings, list items or names than that are counted, but not listed.
inline constexpr std::size_t kListedMax = 200;

void write_piece(json::Writer& out, const delivery::Delivered& piece,
                 std::span<const std::string> tool_names, Outlines& outlines);

}  // namespace cutline::report
