// atlas.h: the cells that prove a profile: an experiment file for each client inside the program
// (experiments/atlas/CLIENT.toml).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "run/experiment.h"

namespace cutline::run {

struct BuiltinCells {
  std::string_view file, toml;
};
std::vector<BuiltinCells> builtin_atlas();

/// The cells for that client, each for every one of the versions, oldest version first within a
/// cell. Problem "run.atlas" if there are none.
Result<Experiment> atlas_of(const std::string& client, const std::vector<std::string>& versions);

}  // namespace cutline::run
