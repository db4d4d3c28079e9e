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

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// Sentences with "{}" where the client and its versions go.
struct Verdicts {
  std::vector<std::string> bad, unsure;
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
  if (piece.state == State::kUnknown) {
    verdicts.unsure.push_back(
        "What {} makes of the instructions is not known: " + absence_words(piece, version) + ".");
  } else if (!piece.arrives() && lost_for_good(piece)) {
    verdicts.bad.push_back(
        "The instructions never reach the model in {}: " + absence_words(piece, version) + ".");
  } else if (!piece.arrives() && piece.never == Never::kNotDelivered) {
    verdicts.unsure.push_back("{} does not pass instructions on: " + absence_words(piece, version) +
                              ".");
  } else if (lost_for_good(piece)) {
    verdicts.bad.push_back(
        fmt::format("{} of {} {} of the instructions never reach the model in {{}}.",
                    number(piece.lost_units()), number(piece.whole_units()), unit_noun(piece)));
  }
}

void judge_tools(const std::vector<const Delivered*>& tools, Verdicts& verdicts) {
  std::size_t cut = 0;
  const Delivered* worst = nullptr;
  std::vector<std::string> absent;
  for (const Delivered* tool : tools) {
    if (!lost_for_good(*tool)) continue;
    if (!tool->arrives()) {
      absent.push_back(tool->piece.tool);
      continue;
    }
    ++cut;
    if (!worst || tool->lost_units() > worst->lost_units()) worst = tool;
  }
  if (worst) {
    std::string sentence =
        cut == 1 ? fmt::format("The description of {}", safe(worst->piece.tool))
                 : fmt::format("{} are cut in {{}}; the worst, {},", count(cut, "tool description"),
                               safe(worst->piece.tool));
    sentence += fmt::format(" loses {} of {} {}", number(worst->lost_units()),
                            number(worst->whole_units()), unit_noun(*worst));
    verdicts.bad.push_back(sentence + (cut == 1 ? " in {}." : "."));
  }
  if (!absent.empty()) {
    verdicts.bad.push_back(
        fmt::format("{} never {} the model in {{}}: {}.", count(absent.size(), "tool"),
                    absent.size() == 1 ? "reaches" : "reach", some_of(absent, kNamesShown)));
  }
}

Verdicts judge(const Check& check, const CheckedGroup& group) {
  Verdicts verdicts;
  if (const Delivered* piece = nothing_arrives(group)) {
    verdicts.bad.push_back("Nothing of the server reaches the model in {}: " +
                           absence_words(*piece, group.group.to) + ".");
    return verdicts;
  }
  if (const Delivered* piece = instructions_in(check, group))
    judge_instructions(*piece, group.group.to, verdicts);
  judge_tools(tools_in(group), verdicts);
  return verdicts;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) out += sentence + "\n";
  return out;
}

std::string with_client(std::string sentence, const std::string& who) {
  const std::size_t at = sentence.find("{}");
  return at == sentence.npos ? sentence : sentence.replace(at, 2, who);
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
    for (const std::string& sentence : verdicts.bad)
      out += paragraph({"✗ ", Ink::kBad}, with_client(sentence, who), style, Ink::kStrong);
    for (const std::string& sentence : verdicts.unsure)
      out += paragraph({"? ", Ink::kWarning}, with_client(sentence, who), style);
    if (verdicts.bad.empty() && verdicts.unsure.empty())
      out += paragraph({"✓ ", Ink::kGood}, "Nothing of it is lost in " + who + ".", style);
  }
  return out;
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
                                   safe(note.says, 400)),
                       style);
      told.insert(note.says);
    }
    for (const CheckedGroup& group : client.groups) {
      if (!group.held_to()) continue;
      for (const std::string& note : group.group.delivery.notes)
        if (told.insert(note).second) out += paragraph({"· ", Ink::kDim}, safe(note, 400), style);
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
