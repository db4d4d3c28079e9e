// measurement_json.cc: one measurement or several as JSON; docs/measure.schema.json says what
// stands in it.
#include "json/writer.h"
#include "report/comparison_json.h"
#include "report/lists_json.h"
#include "report/measurement.h"
#include "report/measurements.h"
#include "report/piece_json.h"

namespace cutline::report {
namespace {

void write_delivery(json::Writer& out, std::string_view key, const delivery::Delivery& delivery,
                    Known& known) {
  out.key(key).begin_object();
  out.member("connected", delivery.connected).member("handshake", delivery.handshake);
  out.member("process_starts", delivery.process_starts)
      .member("extrapolated", delivery.extrapolated);
  write_strings(out, "notes", delivery.notes);
  out.key("pieces").begin_array();
  for (const delivery::Delivered& piece : delivery.pieces) write_piece(out, piece, {}, known);
  out.end_array().end_object();
}

void write_servers(json::Writer& out, const Measurement& measurement) {
  out.key("servers").begin_array();
  for (const MeasuredServer& server : measurement.servers) {
    out.begin_object().member("name", server.name).member("served", server.served());
    out.member("handshake", server.handshake)
        .member("process_starts", server.process_starts)
        .key("ready_ms");
    server.ready_ms ? out.number(*server.ready_ms) : out.null();
    out.member("stdout_tells", server.stdout_tells).member("stderr_tells", server.stderr_tells);
    out.member("debug_log_tells", server.debug_log_tells).key("transcript_agrees");
    server.transcript_agrees ? out.boolean(*server.transcript_agrees) : out.null();
    out.end_object();
  }
  out.end_array();
}

void write_measurement(json::Writer& out, const Measurement& measurement) {
  Known known;
  out.begin_object().member("schema_version", 1);
  out.member("cutline_version", measurement.program_version);
  out.member("client", measurement.profile->id).member("version", measurement.version.text());
  out.key("situation").begin_object().key("model");
  measurement.situation.model.empty() ? out.null() : out.string(measurement.situation.model);
  write_pairs(out, "variables", measurement.situation.variables);
  write_pairs(out, "settings", measurement.situation.settings);
  out.end_object();
  out.member("isolated", measurement.isolated).key("wall_s").number(measurement.wall_s);
  out.member("exit_code", exit_code(measurement)).key("comparison");
  write_comparison(out, *measurement.comparison);
  write_delivery(out, "predicted", *measurement.predicted, known);
  write_delivery(out, "measured", *measurement.measured, known);
  write_servers(out, measurement);
  out.key("requests").begin_array();
  for (const MeasuredRequest& request : measurement.requests) {
    out.begin_object().member("sequence", request.sequence).key("at_ms").number(request.at_ms);
    out.member("body_bytes", request.body_bytes);
    out.member("ideal_reader_answer", request.ideal_answer).end_object();
  }
  out.end_array().member("other_requests", measurement.other_requests);
  out.member("store", measurement.store).end_object();
}

}  // namespace

std::string measurement_json(const Measurement& measurement) {
  json::Writer out(json::Writer::Style::kIndented);
  write_measurement(out, measurement);
  return out.take() + "\n";
}

std::string measurements_json(const Measurements& measurements) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("schema_version", 1);
  out.member("cutline_version", measurements.program_version);
  out.member("exit_code", exit_code(measurements)).key("measurements").begin_array();
  for (const MeasuredClient& client : measurements.clients)
    if (client.measurement) write_measurement(out, *client.measurement);
  out.end_array().key("not_measured").begin_array();
  for (const MeasuredClient& client : measurements.clients) {
    if (client.measurement) continue;
    out.begin_object().member("client", client.client).member("version", client.version.text());
    out.member("problem", client.problem).end_object();
  }
  out.end_array().end_object();
  return out.take() + "\n";
}

}  // namespace cutline::report
