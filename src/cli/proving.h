// proving.h: what `cutline clients verify`, `bisect` and `learn` do.
#pragma once

#include "base/result.h"
#include "cli/options.h"

namespace cutline::cli {

Result<int> verify_client(const ClientsRequest& request);
Result<int> bisect_client(const ClientsRequest& request);
Result<int> learn_client(const ClientsRequest& request);

}  // namespace cutline::cli
