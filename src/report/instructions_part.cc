// instructions_part.cc: what arrives of the instructions, version by version, and the cut.
#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/cut_context.h"
#include "report/eras.h"
#include "report/instructions_words.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::State;

constexpr std::size_t kCutsShown = 2;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

std::string key_of(const Check& check, const CheckedGroup& group, bool eras_differ) {
  const Delivered* piece = instructions_in(check, group);
  if (!piece) return "";
  if (!piece->arrives()) {
    return fmt::format("{}|{}|{}", delivery::name(piece->state),
                       absence_words(*piece, group.group.to), group.group.extrapolated);
  }
  return fmt::format("{}|{}|{}", piece->kept_units(), piece->lost_units(),
                     lands_words(group, *piece, eras_differ));
}

void add_row(Table& table, const Check& check, const Row& row, bool eras_differ) {
  const Delivered* piece = instructions_in(check, *row.last);
  const std::string lead = row.held_to ? std::string(kMark) : "  ";
  const Cell versions{lead + row.versions(), row.held_to ? Ink::kStrong : Ink::kPlain};
  if (!piece) {
    table.row({versions, {"nothing: the server sends none", Ink::kDim}});
    return;
  }
  if (!piece->arrives()) {
    const bool unknown = piece->state == State::kUnknown;
    table.row({versions,
               {(unknown ? "unknown: " : "nothing: ") + absence_words(*piece, row.last->group.to) +
                    (row.last->group.extrapolated ? " (extrapolated)" : ""),
                lost_in(check, *row.last, *piece) ? Ink::kBad : Ink::kWarning}});
    return;
  }
  const std::size_t lost = piece->lost_units();
  table.row({versions,
             {number(piece->kept_units()), lost == 0 ? Ink::kGood : Ink::kPlain},
             {lost == 0 ? "–" : number(lost), lost == 0 ? Ink::kDim : Ink::kBad},
             {lost == 0 ? "" : share_words(lost, piece->whole_units()), Ink::kBad},
             {lands_words(*row.last, *piece, eras_differ)}});
}

std::string cut_lines(const Check& check, const CheckedClient& client, const Row& row,
                      const Style& style) {
  const Delivered& piece = *instructions_in(check, *row.last);
  const text::Loss loss = loss_of(*row.last, piece);
  const bool one = row.first->group.from == row.last->group.to;
  const std::string lead = fmt::format("{} {} {} here{}:", client.profile->title, row.versions(),
                                       one ? "stops" : "stop", cut_manner_words(*piece.cut, loss));
  std::string out = "\n" + paragraph({"  "}, lead, style);
  out += cut_context(piece.original, piece.cut->at.bytes, loss, style);
  if (const std::string unsaid = unsaid_words(loss, true); !unsaid.empty())
    out += paragraph({"  "}, "Lost with it: " + unsaid + ".", style);
  return out;
}

/// The rows whose cut is shown: those held to; where none of them cuts, the newest that does.
std::vector<const Row*> rows_with_cut(const Check& check, const std::vector<Row>& rows) {
  const auto cuts = [&](const Row& row) {
    const Delivered* piece = instructions_in(check, *row.last);
    return piece && piece->arrives() && piece->cut;
  };
  std::vector<const Row*> found;
  for (const Row& row : rows)
    if (row.held_to && cuts(row) && found.size() < kCutsShown) found.push_back(&row);
  for (auto row = rows.rbegin(); found.empty() && row != rows.rend(); ++row)
    if (cuts(*row)) found.push_back(&*row);
  return found;
}

std::vector<Row> rows_of(const Check& check, const CheckedClient& client, bool eras_differ) {
  return join_rows(client,
                   [&](const CheckedGroup& group) { return key_of(check, group, eras_differ); });
}

}  // namespace

bool instructions_explain_mark(const Check& check) {
  if (!anything_sent(*check.offer)) return false;
  const bool eras_differ = compare_eras(*check.offer).instructions_differ;
  return std::ranges::any_of(check.clients, [&](const CheckedClient& client) {
    return !legend_line(rows_of(check, client, eras_differ), {}).empty();
  });
}

std::string instructions_part(const Check& check, const Style& style) {
  std::string out = instructions_head(check, style);
  if (!anything_sent(*check.offer)) return out;
  const bool eras_differ = compare_eras(*check.offer).instructions_differ;
  bool explained = false;
  for (const CheckedClient& client : check.clients) {
    const std::vector<Row> rows = rows_of(check, client, eras_differ);
    Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
    table.row({{"  " + client.profile->title, Ink::kStrong},
               {"kept", Ink::kDim},
               {"lost", Ink::kDim},
               {"", Ink::kDim},
               {"lands in", Ink::kDim}});
    for (const Row& row : rows) add_row(table, check, row, eras_differ);
    out += "\n" + table.render(style);
    const std::string legend = legend_line(rows, style);
    if (!explained) out += legend;
    explained = explained || !legend.empty();
    for (const Row* row : rows_with_cut(check, rows)) out += cut_lines(check, client, *row, style);
  }
  return out;
}

}  // namespace cutline::report
