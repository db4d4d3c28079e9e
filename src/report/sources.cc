// sources.cc: gathering the evidence behind a client's numbers.
#include "report/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/check_parts.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Evidence;
using delivery::EvidenceKind;
using delivery::Fact;

constexpr std::size_t kNamesShown = 4;

/// What decides the way that a text takes, beside the facts that a piece names itself.
constexpr std::string_view kDeciding[] = {"handshake.first", "tool_search.default"};

bool has_budget(std::string_view fact_name) { return fact_name.ends_with(".budget"); }

/// The units of all limits that apply, "UTF-16 units and bytes".
std::string units_words(const CheckedClient& client) {
  std::vector<std::string> units;
  for (const CheckedGroup& group : client.groups) {
    for (const delivery::Delivered& piece : group.group.delivery.pieces) {
      if (!piece.budget) continue;
      const std::string noun(text::noun(piece.budget->unit));
      if (std::ranges::find(units, noun) == units.end()) units.push_back(noun);
    }
  }
  return some_of(units, kNamesShown);
}

/// "2026-12-01", or "2026-11-01 to 2026-12-01".
std::string dates_words(const std::set<std::string>& dates) {
  if (dates.empty()) return "";
  return *dates.begin() == *dates.rbegin() ? *dates.begin()
                                           : *dates.begin() + " to " + *dates.rbegin();
}

}  // namespace

std::string evidence_words(const Evidence& evidence) {
  std::string words = fmt::format("{} {}", delivery::name(evidence.kind), evidence.date);
  if (!evidence.versions.empty()) words += " with " + safe(evidence.versions, 200);
  if (!evidence.how.empty()) words += ": " + safe(evidence.how, 300);
  if (!evidence.url.empty()) words += (evidence.how.empty() ? ": " : ", ") + safe(evidence.url, 200);
  if (!evidence.says.empty()) words += "; it says otherwise: " + safe(evidence.says, 200);
  return words;
}

std::vector<const Fact*> facts_behind(const Check& check, const CheckedClient& client) {
  std::set<const Fact*> used;
  for (const CheckedGroup& group : client.groups) {
    for (const delivery::Delivered& piece : group.group.delivery.pieces) {
      if (!piece.because) continue;
      for (const delivery::Found& found : *piece.because)
        if (found.fact) used.insert(found.fact);
    }
    for (const std::string_view name : kDeciding) {
      const delivery::Found found =
          delivery::find_fact(*client.profile, name, group.group.to, check.situation.model,
                              check.situation.session);
      if (found.fact) used.insert(found.fact);
    }
  }
  std::vector<const Fact*> facts;
  for (const Fact& fact : client.profile->facts)
    if (used.contains(&fact)) facts.push_back(&fact);
  return facts;
}

std::string sources_sentence(const Check& check, const CheckedClient& client) {
  std::set<std::string> measured_dates;
  std::vector<std::string> weaker, unknown, contradicted;
  for (const Fact* fact : facts_behind(check, client)) {
    const std::string where = fmt::format("{} ({})", fact->name, fact->versions.text());
    if (fact->unknown) {
      unknown.push_back(where);
      continue;
    }
    if (!fact->evidence.empty() && fact->evidence.front().kind == EvidenceKind::kMeasured) {
      if (has_budget(fact->name)) measured_dates.insert(fact->evidence.front().date);
    } else if (!fact->evidence.empty()) {
      weaker.push_back(fmt::format("{} {}", delivery::name(fact->evidence.front().kind), where));
    }
    for (const Evidence* conflict : fact->conflicts())
      contradicted.push_back(fmt::format("{}: {} {} says {}", where,
                                         delivery::name(conflict->kind), conflict->date,
                                         safe(conflict->says)));
  }
  std::string words = client.profile->title + ": ";
  const std::string units = units_words(client);
  words += units.empty() ? "no limits" : "limits in " + units;
  if (!measured_dates.empty())
    words += fmt::format(", measured {} with {} to {}", dates_words(measured_dates),
                         client.profile->first.text(), client.profile->last.text());
  words += ".";
  if (!weaker.empty()) words += " Weaker: " + some_of(weaker, kNamesShown) + ".";
  if (!unknown.empty()) words += " Not known: " + some_of(unknown, kNamesShown) + ".";
  if (!contradicted.empty()) words += " Contradicted: " + some_of(contradicted, 2) + ".";
  const bool extrapolated = std::ranges::any_of(
      client.groups, [](const CheckedGroup& group) { return group.group.extrapolated; });
  if (extrapolated) {
    words += fmt::format(" Extrapolated: only {} to {} were looked at.",
                         client.profile->first.text(), client.profile->last.text());
  }
  return words;
}

std::string sources_part(const Check& check, const Style& style) {
  std::string out;
  for (const CheckedClient& client : check.clients)
    out += paragraph({}, sources_sentence(check, client), style, Ink::kDim);
  return out;
}

}  // namespace cutline::report
