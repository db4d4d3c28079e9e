// assert.h: invariants of our own, checked in release builds too. Data from outside is never
// asserted: it gets a Problem.
#pragma once

namespace cutline::detail {
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);
}

#define CUTLINE_ASSERT(expression)                                                           \
  do {                                                                                       \
    if (!(expression)) ::cutline::detail::assertion_failed(#expression, __FILE__, __LINE__); \
  } while (false)
