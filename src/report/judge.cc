// judge.cc: one group of versions, from pieces to sentences.
#include "report/judge.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::Never;
using delivery::State;

constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kReasonsShown = 3;
constexpr std::size_t kProblemColumns = 400;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

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
    verdicts.unsure.push_back({.before = "What ",
                               .after = " makes of the instructions is not known" + why,
                               .after_many = " make of the instructions is not known" + why});
  } else if (!piece.arrives() && lost_in(check, group, piece)) {
    verdicts.bad.push_back({"The instructions never reach the model in ", why});
  } else if (!piece.arrives() && piece.never == Never::kNotDelivered && !none) {
    verdicts.notes.push_back({"", " does not pass instructions on."});
  } else if (lost_for_good(piece)) {
    const std::string_view verb = piece.lost_units() == 1 ? "reaches" : "reach";
    const std::string how = comes_by_search(piece)
                                ? fmt::format("{} the model only once it searches for tools", verb)
                                : fmt::format("never {} the model", verb);
    verdicts.bad.push_back({fmt::format("{}{} of {} {} of the instructions {} in ", at_least(piece),
                                        number(piece.lost_units()), number(piece.whole_units()),
                                        unit_noun(piece, piece.whole_units()), how),
                            ".", &piece});
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
  const std::string name = safe_name(worst->piece.tool);
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
                                 without_full_stop(safe(*answer->tools_problem, kProblemColumns)) +
                                 ", so it is not known whether all of them reach the model in ",
                             "."});
}

std::string joined(const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& sentence : sentences) out += sentence.with("|") + "\n";
  return out;
}

}  // namespace

std::string Verdicts::key() const {
  return joined(bad) + "+" + joined(unsure) + "+" + joined(notes);
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

}  // namespace cutline::report
