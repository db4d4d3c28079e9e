// dialects.cc: all dialects there are.
#include <algorithm>
#include <array>

#include "llm/anthropic.h"

namespace cutline::llm {

std::string_view name(Endpoint endpoint) {
  switch (endpoint) {
    case Endpoint::kGenerate:
      return "generate";
    case Endpoint::kCountTokens:
      return "count-tokens";
    case Endpoint::kModels:
      return "models";
    case Endpoint::kHealth:
      return "health";
  }
  return "";
}

std::span<const Dialect* const> dialects() {
  static const std::array kAll = {&anthropic_messages()};
  return kAll;
}

const Dialect* dialect_named(std::string_view name) {
  const auto found = std::ranges::find(dialects(), name, &Dialect::name);
  return found == dialects().end() ? nullptr : *found;
}

}  // namespace cutline::llm
