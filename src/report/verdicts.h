// verdicts.h: a profile's facts, each with what real runs say of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "delivery/compare.h"
#include "delivery/profile.h"
#include "report/style.h"

namespace cutline::report {

/// One fact that holds for the version.
struct ProvenFact {
  const delivery::Fact* fact = nullptr;
  std::string verdict;    // "confirmed", "contradicted", "not-tested"
  std::size_t cells = 0;  // that confirm it
  std::vector<std::pair<std::string, delivery::Difference>> against;  // by cell
  std::string reason;                                                 // why it was not tested
};

struct Proof {
  std::string program_version, client, title, version, store;
  std::size_t cells = 0, failed = 0;  // that were run; that gave nothing to compare
  std::vector<std::string> problems;  // of these, a line each
  double wall_s = 0;
  std::vector<ProvenFact> facts;
};

std::string proofs_text(const std::vector<Proof>& proofs, const Style& style);
/// {"schema_version": 1, "proofs": […]}; docs/verify.schema.json.
std::string proofs_json(const std::vector<Proof>& proofs);
/// 1 if a fact is contradicted, 3 if nothing could be compared, else 0.
int exit_code(const std::vector<Proof>& proofs);

}  // namespace cutline::report
