// comparison_json.cc: writing a comparison.
#include "report/comparison_json.h"

#include "report/lists_json.h"

namespace cutline::report {

void write_comparison(json::Writer& out, const delivery::Comparison& comparison) {
  out.begin_object().member("equal", comparison.equal());
  out.member("compared", comparison.compared).key("differences").begin_array();
  for (const delivery::Difference& difference : comparison.differences) {
    out.begin_object().member("server", difference.piece.server);
    out.member("tool", difference.piece.tool).member("what", difference.what);
    out.member("predicted", difference.predicted).member("measured", difference.measured);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "unpredicted", comparison.unpredicted);
  out.end_object();
}

}  // namespace cutline::report
