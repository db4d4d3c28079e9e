// measurement.h: one real run of one client, beside what was predicted of it, as values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "delivery/compare.h"
#include "delivery/deliver.h"
#include "delivery/profile.h"
#include "mcp/offer.h"
#include "report/style.h"

namespace cutline::report {

struct MeasuredServer {
  std::string name;
  const mcp::Offer* offer = nullptr;  // what it sent in this run
  std::string handshake;              // "server/discover, then initialize"
  std::size_t process_starts = 0;
  std::optional<double> ready_ms;  // until the client had the text
  // Whether the client told of a cut, and what its transcript has.
  bool stdout_tells = false, stderr_tells = false, debug_log_tells = false;
  std::optional<bool> transcript_agrees;  // nothing: it keeps none
  bool has_network = false;               // --server-network
  std::string ended;       // of one that ended with an error, and never said anything: how
  bool not_found = false;  // then: its command is not there, or cannot be run
  /// It answered the handshake in this run.
  bool served() const { return !offer || offer->any(); }
};

struct MeasuredRequest {
  std::size_t sequence = 0;  // among all that the client sent, from 0
  double at_ms = 0;          // since its start
  std::size_t body_bytes = 0;
  std::string ideal_answer;  // of an ideal reader of that request
};

struct Measurement {
  std::string program_version;  // of cutline
  const delivery::Profile* profile = nullptr;
  Version version;
  delivery::Situation situation;
  bool isolated = true;
  double wall_s = 0;
  const delivery::Delivery* predicted = nullptr;
  const delivery::Delivery* measured = nullptr;
  const delivery::Comparison* comparison = nullptr;
  std::vector<MeasuredServer> servers;
  std::vector<MeasuredRequest> requests;  // of the conversation
  std::size_t other_requests = 0;         // warm-ups, counts, titles
  std::string store;                      // the file with the evidence; empty: it was not kept
};

/// Of what was measured the profile predicts nothing, which is not "as predicted".
inline bool nothing_compared(const Measurement& measurement) {
  return measurement.comparison->compared == 0 && measurement.comparison->equal();
}

/// A wrong prediction is said first.
std::string measurement_text(const Measurement& measurement, const Style& style);
/// docs/measure.schema.json.
std::string measurement_json(const Measurement& measurement);
/// 0, 1 if the prediction was wrong or text of the server is lost for good, 3 if a server did not
/// serve or there was no prediction to compare with.
int exit_code(const Measurement& measurement);

}  // namespace cutline::report
