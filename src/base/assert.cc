// assert.cc: the end of the road.
#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace cutline::detail {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "cutline: internal error: %s does not hold (%s:%d)\n", expression, file,
               line);
  std::abort();
}

}  // namespace cutline::detail
