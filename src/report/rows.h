// rows.h: neighbouring groups of versions that look the same in a table, as one row of it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/check.h"
#include "report/style.h"
#include "report/words.h"

namespace cutline::report {

struct Row {
  const delivery::Profile* profile = nullptr;
  const CheckedGroup* first = nullptr;
  const CheckedGroup* last = nullptr;  // what the row shows is taken from it
  bool held_to = false;                // any of its groups is
  std::string versions() const {
    return versions_words(*profile, first->group.from, last->group.to);
  }
};

/// What the mark ▸ before a row means, below a table where it tells rows apart.
inline constexpr std::string_view kMark = "▸ ";
inline std::string legend_line(const std::vector<Row>& rows, const Style& style) {
  const bool marks =
      std::ranges::any_of(rows, &Row::held_to) && !std::ranges::all_of(rows, &Row::held_to);
  return marks ? paragraph({"  "}, std::string(kMark) + "held to", style, Ink::kDim) : "";
}

/// Whether what is held to of a row is one version: it stops, or they stop.
inline bool names_one(const Row& row) {
  return row.last->held == Held::kNewest || row.first->group.from == row.last->group.to;
}

/// "Claude Code 2.1.332": the client and what of a row that is held to is meant.
inline std::string held_words(const CheckedClient& client, const Row& row) {
  const bool newest = row.last->held == Held::kNewest;
  const Version& from = newest ? row.last->group.to : row.first->group.from;
  return unbroken(client.profile->title + " " +
                  versions_words(*client.profile, from, row.last->group.to));
}

/// `key_of(group)` is equal for groups that look the same.
template <class KeyOf>
std::vector<Row> join_rows(const CheckedClient& client, const KeyOf& key_of) {
  std::vector<Row> rows;
  std::string last_key;
  for (const CheckedGroup& group : client.groups) {
    std::string key = key_of(group);
    // Versions that were named stand apart from those that only surround them.
    const bool named = group.held == Held::kAll;
    const bool parts = rows.empty() || named != (rows.back().last->held == Held::kAll);
    if (parts || !group.adjoins || key != last_key)
      rows.push_back(
          {.profile = client.profile, .first = &group, .last = &group, .held_to = group.held_to()});
    rows.back().last = &group;
    rows.back().held_to |= group.held_to();
    last_key = std::move(key);
  }
  return rows;
}

}  // namespace cutline::report
