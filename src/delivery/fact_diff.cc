// fact_diff.cc: finding what has the same name and the same conditions.
#include "delivery/fact_diff.h"

#include <algorithm>

namespace cutline::delivery {
namespace {

/// The facts of a version, in the order of the profile.
std::vector<const Fact*> facts_of(const Profile& profile, const Version& version) {
  const Version& nearest = std::clamp(version, profile.first, profile.last);
  std::vector<const Fact*> facts;
  for (const Fact& fact : profile.facts)
    if (fact.versions.contains(nearest)) facts.push_back(&fact);
  return facts;
}

bool same_row(const Fact& a, const Fact& b) {
  return a.name == b.name && std::ranges::is_permutation(a.when, b.when) && a.models == b.models &&
         a.session == b.session;
}

/// Whatever fulfils the conditions of `about` fulfils those of `fact`.
bool holds_under(const Fact& fact, const Fact& about) {
  if (fact.name != about.name) return false;
  if (fact.session && fact.session != about.session) return false;
  if (!fact.models.empty() && fact.models != about.models) return false;
  return std::ranges::all_of(fact.when, [&](const auto& condition) {
    return std::ranges::find(about.when, condition) != about.when.end();
  });
}

/// Null if nothing is known.
const Fact* holding(const std::vector<const Fact*>& facts, const Fact& about) {
  const Fact* best = nullptr;
  for (const Fact* fact : facts)
    if (holds_under(*fact, about) && (!best || rank(*fact) > rank(*best))) best = fact;
  return best && !best->unknown ? best : nullptr;
}

/// One fact for each row, those of a name together.
std::vector<const Fact*> rows_of(std::vector<const Fact*> first,
                                 const std::vector<const Fact*>& second) {
  std::vector<const Fact*> rows = std::move(first);
  for (const Fact* fact : second) {
    const auto is_same = [&](const Fact* row) { return same_row(*row, *fact); };
    if (std::ranges::any_of(rows, is_same)) continue;
    auto after = rows.end();
    for (auto at = rows.begin(); at != rows.end(); ++at)
      if ((*at)->name == fact->name) after = at + 1;
    rows.insert(after, fact);
  }
  return rows;
}

}  // namespace

bool same_value(const config::Node& a, const config::Node& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case config::Kind::kString:
    case config::Kind::kDate:
      return a.string == b.string;
    case config::Kind::kInteger:
      return a.integer == b.integer;
    case config::Kind::kFloat:
      return a.number == b.number;
    case config::Kind::kBoolean:
      return a.boolean == b.boolean;
    case config::Kind::kArray:
      return std::ranges::equal(a.elements, b.elements, same_value);
    case config::Kind::kTable:
      return a.members.size() == b.members.size() &&
             std::ranges::all_of(a.members, [&](const config::Node::Member& member) {
               const config::Node* other = b.find(member.first);
               return other && same_value(member.second, *other);
             });
  }
  return false;
}

FactDiff diff_facts(const Profile& first, const Version& first_version, const Profile& second,
                    const Version& second_version) {
  const std::vector<const Fact*> ours = facts_of(first, first_version);
  const std::vector<const Fact*> theirs = facts_of(second, second_version);
  FactDiff diff;
  for (const Fact* about : rows_of(ours, theirs)) {
    const FactPair pair = {
        .about = about, .first = holding(ours, *about), .second = holding(theirs, *about)};
    if (!pair.first && !pair.second) {
      diff.unknown.push_back(pair);
    } else if (!pair.second) {
      diff.only_first.push_back(pair);
    } else if (!pair.first) {
      diff.only_second.push_back(pair);
    } else if (same_value(pair.first->value, pair.second->value)) {
      ++diff.equal;
    } else {
      diff.different.push_back(pair);
    }
  }
  return diff;
}

}  // namespace cutline::delivery
