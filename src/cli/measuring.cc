// measuring.cc: from campaigns to the values that reports show.
#include "cli/measuring.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "cli/program.h"
#include "cli/terminal.h"
#include "llm/script.h"
#include "run/agreement.h"
#include "store/evidence.h"
#include "sys/files.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Problem> no_store(const std::string& place, std::string message) {
  return fail({.code = "cli.store",
               .message = std::move(message),
               .place = place,
               .hint = "name a file with --store",
               .blame = Blame::kMissing});
}

/// Different names give different files. What a file's name cannot have is written as in a URL.
std::string file_name_of(std::string_view name) {
  constexpr std::string_view kEncoded("%/\0", 3);
  std::string file;
  for (const char c : name)
    kEncoded.find(c) == kEncoded.npos ? file += c : file += fmt::format("%{:02X}", c);
  return file;
}

/// Two campaigns in one file would take each other's unfinished cells for what a killed one left.
Result<sys::Fd> lock_store(const std::string& file) {
  if (file == ":memory:") return sys::Fd();
  CUTLINE_TRY_ASSIGN(sys::Fd lock, sys::lock_file(file + ".lock"));
  if (lock) return lock;
  return fail({.code = "cli.store.busy",
               .message = "another cutline run is measuring into this file",
               .place = file,
               .hint = "wait for it, or give this one a file of its own with --store",
               .blame = Blame::kMissing});
}

}  // namespace

Result<run::CampaignOptions> campaign_options(const Measuring& measuring) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return fail({.code = "cli.self",
                 .message = "cannot find cutline's own program: " + error.message(),
                 .place = "/proc/self/exe",
                 .hint = {},
                 .blame = Blame::kMissing});
  const char* path = std::getenv("PATH");
  run::CampaignOptions options;
  options.jobs = measuring.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
  options.isolated = measuring.isolated;
  options.again = measuring.again;
  options.program = self.string();
  options.program_name = fmt::format("cutline {}", kProgramVersion);
  options.path = path ? path : "/usr/local/bin:/usr/bin:/bin";
  return options;
}

Result<std::string> store_file(const std::optional<std::string>& given, const std::string& name) {
  if (given) return *given;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if ((!state || !*state) && (!home || !*home))
    return no_store("HOME", "there is neither XDG_STATE_HOME nor HOME to keep the evidence in");
  const fs::path folder =
      (state && *state ? fs::path(state) : fs::path(home) / ".local/state") / "cutline";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return no_store(folder.string(), "cannot make the folder: " + error.message());
  return (folder / (file_name_of(name) + ".db")).string();
}

Result<std::vector<delivery::Profile>> profiles_of(const Shelf& shelf,
                                                   const std::vector<run::ExperimentCell>& cells) {
  std::vector<delivery::Profile> profiles;
  for (const run::ExperimentCell& cell : cells) {
    if (std::ranges::find(profiles, cell.client, &delivery::Profile::id) != profiles.end())
      continue;
    CUTLINE_TRY_ASSIGN(delivery::Profile profile, shelf.read(cell.client));
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

void fill_models(std::vector<run::ExperimentCell>& cells,
                 const std::vector<delivery::Profile>& profiles) {
  for (run::ExperimentCell& cell : cells) {
    const auto profile = std::ranges::find(profiles, cell.client, &delivery::Profile::id);
    if (cell.model.empty() && profile != profiles.end())
      cell.model = delivery::default_model(*profile, Version::parse(cell.version).value());
  }
}

run::Package package_of(const delivery::Profile& profile) {
  return {.id = profile.id, .name = profile.package, .also = profile.also};
}

std::vector<run::Package> packages_of(const std::vector<delivery::Profile>& profiles) {
  std::vector<run::Package> packages;
  packages.reserve(profiles.size());
  for (const delivery::Profile& profile : profiles) packages.push_back(package_of(profile));
  return packages;
}

void say(std::string_view line) {
  const std::string text = text::sanitise(fmt::format("cutline: {}\n", line));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// --- Progress ------------------------------------------------------------------------------------

ProgressLine::ProgressLine() {
  const char* term = std::getenv("TERM");
  shown_ = is_terminal(Stream::kError) && term && std::string_view(term) != "dumb";
}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(const run::CampaignProgress& progress) {
  if (!progress.finished.empty()) {
    wall_s_ += progress.wall_s;
    ++measured_;
  }
  if (!shown_) return;
  std::string line = fmt::format("{}/{} cells, {} running, {} failed", progress.done,
                                 progress.cells, progress.running, progress.failed);
  const std::size_t left = progress.cells - progress.done;
  if (measured_ != 0 && left != 0) {
    const double one = wall_s_ / static_cast<double>(measured_);
    const double jobs = static_cast<double>(std::max<std::size_t>(1, progress.running));
    line += fmt::format(", about {:.0f} s left", one * static_cast<double>(left) / jobs);
  }
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  std::fflush(stderr);
}

Result<std::vector<run::Judged>> measure_cells(run::Experiment& experiment,
                                               const std::vector<delivery::Profile>& profiles,
                                               const Measuring& measuring,
                                               const std::string& file) {
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  CUTLINE_TRY_ASSIGN(const std::vector<run::ClientFolder> folders,
                     run::install_clients(experiment.cells, packages_of(profiles), installs, say));
  fill_models(experiment.cells, profiles);
  CUTLINE_TRY_ASSIGN(const run::CampaignOptions options, campaign_options(measuring));
  CUTLINE_TRY_ASSIGN(store::EvidenceStore store, store::EvidenceStore::open(file));
  CUTLINE_TRY_ASSIGN(const sys::Fd lock, lock_store(file));
  run::CampaignEnd end;
  {
    ProgressLine line;
    CUTLINE_TRY_ASSIGN(end, run::run_campaign(experiment, folders, store, options,
                                              [&](const run::CampaignProgress& progress) {
                                                line.show(progress);
                                              }));
  }
  if (end.interrupted_by != 0)
    return fail({.code = "cli.interrupted",
                 .message = "interrupted; the same command goes on from here",
                 .place = {},
                 .hint = {},
                 .blame = Blame::kMissing,
                 .signal = end.interrupted_by});
  return run::judge(experiment, end.run, store, profiles);
}

// --- Values for reports --------------------------------------------------------------------------

report::Measurement measurement_of(const run::Judged& judged, const delivery::Profile& profile,
                                   bool isolated) {
  const run::Evaluation& evaluation = *judged.evaluation;
  report::Measurement out;
  out.program_version = kProgramVersion;
  out.profile = &profile;
  out.version = evaluation.measured.version;
  out.situation = {.model = judged.cell->model,
                   .session = delivery::Session::kCustomEndpoint,
                   .variables = judged.cell->variables,
                   .settings = judged.cell->settings};
  out.isolated = isolated;
  out.wall_s = judged.wall_s;
  out.predicted = &evaluation.predicted;
  out.measured = &evaluation.measured;
  out.comparison = &evaluation.comparison;
  for (const run::ServerEvidence& server : evaluation.servers) {
    report::MeasuredServer one;
    one.name = server.name;
    one.offer = &server.offer;
    for (const run::PlannedServer& planned : judged.cell->sessions.front().servers)
      if (planned.name == server.name) one.has_network = planned.outside || !isolated;
    if (server.not_served) {
      one.ended = server.not_served->words;
      one.not_found = server.not_served->not_found;
    }
    one.handshake = server.handshake.handshake;
    one.process_starts = server.handshake.process_starts;
    if (server.handshake.ready_us)
      one.ready_ms = static_cast<double>(*server.handshake.ready_us) / 1e3;
    one.stdout_tells = server.told.stdout_tells;
    one.stderr_tells = server.told.stderr_tells;
    one.debug_log_tells = server.told.debug_log_tells;
    if (server.told.transcript_text || server.transcript_agrees)
      one.transcript_agrees = server.transcript_agrees;
    out.servers.push_back(std::move(one));
  }
  for (const run::Conversed& request : evaluation.conversed)
    out.requests.push_back({.sequence = request.sequence,
                            .at_ms = static_cast<double>(request.at_us) / 1e3,
                            .body_bytes = request.body_bytes,
                            .ideal_answer = request.ideal_answer});
  out.other_requests = judged.requests - evaluation.conversed.size();
  return out;
}

report::ExperimentRow row_of(const run::Judged& judged) {
  report::ExperimentRow row;
  const run::ExperimentCell& cell = *judged.cell;
  row.key = cell.key();
  row.cell = cell.name;
  row.about = cell.about;
  row.client = cell.client;
  row.version = cell.version;
  row.model = cell.model;
  row.choices = cell.choices;
  row.reported = cell.reported;
  row.repeat = cell.repeat;
  row.problem = judged.problem;
  row.wall_s = judged.wall_s;
  row.requests = judged.requests;
  row.unmet = judged.unmet;
  row.repeats_alike = judged.repeats_alike;
  if (!judged.evaluation) return row;
  const run::Evaluation& evaluation = *judged.evaluation;
  row.conversation = evaluation.stopped ? 0 : evaluation.conversed.size();
  row.first_request_bytes = evaluation.conversed.front().body_bytes;
  row.first_request_rough_tokens = llm::rough_tokens(evaluation.conversation.front());
  row.measured = &evaluation.measured;
  row.comparison = &evaluation.comparison;
  row.answer = evaluation.conversed.back().ideal_answer;
  row.others = evaluation.others;
  row.others_with_text = evaluation.others_with_text;
  for (const run::Later& later : evaluation.later)
    row.later += row.later.empty() ? later.sends : "; " + later.sends;
  const run::Agreement agreement = run::agreement_of(evaluation);
  row.ideal_reader_agrees = agreement.ideal_reader;
  row.transcript_agrees = agreement.transcript;
  row.debug_log_agrees = agreement.debug_log;
  row.server_log_agrees = agreement.server_log;
  for (const run::ServerEvidence& server : evaluation.servers) {
    if (server.handshake.era && row.era.empty()) row.era = mcp::name(*server.handshake.era);
    row.stdout_tells |= server.told.stdout_tells;
    row.stderr_tells |= server.told.stderr_tells;
    row.debug_log_tells |= server.told.debug_log_tells;
  }
  return row;
}

}  // namespace cutline::cli
