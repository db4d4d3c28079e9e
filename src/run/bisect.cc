// bisect.cc: halving, on every stretch whose ends differ.
#include "run/bisect.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "run/verify.h"

namespace cutline::run {
namespace {

tl::unexpected<Problem> nothing_to_bisect(std::string message, std::string hint) {
  return fail(
      {.code = "run.bisect", .message = std::move(message), .place = {}, .hint = std::move(hint)});
}

class Bisector {
 public:
  Bisector(const std::vector<Version>& versions, const Measure& measure, Bisection& out)
      : versions_(versions), measure_(measure), out_(out) {}

  Result<Sight> look(const ExperimentCell& cell, std::size_t version) {
    CUTLINE_TRY_ASSIGN(Sight sight, measure_(cell, versions_[version]));
    ++out_.runs;
    if (!sight.problem.empty())
      out_.passed_over.push_back(fmt::format("{}: {}", versions_[version].text(), sight.problem));
    return sight;
  }

  /// The versions between `low` and `high`, whose aspects are known.
  Result<void> search(const ExperimentCell& cell, std::size_t low, const std::string& low_aspect,
                      std::size_t high, const std::string& high_aspect) {
    if (low_aspect == high_aspect) return {};
    const std::size_t middle = low + (high - low) / 2;
    std::size_t found = middle;
    std::optional<Sight> sight;
    // Outwards from the middle, until one can be run.
    for (std::size_t step = 0; step <= high - low && !sight; ++step) {
      const std::size_t by = (step + 1) / 2;
      if (step % 2 == 1 && by > middle) continue;
      const std::size_t at = step % 2 == 0 ? middle + by : middle - by;
      if (at <= low || at >= high) continue;
      CUTLINE_TRY_ASSIGN(Sight seen, look(cell, at));
      if (!seen.problem.empty()) continue;
      sight = std::move(seen);
      found = at;
    }
    if (!sight) {
      out_.changes.push_back({.before = versions_[low],
                              .from = versions_[high],
                              .old_aspect = low_aspect,
                              .new_aspect = high_aspect});
      return {};
    }
    CUTLINE_TRY(search(cell, low, low_aspect, found, sight->aspect));
    return search(cell, found, sight->aspect, high, high_aspect);
  }

 private:
  const std::vector<Version>& versions_;
  const Measure& measure_;
  Bisection& out_;
};

std::string one_line(std::string aspect) {
  constexpr std::size_t kShown = 200;
  while (aspect.ends_with('\n')) aspect.pop_back();
  std::ranges::replace(aspect, '\n', ';');
  if (aspect.size() > kShown)
    aspect = aspect.substr(0, text::prefix(aspect, text::Unit::kBytes, kShown).value) + "…";
  return aspect.empty() ? "nothing" : aspect;
}

}  // namespace

Sight sight_of(std::string_view fact, const Judged& judged) {
  if (!judged.evaluation || !judged.problem.empty())
    return {.aspect = {}, .exercised = false, .problem = judged.problem};
  Sight sight;
  sight.aspect = measured_aspect(fact, *judged.evaluation);
  for (const delivery::Fact* known : judged.evaluation->predicted.consulted)
    if (known->name == fact && exercises(*known, judged)) sight.exercised = true;
  return sight;
}

Result<Bisection> bisect(std::string_view fact, const std::vector<ExperimentCell>& cells,
                         const std::vector<Version>& versions, const Measure& measure) {
  if (versions.size() < 2)
    return nothing_to_bisect("there are fewer than two published versions to choose from",
                             "name a range of versions, as in claude-code@2.1.83..2.1.332");
  Bisection out;
  out.first = versions.front();
  out.last = versions.back();
  out.versions = versions.size();
  Bisector bisector(versions, measure, out);
  for (const ExperimentCell& cell : cells) {
    CUTLINE_TRY_ASSIGN(const Sight newest, bisector.look(cell, versions.size() - 1));
    if (!newest.exercised) continue;
    CUTLINE_TRY_ASSIGN(const Sight oldest, bisector.look(cell, 0));
    if (!oldest.problem.empty()) continue;
    out.cell = cell.key();
    if (oldest.aspect == newest.aspect) continue;
    CUTLINE_TRY(bisector.search(cell, 0, oldest.aspect, versions.size() - 1, newest.aspect));
    return out;
  }
  if (out.cell.empty())
    return nothing_to_bisect(fmt::format("no cell shows anything of '{}'", fact),
                             "cutline clients verify shows which facts have cells");
  return out;
}

std::string to_text(const Bisection& bisection, std::string_view title, std::string_view fact) {
  std::string out;
  for (const Change& change : bisection.changes) {
    out += fmt::format("{} of {} changed in {} (the one before it: {})\n  old  {}\n  new  {}\n",
                       fact, title, change.from.text(), change.before.text(),
                       one_line(change.old_aspect), one_line(change.new_aspect));
  }
  if (bisection.changes.empty())
    out += fmt::format("{} of {} is the same in {} and {}\n", fact, title, bisection.first.text(),
                       bisection.last.text());
  for (const std::string& why : bisection.passed_over) out += fmt::format("passed over {}\n", why);
  return out + fmt::format("{} among {}; cell: {}\n", count(bisection.runs, "run"),
                           count(bisection.versions, "published version"), bisection.cell);
}

}  // namespace cutline::run
