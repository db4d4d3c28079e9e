// agreement.cc: one question for each kind of evidence.
#include "run/agreement.h"

#include <algorithm>

#include "llm/ideal_reader.h"

namespace cutline::run {
namespace {

/// An ideal reader of nothing but what arrived says the same as one of the whole request, unless
/// our texts stand elsewhere, too.
bool reader_agrees(const Evaluation& evaluation) {
  llm::Request arrived;
  for (const delivery::Delivered& piece : evaluation.measured.pieces) {
    if (!piece.arrives()) continue;
    if (piece.piece.kind == delivery::PieceId::Kind::kInstructions) {
      arrived.parts.push_back({.role = llm::Role::kSystem, .path = {}, .text = piece.text()});
    } else {
      llm::Tool tool;
      tool.name = piece.full_name;
      tool.description = piece.text();
      arrived.tools.push_back(std::move(tool));
    }
  }
  return llm::ideal_answer(arrived) == evaluation.conversed.back().ideal_answer;
}

std::optional<bool> transcript_agrees(const Evaluation& evaluation) {
  const bool any = std::ranges::any_of(evaluation.servers, [](const ServerEvidence& server) {
    return server.told.transcript_text.has_value();
  });
  const bool all = std::ranges::all_of(evaluation.servers, &ServerEvidence::transcript_agrees);
  return any || all ? std::optional(all) : std::nullopt;
}

/// The debug log speaks of a cut where there is one, and of the era that the server saw.
std::optional<bool> debug_log_agrees(const Evaluation& evaluation) {
  std::optional<bool> agrees;
  for (const ServerEvidence& server : evaluation.servers) {
    if (server.told.debug_era.empty()) continue;
    const delivery::Delivered* piece = evaluation.measured.instructions(server.name);
    const bool era =
        server.handshake.era && mcp::name(*server.handshake.era) == server.told.debug_era;
    const bool cut = piece && piece->cut.has_value();
    agrees =
        agrees.value_or(true) && era && (cut == server.told.debug_log_tells || !piece->arrives());
  }
  return agrees;
}

/// What arrived begins with what the server sent in the answer that the client went on with.
bool server_log_agrees(const Evaluation& evaluation) {
  return std::ranges::all_of(evaluation.measured.pieces, [&](const delivery::Delivered& piece) {
    if (piece.piece.kind != delivery::PieceId::Kind::kInstructions || !piece.arrives()) return true;
    const auto server =
        std::ranges::find(evaluation.servers, piece.piece.server, &ServerEvidence::name);
    if (server == evaluation.servers.end() || !server->handshake.era) return false;
    const mcp::EraOffer* answer = server->offer.era(*server->handshake.era);
    return answer && answer->instructions && answer->instructions->value.starts_with(piece.kept);
  });
}

}  // namespace

Agreement agreement_of(const Evaluation& evaluation) {
  return {.ideal_reader = reader_agrees(evaluation),
          .transcript = transcript_agrees(evaluation),
          .debug_log = debug_log_agrees(evaluation),
          .server_log = server_log_agrees(evaluation)};
}

}  // namespace cutline::run
