// clients_diff.h: two clients, or two versions of one, side by side: the output of `clients diff`.
#pragma once

#include <optional>
#include <string>

#include "delivery/contrast.h"
#include "delivery/fact_diff.h"
#include "delivery/profile.h"
#include "report/style.h"

namespace cutline::report {

struct DiffedClient {
  const delivery::Profile* profile = nullptr;
  Version version;
  bool extrapolated() const { return version < profile->first || profile->last < version; }
};

/// Either what is known of the two, or what they make of one server.
struct ClientsDiff {
  std::string program_version;
  DiffedClient first, second;
  std::optional<delivery::FactDiff> facts;
  std::optional<delivery::Contrasted> deliveries;
  std::string server;  // its name in the configuration; empty: it is about facts
};

/// Facts all; of deliveries what fits on a screen.
std::string clients_diff_text(const ClientsDiff& diff, const Style& style);
/// docs/clients-diff.schema.json.
std::string clients_diff_json(const ClientsDiff& diff);
/// 0 if nothing is known to differ, else 1. A fact that is known of only one is a difference.
int exit_code(const ClientsDiff& diff);

}  // namespace cutline::report
