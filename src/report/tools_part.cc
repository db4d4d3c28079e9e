// tools_part.cc: how many tools there are, which are cut, and how clients get at them.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Channel;
using delivery::Delivered;
using delivery::Never;
using delivery::State;

constexpr std::size_t kAbsentShown = 3;
constexpr std::size_t kNameColumns = 40;
constexpr std::size_t kReasonColumns = 160;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// What a group makes of all tools together.
struct Summary {
  std::size_t all = 0, at_start = 0, deferred = 0, either = 0, cut = 0;
  std::string start_limit, search_limit, either_limit;  // "4,096", "none"
  const Delivered* worst = nullptr;                     // of those that are cut
  const Delivered* longest = nullptr;
  std::vector<const Delivered*> absent;  // that never arrive, or nobody knows

  /// Not known of any of them.
  bool unknown() const {
    return none_arrives([](const Delivered* tool) { return tool->state == State::kUnknown; });
  }
  /// Lost with the whole connection, which is told where the instructions are.
  bool no_connection() const {
    return none_arrives([](const Delivered* tool) {
      return tool->never == Never::kConnectionFails || tool->never == Never::kTooLate;
    });
  }
  template <class Why>
  bool none_arrives(const Why& why) const {
    return all > 0 && absent.size() == all && std::ranges::all_of(absent, why);
  }
};

std::string limit_words(const Delivered& tool) {
  return tool.budget ? number(tool.budget->size) : "none";
}

Summary summarise(const CheckedGroup& group) {
  Summary summary;
  for (const Delivered* tool : tools_in(group)) {
    ++summary.all;
    if (!summary.longest || tool->whole_units() > summary.longest->whole_units())
      summary.longest = tool;
    if (!tool->arrives()) {
      summary.absent.push_back(tool);
      continue;
    }
    if (tool->state == State::kAtStartOrDeferred) {
      ++summary.either;
      summary.either_limit = limit_words(*tool);
    } else {
      const bool deferred = tool->channel == Channel::kDeferredTool;
      ++(deferred ? summary.deferred : summary.at_start);
      (deferred ? summary.search_limit : summary.start_limit) = limit_words(*tool);
    }
    if (tool->lost_units() == 0) continue;
    ++summary.cut;
    if (!summary.worst || tool->lost_units() > summary.worst->lost_units()) summary.worst = tool;
  }
  return summary;
}

std::string loaded_words(const Summary& summary) {
  if (summary.either > 0)
    return fmt::format("{} or {}", channel_words(Channel::kPreloadedTool),
                       channel_words(Channel::kDeferredTool));
  if (summary.at_start > 0 && summary.deferred > 0)
    return fmt::format("{} {}, {} {}", number(summary.at_start),
                       channel_words(Channel::kPreloadedTool), number(summary.deferred),
                       channel_words(Channel::kDeferredTool));
  return std::string(
      channel_words(summary.deferred > 0 ? Channel::kDeferredTool : Channel::kPreloadedTool));
}

std::string limits_words(const Summary& summary) {
  if (summary.either > 0) return summary.either_limit;
  if (summary.at_start > 0 && summary.deferred > 0)
    return summary.start_limit + " / " + summary.search_limit;
  return summary.deferred > 0 ? summary.search_limit : summary.start_limit;
}

std::string worst_words(const Summary& summary) {
  if (!summary.worst) return "";
  return fmt::format("{} loses {}", safe(summary.worst->piece.tool),
                     unbroken(fmt::format("{}{} of {}", at_least(*summary.worst),
                                          number(summary.worst->lost_units()),
                                          number(summary.worst->whole_units()))));
}

/// Why nothing is known, in short.
std::string unknown_words(const Summary& summary, const CheckedGroup& group) {
  return safe(absence_words(*summary.absent.front(), group.group.to), kReasonColumns);
}

std::string key_of(const CheckedGroup& group) {
  const Summary summary = summarise(group);
  if (summary.unknown()) return "not known: " + unknown_words(summary, group);
  if (summary.no_connection())
    return "nothing: " + absence_words(*summary.absent.front(), group.group.to);
  return fmt::format("{}|{}|{}|{}|{}", loaded_words(summary), limits_words(summary), summary.cut,
                     worst_words(summary), group.group.extrapolated);
}

void add_row(Table& table, const Row& row) {
  const Summary summary = summarise(*row.last);
  const Cell versions{(row.held_to ? std::string(kMark) : "  ") + row.versions(),
                      row.held_to ? Ink::kStrong : Ink::kPlain};
  if (summary.all == 0) {
    table.row({versions, {"no tools", Ink::kDim}});
  } else if (summary.unknown()) {
    table.row({versions, {"not known: " + unknown_words(summary, *row.last), Ink::kDim}});
  } else if (summary.absent.size() == summary.all) {
    table.row(
        {versions,
         {"nothing: " + absence_words(*summary.absent.front(), row.last->group.to), Ink::kBad}});
  } else {
    const std::string extrapolated = row.last->group.extrapolated ? "extrapolated" : "";
    const std::string worst = worst_words(summary);
    table.row(
        {versions,
         {loaded_words(summary)},
         {limits_words(summary)},
         {summary.cut == 0 ? "–" : number(summary.cut), summary.cut == 0 ? Ink::kDim : Ink::kBad},
         {worst.empty() || extrapolated.empty() ? worst + extrapolated
                                                : worst + ", " + extrapolated}});
  }
}

/// Versions in which a tool is absent, "2.1.84 – 2.1.90, 2.1.292 – 2.1.332".
std::string absent_versions(const CheckedClient& client, const Delivered& tool) {
  const std::vector<Row> rows = join_rows(client, [&](const CheckedGroup& group) {
    const std::vector<const Delivered*> absent = summarise(group).absent;
    const auto same = [&](const Delivered* other) {
      return other->piece.tool == tool.piece.tool && other->never == tool.never &&
             other->state == tool.state;
    };
    return std::string(std::ranges::any_of(absent, same) ? "absent" : "");
  });
  std::string versions;
  for (const Row& row : rows) {
    const std::vector<const Delivered*> absent = summarise(*row.last).absent;
    const bool here = std::ranges::any_of(absent, [&](const Delivered* other) {
      return other->piece.tool == tool.piece.tool && other->never == tool.never &&
             other->state == tool.state;
    });
    if (here) versions += (versions.empty() ? "" : ", ") + row.versions();
  }
  return versions;
}

/// Single tools that never arrive, or of which it is not known; the newest versions first.
std::string absent_lines(const CheckedClient& client, const Style& style) {
  std::string out;
  std::vector<std::string> told;
  for (auto group = client.groups.rbegin(); group != client.groups.rend(); ++group) {
    const Summary summary = summarise(*group);
    if (summary.unknown() || summary.no_connection()) continue;  // the table says so
    for (const Delivered* tool : summary.absent) {
      if (std::ranges::find(told, tool->piece.tool) != told.end()) continue;
      told.push_back(tool->piece.tool);
      if (told.size() > kAbsentShown) continue;
      out += paragraph(
          {"  "},
          fmt::format("{} {} in {}: {}.", safe(tool->piece.tool, kNameColumns),
                      tool->state == State::kUnknown ? "may not arrive" : "never arrives",
                      absent_versions(client, *tool), absence_words(*tool, group->group.to)),
          style, lost_for_good(*tool) && group->held_to() ? Ink::kBad : Ink::kWarning);
    }
  }
  if (told.size() > kAbsentShown)
    out += paragraph({"  "}, count(told.size() - kAbsentShown, "more tool") + " likewise.", style);
  return out;
}

/// How a client gets at the tools, for a screen without the table.
std::string channel_lines(const CheckedClient& client, const std::vector<Row>& rows,
                          const Style& style) {
  const Lead indent = {std::string(kPartColumns, ' ')};
  std::string out;
  std::vector<std::pair<std::string, std::string>> unknown;  // reason, versions
  for (const Row& row : rows) {
    const Summary summary = summarise(*row.last);
    if (summary.unknown()) {
      const std::string why = unknown_words(summary, *row.last);
      if (unknown.empty() || unknown.back().first != why) unknown.emplace_back(why, "");
      std::string& versions = unknown.back().second;
      versions += (versions.empty() ? "" : ", ") + row.versions();
    } else if (summary.no_connection()) {
      out +=
          paragraph(indent,
                    fmt::format("none arrives in {} {}: {}", client.profile->title, row.versions(),
                                absence_words(*summary.absent.front(), row.last->group.to)),
                    style, row.held_to ? Ink::kBad : Ink::kDim);
    } else if (row.held_to && summary.all > 0) {
      const std::string limit = limits_words(summary);
      out += paragraph(indent,
                       fmt::format("{} {} them {} ({})", held_words(client, row),
                                   names_one(row) ? "loads" : "load", loaded_words(summary),
                                   limit == "none" ? "no limit" : "limit " + limit),
                       style);
    }
  }
  for (const auto& [why, versions] : unknown) {
    out += paragraph(
        indent,
        fmt::format("how {} {} load them is not known: {}", client.profile->title, versions, why),
        style, Ink::kDim);
  }
  return out;
}

std::string table_of(const CheckedClient& client, const std::vector<Row>& rows, bool explain,
                     const Style& style) {
  Table table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.row({{"  " + client.profile->title, Ink::kStrong},
             {"loaded", Ink::kDim},
             {"limit", Ink::kDim},
             {"cut", Ink::kDim},
             {"the worst", Ink::kDim}});
  for (const Row& row : rows) add_row(table, row);
  return "\n" + table.render(style) + (explain ? legend_line(rows, style) : "") +
         absent_lines(client, style);
}

/// The longest description in any group, for the line on top.
std::string longest_words(const Check& check) {
  const Delivered* longest = nullptr;
  for (const CheckedClient& client : check.clients) {
    for (const CheckedGroup& group : client.groups) {
      const Delivered* one = summarise(group).longest;
      if (one && (!longest || one->whole_units() > longest->whole_units())) longest = one;
    }
  }
  if (!longest || longest->whole_units() == 0) return "";
  return fmt::format(
      "longest: {}, {}", safe(longest->piece.tool),
      unbroken(number(longest->whole_units()) + " " + unit_noun(*longest, longest->whole_units())));
}

bool any_arrives(const Check& check) {
  return std::ranges::any_of(check.clients, [](const CheckedClient& client) {
    return std::ranges::any_of(client.groups, [](const CheckedGroup& group) {
      const Summary summary = summarise(group);
      return summary.absent.size() < summary.all;
    });
  });
}

bool has_trouble(const std::vector<Row>& rows) {
  return std::ranges::any_of(rows, [](const Row& row) {
    const Summary summary = summarise(*row.last);
    return summary.cut > 0 ||
           (!summary.absent.empty() && !summary.unknown() && !summary.no_connection());
  });
}

}  // namespace

std::string tools_part(const Check& check, const Style& style) {
  const mcp::EraOffer* era = check.offer->any();
  if (!era) return "";
  std::string tables, lines;
  for (const CheckedClient& client : check.clients) {
    const std::vector<Row> rows = join_rows(client, key_of);
    if (has_trouble(rows))
      tables += table_of(client, rows, !instructions_explain_mark(check) && tables.empty(), style);
    else
      lines += channel_lines(client, rows, style);
  }
  std::string words = era->tools.empty() ? "none" : number(era->tools.size());
  if (any_arrives(check) && tables.empty()) words += ", no description is cut";
  if (const std::string longest = longest_words(check); !longest.empty())
    words += fmt::format(" ({})", longest);
  std::string out = paragraph(part_lead("TOOLS"), words, style);
  if (era->tools_problem) {
    out += paragraph({std::string(kPartColumns, ' ')},
                     "the list is incomplete: " + safe(*era->tools_problem, 400), style,
                     Ink::kWarning);
  }
  return out + lines + tables;
}

}  // namespace cutline::report
