// comparison_json.cc: writing a comparison.
#include "report/comparison_json.h"

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
  out.end_array().key("unpredicted").begin_array();
  for (const std::string& what : comparison.unpredicted) out.string(what);
  out.end_array().end_object();
}

}  // namespace cutline::report
