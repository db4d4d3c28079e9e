// judge.h: the cells of an experiment, each with what its evidence says: one row of a table.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "delivery/profile.h"
#include "run/evaluate.h"
#include "run/experiment.h"
#include "store/evidence.h"

namespace cutline::run {

struct Judged {
  const ExperimentCell* cell = nullptr;
  std::int64_t id = 0;  // in the store; 0: it was not run
  std::string problem;  // why there is no evaluation, or the one there is says nothing
  double wall_s = 0;
  std::size_t requests = 0;  // of all kinds
  std::unique_ptr<Evaluation> evaluation;
  std::vector<std::string> unmet;  // of its `expect`: "kept is 2,048, not 4,096"
  /// The first request is the same as in the other repeats, ids, dates and paths apart; nothing
  /// where there is no other.
  std::optional<bool> repeats_alike;
  std::string first_request_hash;  // of the request with those left out
};

/// One for each cell of the experiment, in its order. `profiles` must outlive them.
Result<std::vector<Judged>> judge(const Experiment& experiment, std::int64_t run,
                                  store::EvidenceStore& store,
                                  const std::vector<delivery::Profile>& profiles);
Result<std::vector<Judged>> judge(const Experiment& experiment, std::int64_t run,
                                  store::EvidenceStore& store,
                                  std::vector<delivery::Profile>&& profiles) = delete;

/// The body with what differs from run to run replaced: UUIDs, long hex numbers, dates and times,
/// paths below a scratch folder.
std::string without_run_marks(std::string_view body);

}  // namespace cutline::run
