// offer_json.h: an offer as a file (docs/offer.md), and the dumps of others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/offer.h"

namespace cutline::mcp {

/// Indented JSON with "schema_version": 1. What was read from it is equal to what was written.
std::string write_offer(const Offer& offer);

/// Reads what write_offer() wrote, or a raw dump: {"initialize": RESULT, "tools/list": RESULT}
/// (also "server/discover"), a JSON array of JSON-RPC answers, or the same one answer a line.
/// Problem "offer.syntax", "offer.shape" or "offer.version" with the place in `file`.
Result<Offer> read_offer(std::string_view json, std::string_view file);

/// An offer of nothing but instructions, for a draft that no server says yet.
Offer draft_offer(std::string instructions_bytes);

}  // namespace cutline::mcp
