// openai_chat.h: OpenAI's Chat Completions API as a dialect; inside this room only.
#pragma once

#include "llm/dialect.h"

namespace cutline::llm {

const Dialect& openai_chat();

}  // namespace cutline::llm
