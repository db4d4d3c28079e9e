// notes_part.cc: what stands before the verdict: switches that do nothing, and what the deliveries
// held to have to say beside their texts.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/rewriting.h"
#include "report/rows.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

constexpr std::size_t kNoteColumns = 400;
/// Of what the deliveries say, where there is more than one client.
constexpr std::size_t kNotesShown = 3;

/// "Claude Code 2.1.91 – 2.1.200": where a note is held to be true.
std::string with_note(const CheckedClient& client, const std::string& note) {
  const auto has = [&](const CheckedGroup& group) {
    return group.held_to() &&
           std::ranges::find(group.group.delivery.notes, note) != group.group.delivery.notes.end();
  };
  std::string versions;
  for (const Row& row : join_rows(client, [&](const CheckedGroup& group) {
         return std::string(has(group) ? "noted" : "");
       })) {
    if (!has(*row.last)) continue;
    versions += (versions.empty() ? "" : ", ") +
                (row.last->held == Held::kNewest
                     ? versions_words(*client.profile, row.last->group.to, row.last->group.to)
                     : row.versions());
  }
  return client.profile->title + " " + versions;
}

std::string switch_line(const delivery::SwitchNote& note, const Style& style) {
  if (is_not_known(note)) return paragraph({"· ", Ink::kDim}, safe(note.says, kNoteColumns), style);
  return paragraph({"! ", Ink::kWarning},
                   fmt::format("{}={} is ignored: {}", safe(note.name), safe(note.value),
                               safe(note.says, kNoteColumns)),
                   style);
}

/// A note and of whom it is true.
struct Told {
  std::string note, who;
};

/// The notes of the deliveries held to, but for those that `said` has.
void gather(const CheckedClient& client, std::set<std::string>& said, std::vector<Told>& told) {
  for (const CheckedGroup& group : client.groups) {
    if (!group.held_to()) continue;
    for (const std::string& note : group.group.delivery.notes) {
      if (!said.insert(note).second) continue;
      const std::string who = with_note(client, note);
      const auto known = std::ranges::find(told, note, &Told::note);
      if (known == told.end())
        told.push_back({note, who});
      else
        known->who += ", " + who;
    }
  }
}

}  // namespace

std::string notes_part(const Check& check, const Style& style) {
  std::string out;
  std::vector<Told> told;
  std::set<std::string> switches;  // lines that stand there already
  for (const CheckedClient& client : check.clients) {
    std::set<std::string> said;
    for (const delivery::SwitchNote& note : client.switches) {
      if (!is_told(note)) continue;
      said.insert(note.says);
      std::string line = switch_line(note, style);
      if (switches.insert(line).second) out += line;
    }
    gather(client, said, told);
  }
  const std::size_t most = check.clients.size() > 1 ? kNotesShown : told.size();
  for (std::size_t i = 0; i < std::min(most, told.size()); ++i)
    out +=
        paragraph({"· ", Ink::kDim}, told[i].who + ": " + safe(told[i].note, kNoteColumns), style);
  if (told.size() > most)
    out += paragraph({"· ", Ink::kDim}, count(told.size() - most, "more note") + ": --details.",
                     style);
  if (const std::string words = rewriting_words(check); !words.empty())
    out += paragraph({"· ", Ink::kDim}, words, style);
  return out;
}

}  // namespace cutline::report
