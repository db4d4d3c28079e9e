// cline.h: the adapter of Cline's command line.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& cline();

}  // namespace cutline::run
