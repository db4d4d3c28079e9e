// verdict_part.cc: the last lines of the screen: what is lost, and what to do first.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/rows.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::Never;
using delivery::PieceId;
using delivery::State;

constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kNoteColumns = 400;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// A sentence with a gap for the client and its versions.
struct Sentence {
  std::string before, after;
  std::string with(const std::string& who) const { return before + who + after; }
};

struct Verdicts {
  std::vector<Sentence> bad, unsure;
};

/// The piece that stands for all, if nothing of the server gets through for one reason.
const Delivered* nothing_arrives(const CheckedGroup& group) {
  const std::vector<Delivered>& pieces = group.group.delivery.pieces;
  const auto lost = [](const Delivered& piece) {
    return piece.never == Never::kConnectionFails || piece.never == Never::kTooLate;
  };
  const auto first = std::ranges::find_if(pieces, lost);
  const bool all = std::ranges::all_of(pieces, [&](const Delivered& piece) {
    return lost(piece) || piece.never == Never::kNotOffered;
  });
  return first != pieces.end() && all ? &*first : nullptr;
}

void judge_instructions(const Delivered& piece, const Version& version, Verdicts& verdicts) {
  const std::string why = ": " + absence_words(piece, version) + ".";
  if (piece.state == State::kUnknown) {
    verdicts.unsure.push_back({"What ", " makes of the instructions is not known" + why});
  } else if (!piece.arrives() && lost_for_good(piece)) {
    verdicts.bad.push_back({"The instructions never reach the model in ", why});
  } else if (!piece.arrives() && piece.never == Never::kNotDelivered) {
    verdicts.unsure.push_back({"", " does not pass instructions on" + why});
  } else if (lost_for_good(piece)) {
    verdicts.bad.push_back(
        {fmt::format("{} of {} {} of the instructions never reach the model in ",
                     number(piece.lost_units()), number(piece.whole_units()), unit_noun(piece)),
         "."});
  }
}

void judge_cut_tools(const std::vector<const Delivered*>& tools, Verdicts& verdicts) {
  std::size_t cut = 0;
  const Delivered* worst = nullptr;
  for (const Delivered* tool : tools) {
    if (!tool->arrives() || !lost_for_good(*tool)) continue;
    ++cut;
    if (!worst || tool->lost_units() > worst->lost_units()) worst = tool;
  }
  if (!worst) return;
  const std::string name = safe(worst->piece.tool);
  const std::string loses = fmt::format(" loses {} of {} {}", number(worst->lost_units()),
                                        number(worst->whole_units()), unit_noun(*worst));
  if (cut == 1) {
    verdicts.bad.push_back({"The description of " + name + loses + " in ", "."});
  } else {
    verdicts.bad.push_back({count(cut, "tool description") + " are cut in ",
                            "; the worst, " + name + "," + loses + "."});
  }
}

void judge_absent_tools(const std::vector<const Delivered*>& tools, const Version& version,
                        Verdicts& verdicts) {
  std::vector<std::string> absent;
  std::size_t unknown = 0;
  std::string why;
  for (const Delivered* tool : tools) {
    if (tool->state == State::kUnknown && ++unknown == 1) why = absence_words(*tool, version);
    if (!tool->arrives() && lost_for_good(*tool)) absent.push_back(tool->piece.tool);
  }
  if (!absent.empty()) {
    verdicts.bad.push_back({fmt::format("{} never {} the model in ", count(absent.size(), "tool"),
                                        absent.size() == 1 ? "reaches" : "reach"),
                            ": " + some_of(absent, kNamesShown) + "."});
  }
  if (unknown > 0) {
    verdicts.unsure.push_back(
        {"What ", fmt::format(" makes of {} is not known: {}.", count(unknown, "tool"), why)});
  }
}

Verdicts judge(const Check& check, const CheckedGroup& group) {
  Verdicts verdicts;
  if (const Delivered* piece = nothing_arrives(group)) {
    verdicts.bad.push_back({"Nothing of the server reaches the model in ",
                            ": " + absence_words(*piece, group.group.to) + "."});
    return verdicts;
  }
  if (const Delivered* piece = instructions_in(check, group))
    judge_instructions(*piece, group.group.to, verdicts);
  const std::vector<const Delivered*> tools = tools_in(group);
  judge_cut_tools(tools, verdicts);
  judge_absent_tools(tools, group.group.to, verdicts);
  return verdicts;
}

std::string joined(const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& sentence : sentences) out += sentence.with("|") + "\n";
  return out;
}

std::string client_lines(const Check& check, const CheckedClient& client, const Style& style) {
  const std::vector<Row> rows = join_rows(client, [&](const CheckedGroup& group) {
    if (!group.held_to()) return std::string("-");
    const Verdicts verdicts = judge(check, group);
    return joined(verdicts.bad) + "+" + joined(verdicts.unsure);
  });
  std::string out;
  for (const Row& row : rows) {
    if (!row.held_to) continue;
    const std::string who = held_words(client, row);
    const Verdicts verdicts = judge(check, *row.last);
    for (const Sentence& sentence : verdicts.bad)
      out += paragraph({"✗ ", Ink::kBad}, sentence.with(who), style, Ink::kStrong);
    for (const Sentence& sentence : verdicts.unsure)
      out += paragraph({"? ", Ink::kWarning}, sentence.with(who), style);
    if (verdicts.bad.empty() && verdicts.unsure.empty())
      out += paragraph({"✓ ", Ink::kGood}, "Nothing of it is lost in " + who + ".", style);
  }
  return out;
}

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
                (row.last->held == Held::kNewest ? row.last->group.to.text() : row.versions());
  }
  return client.profile->title + " " + versions;
}

/// Switches that do nothing, and what the deliveries held to have to say.
std::string note_lines(const Check& check, const Style& style) {
  std::string out;
  for (const CheckedClient& client : check.clients) {
    std::set<std::string> told;
    for (const delivery::SwitchNote& note : client.switches) {
      if (!note.ignored) continue;
      out += paragraph({"! ", Ink::kWarning},
                       fmt::format("{}={} is ignored: {}", safe(note.name), safe(note.value),
                                   safe(note.says, kNoteColumns)),
                       style);
      told.insert(note.says);
    }
    for (const CheckedGroup& group : client.groups) {
      if (!group.held_to()) continue;
      for (const std::string& note : group.group.delivery.notes) {
        if (!told.insert(note).second) continue;
        out += paragraph({"· ", Ink::kDim},
                         with_note(client, note) + ": " + safe(note, kNoteColumns), style);
      }
    }
  }
  return out;
}

}  // namespace

std::string verdict_part(const Check& check, const Style& style) {
  std::string out = note_lines(check, style);
  for (const CheckedClient& client : check.clients) out += client_lines(check, client, style);
  if (const std::optional<std::string> step = first_step(check))
    out += paragraph({"→ ", Ink::kAccent}, "First: " + *step, style);
  return out;
}

}  // namespace cutline::report
