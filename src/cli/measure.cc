// measure.cc: `cutline measure`: the real client on the author's own server, beside the prediction.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "report/measurements.h"
#include "run/clients/adapter.h"

namespace cutline::cli {
namespace {

/// Nothing in it but what must be found again in the request.
constexpr std::string_view kPrompt =
    "cutline measures which text of its servers a client sends. Please answer with the word done.";

tl::unexpected<Problem> cannot_run(const std::string& client) {
  return fail({.code = "cli.client",
               .message = fmt::format("'{}' cannot be run here, only predicted", client),
               .place = "--client",
               .hint = "cutline check predicts it"});
}

/// What to do where nothing was measured, if the problem does not say so itself.
std::string hint_of(const MeasureRequest& request, std::string_view problem) {
  if (problem.find("\n  hint: ") != problem.npos) return {};
  std::string hint = request.measuring.store ? "what it left is in " + *request.measuring.store
                                             : "with --store FILE what it left is kept";
  if (!request.server_network && request.measuring.isolated)
    hint += "; a server that needs the network, also npx, takes --server-network";
  return hint;
}

/// The command as it is meant from here: the client starts it elsewhere.
run::PlannedServer planned_server(const MeasureRequest& request) {
  run::PlannedServer server;
  server.name = request.clients.server_name.value_or("server");
  server.argv = request.source.command.argv;
  server.environment = request.source.command.environment;
  server.settings = request.clients.situation.settings;
  server.directory = std::filesystem::absolute(request.source.command.directory.empty()
                                                   ? "."
                                                   : request.source.command.directory)
                         .lexically_normal()
                         .string();
  server.outside = request.server_network;
  return server;
}

/// A client that is to run.
struct Wanted {
  const run::Adapter* adapter = nullptr;
  std::string version;  // exact, or "latest"
};

run::ExperimentCell cell_of(const MeasureRequest& request, const Wanted& wanted) {
  run::ExperimentCell cell;
  cell.name = "measure";
  cell.client = wanted.adapter->id();
  cell.version = wanted.version;
  cell.model = request.clients.situation.model;
  cell.variables = request.clients.situation.variables;
  cell.settings = request.clients.situation.settings;
  cell.timeout = request.timeout;
  run::Session session;
  session.script.prompt = kPrompt;
  // What the client has deferred is asked for, so that it is seen, too.
  session.script.turns.push_back(
      {.content = llm::SearchTurn{.wanted = std::string(wanted.adapter->tools_of_servers()),
                                  .words = request.clients.server_name.value_or("server")},
       .delay = {}});
  session.script.otherwise = {.content = llm::TextReply{"done"}, .delay = {}};
  session.servers.push_back(planned_server(request));
  session.turns = request.turns;
  cell.sessions.push_back(std::move(session));
  return cell;
}

/// The newest of each client that is installed and can be run.
Result<std::vector<ClientWish>> installed_clients(const Clients& clients) {
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(clients.profiles_folder));
  const std::vector<std::string> known = shelf.names();
  CUTLINE_TRY_ASSIGN(const std::vector<run::Installed> all, installs.list());
  std::vector<ClientWish> wishes;
  for (const run::Installed& one : all) {  // those of a client together, the newest last
    const Result<Version> version = Version::parse(one.version);
    if (!version || !run::adapter_named(one.id) || std::ranges::find(known, one.id) == known.end())
      continue;
    if (wishes.empty() || wishes.back().name != one.id)
      wishes.push_back({.name = one.id, .range = {}});
    wishes.back().range = VersionRange{*version, *version};
  }
  if (!wishes.empty()) return wishes;
  return fail({.code = "cli.none_installed",
               .message = "no client is installed that could be run",
               .place = "--client all",
               .hint = "cutline clients install NAME installs one; cutline clients lists them",
               .blame = Blame::kMissing});
}

Result<std::vector<Wanted>> wanted_clients(const std::vector<Chosen>& chosen) {
  std::vector<Wanted> wanted;
  for (const Chosen& one : chosen) {
    const run::Adapter* adapter = run::adapter_named(one.profile.id);
    if (!adapter) return cannot_run(one.profile.id);
    for (const ClientWish& wish : one.wishes)
      wanted.push_back(
          {.adapter = adapter, .version = wish.range ? wish.range->from->text() : "latest"});
  }
  return wanted;
}

// --- Running and showing -------------------------------------------------------------------------

/// What is judged points into the experiment and the profiles.
struct Measured {
  run::Experiment experiment;
  std::vector<run::Judged> judged;
  int interrupted_by = 0;
};

std::string client_words(const run::ExperimentCell& cell,
                         const std::vector<delivery::Profile>& profiles) {
  const auto profile = std::ranges::find(profiles, cell.client, &delivery::Profile::id);
  return fmt::format("{} {}", profile->title, cell.version);
}

Result<run::CampaignEnd> run_cells(const Measured& measured,
                                   const std::vector<run::ClientFolder>& folders,
                                   store::EvidenceStore& store, const run::CampaignOptions& options,
                                   const std::vector<delivery::Profile>& profiles) {
  if (measured.experiment.cells.size() > 1) {
    ProgressLine line;
    return run::run_campaign(measured.experiment, folders, store, options,
                             [&](const run::CampaignProgress& progress) { line.show(progress); });
  }
  const Notice notice(
      fmt::format("Running {} …", client_words(measured.experiment.cells.front(), profiles)));
  return run::run_campaign(measured.experiment, folders, store, options, [](const auto&) {});
}

Result<void> measure(const MeasureRequest& request, const std::vector<delivery::Profile>& profiles,
                     Measured& measured) {
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  std::vector<run::ExperimentCell>& cells = measured.experiment.cells;
  CUTLINE_TRY_ASSIGN(const std::vector<run::ClientFolder> folders,
                     run::install_clients(cells, packages_of(profiles), installs, say));
  fill_models(cells, profiles);
  CUTLINE_TRY_ASSIGN(run::CampaignOptions options, campaign_options(request.measuring));
  options.again = true;
  CUTLINE_TRY_ASSIGN(store::EvidenceStore store,
                     store::EvidenceStore::open(request.measuring.store.value_or(":memory:")));
  CUTLINE_TRY_ASSIGN(const run::CampaignEnd end,
                     run_cells(measured, folders, store, options, profiles));
  measured.interrupted_by = end.interrupted_by;
  if (end.interrupted_by != 0) return {};
  CUTLINE_TRY_ASSIGN(measured.judged, run::judge(measured.experiment, end.run, store, profiles));
  return {};
}

Result<int> show_one(const MeasureRequest& request, const run::Judged& judged,
                     const std::vector<delivery::Profile>& profiles) {
  if (!judged.evaluation)
    return fail({.code = "cli.measure",
                 .message = judged.problem,
                 .place = client_words(*judged.cell, profiles),
                 .hint = hint_of(request, judged.problem),
                 .blame = Blame::kMissing});
  report::Measurement measurement =
      measurement_of(judged, profiles.front(), request.measuring.isolated);
  measurement.store = request.measuring.store.value_or("");
  CUTLINE_TRY(deliver_output(request.output, [&](Format format, const report::Style& style) {
    return format == Format::kJson ? report::measurement_json(measurement)
                                   : report::measurement_text(measurement, style);
  }));
  return report::exit_code(measurement);
}

Result<int> show_all(const MeasureRequest& request, const std::vector<run::Judged>& judged,
                     const std::vector<delivery::Profile>& profiles) {
  report::Measurements measurements;
  measurements.program_version = kProgramVersion;
  measurements.server = request.clients.server_name.value_or("server");
  measurements.store = request.measuring.store.value_or("");
  for (const run::Judged& one : judged) {
    const auto profile = std::ranges::find(profiles, one.cell->client, &delivery::Profile::id);
    report::MeasuredClient client = {.client = profile->id,
                                     .title = profile->title,
                                     .version = Version::parse(one.cell->version).value(),
                                     .measurement = {},
                                     .problem = {}};
    if (one.evaluation) {
      client.measurement = measurement_of(one, *profile, request.measuring.isolated);
      client.measurement->store = measurements.store;
    } else {
      const std::string hint = hint_of(request, one.problem);
      client.problem = one.problem + (hint.empty() ? "" : "\n  hint: " + hint);
    }
    measurements.clients.push_back(std::move(client));
  }
  CUTLINE_TRY(deliver_output(request.output, [&](Format format, const report::Style& style) {
    return format == Format::kJson ? report::measurements_json(measurements)
                                   : report::measurements_text(measurements, style);
  }));
  return report::exit_code(measurements);
}

}  // namespace

Result<int> run_measure(const MeasureRequest& request) {
  Clients clients = request.clients;
  if (request.all_installed) {
    CUTLINE_TRY_ASSIGN(clients.wishes, installed_clients(clients));
  }
  CUTLINE_TRY_ASSIGN(const std::vector<Chosen> chosen, choose_clients(clients));
  std::vector<delivery::Profile> profiles;
  profiles.reserve(chosen.size());
  for (const Chosen& one : chosen) profiles.push_back(one.profile);
  CUTLINE_TRY_ASSIGN(const std::vector<Wanted> wanted, wanted_clients(chosen));

  Measured measured;
  measured.experiment.name = "measure";
  for (const Wanted& one : wanted) measured.experiment.cells.push_back(cell_of(request, one));
  // One by name stands alone; of all there may be one, and it is still a list.
  const bool alone = wanted.size() == 1 && !request.all_installed;
  CUTLINE_TRY(measure(request, profiles, measured));
  if (measured.interrupted_by != 0) return kSignalExit + measured.interrupted_by;
  return alone ? show_one(request, measured.judged.front(), profiles)
               : show_all(request, measured.judged, profiles);
}

}  // namespace cutline::cli
