// budgets.cc: which limit governs a channel, and what the user's variable makes of it.
#include <algorithm>
#include <charconv>
#include <limits>

#include "delivery/behaviour.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

std::string_view fact_name(Channel channel) {
  switch (channel) {
    case Channel::kInstructions:
      return "instructions.budget";
    case Channel::kPreloadedTool:
      return "tool.preloaded.budget";
    case Channel::kDeferredTool:
      return "tool.deferred.budget";
  }
  return {};
}

text::Budget read_budget(const config::Node& value) {
  text::Budget budget;
  budget.size = static_cast<std::size_t>(value.find("size")->integer);
  budget.unit = text::unit_named(value.find("unit")->string).value_or(text::Unit::kUtf16);
  budget.marker = value.find("marker")->string;
  budget.marker_inside = value.find("marker_inside")->boolean;
  const config::Node* first_line = value.find("first_line_only");
  budget.first_line_only = first_line && first_line->boolean;
  return budget;
}

bool flag(const config::Node& rules, std::string_view key) {
  const config::Node* node = rules.find(key);
  return node && node->boolean;
}

bool governs(const config::Node& variable, Channel channel) {
  const config::Node* list = variable.find("governs");
  return list && std::ranges::any_of(list->elements, [&](const config::Node& element) {
           return element.string == name(channel);
         });
}

}  // namespace

std::optional<SetLimit> read_limit(std::string_view value, const config::Node& rules) {
  if (flag(rules, "trim")) value = text::trimmed(value);
  if (flag(rules, "plus") && value.starts_with('+')) value.remove_prefix(1);
  const bool digits =
      !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  std::size_t limit = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
  const config::Node* least = rules.find("least");
  if (least && limit < static_cast<std::size_t>(least->integer) && error == std::errc())
    return std::nullopt;
  const config::Node* unlimited = rules.find("unlimited_from");
  const bool too_large = error == std::errc::result_out_of_range;
  if (too_large || (unlimited && limit >= static_cast<std::size_t>(unlimited->integer)))
    return SetLimit{};
  return SetLimit{limit};
}

ChannelBudget budget_of(const Behaviour& behaviour, Channel channel) {
  ChannelBudget result;
  std::vector<Found> because;
  const Found found = behaviour.fact(fact_name(channel));
  if (found.fact) because.push_back(found);
  if (const config::Node* value = behaviour.value(fact_name(channel))) {
    result.known = true;
    if (value->kind == config::Kind::kTable) result.budget = read_budget(*value);
    const config::Node* half = value->find("half");
    result.keeps_half = half && half->string == "kept";
  }
  const config::Node* variable = behaviour.value("budget.variable");
  if (result.budget && variable && flag(*variable, "honoured") && governs(*variable, channel)) {
    const std::optional<std::string_view> set = behaviour.variable(variable->find("name")->string);
    const std::optional<SetLimit> limit = set ? read_limit(*set, *variable) : std::nullopt;
    if (limit) {
      because.push_back(behaviour.fact("budget.variable"));
      if (limit->units) {
        result.budget->size = *limit->units;
      } else {
        result.budget.reset();
      }
    }
  }
  result.because = std::make_shared<const std::vector<Found>>(std::move(because));
  return result;
}

}  // namespace cutline::delivery
