// npm.h: npm as a child process.
//
// It runs in the user's environment, for the sake of his registry and proxy settings, and nothing
// that it says is shown unless it fails; then without what could be a credential.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline::run {

struct NpmRun {
  int exit_code = 0;
  std::string out;
  std::string error_code;  // "E404", "ENOTFOUND"; empty if it succeeded or named none
  std::string said;        // its last lines, where it failed
};

/// Waits in a loop of its own. As long as it lives SIGINT, SIGTERM and SIGHUP do not end this
/// program, but are noted, so that nothing is left half done.
class Npm {
 public:
  Npm();
  ~Npm();
  Npm(const Npm&) = delete;
  Npm& operator=(const Npm&) = delete;

  /// `--json` is added, and so is what keeps it quiet. It gets at most ten minutes. Problems:
  /// "run.npm.missing"; "run.npm.failed" if it takes too long; "run.interrupted" after a signal,
  /// which ends it first.
  Result<NpmRun> run(const std::vector<std::string>& arguments, const std::string& directory);
  /// Problem "run.interrupted" if a signal has come, also between two runs.
  Result<void> interrupted();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The Problem of a run that failed: "run.npm.failed", with the reason that its code stands for.
Problem npm_problem(const NpmRun& run, std::string_view wanted);

/// URLs without user and password, and tokens of registries replaced.
std::string without_credentials(std::string_view text);

}  // namespace cutline::run
