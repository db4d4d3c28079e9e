// claude_code.h: the adapter of Claude Code.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& claude_code();

/// At our gateway, offline and silent; also for what is built on it.
Pairs claude_environment(const ClientStart& start, const sys::Scratch& scratch);

}  // namespace cutline::run
