// bisect.h: in which of a client's versions something changed, in few runs.
//
// Between two versions that show the same nothing is looked for; between two that do not, the
// middle is tried. A version that cannot be run is passed over in favour of its neighbour.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "run/judge.h"

namespace cutline::run {

/// What one run of one cell shows of the fact.
struct Sight {
  std::string aspect;      // measured_aspect()
  bool exercised = false;  // whether the cell can tell anything of it
  std::string problem;     // why there is nothing to see; empty if there is
};
Sight sight_of(std::string_view fact, const Judged& judged);

struct Change {
  Version before, from;  // the last version that shows the old, the first that shows the new
  std::string old_aspect, new_aspect;
};

struct Bisection {
  std::string cell;
  std::vector<Change> changes;           // oldest first; none: it is the same at both ends
  std::vector<std::string> passed_over;  // "2.1.100: why"
  std::size_t runs = 0, versions = 0;
  Version first, last;
};

using Measure = std::function<Result<Sight>(const ExperimentCell&, const Version&)>;

/// `versions` ascending. Takes the first cell that shows the fact in the newest of them, and
/// another than the oldest does, if there is one. Problems "run.bisect" (fewer than two versions;
/// no cell shows anything of the fact) and those of `measure`.
Result<Bisection> bisect(std::string_view fact, const std::vector<ExperimentCell>& cells,
                         const std::vector<Version>& versions, const Measure& measure);

std::string to_text(const Bisection& bisection, std::string_view title, std::string_view fact);

}  // namespace cutline::run
