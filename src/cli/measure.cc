// measure.cc: `cutline measure`: the real client on the author's own server, beside the prediction.
#include <filesystem>

#include <fmt/format.h>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/terminal.h"
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

run::Experiment experiment_of(const MeasureRequest& request, const run::Adapter& adapter,
                              const std::string& version) {
  run::ExperimentCell cell;
  cell.name = "measure";
  cell.client = adapter.id();
  cell.version = version;
  cell.model = request.clients.situation.model;
  cell.variables = request.clients.situation.variables;
  cell.settings = request.clients.situation.settings;
  cell.timeout = request.timeout;
  run::Session session;
  session.script.prompt = kPrompt;
  // What the client has deferred is asked for, so that it is seen, too.
  session.script.turns.push_back(
      {.content = llm::SearchTurn{.wanted = std::string(adapter.tools_of_servers()),
                                  .words = request.clients.server_name.value_or("server")},
       .delay = {}});
  session.script.otherwise = {.content = llm::TextReply{"done"}, .delay = {}};
  session.servers.push_back(planned_server(request));
  session.turns = request.turns;
  cell.sessions.push_back(std::move(session));
  run::Experiment experiment;
  experiment.name = "measure";
  experiment.cells.push_back(std::move(cell));
  return experiment;
}

}  // namespace

Result<int> run_measure(const MeasureRequest& request) {
  CUTLINE_TRY_ASSIGN(const std::vector<Chosen> chosen, choose_clients(request.clients));
  // What is judged points into them until it is printed.
  const std::vector<delivery::Profile> profiles = {chosen.front().profile};
  const delivery::Profile& profile = profiles.front();
  const ClientWish& wish = chosen.front().wishes.front();
  const run::Adapter* adapter = run::adapter_named(profile.id);
  if (!adapter) return cannot_run(profile.id);
  const std::string version = wish.range ? wish.range->from->text() : "latest";

  run::Experiment experiment = experiment_of(request, *adapter, version);
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  CUTLINE_TRY_ASSIGN(const std::vector<run::ClientFolder> folders,
                     run::install_clients(experiment.cells, packages_of(profiles), installs, say));
  fill_models(experiment.cells, profiles);
  CUTLINE_TRY_ASSIGN(run::CampaignOptions options, campaign_options(request.measuring));
  options.again = true;
  CUTLINE_TRY_ASSIGN(store::EvidenceStore store,
                     store::EvidenceStore::open(request.measuring.store.value_or(":memory:")));
  run::CampaignEnd end;
  {
    const Notice notice(
        fmt::format("Running {} {} …", profile.title, experiment.cells.front().version));
    CUTLINE_TRY_ASSIGN(end,
                       run::run_campaign(experiment, folders, store, options, [](const auto&) {}));
  }
  if (end.interrupted_by != 0) return kSignalExit + end.interrupted_by;
  CUTLINE_TRY_ASSIGN(const std::vector<run::Judged> judged,
                     run::judge(experiment, end.run, store, profiles));
  if (!judged.front().evaluation)
    return fail({.code = "cli.measure",
                 .message = judged.front().problem,
                 .place = fmt::format("{} {}", profile.title, experiment.cells.front().version),
                 .hint = hint_of(request, judged.front().problem),
                 .blame = Blame::kMissing});
  report::Measurement measurement =
      measurement_of(judged.front(), profile, request.measuring.isolated);
  measurement.store = request.measuring.store.value_or("");
  CUTLINE_TRY(deliver_output(request.output, [&](Format format, const report::Style& style) {
    return format == Format::kJson ? report::measurement_json(measurement)
                                   : report::measurement_text(measurement, style);
  }));
  return report::exit_code(measurement);
}

}  // namespace cutline::cli
