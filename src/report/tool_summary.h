// tool_summary.h: what a group of versions makes of all tools together, and the words for it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "report/check.h"
#include "report/style.h"

namespace cutline::report {

struct ToolSummary {
  std::size_t all = 0, at_start = 0, deferred = 0, either = 0, cut = 0;
  std::string start_limit, search_limit, either_limit;  // "4,096", "none"
  const delivery::Delivered* worst = nullptr;           // of those that are cut
  const delivery::Delivered* longest = nullptr;
  std::vector<const delivery::Delivered*> absent;  // that never arrive, or nobody knows

  /// None is known to arrive, and not of all it is known that they do not.
  bool unknown() const;
  const delivery::Delivered* first_unknown() const;
  bool some_never() const;
  /// Lost with the whole connection, which is told where the instructions are.
  bool no_connection() const;
  /// Is any cut, or missing for a reason of its own?
  bool has_trouble() const;

  std::string loaded_words() const;  // "by search"
  std::string limits_words() const;  // "4,096 / 16,384", "none"
  std::string worst_words() const;   // "tool_001 loses 904 of 5,000"; empty where none is cut
  std::string worst_loss() const;    // "904 of 5,000"
  /// Why nothing is known, or why none arrives, in short.
  std::string why_absent(const Version& version) const;
};

ToolSummary summarise(const CheckedGroup& group);

/// What models know of deferred tools before they search, in the versions held to: one line, with
/// the clients that tell the same together; empty where no tool is deferred.
std::string told_line(const Check& check, const Style& style);

/// The part's first lines: how many tools there are and the longest description; that none is cut
/// where `none_cut` and any arrives; and what ▸ means where it is to be explained.
std::string tools_head(const Check& check, bool none_cut, bool explain_mark, const Style& style);

}  // namespace cutline::report
