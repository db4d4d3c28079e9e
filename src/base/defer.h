// defer.h: work that must be done on every way out of a scope.
#pragma once

#include <utility>

namespace cutline {

template <class F>
class [[nodiscard]] Defer {
 public:
  explicit Defer(F work) : work_(std::move(work)) {}
  ~Defer() { work_(); }
  Defer(const Defer&) = delete;
  Defer& operator=(const Defer&) = delete;

 private:
  F work_;
};

}  // namespace cutline
