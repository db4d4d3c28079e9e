// check.cc: `cutline check`: what of a server's text reaches the model.
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/source.h"
#include "report/check_json.h"
#include "report/check_text.h"
#include "report/verdict.h"

namespace cutline::cli {

Result<int> run_check(const CheckRequest& request) {
  // All profiles take as long to read as a small server to start, so they are read meanwhile. What
  // the user named is read first: a mistyped word is told before anything is started.
  Result<std::vector<Chosen>> clients;
  const auto choose = [&] { clients = choose_clients(request.clients); };
  const bool named = request.clients.names_anything();
  if (named) choose();
  if (!clients) return fail(std::move(clients).error());
  CUTLINE_TRY_ASSIGN(const Fetched fetched,
                     fetch_offer(request.source, named ? std::function<void()>() : choose));
  if (!clients) return fail(std::move(clients).error());
  if (fetched.interrupted_by != 0) return kSignalExit + fetched.interrupted_by;

  report::Check check;
  check.program_version = kProgramVersion;
  check.server = configured_name(request.clients.server_name, request.source, fetched.offer);
  check.offer = &fetched.offer;
  check.draft = request.source.draft_file.has_value();
  check.situation = request.clients.situation;
  if (fetched.offer.outcome == mcp::Outcome::kServes) {
    const delivery::Configured server = {.name = check.server, .offer = &fetched.offer};
    for (const Chosen& client : *clients) {
      CUTLINE_TRY_ASSIGN(report::CheckedClient checked,
                         check_client(client, check.situation, {&server, 1}));
      check.clients.push_back(std::move(checked));
    }
  }
  const auto render = [&](Format format, const report::Style& style, const json::Sink& sink) {
    return format == Format::kJson ? report::check_json(check, sink)
                                   : report::check_text(check, style, request.details);
  };
  // A file that cannot be written takes neither the result nor the other files with it.
  Result<void> shown = deliver_output(request.output, render);
  CUTLINE_TRY(save_offer(request.source, fetched.offer));
  CUTLINE_TRY(std::move(shown));
  return report::exit_code(check);
}

}  // namespace cutline::cli
