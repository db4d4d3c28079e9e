// shapes.h: which facts there are, and what their values look like. docs/profiles.md says what each
// means; a profile that says anything else is refused with its place.
#pragma once

#include <string_view>

#include "base/result.h"
#include "config/toml.h"

namespace cutline::delivery {

/// Problem "profile.unknown_fact" (with the nearest name) or "profile.shape" at the node's place.
Result<void> check_fact_name(std::string_view name, const config::Source& source);
Result<void> check_fact_value(std::string_view name, const config::Node& value);

}  // namespace cutline::delivery
