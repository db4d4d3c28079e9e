// tool_summary.cc: counting tools by what becomes of them.
#include "report/tool_summary.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/rows.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Channel;
using delivery::Delivered;
using delivery::Never;
using delivery::State;

constexpr std::size_t kReasonColumns = 160;
constexpr std::size_t kProblemColumns = 400;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

std::string limit_words(const Delivered& tool) {
  return tool.budget ? number(tool.budget->size) : "none";
}

template <class Why>
bool none_arrives(const ToolSummary& summary, const Why& why) {
  return summary.all > 0 && summary.absent.size() == summary.all &&
         std::ranges::all_of(summary.absent, why);
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
      "longest: {}, {}", safe_name(longest->piece.tool),
      unbroken(number(longest->whole_units()) + " " + unit_noun(*longest, longest->whole_units())));
}

bool any_arrives(const Check& check) {
  return std::ranges::any_of(check.clients, [](const CheckedClient& client) {
    return std::ranges::any_of(client.groups, [](const CheckedGroup& group) {
      const ToolSummary summary = summarise(group);
      return summary.absent.size() < summary.all;
    });
  });
}

/// "names", "names and first lines", "nothing"; empty where nothing is deferred or known.
std::string told_words(const CheckedGroup& group) {
  using Says = delivery::SecondWay::Says;
  for (const Delivered* tool : tools_in(group)) {
    if (!tool->also) continue;
    if (tool->also->says == Says::kNothing) return "nothing";
    return tool->also->says == Says::kName ? "names" : "names and first lines";
  }
  return "";
}

}  // namespace

std::string told_line(const Check& check, const Style& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> all;  // words, clients
  for (const CheckedClient& client : check.clients) {
    for (const CheckedGroup& group : client.groups) {
      const std::string words = group.held_to() ? told_words(group) : "";
      if (words.empty()) continue;
      auto known = std::ranges::find(all, words, [](const auto& one) { return one.first; });
      if (known == all.end()) known = all.insert(all.end(), {words, {}});
      if (known->second.empty() || known->second.back() != client.profile->title)
        known->second.push_back(client.profile->title);
    }
  }
  std::vector<std::string> parts;
  parts.reserve(all.size());
  for (const auto& [words, clients] : all)
    parts.push_back(fmt::format("{} in {}", words, some_of(clients, clients.size())));
  if (parts.empty()) return "";
  return paragraph({std::string(kPartColumns, ' ')},
                   fmt::format("known before a search: {}", fmt::join(parts, "; ")), style);
}

bool ToolSummary::unknown() const {
  return all > 0 && absent.size() == all && first_unknown() != nullptr;
}

const Delivered* ToolSummary::first_unknown() const {
  const auto tool = std::ranges::find(absent, State::kUnknown, &Delivered::state);
  return tool == absent.end() ? nullptr : *tool;
}

bool ToolSummary::some_never() const {
  return std::ranges::any_of(absent,
                             [](const Delivered* tool) { return tool->state == State::kNever; });
}

bool ToolSummary::no_connection() const {
  return none_arrives(*this, [](const Delivered* tool) {
    return tool->never == Never::kConnectionFails || tool->never == Never::kTooLate;
  });
}

bool ToolSummary::has_trouble() const {
  if (unknown()) return some_never();
  return cut > 0 || (!absent.empty() && !no_connection());
}

std::string ToolSummary::loaded_words() const {
  if (either > 0)
    return fmt::format("{} or {}", channel_words(Channel::kPreloadedTool),
                       channel_words(Channel::kDeferredTool));
  if (at_start > 0 && deferred > 0)
    return fmt::format("{} {}, {} {}", number(at_start), channel_words(Channel::kPreloadedTool),
                       number(deferred), channel_words(Channel::kDeferredTool));
  return std::string(
      channel_words(deferred > 0 ? Channel::kDeferredTool : Channel::kPreloadedTool));
}

std::string ToolSummary::limits_words() const {
  if (either > 0) return either_limit;
  if (at_start > 0 && deferred > 0) return start_limit + " / " + search_limit;
  return deferred > 0 ? search_limit : start_limit;
}

std::string ToolSummary::worst_loss() const {
  if (!worst) return "";
  return fmt::format("{}{} of {}", at_least(*worst), number(worst->lost_units()),
                     number(worst->whole_units()));
}

std::string ToolSummary::worst_words() const {
  if (!worst) return "";
  return fmt::format("{} loses {}", safe_name(worst->piece.tool), unbroken(worst_loss()));
}

std::string ToolSummary::why_absent(const Version& version) const {
  const Delivered* not_known = unknown() ? first_unknown() : nullptr;
  return safe(absence_words(not_known ? *not_known : *absent.front(), version), kReasonColumns);
}

ToolSummary summarise(const CheckedGroup& group) {
  ToolSummary summary;
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

std::string tools_head(const Check& check, bool none_cut, bool explain_mark, const Style& style) {
  const mcp::EraOffer& era = *check.offer->any();
  std::string words = era.tools.empty() ? "none" : number(era.tools.size());
  if (none_cut && any_arrives(check)) words += ", no description is cut";
  if (const std::string longest = longest_words(check); !longest.empty())
    words += fmt::format(" ({})", longest);
  if (explain_mark) words += unbroken(fmt::format(" ({}held to)", kMark));
  std::string out = paragraph(part_lead("TOOLS"), words, style);
  if (era.tools_problem) {
    out += paragraph({std::string(kPartColumns, ' ')},
                     "the list is incomplete: " + safe(*era.tools_problem, kProblemColumns), style,
                     Ink::kWarning);
  }
  return out;
}

}  // namespace cutline::report
