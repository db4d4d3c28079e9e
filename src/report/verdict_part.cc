// verdict_part.cc: the last lines of the screen: what is lost, and what to do first.
#include "report/check_parts.h"
#include "report/judge.h"
#include "report/rows.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

bool nothing_to_lose(const mcp::Offer& offer) {
  const auto complete = [](const std::optional<mcp::EraOffer>& era) {
    return !era || !era->tools_problem;
  };
  return !offers_anything(offer) && complete(offer.legacy) && complete(offer.modern);
}

std::string client_lines(const Check& check, const CheckedClient& client, const Style& style) {
  const std::vector<Row> rows = join_rows(client, [&](const CheckedGroup& group) {
    if (!group.held_to()) return std::string("-");
    return judge(check, group).key();
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
    for (const Sentence& sentence : verdicts.notes)
      out += paragraph({"· ", Ink::kDim}, sentence.with(who), style);
    if (verdicts.empty())
      out += paragraph({"✓ ", Ink::kGood}, "Nothing of it is lost in " + who + ".", style);
  }
  return out;
}

}  // namespace

std::string verdict_part(const Check& check, const Style& style) {
  const bool many = check.clients.size() > 1;
  std::string out = notes_part(check, style);
  if (nothing_to_lose(*check.offer)) {
    return out + paragraph({"· ", Ink::kDim},
                           check.draft ? "There is nothing to lose: the draft is empty."
                                       : "There is nothing to lose: the server sends no text.",
                           style);
  }
  if (many) {
    out += verdict_groups_lines(check, style);
  } else {
    for (const CheckedClient& client : check.clients) out += client_lines(check, client, style);
  }
  if (const std::optional<std::string> step = first_step(check))
    out += paragraph({"→ ", Ink::kAccent}, "First: " + *step, style);
  return out;
}

}  // namespace cutline::report
