// codex.h: the adapter of Codex.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& codex();

}  // namespace cutline::run
