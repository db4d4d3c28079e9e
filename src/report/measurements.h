// measurements.h: several clients on one server, as values: one table, and what it cannot show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/measurement.h"

namespace cutline::report {

/// A client that left nothing to judge, or how it was.
struct MeasuredClient {
  std::string client, title;  // the profile's id, and its title
  Version version;
  std::optional<Measurement> measurement;
  std::string problem;  // where there is none: why, perhaps with a line "  hint: …"
};

struct Measurements {
  std::string program_version;  // of cutline
  std::string server;           // its name in the configuration
  std::string store;            // the file with the evidence; empty: it was not kept
  std::vector<MeasuredClient> clients;
};

/// One row a client, and below the table every prediction that was wrong, in full.
std::string measurements_text(const Measurements& measurements, const Style& style);
/// docs/measure.schema.json; each measurement as it stands alone.
std::string measurements_json(const Measurements& measurements);
/// The highest of all: 3 for one that could not be judged.
int exit_code(const Measurements& measurements);

}  // namespace cutline::report
