// npm.h: npm as a child process.
//
// It runs in the user's environment, for the sake of his registry and proxy settings, and nothing
// that it says is shown unless it fails; then without what could be a credential.
#pragma once

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

/// `--json` is added, and so is what keeps it quiet. An own loop waits for it, at most ten minutes.
/// Problems: "run.npm.missing"; "run.npm.failed" if it takes too long; "run.interrupted" after
/// SIGINT, SIGTERM or SIGHUP, which end it first.
Result<NpmRun> run_npm(const std::vector<std::string>& arguments, const std::string& directory);

/// The Problem of a run that failed: "run.npm.failed", with the reason that its code stands for.
Problem npm_problem(const NpmRun& run, std::string_view wanted);

/// URLs without user and password, and tokens of registries replaced.
std::string without_credentials(std::string_view text);

}  // namespace cutline::run
