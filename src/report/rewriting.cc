// rewriting.cc: wording of Delivered::rewriting, clients that do the same as one.
#include "report/rewriting.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "report/style.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;

constexpr std::size_t kNamesShown = 4;

/// The texts of one client that it writes anew in one way.
struct Rewritten {
  bool instructions = false;
  std::set<std::string> tools;
};

/// By how it is done: a text of one line that is to be indented is no more than trimmed.
std::map<std::string, Rewritten> rewritten_by(const CheckedClient& client) {
  std::map<std::string, Rewritten> ways;
  for (const CheckedGroup& group : client.groups) {
    if (!group.held_to()) continue;
    for (const Delivered& piece : group.group.delivery.pieces) {
      if (!piece.rewriting || !piece.arrives()) continue;
      const bool one_line = piece.original.find('\n') == std::string_view::npos;
      const std::string& as = piece.rewriting->as;
      Rewritten& way = ways[as == "indented" && one_line ? "trimmed" : as];
      if (piece.piece.kind == PieceId::Kind::kInstructions)
        way.instructions = true;
      else
        way.tools.insert(piece.piece.tool);
    }
  }
  return ways;
}

std::string texts_words(const Rewritten& texts) {
  std::string words = texts.instructions ? "the instructions" : "";
  if (!texts.tools.empty())
    words += (words.empty() ? "" : " and ") + unbroken(count(texts.tools.size(), "description"));
  return words;
}

/// "rewrite" and what follows it.
std::pair<std::string, std::string> predicate(const std::string& as, const Rewritten& texts) {
  const std::string what = texts_words(texts);
  if (as == "indented") return {"indent", "every line after the first of " + what};
  if (as == "trimmed") return {"trim", what + " (white space at both ends)"};
  if (as == "nfkc-without-invisible")
    return {"rewrite", what + " (NFKC, invisible characters left out)"};
  if (as == "replaced") return {"replace", "what would close their own frame in " + what};
  return {"rewrite", fmt::format("{} ({})", what, safe(as))};
}

}  // namespace

std::string rewriting_words(const Check& check) {
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>> clauses;
  for (const CheckedClient& client : check.clients) {
    for (const auto& [as, texts] : rewritten_by(client)) {
      const auto clause = predicate(as, texts);
      auto known = std::ranges::find(clauses, clause, [](const auto& each) { return each.first; });
      if (known == clauses.end()) known = clauses.insert(known, {clause, {}});
      known->second.push_back(client.profile->title);
    }
  }
  std::string words;
  for (const auto& [clause, who] : clauses) {
    words += fmt::format("{}{} {}{} {}", words.empty() ? "" : "; ", some_of(who, kNamesShown),
                         clause.first, who.size() == 1 ? "s" : "", clause.second);
  }
  return words.empty() ? "" : words + ".";
}

}  // namespace cutline::report
