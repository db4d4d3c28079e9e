// client_groups.cc: joining versions of a client, then clients, and laying them out.
#include "report/client_groups.h"

#include <algorithm>

#include <fmt/format.h>

namespace cutline::report {
namespace {

/// More notes in a row than this are told as one, or the row is a page of its own.
constexpr std::size_t kNotesMost = 4;

struct Stretch {
  Row row;
  Outcome outcome;
};

std::vector<Stretch> stretches_of(const CheckedClient& client, const OutcomeOf& outcome_of) {
  std::vector<Stretch> stretches;
  for (const Row& row : join_rows(client, [&](const CheckedGroup& group) {
         const Outcome outcome = outcome_of(client, group);
         return outcome.key + "\n" + outcome.note;
       })) {
    Outcome outcome = outcome_of(client, *row.last);
    Stretch* before = stretches.empty() ? nullptr : &stretches.back();
    if (before && before->outcome.key == outcome.key && row.first->adjoins &&
        !before->row.held_to && !row.held_to) {
      before->row.last = row.last;
      before->outcome.note = before->outcome.several;
    } else {
      stretches.push_back({row, std::move(outcome)});
    }
  }
  return stretches;
}

ClientGroup& group_for(std::vector<ClientGroup>& groups, const Outcome& outcome) {
  for (ClientGroup& group : groups)
    if (group.outcome.key == outcome.key) return group;
  groups.push_back({.outcome = outcome, .lines = {}});
  return groups.back();
}

void add_mention(ClientGroup& group, const std::string& note, Mention mention) {
  auto line = std::ranges::find(group.lines, note, &NoteLine::note);
  if (line == group.lines.end()) line = group.lines.insert(line, {note, {}});
  line->mentions.push_back(mention);
}

bool held(const Mention& mention) { return mention.row.held_to; }

bool has_held(const NoteLine& line) { return std::ranges::any_of(line.mentions, held); }

/// Where there are too many notes the first stay, and the others share one.
void fold_notes(ClientGroup& group) {
  if (group.lines.size() <= kNotesMost) return;
  std::vector<NoteLine> folded(std::move(group.lines));
  group.lines.clear();
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const std::string& note = i + 1 < kNotesMost ? folded[i].note : group.outcome.several;
    for (const Mention& mention : folded[i].mentions) add_mention(group, note, mention);
  }
}

/// Which of a row's clients are held to is said once where it is all of them.
bool all_held(const ClientGroup& group) {
  return std::ranges::all_of(
      group.lines, [](const NoteLine& line) { return std::ranges::all_of(line.mentions, held); });
}

}  // namespace

const CheckedGroup& ClientGroup::example() const {
  for (const NoteLine& line : lines)
    for (const Mention& mention : line.mentions)
      if (held(mention)) return *mention.row.last;
  return *lines.front().mentions.front().row.last;
}

bool ClientGroup::any_held() const { return std::ranges::any_of(lines, has_held); }

std::vector<ClientGroup> group_clients(const Check& check, const OutcomeOf& outcome_of) {
  std::vector<ClientGroup> groups;
  for (const CheckedClient& client : check.clients) {
    for (const Stretch& stretch : stretches_of(client, outcome_of)) {
      if (stretch.outcome.key.empty()) continue;
      add_mention(group_for(groups, stretch.outcome), stretch.outcome.note, {&client, stretch.row});
    }
  }
  for (ClientGroup& group : groups) {
    std::ranges::stable_partition(group.lines, has_held);
    fold_notes(group);
    for (NoteLine& line : group.lines) std::ranges::stable_partition(line.mentions, held);
  }
  std::ranges::stable_sort(groups, {}, [](const ClientGroup& group) { return group.outcome.rank; });
  return groups;
}

std::string of_any_client(std::string reason, const CheckedClient& client) {
  const std::string& title = client.profile->title;
  if (const std::size_t at = reason.find(title); !title.empty() && at != std::string::npos)
    reason.replace(at, title.size(), "the client");
  return reason;
}

std::string mention_words(const Mention& mention) {
  const delivery::Profile& profile = *mention.client->profile;
  const Version& from = mention.row.first->group.from;
  const Version& to = mention.row.last->group.to;
  const bool as_known =
      mention.row.last->held != Held::kAll && !(from < profile.first) && !(profile.last < to);
  const bool first = as_known && from == profile.first, last = as_known && to == profile.last;
  std::string words = profile.title;
  if (!first || !last) {
    words += " ";
    words += first  ? "≤ " + to.text()
             : last ? "≥ " + from.text()
                    : versions_words(profile, from, to);
  }
  return unbroken(words);
}

std::string mentions_words(const std::vector<Mention>& mentions, bool marked, std::size_t most) {
  const std::size_t shown = mentions.size() <= most + 1 ? mentions.size() : most;
  std::string words;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) words += ", ";
    if (marked && held(mentions[i])) words += unbroken(kMark);
    words += mention_words(mentions[i]);
  }
  if (shown < mentions.size()) words += fmt::format(" and {} more", mentions.size() - shown);
  return words;
}

std::string held_name(const Mention& mention) {
  if (mention.row.last->held == Held::kNewest) return unbroken(mention.client->profile->title);
  return mention_words(mention);
}

std::string held_names(const std::vector<Mention>& mentions, std::size_t most) {
  std::vector<std::string> names;
  names.reserve(mentions.size());
  for (const Mention& mention : mentions) names.push_back(held_name(mention));
  return some_of(names, most);
}

bool marks_tell_apart(const std::vector<ClientGroup>& groups) {
  return std::ranges::any_of(groups, &ClientGroup::any_held) &&
         !std::ranges::all_of(groups, all_held);
}

std::string groups_table(const std::vector<ClientGroup>& groups, std::vector<Cell> heads,
                         const Style& style) {
  std::vector<Align> columns(heads.size(), Align::kRight);
  columns.front() = columns.back() = Align::kLeft;
  Table table(columns);
  if (marks_tell_apart(groups)) heads.back().text += unbroken(fmt::format(" ({}held to)", kMark));
  table.row(std::move(heads));
  for (const ClientGroup& group : groups) {
    const bool all = all_held(group);
    std::vector<Cell> cells = group.outcome.cells;
    cells.front().text.insert(0, all ? kMark : "  ");
    if (all) cells.front().ink = Ink::kStrong;
    for (const NoteLine& line : group.lines) {
      // One mark before a line is easier to read than one before each of its names.
      const bool line_held = std::ranges::all_of(line.mentions, held);
      const std::string names = mentions_words(line.mentions, !line_held, line.mentions.size());
      const std::string mark = line_held && !all ? unbroken(kMark) : "";
      cells.push_back({mark + (line.note.empty() ? names : line.note + ": " + names)});
      table.row(cells);
      cells.assign(group.outcome.cells.size(), {""});
    }
  }
  return table.render(style);
}

}  // namespace cutline::report
