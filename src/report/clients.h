// clients.h: what is known of the clients, and how: the output of `clients`.
#pragma once

#include <span>
#include <string>

#include "delivery/profile.h"
#include "report/style.h"

namespace cutline::report {

/// One line a profile.
std::string clients_text(std::span<const delivery::Profile> profiles, const Style& style);

/// All facts of one profile, with their ranges, values and evidence.
std::string client_text(const delivery::Profile& profile, const Style& style);

/// The same as JSON: {"schema_version": 1, "clients": […]}; with all facts if `facts`.
std::string clients_json(std::span<const delivery::Profile> profiles, bool facts);

/// "2.1.84..2.1.295", "any version".
std::string range_words(const delivery::Fact& fact);

/// A value as it could stand in a profile, on one line; "unknown" for a fact that is not known.
std::string value_words(const delivery::Fact& fact);
std::string node_words(const config::Node& value);
/// ", with VARIABLE = 1, session first-party, models a-* and b-*"; nothing for what holds always.
std::string condition_words(const delivery::Fact& fact);

/// A fact's range and conditions, value and evidence, without its name; whole lines.
std::string fact_lines(const delivery::Fact& fact, const Style& style);

}  // namespace cutline::report
