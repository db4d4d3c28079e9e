// verdict_part.cc: the last lines of the screen: what is lost, and what to do first.
#include <algorithm>
#include <map>
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
constexpr std::size_t kReasonsShown = 3;
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

/// The piece that stands for all, if nothing of the server gets through for one reason, and there
/// was something.
const Delivered* nothing_arrives(const Check& check, const CheckedGroup& group) {
  const std::vector<Delivered>& pieces = group.group.delivery.pieces;
  const auto lost = [](const Delivered& piece) {
    return piece.never == Never::kConnectionFails || piece.never == Never::kTooLate;
  };
  const auto first = std::ranges::find_if(pieces, lost);
  const bool all = std::ranges::all_of(pieces, [&](const Delivered& piece) {
    return lost(piece) || piece.never == Never::kNotOffered || piece.never == Never::kEmpty;
  });
  const bool any = std::ranges::any_of(
      pieces, [&](const Delivered& piece) { return lost_in(check, group, piece); });
  return first != pieces.end() && all && any ? &*first : nullptr;
}

bool sends_wrong_type(const mcp::Offer& offer) {
  return (offer.legacy && offer.legacy->instructions_wrong_type) ||
         (offer.modern && offer.modern->instructions_wrong_type);
}

void judge_instructions(const Check& check, const CheckedGroup& group, const Delivered& piece,
                        Verdicts& verdicts) {
  const Version& version = group.group.to;
  const std::string why = ": " + absence_words(piece, version) + ".";
  const bool none = piece.original.empty() && !sends_wrong_type(*check.offer);
  if (piece.state == State::kUnknown && none && !tools_in(group).empty()) return;
  if (piece.state == State::kUnknown) {
    verdicts.unsure.push_back({"What ", " makes of the instructions is not known" + why});
  } else if (!piece.arrives() && lost_in(check, group, piece)) {
    verdicts.bad.push_back({"The instructions never reach the model in ", why});
  } else if (!piece.arrives() && piece.never == Never::kNotDelivered) {
    verdicts.unsure.push_back({"", " does not pass instructions on" + why});
  } else if (lost_for_good(piece)) {
    verdicts.bad.push_back(
        {fmt::format("{}{} of {} {} of the instructions never {} the model in ", at_least(piece),
                     number(piece.lost_units()), number(piece.whole_units()),
                     unit_noun(piece, piece.whole_units()),
                     piece.lost_units() == 1 ? "reaches" : "reach"),
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
  const std::string loses =
      fmt::format(" loses {}{} of {} {}", at_least(*worst), number(worst->lost_units()),
                  number(worst->whole_units()), unit_noun(*worst, worst->whole_units()));
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
  std::map<std::string, std::size_t> unknown;  // reason -> tools
  for (const Delivered* tool : tools) {
    if (tool->state == State::kUnknown) ++unknown[absence_words(*tool, version)];
    if (!tool->arrives() && lost_for_good(*tool)) absent.push_back(tool->piece.tool);
  }
  if (!absent.empty()) {
    verdicts.bad.push_back({fmt::format("{} never {} the model in ", count(absent.size(), "tool"),
                                        absent.size() == 1 ? "reaches" : "reach"),
                            ": " + some_of(absent, kNamesShown) + "."});
  }
  std::size_t told = 0;
  for (const auto& [why, tools_of_it] : unknown) {
    if (++told > kReasonsShown) break;
    verdicts.unsure.push_back(
        {fmt::format("Whether {} {} whole in ", count(tools_of_it, "tool description"),
                     tools_of_it == 1 ? "arrives" : "arrive"),
         " is not known: " + why + "."});
  }
}

/// A list that broke off may have held more than was seen.
void judge_list(const mcp::EraOffer* answer, Verdicts& verdicts) {
  if (!answer || !answer->tools_problem) return;
  verdicts.unsure.push_back({"The list of tools is incomplete: " +
                                 without_full_stop(safe(*answer->tools_problem, kNoteColumns)) +
                                 ", so it is not known whether all of them reach the model in ",
                             "."});
}

Verdicts judge(const Check& check, const CheckedGroup& group) {
  Verdicts verdicts;
  if (const Delivered* piece = nothing_arrives(check, group)) {
    verdicts.bad.push_back({"Nothing of the server reaches the model in ",
                            ": " + absence_words(*piece, group.group.to) + "."});
    return verdicts;
  }
  if (const Delivered* piece = instructions_in(check, group))
    judge_instructions(check, group, *piece, verdicts);
  const std::vector<const Delivered*> tools = tools_in(group);
  judge_cut_tools(tools, verdicts);
  judge_absent_tools(tools, group.group.to, verdicts);
  judge_list(answer_in(check, group), verdicts);
  return verdicts;
}

bool nothing_to_lose(const mcp::Offer& offer) {
  const auto complete = [](const std::optional<mcp::EraOffer>& era) {
    return !era || !era->tools_problem;
  };
  return !offers_anything(offer) && complete(offer.legacy) && complete(offer.modern);
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
      if (!is_told(note)) continue;
      told.insert(note.says);
      if (is_not_known(note)) {
        out += paragraph({"· ", Ink::kDim}, safe(note.says, kNoteColumns), style);
        continue;
      }
      out += paragraph({"! ", Ink::kWarning},
                       fmt::format("{}={} is ignored: {}", safe(note.name), safe(note.value),
                                   safe(note.says, kNoteColumns)),
                       style);
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
  if (nothing_to_lose(*check.offer)) {
    return out + paragraph({"· ", Ink::kDim},
                           check.draft ? "There is nothing to lose: the draft is empty."
                                       : "There is nothing to lose: the server sends no text.",
                           style);
  }
  for (const CheckedClient& client : check.clients) out += client_lines(check, client, style);
  if (const std::optional<std::string> step = first_step(check))
    out += paragraph({"→ ", Ink::kAccent}, "First: " + *step, style);
  return out;
}

}  // namespace cutline::report
