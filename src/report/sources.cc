// sources.cc: gathering the evidence behind a client's numbers.
#include "report/sources.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "report/check_parts.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Evidence;
using delivery::EvidenceKind;
using delivery::Fact;

constexpr std::size_t kNamesShown = 4;
constexpr std::size_t kClientsShown = 2;  // of each kind, so that all is two lines

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

std::string_view noun(EvidenceKind kind) {
  switch (kind) {
    case EvidenceKind::kMeasured:
      return "a measurement";
    case EvidenceKind::kSource:
      return "the source";
    case EvidenceKind::kDocumented:
      return "the documentation";
    case EvidenceKind::kReported:
      return "a report";
  }
  return "";
}

/// What a fact is about, for people; its own name where there are no better words.
std::string fact_words(const std::string& name) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"instructions.budget", "limit of instructions"},
      {"tool.preloaded.budget", "limit of tools loaded at the start"},
      {"tool.deferred.budget", "limit of tools loaded by search"},
      {"instructions.delivered", "whether instructions are passed on"},
      {"instructions.placement", "where instructions land"},
      {"instructions.frame", "what stands around instructions"},
      {"instructions.odd", "what becomes of odd instructions"},
      {"budget.variable", "the variable that sets limits"},
      {"handshake.first", "what is asked first"},
      {"handshake.probe", "what follows an answer to server/discover"},
      {"tool.name", "names of tools"},
      {"tool.count", "how many tools are sent"},
      {"tool.placement", "where tools land"},
      {"tool_search.default", "whether tool search is on"},
      {"tool_search.variable", "the variable of tool search"},
      {"wait.startup", "how long a server is waited for"}};
  for (const auto& [fact, words] : kWords)
    if (fact == name) return std::string(words);
  return name;
}

/// "limit of instructions from 2.1.296 on": the fact and its range, without an end that is the
/// newest.
std::string place_words(const delivery::Profile& profile, const Fact& fact) {
  const VersionRange& range = fact.versions;
  std::string name = fact_words(fact.name);
  if (profile.unversioned) return name;
  if (!range.from || !range.to) return name + " in " + range.text();
  if (*range.from != *range.to && *range.to == profile.last)
    return name + unbroken(fmt::format(" from {} on", range.from->text()));
  return name + unbroken(" in " + versions_words(*range.from, *range.to));
}

/// What other evidence says, and of which facts.
using Claims = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add_claim(Claims& claims, const std::string& claim, const std::string& fact) {
  auto known = std::ranges::find(claims, claim, &Claims::value_type::first);
  if (known == claims.end()) known = claims.insert(known, {claim, {}});
  known->second.push_back(fact);
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
  if (!evidence.url.empty())
    words += (evidence.how.empty() ? ": " : ", ") + safe(evidence.url, 200);
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
    for (const delivery::Found& found :
         delivery::basis(*client.profile, group.group.to, check.situation, *check.offer))
      used.insert(found.fact);
  }
  std::vector<const Fact*> facts;
  for (const Fact& fact : client.profile->facts)
    if (used.contains(&fact)) facts.push_back(&fact);
  return facts;
}

std::vector<std::string> source_lines(const Check& check, const CheckedClient& client,
                                      bool details) {
  std::set<std::string> dates;
  std::vector<std::string> weaker;
  Claims contradictions;
  for (const Fact* fact : facts_behind(check, client)) {
    if (fact->unknown || fact->evidence.empty()) continue;
    const std::string name = place_words(*client.profile, *fact);
    const Evidence& strongest = fact->evidence.front();
    if (strongest.kind != EvidenceKind::kMeasured) {
      weaker.push_back(fmt::format("{} ({})", name, delivery::name(strongest.kind)));
    } else if (has_budget(fact->name)) {
      dates.insert(strongest.date);
    }
    if (!details && !has_budget(fact->name)) continue;  // no number here hangs on it
    for (const Evidence* other : fact->conflicts()) {
      const std::string claim = fmt::format("{} of {} says \"{}\"", noun(other->kind), other->date,
                                            safe(other->says, 200));
      add_claim(contradictions, claim, name);
    }
  }
  const std::string units = units_words(client);
  const delivery::Profile& profile = *client.profile;
  const bool one_version = profile.unversioned || profile.first == profile.last;
  const std::string from_to =
      unbroken(one_version ? delivery::program_name(profile, profile.last)
                           : fmt::format("{} {} to {}", profile.title, profile.first.text(),
                                         profile.last.text()));
  std::vector<std::string> lines;
  if (profile.unversioned)
    lines.push_back(fmt::format("What is known of {} is not told apart by versions.", from_to));
  if (!dates.empty()) {
    lines.push_back(fmt::format("{} measured {} with {}.",
                                units.empty() ? "All" : "Limits in " + units + ",",
                                dates_words(dates), from_to));
  }
  if (!weaker.empty()) lines.push_back("Not measured: " + some_of(weaker, kNamesShown) + ".");
  for (const auto& [claim, facts] : contradictions)
    lines.push_back(fmt::format("But {} ({}).", claim, some_of(facts, kNamesShown)));
  const bool extrapolated = std::ranges::any_of(
      client.groups, [](const CheckedGroup& group) { return group.group.extrapolated; });
  if (extrapolated) lines.push_back("Extrapolated: only " + from_to + " were looked at.");
  return lines;
}

namespace {

/// Which clients' numbers rest on what, in as few words as there are kinds of evidence.
struct Basis {
  std::set<std::string> dates;
  std::vector<std::string> weaker, contradicted, extrapolated, not_held;
};

void add_basis(const Check& check, const CheckedClient& client, Basis& basis) {
  bool weaker = false, contradicted = false;
  for (const Fact* fact : facts_behind(check, client)) {
    if (fact->unknown || fact->evidence.empty()) continue;
    const Evidence& strongest = fact->evidence.front();
    const bool measured = strongest.kind == EvidenceKind::kMeasured;
    weaker = weaker || !measured;
    if (measured && has_budget(fact->name)) basis.dates.insert(strongest.date);
    contradicted = contradicted || (has_budget(fact->name) && !fact->conflicts().empty());
  }
  const std::string& title = client.profile->title;
  const bool held = std::ranges::any_of(client.groups, &CheckedGroup::held_to);
  // Of the others it is said that nothing was measured.
  if (weaker && held) basis.weaker.push_back(title);
  if (contradicted) basis.contradicted.push_back(title);
  if (std::ranges::any_of(client.groups,
                          [](const CheckedGroup& group) { return group.group.extrapolated; }))
    basis.extrapolated.push_back(title);
  if (!held) basis.not_held.push_back(title);
}

/// "Measured 2026-12-01. Not all is measured of A; other evidence contradicts limits of A. …"
std::string sources_of_all(const Check& check) {
  Basis basis;
  for (const CheckedClient& client : check.clients) add_basis(check, client, basis);
  std::vector<std::string> doubts;
  const auto add = [&](std::string_view what, const std::vector<std::string>& clients) {
    if (!clients.empty())
      doubts.push_back(fmt::format("{} {}", what, some_of(clients, kClientsShown)));
  };
  add("not all is measured of", basis.weaker);
  add("other evidence contradicts limits of", basis.contradicted);
  add("extrapolated for", basis.extrapolated);
  add("never measured, so not held to:", basis.not_held);
  std::string words = fmt::format("{}", fmt::join(doubts, "; "));
  if (!words.empty()) {
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    words += ". ";
  }
  const std::string dates =
      basis.dates.empty() ? "" : "Measured " + dates_words(basis.dates) + ". ";
  return dates + words + "How all of it is known: --details.";
}

}  // namespace

std::string sources_part(const Check& check, const Style& style, bool details) {
  if (check.clients.size() > 1 && !details)
    return paragraph({}, sources_of_all(check), style, Ink::kDim);
  std::string out;
  for (const CheckedClient& client : check.clients) {
    for (const std::string& line : source_lines(check, client, details))
      out += paragraph({}, line, style, Ink::kDim);
  }
  return out;
}

}  // namespace cutline::report
