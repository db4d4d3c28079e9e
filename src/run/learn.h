// learn.h: a version that no profile covers, as a change of the profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delivery/profile.h"
#include "run/verify.h"

namespace cutline::run {

/// A patch (unified diff) for the profile's file `toml`: facts that the runs confirm now reach to
/// `version`, which becomes the profile's last (or first); for those that they contradict there is
/// a new one, with the measured value where that can be told, and `unknown = true` otherwise. Facts
/// that no cell tested do not reach to it, so they are unknown there. Empty if the profile covers
/// the version. `now`: an ISO date, perhaps with a time.
std::string learn(std::string_view toml, const delivery::Profile& profile, const Version& version,
                  const std::vector<FactVerdict>& verdicts, const std::vector<Judged>& cells,
                  std::string_view now);

}  // namespace cutline::run
