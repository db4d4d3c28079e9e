// gemini.h: Google's Gemini API as a dialect; inside this room only.
#pragma once

#include "llm/dialect.h"

namespace cutline::llm {

const Dialect& gemini();

}  // namespace cutline::llm
