// locate.h: finding a server's text in what a client really sent.
//
// Exactly, byte by byte, wherever it is; never by asking the client, and without codewords. Linear
// in the size of the requests: the longest head of the text that stands anywhere is found by the
// Knuth-Morris-Pratt automaton.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delivery/deliver.h"
#include "delivery/delivery.h"
#include "llm/request.h"

namespace cutline::delivery {

/// What a run of a client left: its requests of the conversation, in order, and what each server
/// sent in that very run.
struct Captured {
  std::span<const llm::Request> requests;
  std::span<const Configured> servers;
};

/// The profile helps to name things (which frame and marker to look for first, how tool names are
/// made), and is never believed: what stands in the requests counts. Pieces, placements, frames and
/// markers as measured; `kept` and `original` are views into the offers, `changed` holds what
/// arrives otherwise. A tool that was announced by name but never defined is kDeferred with nothing
/// kept; one that is defined as deferred has the request in which it is first defined.
/// The handshake is not in the requests: the caller fills it in.
Delivery locate(const Profile& profile, const Version& version, const Situation& situation,
                const Captured& captured);

}  // namespace cutline::delivery
