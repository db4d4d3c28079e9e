// choice.h: which clients and versions were asked for, with their profiles read.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "report/check.h"

namespace cutline::cli {

/// One client; `profile` stays where it is, as deliveries refer to its facts.
struct Chosen {
  delivery::Profile profile;
  std::vector<ClientWish> wishes;  // never empty; one without versions means all
  bool named = false;              // by the user
};

/// Reads the profiles that the wishes name (all if there are none), each once, and checks that
/// every switch means something to one of them. Nothing else is done, so that a mistyped word is
/// told before a server is started.
Result<std::vector<Chosen>> choose_clients(const Clients& clients);

/// The newest version that the wish names: itself, the end of its range, or the profile's newest.
Version version_of(const delivery::Profile& profile, const ClientWish& wish);

/// What the chosen client makes of the servers, with what is held to. Problem "cli.client" if there
/// is no version in a range.
Result<report::CheckedClient> check_client(const Chosen& chosen,
                                           const delivery::Situation& situation,
                                           std::span<const delivery::Configured> servers);

}  // namespace cutline::cli
