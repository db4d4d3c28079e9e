// experiment_parts.cc: what the tables have in common.
#include "run/experiment_parts.h"

#include <fmt/format.h>

namespace cutline::run {

using config::Kind;
using config::Node;

tl::unexpected<Problem> wrong(const Node& node, std::string message, std::string hint) {
  return fail({.code = "run.experiment",
               .message = std::move(message),
               .place = node.source.text(),
               .hint = std::move(hint)});
}

Result<std::string> name_of(const Node& table) {
  CUTLINE_TRY_ASSIGN(std::string name, config::get_string(table, "name"));
  if (name.empty()) return wrong(*table.find("name"), "the name is empty");
  return name;
}

Result<void> read_pairs(const Node& node, std::string_view key, Pairs& out) {
  const Node* table = node.find(key);
  if (!table) return {};
  if (table->kind != Kind::kTable) return wrong(*table, fmt::format("{} is a table", key));
  for (const auto& [name, value] : table->members) {
    if (value.kind != Kind::kString && value.kind != Kind::kBoolean)
      return wrong(value, fmt::format("{} is a string", name));
    out.emplace_back(name, scalar_text(value));
  }
  return {};
}

}  // namespace cutline::run
