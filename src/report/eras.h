// eras.h: whether a server says the same in both eras, and what of it differs.
#pragma once

#include <string>
#include <vector>

#include "mcp/offer.h"

namespace cutline::report {

struct EraComparison {
  bool both = false;  // the server speaks both
  bool instructions_differ = false;
  bool tools_differ = false;
  std::vector<std::string> differences;  // a sentence each; sanitised, on one line
  bool same() const { return differences.empty(); }
};

/// "5,859 characters", "none", "a number instead of a text".
std::string instructions_words(const mcp::EraOffer& era);

EraComparison compare_eras(const mcp::Offer& offer);

/// Which eras the server speaks and how it answers a probe, as one sentence; empty where it was
/// not asked anything (a draft).
std::string era_sentence(const mcp::Offer& offer);

}  // namespace cutline::report
