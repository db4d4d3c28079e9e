// groups.cc: every distinct behaviour of a client, as ranges of versions.
#include <algorithm>

#include "delivery/behaviour.h"
#include "delivery/deliver.h"

namespace cutline::delivery {
namespace {

bool same_piece(const Delivered& a, const Delivered& b) {
  const auto same_view = [](std::string_view x, std::string_view y) {
    return x.size() == y.size() && (x.data() == y.data() || x == y);
  };
  return a.channel == b.channel && a.state == b.state && a.never == b.never &&
         a.request == b.request && a.where == b.where && a.frame == b.frame &&
         a.full_name == b.full_name && a.era == b.era && a.marker == b.marker &&
         a.changed == b.changed && a.budget == b.budget && a.also == b.also &&
         same_view(a.original, b.original) && same_view(a.kept, b.kept);
}

bool same(const Delivery& a, const Delivery& b) {
  return a.connected == b.connected && a.extrapolated == b.extrapolated &&
         a.handshake == b.handshake && a.process_starts == b.process_starts &&
         a.never_sent == b.never_sent && std::ranges::equal(a.pieces, b.pieces, same_piece);
}

/// The stretches over which nothing changes, with one before the first and one after the last
/// version that was looked at, where the range reaches that far.
std::vector<VersionRange> stretches(const Profile& profile,
                                    const std::optional<VersionRange>& range) {
  std::vector<VersionRange> all;
  const std::vector<Version> points = change_points(profile);
  if (range && range->from && *range->from < profile.first)
    all.push_back({.from = range->from, .to = profile.first.previous_patch()});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_last = i + 1 == points.size();
    all.push_back(
        {.from = points[i], .to = is_last ? profile.last : points[i + 1].previous_patch()});
  }
  if (range && range->to && profile.last < *range->to)
    all.push_back({.from = profile.last.next_patch(), .to = range->to});
  if (!range) return all;
  std::erase_if(all, [&](const VersionRange& stretch) { return !stretch.overlaps(*range); });
  for (VersionRange& stretch : all) {
    if (range->from && *stretch.from < *range->from) stretch.from = range->from;
    if (range->to && *range->to < *stretch.to) stretch.to = range->to;
  }
  return all;
}

}  // namespace

std::vector<Group> deliver_all(const Profile& profile, const Situation& situation,
                               std::span<const Configured> servers,
                               const std::optional<VersionRange>& range) {
  std::vector<Group> groups;
  Rewritten rewritten;
  for (const VersionRange& stretch : stretches(profile, range)) {
    Delivery delivery = deliver(profile, *stretch.to, situation, servers, rewritten);
    if (!groups.empty() && same(groups.back().delivery, delivery)) {
      groups.back().to = *stretch.to;
      groups.back().delivery = std::move(delivery);
    } else {
      const bool extrapolated = delivery.extrapolated;
      groups.push_back({.from = *stretch.from,
                        .to = *stretch.to,
                        .extrapolated = extrapolated,
                        .delivery = std::move(delivery)});
    }
  }
  return groups;
}

}  // namespace cutline::delivery
