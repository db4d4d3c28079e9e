// tools_groups.cc: what becomes of the tools, clients that do the same with them as one.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/client_groups.h"
#include "report/parameters.h"
#include "report/tool_summary.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::Never;
using delivery::State;

constexpr std::size_t kAbsentShown = 3;
constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kClientsShown = 6;
const std::string kIndent(kPartColumns, ' ');
// After all of which something arrives, whose rank is the share that the worst loses.
constexpr double kNothing = 2, kUnknown = 3, kNoTools = 4;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

Outcome plain(std::string words, double rank, Ink ink, std::string note = {}) {
  return {.key = words,
          .rank = rank,
          .cells = {{std::move(words), ink}},
          .note = std::move(note),
          .several = "for several reasons"};
}

Outcome outcome_of(const CheckedClient& client, const CheckedGroup& group) {
  const ToolSummary summary = summarise(group);
  if (summary.all == 0) return plain("no tools", kNoTools, Ink::kDim);
  if (summary.unknown())
    return plain("not known", kUnknown, Ink::kDim,
                 is_of_no_fact(*summary.first_unknown())
                     ? std::string()
                     : of_any_client(summary.why_absent(group.group.to), client));
  if (summary.absent.size() == summary.all)
    return plain("nothing", kNothing, Ink::kBad,
                 of_any_client(summary.why_absent(group.group.to), client));
  Outcome outcome;
  outcome.note = summary.loaded_words();
  outcome.several = "in several ways";
  const std::string limit = summary.limits_words();
  if (summary.cut == 0) {
    outcome.key = "whole";
    outcome.cells = {{"whole", Ink::kPlain}};
    outcome.note += limit == "none" ? ", no limit" : ", limit " + limit;
  } else {
    const Delivered& worst = *summary.worst;
    outcome.rank =
        static_cast<double>(worst.lost_units()) / static_cast<double>(worst.whole_units());
    outcome.cells = {{fmt::format("{} cut at {}, the worst loses {}", number(summary.cut), limit,
                                  unbroken(summary.worst_loss())),
                      Ink::kBad}};
    outcome.key = outcome.cells.front().text;
  }
  if (group.group.extrapolated) outcome.note += ", extrapolated";
  return outcome;
}

/// "2 tools (a and b) never arrive in A and B: the name is refused", with a gap for the clients.
std::string absent_words(const std::vector<const Delivered*>& tools, const Version& version) {
  std::vector<std::string> names;
  names.reserve(tools.size());
  for (const Delivered* tool : tools) names.push_back(tool->piece.tool);
  const Delivered& first = *tools.front();
  const bool one = tools.size() == 1, unknown = first.state == State::kUnknown;
  // What is said of many is the kind of the reason: the reasons themselves name each tool.
  Delivered of_all;
  of_all.never = first.never;
  const bool by_count = first.never == Never::kTooManyTools;  // true of each of them
  const std::string why = absence_words(one || unknown || by_count ? first : of_all, version);
  return fmt::format(
      "{} {} in \n: {}.",
      one ? safe_name(names[0])
          : fmt::format("{} tools ({})", number(names.size()), some_of(names, kNamesShown)),
      unknown ? "may not arrive"
      : one   ? "never arrives"
              : "never arrive",
      why);
}

/// Tools that never arrive, or of which it is not known, while others do: by the one reason `kind`.
Outcome absent_outcome(const CheckedClient& client, const CheckedGroup& group,
                       std::pair<State, Never> kind) {
  const ToolSummary summary = summarise(group);
  Outcome outcome;
  // The table says so.
  const bool all_unknown = summary.unknown() && kind.first == State::kUnknown;
  if (all_unknown || summary.no_connection() ||
      (summary.absent.size() == summary.all && !summary.unknown()))
    return outcome;
  std::vector<const Delivered*> tools;
  for (const Delivered* tool : summary.absent)
    if (std::pair{tool->state, tool->never} == kind) tools.push_back(tool);
  if (!tools.empty()) outcome.key = of_any_client(absent_words(tools, group.group.to), client);
  return outcome;
}

std::string absent_lines(const Check& check, const Style& style) {
  std::map<std::pair<State, Never>, bool> kinds;
  for (const CheckedClient& client : check.clients)
    for (const CheckedGroup& group : client.groups)
      for (const Delivered* tool : summarise(group).absent)
        kinds[{tool->state, tool->never}] = true;
  std::string out;
  std::size_t told = 0;
  for (const auto& [kind, is_there] : kinds) {
    for (const ClientGroup& group :
         group_clients(check, [&](const CheckedClient& client, const CheckedGroup& versions) {
           return absent_outcome(client, versions, kind);
         })) {
      if (++told > kAbsentShown) continue;
      std::string words = group.outcome.key;
      words.replace(words.find('\n'), 1,
                    mentions_words(group.lines.front().mentions, true, kClientsShown));
      out += paragraph({kIndent}, words, style, group.any_held() ? Ink::kBad : Ink::kWarning);
    }
  }
  if (told > kAbsentShown)
    out += paragraph({kIndent}, count(told - kAbsentShown, "more such group") + ": --details.",
                     style, Ink::kDim);
  return out;
}

/// What is said where nothing is in trouble: how those versions get the tools that are held to (of
/// a client of which none is, the newest), and what is not known or gets nothing.
Outcome quiet_outcome(const CheckedClient& client, const CheckedGroup& group) {
  Outcome outcome = outcome_of(client, group);
  const bool newest = &group == &client.groups.back();
  if (outcome.rank < kNothing && !group.held_to() && !newest) outcome.key.clear();
  return outcome;
}

/// A line for each way in which clients get the tools.
std::string ways_lines(const std::vector<ClientGroup>& groups, bool trouble, const Style& style) {
  std::string out;
  for (const ClientGroup& group : groups) {
    const Outcome& outcome = group.outcome;
    if (outcome.rank == kNoTools) continue;
    const bool quiet = !trouble && outcome.rank < kNothing;
    for (const NoteLine& line : group.lines) {
      const bool all = std::ranges::all_of(
          line.mentions, [](const Mention& mention) { return mention.row.held_to; });
      const std::string names = quiet
                                    ? held_names(line.mentions, kClientsShown)
                                    : mentions_words(line.mentions, trouble && !all, kClientsShown);
      std::string lead = kIndent;
      if (trouble && all) lead.replace(kPartColumns - 2, 2, kMark);
      std::string what = quiet ? "" : outcome.cells.front().text;
      if (!what.empty() && !line.note.empty()) what += ", ";
      out += paragraph({lead, Ink::kStrong}, what + line.note + ": " + names, style,
                       outcome.cells.front().ink);
    }
  }
  return out;
}

}  // namespace

std::string tools_groups_part(const Check& check, const Style& style) {
  if (!check.offer->any()) return "";
  const bool trouble = std::ranges::any_of(check.clients, [](const CheckedClient& client) {
    return std::ranges::any_of(
        client.groups, [](const CheckedGroup& group) { return summarise(group).has_trouble(); });
  });
  const std::vector<ClientGroup> groups =
      group_clients(check, trouble ? outcome_of : quiet_outcome);
  return tools_head(check, !trouble, trouble && marks_tell_apart(groups), style) +
         ways_lines(groups, trouble, style) + told_line(check, style) + absent_lines(check, style) +
         parameters_lines(check, style);
}

}  // namespace cutline::report
