// told_tools.h: definitions of tools that a client writes into the result of its own search, for
// the model to read there, as Qwen Code does: one `<function>{…}</function>` a line.
#pragma once

#include <vector>

#include "llm/request.h"

namespace cutline::llm {

/// In order; `deferred`, and with the path of the text that they stand in. What is no JSON, or has
/// no name, is left out.
std::vector<Tool> told_tools(const Request& request);

}  // namespace cutline::llm
