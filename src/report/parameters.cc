// parameters.cc: counting the texts of parameters that do not arrive.
#include "report/parameters.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/client_groups.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

constexpr std::size_t kNamesShown = 3, kClientsShown = 6;

/// Schemas are long and their changes cost time, so they are looked at where somebody is held to
/// them; nobody else reads of them here.
Outcome parameters_outcome(const CheckedGroup& group, delivery::SchemaEffects& schemas) {
  Outcome outcome;
  if (!group.held_to()) return outcome;
  const LostParameters lost = lost_parameters(group, schemas);
  if (lost.texts == 0) return outcome;
  outcome.key =
      fmt::format("{} of parameters ({}) never {} in \n.", count(lost.texts, "description"),
                  some_of(lost.tools, kNamesShown), lost.texts == 1 ? "arrives" : "arrive");
  return outcome;
}

}  // namespace

LostParameters lost_parameters(const CheckedGroup& group, delivery::SchemaEffects& schemas) {
  LostParameters lost;
  for (const delivery::Delivered* tool : tools_in(group)) {
    if (!tool->arrives() || !tool->schema_rule) continue;
    const std::size_t texts = schemas.of(*tool).lost_texts.size();
    if (texts == 0) continue;
    lost.texts += texts;
    lost.tools.push_back(tool->piece.tool);
  }
  return lost;
}

std::string parameters_lines(const Check& check, const Style& style) {
  const std::string indent(kPartColumns, ' ');
  std::string out;
  delivery::SchemaEffects schemas;
  const auto outcome = [&](const CheckedClient&, const CheckedGroup& group) {
    return parameters_outcome(group, schemas);
  };
  for (const ClientGroup& group : group_clients(check, outcome)) {
    std::string words = group.outcome.key;
    words.replace(words.find('\n'), 1, held_names(group.lines.front().mentions, kClientsShown));
    out += paragraph({indent}, words, style, Ink::kWarning);
  }
  return out;
}

}  // namespace cutline::report
