// probe.h: what follows from the answer to server/discover.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mcp/offer.h"
#include "wire/jsonrpc.h"

namespace cutline::mcp {

struct ProbeVerdict {
  ProbeAnswer answer = ProbeAnswer::kNonsense;
  std::optional<std::int64_t> error_code;
  std::vector<std::string> versions;  // that the answer named
  std::string flaw;  // why it is no DiscoverResult, or no proper refusal of a version; else empty
};

/// Judges a result or an error. kModern for an error means that it refuses our version and names it
/// as supported all the same: worth one more try.
ProbeVerdict judge_probe(const wire::Message& answer);

/// Whether an error refuses the protocol version in the way of the modern era: by its code, or by
/// one of the codes that drafts had, together with a well-formed list of versions.
bool refuses_version(const wire::RpcError& error);

}  // namespace cutline::mcp
