// instructions_groups.cc: what arrives of the instructions, clients that show the same as one.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/client_groups.h"
#include "report/cut_context.h"
#include "report/eras.h"
#include "report/instructions_words.h"
#include "report/verdict.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::State;

constexpr std::size_t kCutsShown = 6;
// More cuts than this have a line each; of many clients, whose table is long, it is one.
constexpr std::size_t kCutsShownInFull = 2;
constexpr std::size_t kManyClients = 9;
constexpr std::size_t kReasonColumns = 160;
// After all that arrives, whose rank is the share that is lost.
constexpr double kNothing = 2, kUnknown = 3;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// A client that shows no more than the first line, or what of it fits.
bool shows_first_line(const Delivered& piece) {
  return piece.cut && piece.budget && piece.budget->first_line_only;
}

/// "4,096", "2,048 bytes".
std::string amount_words(const Delivered& piece) {
  const std::size_t kept = piece.kept_units();
  const std::string noun = unit_noun(piece, kept);
  return number(kept) + (noun.starts_with("character") ? "" : " " + noun);
}

std::string kept_words(const Delivered& piece, bool eras_differ) {
  if (piece.lost_units() == 0) return eras_differ ? "whole, " + amount_words(piece) : "whole";
  if (shows_first_line(piece)) return fmt::format("line 1 ({})", amount_words(piece));
  return "first " + amount_words(piece);
}

Outcome arriving(const CheckedGroup& group, const Delivered& piece, bool eras_differ) {
  const std::size_t lost = piece.lost_units();
  const double bytes = static_cast<double>(piece.original.size());
  Outcome outcome;
  outcome.rank =
      lost == 0 ? 0 : 1 - static_cast<double>(piece.cut->at.bytes.value) / std::max(1.0, bytes);
  outcome.cells = {{kept_words(piece, eras_differ), lost == 0 ? Ink::kGood : Ink::kPlain},
                   {lost == 0 ? "–" : number(lost), lost == 0 ? Ink::kDim : Ink::kBad},
                   {lost == 0 ? "" : share_words(lost, piece.whole_units()), Ink::kBad}};
  outcome.key = fmt::format("{}|{}|{}", outcome.cells[0].text, outcome.rank, lost);
  outcome.note = lands_words(group, piece, eras_differ);
  outcome.several = "several places";
  return outcome;
}

Outcome outcome_of(const Check& check, const CheckedClient& client, const CheckedGroup& group,
                   bool eras_differ) {
  const Delivered* piece = instructions_in(check, group);
  if (piece && piece->arrives()) return arriving(group, *piece, eras_differ);
  const bool unknown = piece && piece->state == State::kUnknown;
  const bool lost = piece && !unknown && piece->whole_units() > 0;
  const Ink ink = piece && lost_in(check, group, *piece) ? Ink::kBad : Ink::kWarning;
  Outcome outcome;
  outcome.rank = unknown ? kUnknown : kNothing;
  outcome.cells = {{unknown ? "not known" : "nothing", ink},
                   {lost ? number(piece->whole_units()) : "", ink},
                   {lost ? share_words(1, 1) : "", ink}};
  outcome.key = fmt::format("{}|{}", outcome.cells[0].text, outcome.cells[1].text);
  outcome.note =
      piece ? of_any_client(safe(absence_words(*piece, group.group.to), kReasonColumns), client)
            : "the server sends none";
  if (piece && piece->never == delivery::Never::kNotDelivered) outcome.note = "not passed on";
  if (unknown && is_of_no_fact(*piece)) outcome.note.clear();
  if (group.group.extrapolated) outcome.note += ", extrapolated";
  outcome.several = "for several reasons";
  return outcome;
}

std::string cut_lines(const Delivered& piece, const text::Loss& loss, const Style& style) {
  const bool line =
      shows_first_line(piece) && piece.original.substr(piece.cut->at.bytes.value).starts_with('\n');
  std::string out =
      "\n" +
      paragraph(
          {"  "},
          fmt::format("The {} {} here{}:", line ? "first line" : "first " + amount_words(piece),
                      line || piece.kept_units() == 1 ? "ends" : "end",
                      cut_manner_words(*piece.cut, loss)),
          style);
  out += cut_context(piece.original, piece.cut->at.bytes, loss, style);
  if (const std::string unsaid = unsaid_words(loss, true); !unsaid.empty())
    out += paragraph({"  "}, "Lost with it: " + unsaid + ".", style);
  return out;
}

/// The cuts of versions held to, each place in a text once, however it was counted.
std::vector<const ClientGroup*> cuts_of(const Check& check,
                                        const std::vector<ClientGroup>& groups) {
  std::vector<const ClientGroup*> cuts;
  const auto piece_of = [&](const ClientGroup* group) {
    return instructions_in(check, group->example());
  };
  for (const ClientGroup& group : groups) {
    const Delivered* piece = piece_of(&group);
    if (!group.any_held() || !piece || !piece->arrives() || !piece->cut) continue;
    const bool shown = std::ranges::any_of(cuts, [&](const ClientGroup* other) {
      return piece_of(other)->cut->at.bytes.value == piece->cut->at.bytes.value &&
             piece_of(other)->original == piece->original;
    });
    if (!shown) cuts.push_back(&group);
  }
  return cuts;
}

/// A line for each: what was kept, and the text around the scissors.
std::string cut_table(const Check& check, std::span<const ClientGroup* const> cuts,
                      const Style& style) {
  constexpr std::size_t kMargin = 4;  // before and between the columns
  std::size_t used = 0;
  for (const ClientGroup* cut : cuts)
    used = std::max(used, text::columns(cut->outcome.cells[0].text) + kMargin);
  Table lines({Align::kLeft, Align::kLeft});
  for (const ClientGroup* cut : cuts) {
    const Delivered& piece = *instructions_in(check, cut->example());
    lines.row({{"  " + cut->outcome.cells[0].text, Ink::kDim},
               {cut_line(piece.original, piece.cut->at.bytes,
                         style.columns - std::min(style.columns, used))}});
  }
  return lines.render(style);
}

/// Some cuts at length, many in a line each, the worst of too many.
std::string all_cuts(const Check& check, const std::vector<ClientGroup>& groups,
                     const Style& style) {
  const std::vector<const ClientGroup*> cuts = cuts_of(check, groups);
  std::string out;
  if (cuts.size() <= (check.clients.size() < kManyClients ? kCutsShownInFull : 1)) {
    for (const ClientGroup* cut : cuts) {
      const Delivered& piece = *instructions_in(check, cut->example());
      out += cut_lines(piece, loss_of(cut->example(), piece), style);
    }
    return out;
  }
  const std::size_t left_out = cuts.size() - std::min(cuts.size(), kCutsShown);
  out += "\n" + cut_table(check, std::span(cuts).subspan(left_out), style);
  if (left_out > 0)
    out += paragraph({"  "}, count(left_out, "cut") + " further on: --details.", style, Ink::kDim);
  return out;
}

std::vector<ClientGroup> groups_of(const Check& check) {
  const bool eras_differ = compare_eras(*check.offer).instructions_differ;
  return group_clients(check, [&](const CheckedClient& client, const CheckedGroup& group) {
    return outcome_of(check, client, group, eras_differ);
  });
}

}  // namespace

std::string instructions_groups_part(const Check& check, const Style& style) {
  std::string out = instructions_head(check, style);
  if (!anything_sent(*check.offer)) return out;
  const std::vector<ClientGroup> groups = groups_of(check);
  out += "\n" + groups_table(groups,
                             {{"  kept", Ink::kDim},
                              {"lost", Ink::kDim},
                              {"", Ink::kDim},
                              {"lands in: clients", Ink::kDim}},
                             style);
  return out + all_cuts(check, groups, style);
}

}  // namespace cutline::report
