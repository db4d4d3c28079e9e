// verdict_groups.cc: the verdict on many clients: who loses the same is named in one line.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/client_groups.h"
#include "report/judge.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

using delivery::Delivered;

constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kSharesShown = 3;
constexpr std::size_t kLinesShown = 4;

/// A sentence and of whom it is true.
struct Told {
  Sentence sentence;
  std::vector<std::string> who;
};

/// What is lost of the instructions, and by whom.
struct Share {
  double lost = 0;
  std::string words;  // "30.1 %"
  std::vector<std::string> who;
};

struct Ballot {
  std::vector<Told> bad, unsure;
  std::vector<Share> cuts;
  std::vector<std::string> tools_alone;  // show no instructions, by design
  std::vector<std::string> left_out;     // nor a tool
  std::vector<std::string> well;
};

void tell(std::vector<Told>& told, const Sentence& sentence, const std::string& who) {
  const std::string key = sentence.with("|");
  auto known =
      std::ranges::find(told, key, [](const Told& each) { return each.sentence.with("|"); });
  if (known == told.end()) known = told.insert(known, {sentence, {}});
  known->who.push_back(who);
}

void add_share(std::vector<Share>& shares, const Delivered& piece, const std::string& who) {
  const std::string words = share_words(piece.lost_units(), piece.whole_units());
  auto known = std::ranges::find(shares, words, &Share::words);
  if (known == shares.end()) {
    const double lost =
        static_cast<double>(piece.lost_units()) / static_cast<double>(piece.whole_units());
    known = shares.insert(known, {lost, words, {}});
  }
  known->who.push_back(who);
}

void count_in(const Check& check, const Mention& mention, Ballot& ballot) {
  const CheckedGroup& group = *mention.row.last;
  const std::string who = held_name(mention);
  const auto of_any = [&](Sentence sentence) {
    sentence.after = of_any_client(sentence.after, *mention.client);
    sentence.after_many = of_any_client(sentence.after_many, *mention.client);
    return sentence;
  };
  const Verdicts verdicts = judge(check, group);
  for (const Sentence& sentence : verdicts.bad) {
    if (sentence.cut_instructions)
      add_share(ballot.cuts, *sentence.cut_instructions, who);
    else
      tell(ballot.bad, of_any(sentence), who);
  }
  for (const Sentence& sentence : verdicts.unsure) tell(ballot.unsure, of_any(sentence), who);
  if (!verdicts.notes.empty()) {
    const bool tools = std::ranges::any_of(tools_in(group), &Delivered::arrives);
    (tools ? ballot.tools_alone : ballot.left_out).push_back(who);
  }
  if (verdicts.empty()) ballot.well.push_back(who);
}

Ballot ballot_of(const Check& check) {
  Ballot ballot;
  for (const CheckedClient& client : check.clients) {
    for (const Row& row : join_rows(client, [&](const CheckedGroup& group) {
           return group.held_to() ? judge(check, group).key() : std::string("-");
         }))
      if (row.held_to) count_in(check, {&client, row}, ballot);
  }
  std::ranges::stable_sort(ballot.cuts, std::ranges::greater(), &Share::lost);
  return ballot;
}

/// "95.8 % in Codex, 30.1 % in Claude Code and Goose".
std::string shares_words(const std::vector<Share>& shares) {
  std::string words;
  std::size_t more = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i >= kSharesShown) {
      more += shares[i].who.size();
      continue;
    }
    words += fmt::format("{}{} in {}", words.empty() ? "" : ", ", unbroken(shares[i].words),
                         some_of(shares[i].who, kNamesShown));
  }
  return more == 0 ? words : words + fmt::format(", less in {} more", more);
}

std::string told_lines(const std::vector<Told>& told, const Lead& lead, Ink ink,
                       const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < told.size() && i < kLinesShown; ++i)
    out += paragraph(
        lead, told[i].sentence.with(some_of(told[i].who, kNamesShown), told[i].who.size() > 1),
        style, ink);
  if (told.size() > kLinesShown)
    out += paragraph(lead, fmt::format("{} more like this: --details.", told.size() - kLinesShown),
                     style, ink);
  return out;
}

/// Those that show descriptions of tools, if nothing else; and those that do not.
std::string left_out_lines(const Ballot& ballot, const Style& style) {
  std::string out;
  const auto line = [&](const std::vector<std::string>& who, std::string_view what) {
    if (who.empty()) return;
    out += paragraph({"· ", Ink::kDim},
                     fmt::format("{} {} {}.", some_of(who, kNamesShown),
                                 who.size() == 1 ? "shows" : "show", what),
                     style);
  };
  line(ballot.tools_alone, "tools, but no instructions");
  line(ballot.left_out, "no instructions, by design");
  return out;
}

}  // namespace

std::string verdict_groups_lines(const Check& check, const Style& style) {
  const Ballot ballot = ballot_of(check);
  std::string out;
  if (!ballot.cuts.empty()) {
    out += paragraph({"✗ ", Ink::kBad}, "The instructions lose " + shares_words(ballot.cuts) + ".",
                     style, Ink::kStrong);
  }
  out += told_lines(ballot.bad, {"✗ ", Ink::kBad}, Ink::kStrong, style);
  out += told_lines(ballot.unsure, {"? ", Ink::kWarning}, Ink::kPlain, style);
  out += left_out_lines(ballot, style);
  if (!ballot.well.empty()) {
    out += paragraph({"✓ ", Ink::kGood},
                     "Nothing of it is lost in " + some_of(ballot.well, kNamesShown) + ".", style);
  }
  return out;
}

}  // namespace cutline::report
