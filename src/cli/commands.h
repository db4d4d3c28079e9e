// commands.h: one function a command. Each gives the exit code of the program.
#pragma once

#include "base/result.h"
#include "cli/options.h"

namespace cutline::cli {

/// What a program that a signal ended is known by, and so what we end with.
inline constexpr int kSignalExit = 128;

Result<int> run_check(const CheckRequest& request);
Result<int> run_show(const ShowRequest& request);
Result<int> run_measure(const MeasureRequest& request);
Result<int> run_experiment_command(const RunRequest& request);
Result<int> run_gateway(const GatewayRequest& request);
Result<int> run_clients(const ClientsRequest& request);
Result<int> run_shim_command(const ShimRequest& request);
Result<int> run_lab(const LabRequest& request);
Result<int> run_completion(const CompletionRequest& request);

}  // namespace cutline::cli
