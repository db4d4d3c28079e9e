// profile_fuzz.cc: any file is a profile, or a problem with its place.
#include "base/assert.h"
#include "delivery/profile.h"

using namespace cutline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(data), size);
  const Result<delivery::Profile> profile = delivery::read_profile(toml, "p.toml");
  if (!profile) {
    CUTLINE_ASSERT(!profile.error().place.empty());
    return 0;
  }
  CUTLINE_ASSERT(!delivery::change_points(*profile).empty());
  for (const delivery::Fact& fact : profile->facts) {
    const delivery::Found found =
        delivery::find_fact(*profile, fact.name, profile->last, {.model = "a"});
    CUTLINE_ASSERT(!found.extrapolated);
  }
  return 0;
}
