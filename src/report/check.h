// check.h: what `check` has found out, as values: one offer and what each client makes of it.
//
// The text screen and the JSON are two renderings of this; the verdict is a function of it.
#pragma once

#include <string>
#include <vector>

#include "delivery/deliver.h"
#include "delivery/profile.h"
#include "mcp/offer.h"

namespace cutline::report {

/// Which versions of a group are held to: a loss in them is a failure.
enum class Held { kNone, kNewest, kAll };

struct CheckedGroup {
  delivery::Group group;
  Held held = Held::kNone;
  /// No version lies between the group before and this one, so that rows may be joined.
  bool adjoins = false;

  bool held_to() const { return held != Held::kNone; }
};

struct CheckedClient {
  const delivery::Profile* profile = nullptr;
  std::vector<CheckedGroup> groups;  // of what was asked for, oldest first, no version twice
  std::vector<delivery::SwitchNote> switches;
};

struct Check {
  std::string program_version;  // of cutline
  std::string server;           // its name in the clients' configuration
  const mcp::Offer* offer = nullptr;
  bool draft = false;  // a text that no server says yet: there is nothing else to tell
  delivery::Situation situation;
  std::vector<CheckedClient> clients;  // empty if the server does not serve
};

}  // namespace cutline::report
