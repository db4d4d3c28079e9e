// facts_json.h: profiles and facts inside the JSON outputs.
#pragma once

#include <string_view>

#include "delivery/profile.h"
#include "json/writer.h"

namespace cutline::report {

/// A version as a member; null where the profile does not tell versions apart.
void write_version(json::Writer& out, std::string_view key, const delivery::Profile& profile,
                   const Version& version);

/// The members "id", "title", "package", "first_version", "last_version", "measured_on" and
/// "as_of".
void write_profile_head(json::Writer& out, const delivery::Profile& profile);

/// An object: name, range, conditions, value (TOML as JSON; null if unknown), evidence.
void write_fact(json::Writer& out, const delivery::Fact& fact);

}  // namespace cutline::report
