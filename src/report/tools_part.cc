// tools_part.cc: how many tools there are, which are cut, and how clients get at them.
#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Channel;
using delivery::Delivered;
using delivery::State;

constexpr std::size_t kAbsentShown = 3;

std::string number(std::size_t value) {
  return with_separators(static_cast<std::int64_t>(value));
}

/// What a group makes of all tools together.
struct Summary {
  std::size_t all = 0, at_start = 0, deferred = 0, cut = 0;
  std::string start_limit, search_limit;  // "4,096", "none"
  const Delivered* worst = nullptr;       // of those that are cut
  const Delivered* longest = nullptr;
  std::vector<const Delivered*> absent;   // that never arrive, or nobody knows

  /// Not known of any of them.
  bool unknown() const {
    return all > 0 && absent.size() == all &&
           std::ranges::all_of(absent, [](const Delivered* tool) {
             return tool->state == State::kUnknown;
           });
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
    const bool deferred = tool->channel == Channel::kDeferredTool;
    ++(deferred ? summary.deferred : summary.at_start);
    (deferred ? summary.search_limit : summary.start_limit) = limit_words(*tool);
    if (tool->lost_units() == 0) continue;
    ++summary.cut;
    if (!summary.worst || tool->lost_units() > summary.worst->lost_units()) summary.worst = tool;
  }
  return summary;
}

std::string loaded_words(const Summary& summary) {
  if (summary.at_start > 0 && summary.deferred > 0)
    return fmt::format("{} {}, {} {}", number(summary.at_start),
                       channel_words(Channel::kPreloadedTool), number(summary.deferred),
                       channel_words(Channel::kDeferredTool));
  return std::string(channel_words(summary.deferred > 0 ? Channel::kDeferredTool
                                                        : Channel::kPreloadedTool));
}

std::string limits_words(const Summary& summary) {
  if (summary.at_start > 0 && summary.deferred > 0)
    return summary.start_limit + " / " + summary.search_limit;
  return summary.deferred > 0 ? summary.search_limit : summary.start_limit;
}

std::string worst_words(const Summary& summary) {
  if (!summary.worst) return "";
  return fmt::format("{} loses {}", safe(summary.worst->piece.tool),
                     unbroken(fmt::format("{} of {}", number(summary.worst->lost_units()),
                                          number(summary.worst->whole_units()))));
}

std::string key_of(const CheckedGroup& group) {
  const Summary summary = summarise(group);
  if (summary.unknown()) return "unknown";  // for whatever reason
  std::string key = loaded_words(summary) + "|" + limits_words(summary) + "|" +
                    std::to_string(summary.cut) + "|" + worst_words(summary) +
                    (group.group.extrapolated ? "|extrapolated" : "");
  for (const Delivered* tool : summary.absent)
    key += "|" + tool->piece.tool + ": " + absence_words(*tool, group.group.to);
  return key;
}

void add_row(Table& table, const Row& row) {
  const Summary summary = summarise(*row.last);
  const Cell versions{(row.held_to ? "▸ " : "  ") + row.versions(),
                      row.held_to ? Ink::kStrong : Ink::kPlain};
  if (summary.all == 0) {
    table.row({versions, {"no tools", Ink::kDim}});
  } else if (summary.unknown()) {
    table.row({versions, {"not known", Ink::kDim}});
  } else if (summary.absent.size() == summary.all) {
    table.row({versions, {"nothing: " + absence_words(*summary.absent.front(),
                                                      row.last->group.to), Ink::kBad}});
  } else {
    const std::string extrapolated = row.last->group.extrapolated ? "extrapolated" : "";
    const std::string worst = worst_words(summary);
    table.row({versions,
               {loaded_words(summary)},
               {limits_words(summary)},
               {summary.cut == 0 ? "–" : number(summary.cut),
                summary.cut == 0 ? Ink::kDim : Ink::kBad},
               {worst.empty() || extrapolated.empty() ? worst + extrapolated
                                                      : worst + ", " + extrapolated}});
  }
}

/// Tools that never arrive, each once, from the rows held to and otherwise from the newest.
std::string absent_lines(const std::vector<Row>& rows, const CheckedClient& client,
                         const Style& style) {
  std::string out;
  std::vector<std::string> told;
  std::size_t left_out = 0;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const Summary summary = summarise(*row->last);
    if (summary.absent.size() == summary.all) continue;  // the table says so
    for (const Delivered* tool : summary.absent) {
      if (std::ranges::find(told, tool->piece.tool) != told.end()) continue;
      told.push_back(tool->piece.tool);
      if (told.size() > kAbsentShown) {
        ++left_out;
        continue;
      }
      const bool unknown = tool->state == State::kUnknown;
      out += paragraph({"  "},
                       fmt::format("{} {} in {} {}: {}.", safe(tool->piece.tool),
                                   unknown ? "is unknown" : "never arrives", client.profile->title,
                                   row->versions(),
                                   absence_words(*tool, row->last->group.to)),
                       style, lost_for_good(*tool) && row->held_to ? Ink::kBad : Ink::kWarning);
    }
  }
  if (left_out > 0) out += paragraph({"  "}, count(left_out, "more tool") + " likewise.", style);
  return out;
}

/// How the versions get at the tools, for a screen without the table.
std::string channel_sentences(const CheckedClient& client, const std::vector<Row>& rows,
                              const Style& style) {
  std::string out;
  for (const Row& row : rows) {
    const Summary summary = summarise(*row.last);
    if (summary.all == 0) continue;
    const std::string who = unbroken(client.profile->title + " " + row.versions());
    std::string sentence;
    if (summary.unknown()) {
      sentence = "how " + who + " loads them is not known";
    } else if (row.held_to) {
      const std::string limit = limits_words(summary);
      sentence = fmt::format("{} loads them {}, {}", who, loaded_words(summary),
                             limit == "none" ? "without a limit" : "up to " + limit + " each");
    }
    if (!sentence.empty()) out += paragraph({std::string(15, ' ')}, sentence, style);
  }
  return out;
}

std::string table_of(const CheckedClient& client, const std::vector<Row>& rows,
                     const Style& style) {
  Table table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.row({{"  " + client.profile->title, Ink::kStrong},
             {"loaded", Ink::kDim},
             {"limit", Ink::kDim},
             {"cut", Ink::kDim},
             {"the worst", Ink::kDim}});
  for (const Row& row : rows) add_row(table, row);
  return "\n" + table.render(style) + absent_lines(rows, client, style);
}

}  // namespace

std::string tools_part(const Check& check, const Style& style) {
  const mcp::EraOffer* era = check.offer->any();
  if (!era || (era->tools.empty() && !era->tools_problem && check.offer->command.empty())) return "";
  std::string tables, sentences, problem;
  const Delivered* longest = nullptr;
  for (const CheckedClient& client : check.clients) {
    const std::vector<Row> rows = join_rows(client, key_of);
    const bool trouble = std::ranges::any_of(rows, [](const Row& row) {
      const Summary summary = summarise(*row.last);
      return summary.cut > 0 || (!summary.absent.empty() && !summary.unknown());
    });
    if (trouble) {
      tables += table_of(client, rows, style);
    } else {
      sentences += channel_sentences(client, rows, style);
    }
    for (const CheckedGroup& group : client.groups) {
      const Summary summary = summarise(group);
      if (!longest || (summary.longest && summary.longest->whole_units() > longest->whole_units()))
        longest = summary.longest;
    }
  }
  std::string words = era->tools.empty() ? "none" : number(era->tools.size());
  if (!era->tools.empty()) {
    if (tables.empty()) words += ", no description is cut";
    if (longest && longest->whole_units() > 0)
      words += fmt::format("; the longest has {} {} ({})", number(longest->whole_units()),
                           unit_noun(*longest), safe(longest->piece.tool));
  }
  std::string out = paragraph(part_lead("TOOLS"), words, style);
  if (era->tools_problem) {
    out += paragraph({std::string(15, ' ')},
                     "the list is incomplete: " + safe(*era->tools_problem, 400), style,
                     Ink::kWarning);
  }
  if (!era->tools.empty()) out += sentences;
  return out + tables;
}

}  // namespace cutline::report
