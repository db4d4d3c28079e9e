// source.h: getting an offer, from a server, a file or a draft.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/options.h"
#include "mcp/offer.h"

namespace cutline::cli {

struct Fetched {
  mcp::Offer offer;
  int interrupted_by = 0;  // a signal; the offer is then of no use
};

/// Starts and ends the server, or reads the file. `meanwhile` is called once: while a server gets
/// ready to answer, there is time to do what needs no offer.
Result<Fetched> fetch_offer(const Source& source, const std::function<void()>& meanwhile = {});

/// Stores the offer where that was asked for.
Result<void> save_offer(const Source& source, const mcp::Offer& offer);

/// The server's name in a client's configuration: the one given, the server's own, or a stand-in
/// where it has none.
std::string configured_name(const std::optional<std::string>& given, const Source& source,
                            const mcp::Offer& offer);

}  // namespace cutline::cli
