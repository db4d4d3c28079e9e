// profiles_fixture.h: the profiles inside the program, for tests.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "delivery/profile.h"

namespace cutline::delivery {

inline Profile profile_named(std::string_view id) {
  for (const BuiltinProfile& builtin : builtin_profiles()) {
    Profile profile = read_profile(builtin.toml, std::string(builtin.file)).value();
    if (profile.id == id) return profile;
  }
  ADD_FAILURE() << "no profile " << id;
  return {};
}

}  // namespace cutline::delivery
