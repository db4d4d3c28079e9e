// completion.cc: `cutline completion`: a script for a shell.
#include "cli/commands.h"
#include "cli/completion_script.h"
#include "cli/output.h"
#include "cli/profiles.h"

namespace cutline::cli {

Result<int> run_completion(const CompletionRequest& request) {
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(std::nullopt));
  const std::vector<std::string> clients = shelf.names();
  CUTLINE_TRY(print(completion_script(request.shell, clients)));
  return 0;
}

}  // namespace cutline::cli
