// gemini_cli.h: the adapter of Gemini CLI.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& gemini_cli();

}  // namespace cutline::run
