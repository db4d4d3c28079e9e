// copilot.h: the adapter of GitHub's Copilot CLI.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& copilot();

}  // namespace cutline::run
