// claude_code.h: the adapter of Claude Code.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& claude_code();

}  // namespace cutline::run
