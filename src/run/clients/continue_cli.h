// continue_cli.h: the adapter of Continue.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& continue_cli();

}  // namespace cutline::run
