// installing.h: what `cutline clients install`, `list` and `remove` do.
#pragma once

#include "base/result.h"
#include "cli/options.h"

namespace cutline::cli {

Result<int> install_clients(const ClientsRequest& request);
Result<int> list_clients(const ClientsRequest& request);
Result<int> remove_clients(const ClientsRequest& request);

}  // namespace cutline::cli
