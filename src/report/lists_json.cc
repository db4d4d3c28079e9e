// lists_json.cc: the loops of it.
#include "report/lists_json.h"

namespace cutline::report {

void write_strings(json::Writer& out, std::string_view key, const std::vector<std::string>& all) {
  out.key(key).begin_array();
  for (const std::string& text : all) out.string(text);
  out.end_array();
}

void write_pairs(json::Writer& out, std::string_view key,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  out.key(key).begin_array();
  for (const auto& [name, value] : pairs)
    out.begin_object().member("name", name).member("value", value).end_object();
  out.end_array();
}

}  // namespace cutline::report
