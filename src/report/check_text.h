// check_text.h: the screen of `check`.
#pragma once

#include <string>

#include "report/check.h"
#include "report/style.h"

namespace cutline::report {

/// One screen; with `details` every piece of every group after it. Whole lines.
std::string check_text(const Check& check, const Style& style, bool details);

}  // namespace cutline::report
