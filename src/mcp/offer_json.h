// offer_json.h: an offer as a file (docs/offer.md), and the dumps of others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/offer.h"

namespace cutline::mcp {

inline constexpr int kOfferSchemaVersion = 1;

/// Indented JSON with "schema_version": 1. What was read from it is equal to what was written,
/// provided that the command and the standard error were UTF-8; what is not becomes U+FFFD.
std::string write_offer(const Offer& offer);

/// Reads what write_offer() wrote, or a raw dump: {"initialize": RESULT, "tools/list": RESULT}
/// (also "server/discover" and the other lists; for several pages an array of RESULTs), a JSON
/// array of results or of JSON-RPC answers, or the same one a line. Problem "offer.syntax",
/// "offer.shape" or "offer.version" with the place in `file`.
Result<Offer> read_offer(std::string_view json, std::string_view file);

/// An offer of nothing but instructions, the same in both eras, for a draft that no server says
/// yet.
Offer draft_offer(std::string_view instructions_bytes);

}  // namespace cutline::mcp
