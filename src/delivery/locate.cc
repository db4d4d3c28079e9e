// locate.cc: what instructions and tools have in common where they are looked for.
#include "delivery/locate.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/locating.h"

namespace cutline::delivery {

HeadFinder::HeadFinder(std::string_view text, std::size_t longest)
    : text_(text.substr(
          0, std::min<std::size_t>(longest + 1, std::numeric_limits<std::uint32_t>::max()))) {
  border_.resize(text_.size() + 1);
  std::uint32_t border = 0;
  for (std::size_t i = 1; i < text_.size(); ++i) {
    while (border > 0 && text_[i] != text_[border]) border = border_[border];
    if (text_[i] == text_[border]) ++border;
    border_[i + 1] = border;
  }
}

std::vector<Spot> spots_of(std::span<const llm::Request> requests) {
  constexpr std::string_view kText = ".text";
  std::vector<Spot> spots;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (const llm::Part& part : requests[i].parts) {
      std::string path = part.path;
      if (path.ends_with(kText)) path.resize(path.size() - kText.size());
      spots.push_back({.request = i,
                       .role = part.role,
                       .text = part.text,
                       .path = std::move(path),
                       .turn = part.turn});
    }
    for (const llm::Tool& tool : requests[i].tools) {
      spots.push_back({.request = i,
                       .role = llm::Role::kTool,
                       .text = tool.description,
                       .path = tool.path + ".description",
                       .turn = 0});
    }
  }
  return spots;
}

bool same_place(const Spot& a, const Spot& b) {
  const auto within = [](std::string_view inner, std::string_view outer) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '[');
  };
  return a.role == b.role && a.turn == b.turn && (within(a.path, b.path) || within(b.path, a.path));
}

std::string role_word(llm::Role role, bool in_reminder) {
  switch (role) {
    case llm::Role::kSystem:
      return "system";
    case llm::Role::kSystemMessage:
      return "system-role-message";
    case llm::Role::kDeveloper:
      return "developer-message";
    case llm::Role::kNamespace:
      return "tool-namespace-description";
    case llm::Role::kUser:
      return in_reminder ? "user-reminder" : "user-message";
    case llm::Role::kTool:
      return "tools";
    case llm::Role::kToolResult:
      return in_reminder ? "tool-result-reminder" : "tool-result";
    case llm::Role::kAssistant:
      return std::string(llm::name(role));
  }
  return {};
}

std::vector<std::string> known_markers(const Behaviour& behaviour) {
  std::vector<std::string> markers;
  for (const char* fact :
       {"instructions.budget", "tool.preloaded.budget", "tool.deferred.budget"}) {
    for (const config::Node* value : behaviour.values_anywhere(fact)) {
      const config::Node* marker =
          value->kind == config::Kind::kTable ? value->find("marker") : nullptr;
      if (marker && !marker->string.empty() &&
          std::ranges::find(markers, marker->string) == markers.end())
        markers.push_back(marker->string);
    }
  }
  return markers;
}

void put_arrived(Delivered& piece, const Delivered& predicted, Arrived arrived) {
  piece.kept = piece.original.substr(0, arrived.kept);
  piece.marker = std::move(arrived.marker);
  piece.changed = std::move(arrived.changed);
  const bool whole = arrived.kept == piece.original.size() && piece.changed.empty();
  if (!whole) {
    piece.cut = text::cut(piece.original, piece.whole,
                          {.size = arrived.kept,
                           .unit = text::Unit::kBytes,
                           .marker = {},
                           .marker_inside = false,
                           .first_line_only = false});
    if (piece.cut) piece.cut->marker = !piece.marker.empty();
  }
  const bool as_predicted = predicted.arrives() && predicted.original == piece.original &&
                            predicted.kept == piece.kept && predicted.marker == piece.marker &&
                            piece.changed.empty();
  if (!as_predicted) return;
  piece.budget = predicted.budget;
  piece.cut = predicted.cut;
}

Delivered not_arrived(const Delivered& predicted) {
  static const auto kNoFacts = std::make_shared<const std::vector<Found>>();
  Delivered piece;
  piece.piece = predicted.piece;
  piece.channel = predicted.channel;
  piece.state = State::kNever;
  piece.era = predicted.era;
  piece.original = predicted.original;
  piece.rewriting = predicted.rewriting;
  piece.whole = predicted.whole;
  piece.because = kNoFacts;
  return piece;
}

void put_missing(Delivered& piece, const Delivered& predicted, std::size_t requests) {
  const std::string looked = count(requests, "request");
  if (requests == 0 || (predicted.arrives() && predicted.request > requests)) {
    piece.state = State::kUnknown;
    piece.reason = requests == 0 ? "no request of the client was captured"
                                 : fmt::format("expected in request {}, and the client made {}",
                                               predicted.request, looked);
    return;
  }
  piece.never = Never::kNotDelivered;
  piece.reason = fmt::format("in none of the client's requests ({})", looked);
}

Delivery locate(const Profile& profile, const Version& version, const Situation& situation,
                const Captured& captured) {
  const Behaviour behaviour(profile, version, situation);
  const Delivery predicted = deliver(profile, version, situation, captured.servers);
  Delivery delivery;
  delivery.client = profile.id;
  delivery.version = version;
  delivery.origin = Origin::kMeasured;
  locate_instructions(behaviour, predicted, captured, delivery);
  locate_tools(behaviour, predicted, captured, delivery);
  locate_second_ways(behaviour, predicted, captured, delivery);
  return delivery;
}

}  // namespace cutline::delivery
