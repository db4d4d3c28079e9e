// diffing.cc: `clients diff`: two clients' facts, or what both make of one server.
#include "cli/diffing.h"

#include <algorithm>
#include <cstdio>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "report/check_text.h"
#include "report/clients_diff.h"

namespace cutline::cli {
namespace {

constexpr int kServerFailed = 3;

/// The client that a wish names; `chosen` has each once, however many versions are wanted.
report::DiffedClient client_of(const std::vector<Chosen>& chosen, const ClientWish& wish) {
  const auto found =
      std::ranges::find_if(chosen, [&](const Chosen& one) { return one.profile.id == wish.name; });
  return {.profile = &found->profile, .version = version_of(found->profile, wish)};
}

delivery::Contrasted contrast(const report::ClientsDiff& diff, const delivery::Situation& situation,
                              const mcp::Offer& offer) {
  const delivery::Configured server = {.name = diff.server, .offer = &offer};
  const auto deliver = [&](const report::DiffedClient& client) {
    return delivery::deliver(*client.profile, client.version, situation, {&server, 1});
  };
  return delivery::contrast(deliver(diff.first), deliver(diff.second));
}

Result<int> show(const report::ClientsDiff& diff, const Output& output) {
  CUTLINE_TRY(deliver_output(output, [&](Format format, const report::Style& style) {
    return format == Format::kJson ? report::clients_diff_json(diff)
                                   : report::clients_diff_text(diff, style);
  }));
  return report::exit_code(diff);
}

Result<int> diff_deliveries(const ClientsRequest& request, report::ClientsDiff& diff) {
  CUTLINE_TRY_ASSIGN(const Fetched fetched, fetch_offer(*request.source));
  if (fetched.interrupted_by != 0) return kSignalExit + fetched.interrupted_by;
  CUTLINE_TRY(save_offer(*request.source, fetched.offer));
  if (fetched.offer.outcome != mcp::Outcome::kServes) {
    report::Check check;
    check.offer = &fetched.offer;
    const std::string why =
        report::check_text(check, style_of(Stream::kError, request.output.color), false);
    std::fwrite(why.data(), 1, why.size(), stderr);
    return kServerFailed;
  }
  diff.server = configured_name(request.diffed.server_name, *request.source, fetched.offer);
  diff.deliveries = contrast(diff, request.diffed.situation, fetched.offer);
  return show(diff, request.output);
}

}  // namespace

Result<int> diff_clients(const ClientsRequest& request) {
  Clients clients = request.diffed;
  clients.wishes = request.wishes;
  clients.profiles_folder = request.profiles_folder;
  CUTLINE_TRY_ASSIGN(const std::vector<Chosen> chosen, choose_clients(clients));
  report::ClientsDiff diff;
  diff.program_version = kProgramVersion;
  diff.first = client_of(chosen, request.wishes.front());
  diff.second = client_of(chosen, request.wishes.back());
  if (request.source) return diff_deliveries(request, diff);
  diff.facts = delivery::diff_facts(*diff.first.profile, diff.first.version, *diff.second.profile,
                                    diff.second.version);
  return show(diff, request.output);
}

}  // namespace cutline::cli
