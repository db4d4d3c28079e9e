// matrix.h: the lists of an experiment file, and which element of each a cell is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml.h"

namespace cutline::run {

/// A string, a number or a boolean.
bool is_scalar(const config::Node& node);
/// As text; empty if it is none.
std::string scalar_text(const config::Node& node);

/// A counter with a digit for every list that is met while a cell is read. The cell is read once
/// for every combination: begin_round(), choose() from each list on the way, turn().
class Matrix {
 public:
  /// The element of a list that this round is about; notes the choice by its label.
  const config::Node& choose(const config::Node& list, std::string_view label);
  void begin_round();
  /// Whether there is another combination; the last list turns fastest.
  bool turn();
  /// Of the lists with a label that have something to choose from: "NAME=VALUE".
  const std::vector<std::string>& choices() const { return choices_; }
  /// Of all lists.
  const std::vector<std::string>& combination() const { return combination_; }

 private:
  struct Digit {
    std::size_t chosen = 0, size = 0;
  };
  std::vector<Digit> digits_;
  std::size_t next_ = 0;
  std::vector<std::string> choices_, combination_;
};

}  // namespace cutline::run
