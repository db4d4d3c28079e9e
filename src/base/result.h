// result.h: a value or a Problem. The one place that names the library behind it.
#pragma once

#include <utility>

#include <tl/expected.hpp>

#include "base/problem.h"

namespace cutline {

template <class T>
using Result = tl::expected<T, Problem>;

/// `return fail({.code = "…", .message = "…"});`
inline tl::unexpected<Problem> fail(Problem problem) {
  return tl::unexpected<Problem>(std::move(problem));
}

}  // namespace cutline

#define CUTLINE_CONCAT_INNER(a, b) a##b
#define CUTLINE_CONCAT(a, b) CUTLINE_CONCAT_INNER(a, b)

/// Returns the problem of `expr` from the calling function, if it has one.
#define CUTLINE_TRY(expr)                                                     \
  do {                                                                        \
    auto cutline_try = (expr);                                                \
    if (!cutline_try) return ::cutline::fail(std::move(cutline_try).error()); \
  } while (false)

/// Declares `decl` with the value of `expr`, or returns its problem from the calling function.
#define CUTLINE_TRY_ASSIGN(decl, expr)                                                 \
  auto CUTLINE_CONCAT(cutline_try_, __LINE__) = (expr);                                \
  if (!CUTLINE_CONCAT(cutline_try_, __LINE__))                                         \
    return ::cutline::fail(std::move(CUTLINE_CONCAT(cutline_try_, __LINE__)).error()); \
  decl = *std::move(CUTLINE_CONCAT(cutline_try_, __LINE__))
