// fact_diff.h: what two versions of clients are known to do, fact by fact.
//
// Facts of one name may have conditions. A row is one name under the conditions that one of the two
// distinguishes; the other is then asked what it does under them, which may be what it does always.
#pragma once

#include <cstddef>
#include <vector>

#include "delivery/profile.h"

namespace cutline::delivery {

struct FactPair {
  const Fact* about = nullptr;  // has the name and the conditions; one of the two, or unknown
  /// What holds; null if nothing is known.
  const Fact* first = nullptr;
  const Fact* second = nullptr;
};

struct FactDiff {
  std::size_t equal = 0;
  std::vector<FactPair> different, only_first, only_second;
  std::vector<FactPair> unknown;  // of both
  /// Of what anything is known, it is the same.
  bool alike() const { return different.empty() && only_first.empty() && only_second.empty(); }
};

/// Views into the profiles, which must outlive it. A version outside of those that were looked at
/// gets the facts of the nearest one.
FactDiff diff_facts(const Profile& first, const Version& first_version, const Profile& second,
                    const Version& second_version);

/// Equal values; members of tables may stand in any order.
bool same_value(const config::Node& a, const config::Node& b);

}  // namespace cutline::delivery
