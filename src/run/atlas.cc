// atlas.cc: cells by client and version.
#include "run/atlas.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sha256.h"

namespace cutline::run {

Result<Experiment> atlas_of(const std::string& client, const std::vector<std::string>& versions) {
  const std::vector<BuiltinCells> all = builtin_atlas();
  const auto file = std::ranges::find(all, client + ".toml", &BuiltinCells::file);
  if (file == all.end())
    return fail({.code = "run.atlas",
                 .message = fmt::format("there are no cells that would prove '{}'", client),
                 .place = {},
                 .hint = "cutline check predicts it from its profile"});
  const std::string name = fmt::format("experiments/atlas/{}", file->file);
  CUTLINE_TRY_ASSIGN(Experiment experiment, read_experiment(file->toml, name));
  std::vector<ExperimentCell> cells;
  for (const ExperimentCell& cell : experiment.cells) {
    for (const std::string& version : versions) {
      cells.push_back(cell);
      cells.back().version = version;
    }
  }
  // What the file names for itself may be the same version several times.
  std::vector<std::string> keys;
  std::erase_if(cells, [&](const ExperimentCell& cell) {
    std::string key = cell.key();
    if (std::ranges::find(keys, key) != keys.end()) return true;
    keys.push_back(std::move(key));
    return false;
  });
  experiment.cells = std::move(cells);
  experiment.hash = sha256_hex(fmt::format("{}\n{}", experiment.hash, fmt::join(versions, "\n")));
  return experiment;
}

}  // namespace cutline::run
