// opencode.h: the adapters of opencode, and of Kilo, which is made from it.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& opencode();
const Adapter& kilo();

}  // namespace cutline::run
