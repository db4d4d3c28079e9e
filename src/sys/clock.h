// clock.h: the time of day, for records.
#pragma once

#include <string>

namespace cutline::sys {

/// "2026-12-01T05:41:13Z".
std::string utc_now();

}  // namespace cutline::sys
