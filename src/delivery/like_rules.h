// like_rules.h: telling rules that are written in several profiles, and are the same. Inside this
// room only.
#pragma once

#include <map>
#include <vector>

#include "config/toml.h"
#include "delivery/fact_diff.h"

namespace cutline::delivery {

/// Clients that share code do the same to a text, and it needs to be worked out once.
class LikeRules {
 public:
  /// The first rule asked for that says the same. Rules must stay where they are.
  const config::Node* first_like(const config::Node& rule) {
    const auto [place, is_new] = known_.try_emplace(&rule, &rule);
    if (!is_new) return place->second;
    for (const config::Node* first : firsts_)
      if (same_value(*first, rule)) return place->second = first;
    firsts_.push_back(&rule);
    return &rule;
  }

 private:
  std::map<const config::Node*, const config::Node*> known_;
  std::vector<const config::Node*> firsts_;
};

}  // namespace cutline::delivery
