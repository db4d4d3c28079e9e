// selection.cc: joining what overlaps, and cutting what was named out of the rest.
#include "cli/selection.h"

#include <algorithm>

#include <fmt/format.h>

namespace cutline::cli {
namespace {

/// The wish with both ends, which are those of the profile where it leaves them open.
Result<VersionRange> closed(const delivery::Profile& profile, const ClientWish& wish) {
  if (wish.latest) return VersionRange{profile.last, profile.last};
  const VersionRange& range = *wish.range;
  VersionRange both = {range.from ? range.from : profile.first, range.to ? range.to : profile.last};
  if (*both.from <= *both.to) return both;
  return fail(
      {.code = "cli.client",
       .message = fmt::format("there is no version of {} in {}", profile.title, range.text()),
       .place = "--client",
       .hint = fmt::format("known: {}..{}", profile.first.text(), profile.last.text())});
}

std::vector<VersionRange> joined(std::vector<VersionRange> ranges) {
  std::ranges::sort(ranges, {}, [](const VersionRange& range) { return *range.from; });
  std::vector<VersionRange> out;
  for (VersionRange& range : ranges) {
    if (out.empty() || *out.back().to < *range.from) {
      out.push_back(std::move(range));
    } else if (*out.back().to < *range.to) {
      out.back().to = range.to;
    }
  }
  return out;
}

/// The newest version of the profile before one: 2.1.83 before 2.1.84. Before 2.1.0 it is the
/// newest at which anything is known to change; nothing if there is none.
std::optional<Version> version_before(const delivery::Profile& profile, const Version& version) {
  if (profile.last < version) return profile.last;
  Version previous = version.previous_patch();
  if (previous < version) return previous;
  std::optional<Version> known;
  for (const Version& point : delivery::change_points(profile))
    if (point < version) known = point;
  return known;
}

/// All versions of the profile, those of `named` apart.
std::vector<Selected> around(const delivery::Profile& profile,
                             const std::vector<VersionRange>& named) {
  std::vector<Selected> out;
  std::optional<Version> from = profile.first;
  for (const VersionRange& range : named) {
    const std::optional<Version> to = version_before(profile, *range.from);
    if (to && *from <= *to) out.push_back({.range = {from, to}});
    out.push_back({.range = range, .named = true});
    from = std::max(*from, range.to->next_patch());
  }
  if (*from <= profile.last) out.push_back({.range = {from, profile.last}});
  return out;
}

}  // namespace

Result<std::vector<Selected>> select(const delivery::Profile& profile,
                                     std::span<const ClientWish> wishes) {
  bool all = false;
  std::vector<VersionRange> ranges;
  for (const ClientWish& wish : wishes) {
    if (!wish.names_versions()) {
      all = true;
      continue;
    }
    CUTLINE_TRY_ASSIGN(VersionRange range, closed(profile, wish));
    ranges.push_back(std::move(range));
  }
  const std::vector<VersionRange> named = joined(std::move(ranges));
  if (all) return around(profile, named);
  std::vector<Selected> out;
  out.reserve(named.size());
  for (const VersionRange& range : named) out.push_back({.range = range, .named = true});
  return out;
}

}  // namespace cutline::cli
