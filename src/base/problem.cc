// problem.cc: the printed form of a problem.
#include "base/problem.h"

namespace cutline {

std::string to_text(const Problem& problem) {
  std::string out;
  if (!problem.place.empty()) out += problem.place + ": ";
  out += problem.message;
  if (!problem.hint.empty()) out += "\n  hint: " + problem.hint;
  return out;
}

}  // namespace cutline
