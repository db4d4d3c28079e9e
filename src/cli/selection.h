// selection.h: the versions that the wishes for one client name, each of them once.
//
// Wishes may overlap, repeat one another, or name versions of a client that is wanted whole. What
// was named is held to; what only surrounds it is shown.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "delivery/profile.h"

namespace cutline::cli {

struct Selected {
  VersionRange range;  // with both ends
  bool named = false;
};

/// Oldest first, no version twice. Problem "cli.client" if a wish names no version that could be
/// looked at.
Result<std::vector<Selected>> select(const delivery::Profile& profile,
                                     std::span<const ClientWish> wishes);

}  // namespace cutline::cli
