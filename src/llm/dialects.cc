// dialects.cc: all dialects there are.
#include <algorithm>
#include <array>

#include "llm/anthropic.h"
#include "llm/gemini.h"
#include "llm/openai_chat.h"
#include "llm/openai_responses.h"

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
  static const std::array kAll = {&anthropic_messages(), &gemini(), &openai_responses(),
                                  &openai_chat()};
  return kAll;
}

const Dialect* dialect_named(std::string_view name) {
  const auto found = std::ranges::find(dialects(), name, &Dialect::name);
  return found == dialects().end() ? nullptr : *found;
}

Addressee addressee(const wire::HttpRequest& request) {
  Addressee best{.dialect = dialects().front(), .endpoint = {}};
  int best_rank = 0;
  for (const Dialect* dialect : dialects()) {
    const std::optional<Endpoint> endpoint = dialect->endpoint(request.method, request.path());
    const int rank = (endpoint ? 2 : 0) + (dialect->speaks(request) ? 1 : 0);
    if (rank <= best_rank) continue;
    best_rank = rank;
    best = {.dialect = dialect, .endpoint = endpoint};
  }
  return best;
}

}  // namespace cutline::llm
