// experiment_json.cc: an experiment as JSON; docs/experiment.schema.json says what stands in it.
#include "json/writer.h"
#include "report/comparison_json.h"
#include "report/experiment.h"
#include "report/lists_json.h"
#include "report/piece_json.h"

namespace cutline::report {
namespace {

void write_row(json::Writer& out, const ExperimentRow& row, Known& known) {
  out.begin_object().member("key", row.key).member("cell", row.cell);
  out.member("client", row.client).member("version", row.version).member("model", row.model);
  write_strings(out, "choices", row.choices);
  out.member("repeat", row.repeat).member("well", row.well()).member("problem", row.problem);
  out.key("wall_s").number(row.wall_s);
  out.member("requests", row.requests).member("conversation", row.conversation);
  out.member("first_request_bytes", row.first_request_bytes);
  out.member("first_request_rough_tokens", row.first_request_rough_tokens);
  out.member("handshake", row.measured ? row.measured->handshake : "").member("era", row.era);
  out.member("ideal_reader_answer", row.answer);
  out.member("later", row.later).member("others", row.others);
  out.member("others_with_text", row.others_with_text).key("reported").begin_object();
  for (const auto& [what, words] : row.reported) out.member(what, words);
  out.end_object();
  out.member("ideal_reader_agrees", row.ideal_reader_agrees);
  out.member("transcript_agrees", row.transcript_agrees);
  out.member("debug_log_agrees", row.debug_log_agrees);
  out.member("server_log_agrees", row.server_log_agrees);
  out.member("stdout_tells", row.stdout_tells).member("stderr_tells", row.stderr_tells);
  out.member("debug_log_tells", row.debug_log_tells).member("repeats_alike", row.repeats_alike);
  write_strings(out, "unmet", row.unmet);
  out.key("comparison");
  if (row.comparison)
    write_comparison(out, *row.comparison);
  else
    out.null();
  out.key("pieces").begin_array();
  if (row.measured)
    for (const delivery::Delivered& piece : row.measured->pieces)
      write_piece(out, piece, {}, known);
  out.end_array().end_object();
}

}  // namespace

std::string experiment_json(const ExperimentReport& report) {
  json::Writer out(json::Writer::Style::kIndented);
  Known known;
  out.begin_object().member("schema_version", 1).member("cutline_version", report.program_version);
  out.member("name", report.name).member("about", report.about).member("store", report.store);
  out.member("exit_code", exit_code(report)).key("cells").begin_array();
  for (const ExperimentRow& row : report.rows) write_row(out, row, known);
  out.end_array().end_object();
  return out.take() + "\n";
}

}  // namespace cutline::report
