// openai_responses.h: OpenAI's Responses API as a dialect; inside this room only.
#pragma once

#include "llm/dialect.h"

namespace cutline::llm {

const Dialect& openai_responses();

}  // namespace cutline::llm
