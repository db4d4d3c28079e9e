// facts_json.h: profiles and facts inside the JSON outputs.
#pragma once

#include "delivery/profile.h"
#include "json/writer.h"

namespace cutline::report {

/// The members "id", "title", "package", "first_version", "last_version" and "measured_on".
void write_profile_head(json::Writer& out, const delivery::Profile& profile);

/// An object: name, range, conditions, value (TOML as JSON; null if unknown), evidence.
void write_fact(json::Writer& out, const delivery::Fact& fact);

}  // namespace cutline::report
