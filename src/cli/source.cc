// source.cc: where offers come from.
#include "cli/source.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "mcp/offer_json.h"
#include "run/audit.h"
#include "sys/files.h"

namespace cutline::cli {
namespace {

constexpr std::size_t kOfferBytesMax = std::size_t{1} << 30;

Result<Fetched> ask_server(const Source& source, const std::function<void()>& meanwhile) {
  const Notice notice(fmt::format("Asking {} …", fmt::join(source.command.argv, " ")));
  run::AuditOptions options;
  options.interview = source.interview;
  options.meanwhile = meanwhile;
  CUTLINE_TRY_ASSIGN(run::Audit audit, run::audit(source.command, options));
  return Fetched{.offer = std::move(audit.offer), .interrupted_by = audit.interrupted_by};
}

}  // namespace

Result<Fetched> fetch_offer(const Source& source, const std::function<void()>& meanwhile) {
  const bool is_server = !source.offer_file && !source.draft_file;
  if (is_server) return ask_server(source, meanwhile);
  if (meanwhile) meanwhile();
  if (source.offer_file) {
    CUTLINE_TRY_ASSIGN(const std::string bytes, sys::read_file(*source.offer_file, kOfferBytesMax));
    CUTLINE_TRY_ASSIGN(mcp::Offer offer, mcp::read_offer(bytes, *source.offer_file));
    return Fetched{.offer = std::move(offer)};
  }
  CUTLINE_TRY_ASSIGN(std::string bytes, sys::read_file(*source.draft_file, kOfferBytesMax));
  return Fetched{.offer = mcp::draft_offer(std::move(bytes))};
}

Result<void> save_offer(const Source& source, const mcp::Offer& offer) {
  if (!source.save_offer) return {};
  return sys::write_file(*source.save_offer, mcp::write_offer(offer));
}

std::string configured_name(const std::optional<std::string>& given, const Source& source,
                            const mcp::Offer& offer) {
  if (given) return *given;
  const mcp::EraOffer* era = offer.any();
  if (era && !era->server.name.empty()) return era->server.name;
  return source.draft_file ? "draft" : "server";
}

}  // namespace cutline::cli
