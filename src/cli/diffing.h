// diffing.h: `clients diff`.
#pragma once

#include "base/result.h"
#include "cli/options.h"

namespace cutline::cli {

/// Problems are those of choosing clients and of the source; exit code 3 if the server does not
/// serve.
Result<int> diff_clients(const ClientsRequest& request);

}  // namespace cutline::cli
