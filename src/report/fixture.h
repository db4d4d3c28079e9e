// fixture.h: for the tests of this room: a check made by hand, without a profile file or a server.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "report/check.h"
#include "text/cut.h"

namespace cutline::report {

inline Version version(std::string_view text) { return Version::parse(text).value(); }

inline text::Budget budget_of(std::size_t size, text::Unit unit = text::Unit::kUtf16) {
  return {.size = size, .unit = unit, .marker = "… [truncated]"};
}

/// A delivered text, cut as the budget says. `text` must outlive it.
inline delivery::Delivered piece_of(std::string_view text, std::optional<text::Budget> budget) {
  delivery::Delivered piece;
  piece.piece.server = "srv";
  piece.state = delivery::State::kAtStart;
  piece.original = piece.kept = text;
  piece.whole = text::measure(text);
  piece.budget = std::move(budget);
  if (piece.budget) piece.cut = text::cut(text, piece.whole, *piece.budget);
  if (piece.cut) {
    piece.kept = text.substr(0, piece.cut->at.bytes.value);
    piece.marker = piece.budget->marker;
  }
  return piece;
}

inline delivery::Delivered instructions_of(std::string_view text,
                                           std::optional<text::Budget> budget,
                                           std::string role = "system") {
  delivery::Delivered piece = piece_of(text, std::move(budget));
  piece.where.role = std::move(role);
  piece.era = mcp::Era::kLegacy;
  return piece;
}

inline delivery::Delivered tool_of(std::string name, std::string_view text,
                                   std::optional<text::Budget> budget,
                                   delivery::Channel channel = delivery::Channel::kPreloadedTool) {
  delivery::Delivered piece = piece_of(text, std::move(budget));
  piece.piece.kind = delivery::PieceId::Kind::kTool;
  piece.full_name = "mcp__srv__" + name;
  piece.piece.tool = std::move(name);
  piece.channel = channel;
  if (channel == delivery::Channel::kDeferredTool) piece.state = delivery::State::kDeferred;
  return piece;
}

/// Makes a piece one that never arrives.
inline delivery::Delivered never(delivery::Delivered piece, delivery::Never why,
                                 std::string reason = {}) {
  piece.state = delivery::State::kNever;
  piece.never = why;
  piece.reason = std::move(reason);
  piece.kept = {};
  piece.cut.reset();
  return piece;
}

inline delivery::Evidence evidence(delivery::EvidenceKind kind, std::string date,
                                   std::string how = {}, std::string versions = {},
                                   std::string url = {}, std::string says = {}) {
  return {kind,           std::move(date),     std::move(how),
          std::move(url), std::move(versions), std::move(says)};
}

/// A legacy server "srv 1.0" with the texts given, and a client "Some Client" 1.0.0 to 3.0.0.
class Fixture {
 public:
  explicit Fixture(std::optional<std::string> instructions,
                   std::vector<std::pair<std::string, std::string>> tools = {}) {
    mcp::EraOffer era;
    era.protocol_version = "2025-11-25";
    era.server = {.name = "srv", .version = "1.0", .title = {}};
    if (instructions) era.instructions = mcp::server_text(*instructions);
    for (auto& [name, description] : tools) {
      mcp::Tool tool;
      tool.name = name;
      tool.description = mcp::server_text(description);
      era.tools.push_back(std::move(tool));
    }
    offer_.command = {"node", "server.js"};
    offer_.outcome = mcp::Outcome::kServes;
    offer_.legacy = std::move(era);
    offer_.probe = {.answer = mcp::ProbeAnswer::kError,
                    .error_code = -32601,
                    .versions = {},
                    .elapsed = mcp::Milliseconds(3)};
    offer_.times = {.first_answer = mcp::Milliseconds(812),
                    .probe = {},
                    .handshake = mcp::Milliseconds(817),
                    .lists = mcp::Milliseconds(826),
                    .process_starts = 1};
    profile_.id = "some-client";
    profile_.title = "Some Client";
    profile_.package = "@some/client";
    profile_.first = version("1.0.0");
    profile_.last = version("3.0.0");
    profile_.measured_on = "2026-12-01";
    client_.profile = &profile_;
    check_.program_version = "0.1.0";
    check_.server = "srv";
    check_.offer = &offer_;
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
  ~Fixture() = default;

  CheckedGroup& add_group(std::string_view from, std::string_view to,
                          std::vector<delivery::Delivered> pieces, Held held = Held::kNone) {
    CheckedGroup group;
    group.group = {.from = version(from), .to = version(to), .extrapolated = false, .delivery = {}};
    group.group.delivery.client = profile_.id;
    group.group.delivery.version = version(to);
    group.group.delivery.handshake = "initialize";
    group.group.delivery.pieces = std::move(pieces);
    group.held = held;
    group.adjoins = !client_.groups.empty();
    client_.groups.push_back(std::move(group));
    return client_.groups.back();
  }

  std::string_view instructions() const { return offer_.legacy->instructions->value; }
  std::string_view description(std::size_t tool) const {
    return offer_.legacy->tools[tool].description->value;
  }

  mcp::Offer& offer() { return offer_; }
  delivery::Profile& profile() { return profile_; }
  CheckedClient& client() { return client_; }
  delivery::Situation& situation() { return check_.situation; }

  /// The check with its one client (with none if the server does not serve).
  const Check& check() {
    check_.clients.clear();
    if (offer_.outcome == mcp::Outcome::kServes) check_.clients.push_back(client_);
    return check_;
  }

 private:
  mcp::Offer offer_;
  delivery::Profile profile_;
  CheckedClient client_;
  Check check_;
};

}  // namespace cutline::report
