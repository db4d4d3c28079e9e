// anthropic.h: Anthropic's Messages API as a dialect; inside this room only.
#pragma once

#include "llm/dialect.h"

namespace cutline::llm {

const Dialect& anthropic_messages();

}  // namespace cutline::llm
