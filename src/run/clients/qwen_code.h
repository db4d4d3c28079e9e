// qwen_code.h: the adapter of Qwen Code.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& qwen_code();

}  // namespace cutline::run
