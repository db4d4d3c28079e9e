// program.cc: from a command line to an exit code.
#include "cli/program.h"

#include <exception>
#include <type_traits>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cutline::cli {
namespace {

constexpr int kUsageExit = 2;
constexpr int kInternalExit = 4;

int exit_code_of(const Problem& problem) {
  if (problem.signal != 0) return kSignalExit + problem.signal;
  switch (problem.blame) {
    case Blame::kUsage:
      return kUsageExit;
    case Blame::kMissing:
      return 3;
    case Blame::kInternal:
      return kInternalExit;
  }
  return kInternalExit;
}

Result<int> run(const HelpRequest& request) {
  if (request.missing) {
    const std::string help = help_text(*request.command, style_of(Stream::kError, request.color));
    std::fwrite(help.data(), 1, help.size(), stderr);
    return kUsageExit;
  }
  CUTLINE_TRY(print(help_text(*request.command, style_of(Stream::kOutput, request.color))));
  return 0;
}

Result<int> run(const VersionRequest&) {
  CUTLINE_TRY(print(fmt::format("cutline {}\n", kProgramVersion)));
  return 0;
}

Result<int> run(const CheckRequest& request) { return run_check(request); }
Result<int> run(const ShowRequest& request) { return run_show(request); }
Result<int> run(const MeasureRequest& request) { return run_measure(request); }
Result<int> run(const RunRequest& request) { return run_experiment_command(request); }
Result<int> run(const GatewayRequest& request) { return run_gateway(request); }
Result<int> run(const ClientsRequest& request) { return run_clients(request); }
Result<int> run(const ShimRequest& request) { return run_shim_command(request); }
Result<int> run(const LabRequest& request) { return run_lab(request); }
Result<int> run(const CompletionRequest& request) { return run_completion(request); }

Result<int> run_words(std::span<const std::string> words) {
  CUTLINE_TRY_ASSIGN(const Request request, parse_request(words));
  return std::visit([](const auto& one) { return run(one); }, request);
}

}  // namespace

int run_program(std::span<const std::string> words) noexcept {
  try {
    const Result<int> code = run_words(words);
    if (code) return *code;
    print_problem(code.error());
    return exit_code_of(code.error());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cutline: internal error: %s\n", error.what());
    return kInternalExit;
  }
}

}  // namespace cutline::cli
