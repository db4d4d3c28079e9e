// sources.h: how we know what a screen says.
#pragma once

#include <string>
#include <vector>

#include "report/check.h"

namespace cutline::report {

/// "measured 2026-12-01 with 2.1.285 and 2.1.332 (how)": one piece of evidence.
std::string evidence_words(const delivery::Evidence& evidence);

/// Every fact that the groups of a client rest on, each once, in the order of the profile.
std::vector<const delivery::Fact*> facts_behind(const Check& check, const CheckedClient& client);

/// Where the numbers of a client come from, in short sentences: in what they are counted, when and
/// with what they were measured, what is known in a weaker way only, and what contradicts them
/// (with details: also where it is about no number).
std::vector<std::string> source_lines(const Check& check, const CheckedClient& client,
                                      bool details);

}  // namespace cutline::report
