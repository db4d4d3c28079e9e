// shim.cc: `cutline shim`, which clients are told to start instead of their servers.
#include "run/shim.h"

#include "cli/commands.h"

namespace cutline::cli {

Result<int> run_shim_command(const ShimRequest& request) {
  return run::run_shim({.server = request.server,
                        .log_file = request.log_file,
                        .socket = request.socket,
                        .command = request.command});
}

}  // namespace cutline::cli
