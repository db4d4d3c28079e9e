// run.cc: `cutline run`: an experiment, cell by cell, with its table.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "cli/program.h"
#include "json/writer.h"
#include "sys/files.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

constexpr std::size_t kExperimentBytesMax = std::size_t{4} << 20;

/// docs/experiments.md describes it.
std::string cells_json(const run::Experiment& experiment) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("schema_version", 1).member("name", experiment.name);
  out.key("cells").begin_array();
  for (const run::ExperimentCell& cell : experiment.cells) {
    out.begin_object().member("key", cell.key()).member("client", cell.client);
    out.member("version", cell.version).key("model");
    cell.model.empty() ? out.null() : out.string(cell.model);
    out.key("variables").begin_object();
    for (const auto& [name, value] : cell.variables) out.member(name, value);
    out.end_object().end_object();
  }
  return out.end_array().end_object().take() + "\n";
}

std::string cells_text(const run::Experiment& experiment) {
  std::string out;
  for (const run::ExperimentCell& cell : experiment.cells)
    out += text::sanitise_line(cell.key()) + "\n";
  return out;
}

Result<int> list_cells(const run::Experiment& experiment, const Output& output) {
  CUTLINE_TRY(deliver_output(output, [&](Format format, const report::Style&) {
    return format == Format::kJson ? cells_json(experiment) : cells_text(experiment);
  }));
  return 0;
}

}  // namespace

Result<int> run_experiment_command(const RunRequest& request) {
  CUTLINE_TRY_ASSIGN(const std::string toml, sys::read_file(request.file, kExperimentBytesMax));
  CUTLINE_TRY_ASSIGN(run::Experiment experiment, run::read_experiment(toml, request.file));
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(request.profiles_folder));
  CUTLINE_TRY_ASSIGN(const std::vector<delivery::Profile> profiles,
                     profiles_of(shelf, experiment.cells));
  if (request.dry_run) return list_cells(experiment, request.output);
  CUTLINE_TRY_ASSIGN(const std::string file, store_file(request.measuring.store, experiment.name));
  CUTLINE_TRY_ASSIGN(const std::vector<run::Judged> judged,
                     measure_cells(experiment, profiles, request.measuring, file));
  report::ExperimentReport report;
  report.program_version = kProgramVersion;
  report.name = experiment.name;
  report.about = experiment.about;
  report.notes = experiment.notes;
  report.store = file;
  for (const run::Judged& one : judged) report.rows.push_back(row_of(one));
  CUTLINE_TRY(deliver_output(request.output, [&](Format format, const report::Style& style) {
    if (format == Format::kJson) return report::experiment_json(report);
    if (format == Format::kMarkdown) return report::experiment_markdown(report);
    return report::experiment_text(report, style);
  }));
  return report::exit_code(report);
}

}  // namespace cutline::cli
