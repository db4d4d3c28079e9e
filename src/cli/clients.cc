// clients.cc: `cutline clients`: what is known of the clients, and which are here.
#include "report/clients.h"

#include "cli/commands.h"
#include "cli/diffing.h"
#include "cli/installing.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "cli/proving.h"

namespace cutline::cli {
namespace {

Result<int> show_clients(const ClientsRequest& request) {
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(request.profiles_folder));
  const std::vector<std::string> names =
      request.name ? std::vector<std::string>{*request.name} : shelf.names();
  std::vector<delivery::Profile> profiles;
  for (const std::string& name : names) {
    CUTLINE_TRY_ASSIGN(delivery::Profile profile, shelf.read(name));
    profiles.push_back(std::move(profile));
  }
  const auto render = [&](Format format, const report::Style& style) {
    if (format == Format::kJson) return report::clients_json(profiles, request.name.has_value());
    return request.name ? report::client_text(profiles.front(), style)
                        : report::clients_text(profiles, style);
  };
  CUTLINE_TRY(deliver_output(request.output, render));
  return 0;
}

}  // namespace

Result<int> run_clients(const ClientsRequest& request) {
  switch (request.action) {
    case ClientsRequest::Action::kShow:
      return show_clients(request);
    case ClientsRequest::Action::kInstall:
      return install_clients(request);
    case ClientsRequest::Action::kList:
      return list_clients(request);
    case ClientsRequest::Action::kRemove:
      return remove_clients(request);
    case ClientsRequest::Action::kVerify:
      return verify_client(request);
    case ClientsRequest::Action::kBisect:
      return bisect_client(request);
    case ClientsRequest::Action::kLearn:
      return learn_client(request);
    case ClientsRequest::Action::kDiff:
      return diff_clients(request);
  }
  return show_clients(request);
}

}  // namespace cutline::cli
