// comparison_json.h: a comparison of prediction and measurement inside the JSON of both commands
// that measure.
#pragma once

#include "delivery/compare.h"
#include "json/writer.h"

namespace cutline::report {

/// {"equal": …, "compared": …, "differences": […], "unpredicted": […]}.
void write_comparison(json::Writer& out, const delivery::Comparison& comparison);

}  // namespace cutline::report
