// verify.h: what real runs say of a profile's facts, one by one.
//
// A fact is confirmed by a cell that exercises it (a limit by a text that is cut, an order by two
// servers) and in which nothing differs that rests on it; contradicted by one in which something
// does. What no cell exercises is not tested, and said to be so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delivery/profile.h"
#include "run/judge.h"

namespace cutline::run {

enum class Verdict { kConfirmed, kContradicted, kNotTested };
std::string_view name(Verdict verdict);  // "confirmed", "contradicted", "not-tested"

struct FactVerdict {
  const delivery::Fact* fact = nullptr;
  Verdict verdict = Verdict::kNotTested;
  std::vector<std::string> confirming;  // keys of cells
  struct Against {
    std::string cell;
    delivery::Difference difference;
  };
  std::vector<Against> against;
  std::string reason;  // why it was not tested
};

/// Every fact of the profile that holds for `version` under some condition, in the profile's order.
std::vector<FactVerdict> verify(const delivery::Profile& profile, const Version& version,
                                const std::vector<Judged>& cells);

/// Whether the cell can tell anything of the fact, by what was predicted and measured.
bool exercises(const delivery::Fact& fact, const Judged& cell);
/// What was measured of the thing that facts of that name are about: equal in two versions as long
/// as the fact is. Empty if nothing of it is to be seen.
std::string measured_aspect(std::string_view fact, const Evaluation& evaluation);
/// The names of facts that a difference of that kind speaks against.
std::vector<std::string_view> facts_behind(const delivery::Difference& difference);

}  // namespace cutline::run
