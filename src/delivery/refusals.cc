// refusals.cc: tools that a client leaves out for their input schemas.
#include <algorithm>
#include <bitset>

#include <fmt/format.h>

#include "delivery/behaviour.h"
#include "delivery/names.h"

namespace cutline::delivery {
namespace {

struct Refusal {
  std::string_view costs;  // "tool", "list", "server"; "unknown"
  std::string why;
};

class Rules {
 public:
  explicit Rules(const Behaviour& behaviour)
      : without_object_(behaviour.text(kFact, "without_object")),
        boolean_parameter_(behaviour.text(kFact, "boolean_parameter")),
        invalid_(behaviour.text(kFact, "invalid")),
        branches_(behaviour.text(kFact, "branches")),
        keeps_(characters(behaviour.text(kFact, "parameter_keeps"))),
        longest_(behaviour.integer(kFact, "parameter_longest")) {}

  std::optional<Refusal> refusal_of(const mcp::SchemaTraits& schema) const {
    if (!without_object_.empty() && !schema.is_object)
      return Refusal{without_object_, "its inputSchema has no \"type\": \"object\""};
    if (!boolean_parameter_.empty() && schema.boolean_parameter) {
      return Refusal{boolean_parameter_,
                     "one of its parameters is true or false instead of a schema"};
    }
    if (!invalid_.empty() && !schema.invalid.empty()) {
      return Refusal{invalid_,
                     fmt::format("{} of its inputSchema is no valid JSON Schema", schema.invalid)};
    }
    if (!branches_.empty() && schema.branches)
      return Refusal{branches_, "its inputSchema has branches (anyOf, oneOf, allOf) at the top"};
    const auto odd = std::ranges::find_if(schema.parameters,
                                          [&](const std::string& name) { return !is_taken(name); });
    if (odd == schema.parameters.end()) return std::nullopt;
    return Refusal{"tool", fmt::format("it has a parameter '{}', a name that is refused", *odd)};
  }

 private:
  static constexpr std::string_view kFact = "tool.refused";

  bool is_taken(const std::string& parameter) const {
    if (keeps_.none()) return true;
    const auto kept = [&](char c) {
      const auto code = static_cast<unsigned char>(c);
      return code < keeps_.size() && keeps_.test(code);
    };
    return !parameter.empty() && std::ranges::all_of(parameter, kept) &&
           (!longest_ || parameter.size() <= static_cast<std::size_t>(*longest_));
  }

  std::string_view without_object_, boolean_parameter_, invalid_, branches_;
  std::bitset<128> keeps_;
  std::optional<std::int64_t> longest_;
};

void refuse(Delivered& piece, std::string reason) {
  if (!piece.arrives()) return;
  piece.state = State::kNever;
  piece.never = Never::kSchemaRefused;
  piece.reason = std::move(reason);
}

void refuse_or_doubt(Delivered& piece, const Behaviour& behaviour, const Refusal& refusal) {
  if (refusal.costs != "unknown") {
    refuse(piece, fmt::format("{} leaves the tool out: {}", behaviour.program(), refusal.why));
  } else if (piece.arrives()) {
    piece.state = State::kUnknown;
    piece.reason =
        fmt::format("what {} makes of the tool is not known: {}", behaviour.program(), refusal.why);
  }
}

}  // namespace

void settle_schemas(const Behaviour& behaviour, std::span<const OfferedTool> tools) {
  const Rules rules(behaviour);
  std::vector<std::pair<const OfferedTool*, Refusal>> refused;
  for (const OfferedTool& offered : tools) {
    if (auto refusal = rules.refusal_of(offered.tool->schema))
      refused.emplace_back(&offered, *std::move(refusal));
  }
  const auto worst =
      std::ranges::find_if(refused, [](const auto& one) { return one.second.costs == "list"; });
  if (worst != refused.end()) {
    const std::string reason =
        fmt::format("{} refuses the whole list because of the tool {}: {}", behaviour.program(),
                    worst->first->tool->name, worst->second.why);
    for (const OfferedTool& lost : tools) refuse(*lost.piece, reason);
    return;
  }
  for (const auto& [offered, refusal] : refused)
    refuse_or_doubt(*offered->piece, behaviour, refusal);
}

std::optional<std::string> refusal_of_server(const Behaviour& behaviour,
                                             const mcp::EraOffer& offer) {
  const Rules rules(behaviour);
  for (const mcp::Tool& tool : offer.tools) {
    const std::optional<Refusal> refusal = rules.refusal_of(tool.schema);
    if (!refusal || refusal->costs != "server") continue;
    return fmt::format("{} gives the server up because of the tool {}: {}", behaviour.program(),
                       tool.name, refusal->why);
  }
  return std::nullopt;
}

}  // namespace cutline::delivery
