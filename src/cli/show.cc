// show.cc: `cutline show`: exactly what the model gets of one piece.
#include "report/show.h"

#include <cstdio>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "report/check_text.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

constexpr int kServerFailed = 3;

void tell(const std::string& lines) { std::fwrite(lines.data(), 1, lines.size(), stderr); }

/// Is a server's name one to suggest? Not if it is empty, or has what a terminal must not see.
bool can_be_typed(const std::string& name) {
  return !name.empty() && text::sanitise_line(name) == name;
}

Result<const delivery::Delivered*> find_piece(const delivery::Delivery& delivery,
                                              const std::string& server, const std::string& tool) {
  const delivery::Delivered* piece =
      tool.empty() ? delivery.instructions(server) : delivery.tool(server, tool);
  if (piece) return piece;
  std::vector<std::string> names;
  for (const delivery::Delivered& other : delivery.pieces)
    if (other.piece.kind == delivery::PieceId::Kind::kTool && can_be_typed(other.piece.tool))
      names.push_back(other.piece.tool);
  const std::optional<std::string> near = nearest(tool, names);
  return fail({.code = "cli.tool",
               .message = fmt::format("the server has no tool '{}'", tool),
               .place = "--what",
               .hint = near            ? fmt::format("did you mean '{}'?", *near)
                       : names.empty() ? std::string("it has none that could be named")
                                       : "it has " + report::some_of(names, 5)});
}

/// What stands beside the result: on a terminal, what is shown; anywhere, why there is nothing, and
/// which switches do nothing.
void comment(const Chosen& chosen, const ShowRequest& request, const delivery::Delivery& delivery,
             const delivery::Delivered& piece, bool on_terminal) {
  const report::Style style = style_of(Stream::kError, request.output.color);
  auto notes =
      delivery::check_switches(chosen.profile, delivery.version, request.clients.situation);
  for (const delivery::SwitchNote& note : notes.value_or(std::vector<delivery::SwitchNote>{})) {
    if (note.ignored)
      tell(report::paragraph({"! "}, report::safe(note.says, 400), style, report::Ink::kWarning));
  }
  if (on_terminal || !piece.arrives())
    tell(report::show_heading(chosen.profile, delivery, piece, style));
}

}  // namespace

Result<int> run_show(const ShowRequest& request) {
  CUTLINE_TRY_ASSIGN(const std::vector<Chosen> clients, choose_clients(request.clients));
  const Chosen& chosen = clients.front();
  CUTLINE_TRY_ASSIGN(const Fetched fetched, fetch_offer(request.source));
  if (fetched.interrupted_by != 0) return kSignalExit + fetched.interrupted_by;
  if (fetched.offer.outcome != mcp::Outcome::kServes) {
    report::Check check;
    check.offer = &fetched.offer;
    tell(report::check_text(check, style_of(Stream::kError, request.output.color), false));
    CUTLINE_TRY(save_offer(request.source, fetched.offer));
    return kServerFailed;
  }
  const delivery::Configured server = {
      .name = configured_name(request.clients.server_name, request.source, fetched.offer),
      .offer = &fetched.offer};
  const delivery::Delivery delivery =
      delivery::deliver(chosen.profile, version_of(chosen.profile, chosen.wishes.front()),
                        request.clients.situation, {&server, 1});
  CUTLINE_TRY_ASSIGN(const delivery::Delivered* piece,
                     find_piece(delivery, server.name, request.tool));
  const bool on_terminal = is_terminal(Stream::kOutput);
  comment(chosen, request, delivery, *piece, on_terminal);
  CUTLINE_TRY(print(on_terminal
                        ? report::show_screen(*piece, request.shown,
                                              style_of(Stream::kOutput, request.output.color))
                        : report::show_bytes(*piece, request.shown)));
  CUTLINE_TRY(save_offer(request.source, fetched.offer));
  return 0;
}

}  // namespace cutline::cli
