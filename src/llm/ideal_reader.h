// ideal_reader.h: a reader who sees everything that a model could see in a request, and answers a
// prompt about codewords from it: "BEGIN=AMBER-1234 END=NONE LAST=2015".
//
// It is no model: it shows what was there to be read. Definitions that are deferred are not.
#pragma once

#include <string>

#include "llm/request.h"

namespace cutline::llm {

/// Codewords in the order in which they stand, each once, joined by commas; NONE where there is
/// none. LAST is the number of the last `[at N]`. Assistant turns are not read: they may be ours.
std::string ideal_answer(const Request& request);

}  // namespace cutline::llm
