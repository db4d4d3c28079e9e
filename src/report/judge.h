// judge.h: what a verdict has to say of one group of versions, as sentences with a gap for who it
// is.
#pragma once

#include <string>
#include <vector>

#include "report/check.h"

namespace cutline::report {

struct Sentence {
  std::string before, after;
  /// The instructions, where the sentence is that they are cut: of many clients that is told as
  /// one.
  const delivery::Delivered* cut_instructions = nullptr;

  std::string after_many = {};  // where the verb hangs on how many they are

  std::string with(const std::string& who, bool many = false) const {
    return before + who + (many && !after_many.empty() ? after_many : after);
  }
};

struct Verdicts {
  std::vector<Sentence> bad;     // lost for good
  std::vector<Sentence> unsure;  // nobody knows
  std::vector<Sentence> notes;   // left out by the client's design

  /// Equal for groups of which the same is said.
  std::string key() const;
  bool empty() const { return bad.empty() && unsure.empty() && notes.empty(); }
};

Verdicts judge(const Check& check, const CheckedGroup& group);

}  // namespace cutline::report
