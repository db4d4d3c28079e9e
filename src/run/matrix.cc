// matrix.cc: counting.
#include "run/matrix.h"

#include <fmt/format.h>

namespace cutline::run {

using config::Kind;
using config::Node;

bool is_scalar(const Node& node) {
  return node.kind == Kind::kString || node.kind == Kind::kInteger || node.kind == Kind::kBoolean;
}
std::string scalar_text(const Node& node) {
  switch (node.kind) {
    case Kind::kString:
      return node.string;
    case Kind::kInteger:
      return std::to_string(node.integer);
    case Kind::kBoolean:
      return node.boolean ? "true" : "false";
    default:
      return {};
  }
}

const Node& Matrix::choose(const Node& list, std::string_view label) {
  if (next_ == digits_.size()) digits_.push_back({.chosen = 0, .size = list.elements.size()});
  const Node& chosen = list.elements[digits_[next_++].chosen];
  combination_.push_back(scalar_text(chosen));
  if (!label.empty() && list.elements.size() > 1)
    choices_.push_back(fmt::format("{}={}", label, scalar_text(chosen)));
  return chosen;
}

void Matrix::begin_round() {
  next_ = 0;
  choices_.clear();
  combination_.clear();
}

bool Matrix::turn() {
  while (!digits_.empty()) {
    if (++digits_.back().chosen < digits_.back().size) return true;
    digits_.pop_back();
  }
  return false;
}

}  // namespace cutline::run
