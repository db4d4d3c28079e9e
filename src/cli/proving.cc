// proving.cc: real clients over the cells that prove their profiles.
#include "cli/proving.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "cli/program.h"
#include "report/verdicts.h"
#include "run/atlas.h"
#include "run/bisect.h"
#include "run/learn.h"
#include "run/verify.h"
#include "sys/clock.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

/// The one client of the request, and where its profile stands.
struct Proved {
  std::vector<delivery::Profile> profiles;  // one; judged cells point into it
  std::string toml;                         // of it
  const delivery::Profile& profile() const { return profiles.front(); }
};

Result<Proved> proved_client(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(request.profiles_folder));
  const std::string& name = request.wishes.front().name;
  CUTLINE_TRY_ASSIGN(delivery::Profile profile, shelf.read(name));
  if (!run::adapter_named(profile.id))
    return fail({.code = "cli.client",
                 .message = fmt::format("'{}' cannot be run here, only predicted", profile.id),
                 .place = {},
                 .hint = "cutline check predicts it"});
  CUTLINE_TRY_ASSIGN(std::string toml, shelf.text(name));
  Proved proved;
  proved.profiles.push_back(std::move(profile));
  proved.toml = std::move(toml);
  return proved;
}

/// Of a range: every version from which on something may be different, and the last one.
std::vector<std::string> versions_of(const delivery::Profile& profile, const ClientWish& wish) {
  if (wish.latest) return {"latest"};
  if (!wish.range) return {profile.last.text()};
  const Version from = wish.range->from.value_or(profile.first);
  const Version to = wish.range->to.value_or(profile.last);
  std::vector<std::string> versions = {from.text()};
  for (const Version& point : delivery::change_points(profile))
    if (from < point && point < to) versions.push_back(point.text());
  if (from != to) versions.push_back(to.text());
  return versions;
}

/// A range changes behind the last version of one fact, which need not be published: then it is the
/// next one that is. As they are where npm cannot tell.
std::vector<std::string> published_only(const delivery::Profile& profile,
                                        std::vector<std::string> versions) {
  if (versions.size() < 2) return versions;
  const Result<run::Installs> installs = run::Installs::in_cache();
  if (!installs) return versions;
  const Result<std::vector<Version>> published = installs->published(package_of(profile));
  if (!published) return versions;
  std::vector<std::string> found;
  for (const std::string& wanted : versions) {
    const auto next = std::ranges::find_if(*published, [&](const Version& version) {
      return !(version < Version::parse(wanted).value());
    });
    std::string text = next == published->end() ? wanted : next->text();
    if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
  }
  return found;
}

Result<std::string> evidence_file(const ClientsRequest& request, const std::string& client) {
  return store_file(request.measuring.store, "atlas-" + client);
}

report::Proof proof_of(const delivery::Profile& profile, const std::string& version,
                       const std::vector<run::Judged>& cells, const std::string& store) {
  report::Proof proof;
  proof.program_version = kProgramVersion;
  proof.client = profile.id;
  proof.title = profile.title;
  proof.version = version;
  proof.store = store;
  proof.cells = cells.size();
  for (const run::Judged& cell : cells) {
    proof.wall_s += cell.wall_s;
    if (cell.evaluation && cell.problem.empty()) continue;
    ++proof.failed;
    proof.problems.push_back(fmt::format("{}: {}", cell.cell->key(), cell.problem));
  }
  for (run::FactVerdict& verdict : run::verify(profile, Version::parse(version).value(), cells)) {
    report::ProvenFact proven;
    proven.fact = verdict.fact;
    proven.verdict = run::name(verdict.verdict);
    proven.cells = verdict.confirming.size();
    proven.reason = verdict.reason;
    for (run::FactVerdict::Against& against : verdict.against)
      proven.against.emplace_back(std::move(against.cell), std::move(against.difference));
    proof.facts.push_back(std::move(proven));
  }
  return proof;
}

/// The cells of one version, taken out of those of all.
std::vector<run::Judged> take_version(std::vector<run::Judged>& judged,
                                      const std::string& version) {
  std::vector<run::Judged> taken;
  for (run::Judged& one : judged)
    if (one.cell && one.cell->version == version) taken.push_back(std::move(one));
  std::erase_if(judged, [](const run::Judged& one) { return one.cell == nullptr; });
  return taken;
}

/// Before any client is started.
Result<void> check_fact(const delivery::Profile& profile, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(profile.facts.size());
  for (const delivery::Fact& fact : profile.facts) names.push_back(fact.name);
  if (std::ranges::find(names, name) != names.end()) return {};
  const std::optional<std::string> near = nearest(name, names);
  return fail({.code = "cli.fact",
               .message = fmt::format("the profile of {} has no fact '{}'", profile.title, name),
               .place = "--fact",
               .hint = near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("cutline clients {} lists them", profile.id)});
}

}  // namespace

Result<int> verify_client(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Proved proved, proved_client(request));
  const delivery::Profile& profile = proved.profile();
  CUTLINE_TRY_ASSIGN(
      run::Experiment experiment,
      run::atlas_of(profile.id,
                    published_only(profile, versions_of(profile, request.wishes.front()))));
  CUTLINE_TRY_ASSIGN(const std::string file, evidence_file(request, profile.id));
  CUTLINE_TRY_ASSIGN(std::vector<run::Judged> judged,
                     measure_cells(experiment, proved.profiles, request.measuring, file));
  std::vector<std::string> versions;
  for (const run::ExperimentCell& cell : experiment.cells)
    if (std::ranges::find(versions, cell.version) == versions.end())
      versions.push_back(cell.version);
  std::vector<report::Proof> proofs;
  std::vector<std::vector<run::Judged>> kept;
  for (const std::string& version : versions) {
    kept.push_back(take_version(judged, version));
    proofs.push_back(proof_of(profile, version, kept.back(), file));
  }
  CUTLINE_TRY(deliver_output(request.output, [&](Format format, const report::Style& style) {
    return format == Format::kJson ? report::proofs_json(proofs)
                                   : report::proofs_text(proofs, style);
  }));
  return report::exit_code(proofs);
}

Result<int> bisect_client(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Proved proved, proved_client(request));
  const delivery::Profile& profile = proved.profile();
  CUTLINE_TRY(check_fact(profile, request.fact));
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  CUTLINE_TRY_ASSIGN(const std::vector<Version> published, installs.published(package_of(profile)));
  const std::optional<VersionRange>& range = request.wishes.front().range;
  const Version from = range && range->from ? *range->from : profile.first;
  const Version to = range && range->to ? *range->to : profile.last;
  std::vector<Version> versions;
  for (const Version& version : published)
    if (from <= version && version <= to) versions.push_back(version);
  CUTLINE_TRY_ASSIGN(const std::string file, evidence_file(request, profile.id + "-bisect"));
  CUTLINE_TRY_ASSIGN(const run::Experiment atlas, run::atlas_of(profile.id, {profile.last.text()}));
  const auto measure = [&](const run::ExperimentCell& cell,
                           const Version& version) -> Result<run::Sight> {
    run::Experiment one = atlas;
    one.cells = {cell};
    one.cells.front().version = version.text();
    one.hash = fmt::format("{} {}", atlas.hash, one.cells.front().key());
    say(fmt::format("{} {}: {}", profile.title, version.text(), cell.name));
    CUTLINE_TRY_ASSIGN(const std::vector<run::Judged> judged,
                       measure_cells(one, proved.profiles, request.measuring, file));
    return run::sight_of(request.fact, judged.front());
  };
  CUTLINE_TRY_ASSIGN(const run::Bisection bisection,
                     run::bisect(request.fact, atlas.cells, versions, measure));
  const std::string words = run::to_text(bisection, profile.title, request.fact);
  CUTLINE_TRY(print(text::sanitise(words)));
  return 0;
}

Result<int> learn_client(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Proved proved, proved_client(request));
  const delivery::Profile& profile = proved.profile();
  const ClientWish& wish = request.wishes.front();
  const std::string wanted = wish.range ? wish.range->from->text() : "latest";
  if (wish.range && profile.first <= *wish.range->from && *wish.range->from <= profile.last) {
    say(fmt::format("nothing to learn: {} is covered", wanted));
    return 0;
  }
  CUTLINE_TRY_ASSIGN(run::Experiment experiment, run::atlas_of(profile.id, {wanted}));
  CUTLINE_TRY_ASSIGN(const std::string file, evidence_file(request, profile.id));
  CUTLINE_TRY_ASSIGN(const std::vector<run::Judged> judged,
                     measure_cells(experiment, proved.profiles, request.measuring, file));
  const Version version = Version::parse(experiment.cells.front().version).value();
  const report::Proof proof = proof_of(profile, version.text(), judged, file);
  for (const std::string& problem : proof.problems) say(problem);
  if (proof.failed == proof.cells)
    return fail({.code = "cli.measure",
                 .message = "no cell gave anything to learn from",
                 .place = fmt::format("{} {}", profile.title, version.text()),
                 .hint = "the evidence is in " + file,
                 .blame = Blame::kMissing});
  const std::string patch = run::learn(
      proved.toml, profile, version, run::verify(profile, version, judged), judged, sys::utc_now());
  if (patch.empty()) say(fmt::format("nothing to learn: {} is covered", version.text()));
  CUTLINE_TRY(print(patch));
  return report::exit_code({proof});
}

}  // namespace cutline::cli
