// script_toml.h: the script of answers in an experiment file or of its own (docs/experiments.md).
#pragma once

#include <vector>

#include "base/result.h"
#include "config/toml.h"
#include "llm/script.h"

namespace cutline::run {

/// A list of "ideal-reader", { text = "…" }, { tool = "Bash", arguments = "{…}" },
/// { search = "mcp__*" } or { error = 529, message = "…" }, each with delay_ms if it is a table.
/// Problem "run.script" at its place.
Result<std::vector<llm::Turn>> read_script(const config::Node& list);

}  // namespace cutline::run
