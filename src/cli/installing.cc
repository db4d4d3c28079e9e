// installing.cc: real clients on this machine.
#include "cli/installing.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "cli/terminal.h"
#include "json/writer.h"
#include "run/installs.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

std::string to_json(const std::vector<run::Installed>& all) {
  json::Writer writer(json::Writer::Style::kIndented);
  writer.begin_array();
  for (const run::Installed& one : all) {
    writer.begin_object().member("client", one.id).member("version", one.version);
    writer.member("folder", one.folder).member("integrity", one.integrity).end_object();
  }
  return writer.end_array().take() + "\n";
}

/// Folders are there to be copied, so they are never wrapped.
std::string to_text(const std::vector<run::Installed>& all) {
  if (all.empty()) return "no client is installed\n";
  std::size_t widest = 0;
  for (const run::Installed& one : all)
    widest = std::max(widest, one.id.size() + 1 + one.version.size());
  std::string out;
  for (const run::Installed& one : all) {
    out += fmt::format("{:<{}}  {}\n", fmt::format("{}@{}", one.id, one.version), widest,
                       text::sanitise_line(one.folder));
  }
  return out;
}

Result<int> show(const std::vector<run::Installed>& all, const Output& output) {
  CUTLINE_TRY(deliver_output(output, [&](Format format, const report::Style&) {
    return format == Format::kJson ? to_json(all) : to_text(all);
  }));
  return 0;
}

}  // namespace

Result<int> install_clients(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(request.profiles_folder));
  // All names first, so that a mistyped one is told before anything is fetched.
  std::vector<run::Package> packages;
  for (const ClientWish& wish : request.wishes) {
    CUTLINE_TRY_ASSIGN(const delivery::Profile profile, shelf.read(wish.name));
    packages.push_back(package_of(profile));
    CUTLINE_TRY(run::check_package(packages.back()));
  }
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  std::vector<run::Installed> all;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    const std::optional<VersionRange>& range = request.wishes[i].range;
    const std::string version = range ? range->from->text() : "latest";
    CUTLINE_TRY_ASSIGN(run::Installed installed, installs.ensure(packages[i], version, say));
    all.push_back(std::move(installed));
  }
  return show(all, request.output);
}

Result<int> list_clients(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  CUTLINE_TRY_ASSIGN(const std::vector<run::Installed> all, installs.list());
  return show(all, request.output);
}

Result<int> remove_clients(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const run::Installs installs, run::Installs::in_cache());
  for (const ClientWish& wish : request.wishes) {
    const std::string version = wish.range->from->text();
    CUTLINE_TRY(installs.remove(wish.name, version));
    say(fmt::format("removed {} {}", wish.name, version));
  }
  return 0;
}

}  // namespace cutline::cli
