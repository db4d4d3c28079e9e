// experiment_parts.h: the tables of an experiment file. Internal to its readers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "config/toml.h"
#include "run/experiment.h"
#include "run/matrix.h"

namespace cutline::run {

/// Problem "run.experiment" at the node.
tl::unexpected<Problem> wrong(const config::Node& node, std::string message, std::string hint = {});

/// The `name` of a cell or a server, which is not empty.
Result<std::string> name_of(const config::Node& table);
/// A table of strings, added to `out`; there may be none.
Result<void> read_pairs(const config::Node& node, std::string_view key, Pairs& out);

/// One of `servers` (experiment_server.cc). `folder`: the file's.
Result<PlannedServer> read_server(const config::Node& node, const std::string& folder,
                                  Matrix& matrix);
/// `expect` (expectation.cc).
Result<Expectation> read_expectation(const config::Node& node);

}  // namespace cutline::run
