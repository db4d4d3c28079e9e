// experiment.h: an experiment file: clients x settings x servers, as a list of cells.
//
// The format is docs/experiments.md. Lists of clients, of models, of a variable's values and of a
// lab setting's values expand to a matrix. Reading is strict: a wrong key or value is a Problem
// with line and column.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/toml.h"
#include "run/cell.h"

namespace cutline::run {

/// What a cell has to show, besides what its profile predicts; absent members are not looked at.
struct Expectation {
  config::Source source;
  std::optional<std::string> state;      // of the first server's instructions: "at-start", …
  std::optional<std::size_t> kept;       // in UTF-16 units, without the marker
  std::optional<std::size_t> request;    // that first carries them
  std::optional<std::string> place;      // "user-reminder", …
  std::optional<std::string> handshake;  // "server/discover, then initialize"
  std::optional<std::string> answer;     // of the ideal reader, in the last request
  std::optional<std::string> later;      // of several sessions: "old", "new", … (run/evaluate.h)
};

struct ExperimentCell {
  std::string name;     // "limit-25000"
  std::string about;    // one line
  std::string client;   // "claude-code"
  std::string version;  // "2.1.285", "latest" until it is resolved
  std::string model;
  Pairs variables, settings;  // settings: of the servers' entries, as the prediction needs them
  std::vector<Session> sessions;
  std::vector<std::string> choices;  // what of the matrix this cell is: "CLAUDE_X=1"
  std::chrono::milliseconds timeout{120'000};
  std::size_t repeat = 1;  // which of the repeats
  Expectation expect;
  Pairs reported;  // what somebody else has found of it, by what: shown beside ours

  /// "limit-25000 claude-code@2.1.285 CLAUDE_X=1 #2": names it within the experiment.
  std::string key() const;
};

struct Experiment {
  std::string name, about;
  std::vector<std::string> notes;  // paragraphs, for the findings
  std::string hash, definition;    // sha256 of the file's bytes, and these
  std::vector<ExperimentCell> cells;
};

inline constexpr std::size_t kCellsMax = 10'000;

/// Problems "run.experiment" and those of config/toml.h, at FILE:LINE:COLUMN. Server commands are
/// started in the file's folder.
Result<Experiment> read_experiment(std::string_view toml, const std::string& file);

}  // namespace cutline::run
