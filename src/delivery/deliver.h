// deliver.h: predicting a delivery. Pure: no files, no clock, no process.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "delivery/delivery.h"
#include "delivery/profile.h"
#include "mcp/offer.h"

namespace cutline::delivery {

/// What the user of the client has chosen.
struct Situation {
  std::string model;  // as asked for ("opus", "claude-opus-4-5"); empty: the client's default
  Session session = Session::kFirstParty;
  bool interactive = false;  // on a terminal, started with a prompt
  Pairs variables;           // --set; flags of the command line, too: "--all" = "true"
  Pairs settings;            // --setting, of every server
};

/// A server as it stands in the client's configuration.
struct Configured {
  std::string name;
  const mcp::Offer* offer = nullptr;  // must outlive the delivery; outcome kServes
};

/// Total: what the profile does not know is State::kUnknown, never a guess.
Delivery deliver(const Profile& profile, const Version& version, const Situation& situation,
                 std::span<const Configured> servers);

/// The model that the client takes where none is asked for; empty if that is not known.
std::string default_model(const Profile& profile, const Version& version);

/// Neighbouring versions that deliver the same, as one.
struct Group {
  Version from, to;
  bool extrapolated = false;
  Delivery delivery;  // of `to`
};

/// Every distinct behaviour over the profile's versions, oldest first; `range` limits it.
std::vector<Group> deliver_all(const Profile& profile, const Situation& situation,
                               std::span<const Configured> servers,
                               const std::optional<VersionRange>& range = {});

/// The facts that a delivery of this offer rests on, beside the limits that its pieces name.
std::vector<Found> basis(const Profile& profile, const Version& version, const Situation& situation,
                         const mcp::Offer& offer);

/// What --set and --setting can name for this profile, and what they are taken for: "ignored: …"
/// for a value that the client would ignore, a Problem "switch.unknown" (with the nearest name) for
/// one that no fact of the profile mentions.
struct SwitchNote {
  std::string name, value;
  bool ignored = false;
  std::string says;  // one sentence
};
Result<std::vector<SwitchNote>> check_switches(const Profile& profile, const Version& version,
                                               const Situation& situation);

}  // namespace cutline::delivery
