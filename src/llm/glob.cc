// glob.cc: greedy, with one point of return. Only the last '*' needs to be tried again: what an
// earlier one took can as well be taken by the last.
#include "llm/glob.h"

#include <algorithm>

namespace cutline::llm {
namespace {

bool one_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
  for (;;) {
    const std::size_t end = std::min(pattern.find('|'), pattern.size());
    if (one_matches(pattern.substr(0, end), name)) return true;
    if (end == pattern.size()) return false;
    pattern.remove_prefix(end + 1);
  }
}

}  // namespace cutline::llm
