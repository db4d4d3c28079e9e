// tools_part.cc: how many tools there are, which are cut, and how clients get at them.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/parameters.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/tool_summary.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::Never;
using delivery::State;

constexpr std::size_t kAbsentShown = 3;
constexpr std::size_t kNameColumns = 40;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

std::string key_of(const CheckedGroup& group) {
  const ToolSummary summary = summarise(group);
  if (summary.unknown()) return "not known: " + summary.why_absent(group.group.to);
  if (summary.no_connection()) return "nothing: " + summary.why_absent(group.group.to);
  return fmt::format("{}|{}|{}|{}|{}", summary.loaded_words(), summary.limits_words(), summary.cut,
                     summary.worst_words(), group.group.extrapolated);
}

void add_row(Table& table, const Row& row) {
  const ToolSummary summary = summarise(*row.last);
  const Cell versions{(row.held_to ? std::string(kMark) : "  ") + row.versions(),
                      row.held_to ? Ink::kStrong : Ink::kPlain};
  if (summary.all == 0) {
    table.row({versions, {"no tools", Ink::kDim}});
  } else if (summary.unknown()) {
    table.row({versions, {"not known: " + summary.why_absent(row.last->group.to), Ink::kDim}});
  } else if (summary.absent.size() == summary.all) {
    table.row({versions, {"nothing: " + summary.why_absent(row.last->group.to), Ink::kBad}});
  } else {
    const std::string extrapolated = row.last->group.extrapolated ? "extrapolated" : "";
    const std::string worst = summary.worst_words();
    table.row(
        {versions,
         {summary.loaded_words()},
         {summary.limits_words()},
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

/// Where a client, or a version of it, is told by itself.
std::string where_words(const CheckedClient& client, const CheckedGroup& group,
                        const Delivered& tool) {
  return client.profile->unversioned ? delivery::program_name(*client.profile, group.group.to)
                                     : absent_versions(client, tool);
}

/// Those that are too many for one reason, in one line; marks them as told.
std::string too_many_line(const CheckedClient& client, const CheckedGroup& group,
                          std::vector<std::string>& told, const Style& style) {
  std::vector<std::string> names;
  const Delivered* first = nullptr;
  for (const Delivered* tool : summarise(group).absent) {
    if (tool->never != Never::kTooManyTools) continue;
    if (std::ranges::find(told, tool->piece.tool) != told.end()) continue;
    names.push_back(tool->piece.tool);
    if (!first) first = tool;
  }
  if (!first) return "";
  told.insert(told.end(), names.begin(), names.end());
  return paragraph(
      {"  "},
      fmt::format("{} never {} in {}: {}.", some_of(names, kAbsentShown),
                  names.size() == 1 ? "arrives" : "arrive", where_words(client, group, *first),
                  absence_words(*first, group.group.to)),
      style, group.held_to() ? Ink::kBad : Ink::kWarning);
}

/// Single tools that never arrive, or of which it is not known; the newest versions first.
std::string absent_lines(const CheckedClient& client, const Style& style) {
  std::string out;
  std::vector<std::string> told, too_many;
  for (auto group = client.groups.rbegin(); group != client.groups.rend(); ++group) {
    const ToolSummary summary = summarise(*group);
    if (summary.no_connection()) continue;  // the table says so
    out += too_many_line(client, *group, too_many, style);
    for (const Delivered* tool : summary.absent) {
      if (tool->never == Never::kTooManyTools) continue;
      if (summary.unknown() && tool->state == State::kUnknown) continue;  // so it does
      if (std::ranges::find(told, tool->piece.tool) != told.end()) continue;
      told.push_back(tool->piece.tool);
      if (told.size() > kAbsentShown) continue;
      out += paragraph(
          {"  "},
          fmt::format("{} {} in {}: {}.", safe_name(tool->piece.tool, kNameColumns),
                      tool->state == State::kUnknown ? "may not arrive" : "never arrives",
                      where_words(client, *group, *tool), absence_words(*tool, group->group.to)),
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
    const ToolSummary summary = summarise(*row.last);
    if (summary.unknown()) {
      const std::string why = is_of_no_fact(*summary.first_unknown())
                                  ? std::string()
                                  : ": " + summary.why_absent(row.last->group.to);
      if (unknown.empty() || unknown.back().first != why) unknown.emplace_back(why, "");
      std::string& versions = unknown.back().second;
      versions += (versions.empty() ? "" : ", ") + row.versions();
    } else if (summary.no_connection()) {
      out += paragraph(indent,
                       fmt::format("none arrives in {} {}: {}", client.profile->title,
                                   row.versions(), summary.why_absent(row.last->group.to)),
                       style, row.held_to ? Ink::kBad : Ink::kDim);
    } else if (row.held_to && summary.all > 0) {
      const std::string limit = summary.limits_words();
      out += paragraph(indent,
                       fmt::format("{} {} them {} ({})", held_words(client, row),
                                   names_one(row) ? "loads" : "load", summary.loaded_words(),
                                   limit == "none" ? "no limit" : "limit " + limit),
                       style);
    }
  }
  for (const auto& [why, versions] : unknown) {
    out += paragraph(indent,
                     fmt::format("how {} {} {} them is not known{}", client.profile->title,
                                 versions, client.profile->unversioned ? "loads" : "load", why),
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

bool has_trouble(const std::vector<Row>& rows) {
  return std::ranges::any_of(rows,
                             [](const Row& row) { return summarise(*row.last).has_trouble(); });
}

}  // namespace

std::string tools_part(const Check& check, const Style& style) {
  if (!check.offer->any()) return "";
  std::string tables, lines;
  for (const CheckedClient& client : check.clients) {
    const std::vector<Row> rows = join_rows(client, key_of);
    if (has_trouble(rows))
      tables += table_of(client, rows, !instructions_explain_mark(check) && tables.empty(), style);
    else
      lines += channel_lines(client, rows, style);
  }
  return tools_head(check, tables.empty(), false, style) + lines + told_line(check, style) +
         tables + parameters_lines(check, style);
}

}  // namespace cutline::report
