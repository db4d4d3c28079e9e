// rewriting.h: which clients write the server's texts anew before they count.
#pragma once

#include <string>

#include "report/check.h"

namespace cutline::report {

/// One sentence of all clients held to, "A rewrites 3 descriptions (NFKC, invisible characters left
/// out); B indents every line after the first of the instructions."; empty where no text that
/// arrives was changed.
std::string rewriting_words(const Check& check);

}  // namespace cutline::report
