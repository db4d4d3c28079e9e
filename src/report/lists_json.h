// lists_json.h: members that are lists of strings, as every JSON report writes them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/writer.h"

namespace cutline::report {

/// "key": ["…", …]
void write_strings(json::Writer& out, std::string_view key, const std::vector<std::string>& all);
/// "key": [{"name": "…", "value": "…"}, …]
void write_pairs(json::Writer& out, std::string_view key,
                 const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace cutline::report
