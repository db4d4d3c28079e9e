// delivery.cc: what can be said of a delivery however it came about.
#include "delivery/delivery.h"

#include <algorithm>
#include <array>

namespace cutline::delivery {
namespace {

std::size_t in_unit(const text::Place& place, std::string_view text, text::Unit unit) {
  switch (unit) {
    case text::Unit::kUtf16:
      return place.utf16.value;
    case text::Unit::kCodePoints:
      return place.code_points.value;
    case text::Unit::kBytes:
      return place.bytes.value;
    case text::Unit::kGraphemes:
      return text::length(text, unit);
  }
  return 0;
}

const Delivered* find(const std::vector<Delivered>& pieces, PieceId::Kind kind,
                      std::string_view server, std::string_view tool) {
  const auto found = std::ranges::find_if(pieces, [&](const Delivered& piece) {
    return piece.piece.kind == kind && piece.piece.server == server && piece.piece.tool == tool;
  });
  return found == pieces.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name(Channel channel) {
  constexpr std::array<std::string_view, 3> kNames = {"instructions", "preloaded-tool",
                                                      "deferred-tool"};
  return kNames[static_cast<std::size_t>(channel)];
}

std::string_view name(State state) {
  constexpr std::array<std::string_view, 6> kNames = {
      "at-start", "in-request", "deferred", "at-start-or-deferred", "never", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name(Never never) {
  constexpr std::array<std::string_view, 13> kNames = {"no",
                                                       "not-offered",
                                                       "empty",
                                                       "not-delivered",
                                                       "other-era",
                                                       "connection-fails",
                                                       "too-late",
                                                       "name-refused",
                                                       "name-collides",
                                                       "too-many-tools",
                                                       "schema-refused",
                                                       "withheld",
                                                       "no-tools"};
  return kNames[static_cast<std::size_t>(never)];
}

std::string_view name(SecondWay::Says says) {
  constexpr std::array<std::string_view, 4> kNames = {"nothing", "name", "head", "whole"};
  return kNames[static_cast<std::size_t>(says)];
}

std::string Delivered::text() const {
  if (!arrives()) return {};
  return (changed.empty() ? std::string(kept) : changed) + marker;
}

std::size_t Delivered::whole_units() const {
  return in_unit(whole, original, budget ? budget->unit : text::Unit::kUtf16);
}

std::size_t Delivered::kept_units() const {
  if (!arrives()) return 0;
  if (!cut) return whole_units();
  return in_unit(cut->at, kept, budget ? budget->unit : text::Unit::kUtf16);
}

std::size_t Delivered::lost_units() const { return whole_units() - kept_units(); }

const Delivered* Delivery::instructions(std::string_view server) const {
  return find(pieces, PieceId::Kind::kInstructions, server, {});
}

const Delivered* Delivery::tool(std::string_view server, std::string_view tool) const {
  return find(pieces, PieceId::Kind::kTool, server, tool);
}

std::string instructions_block(const Delivery& delivery) {
  std::string block, closing;
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind != PieceId::Kind::kInstructions || piece.state != State::kAtStart)
      continue;
    if (block.empty()) block = piece.frame.opening;
    block += piece.frame.before + piece.text() + piece.frame.after;
    closing = piece.frame.closing;
  }
  return block + closing;
}

}  // namespace cutline::delivery
