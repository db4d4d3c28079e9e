// share.cc: one limit for the texts of all servers together (the fact instructions.shared).
//
// The room that names and frames leave is dealt out one character at a time, to each text in turn
// and in the order of the servers, until every text is whole or nothing fits any more. What a text
// got in bytes is what the client then cuts it to, its marker among them; so a text of three bytes
// a character, which got as many characters as its neighbours, keeps a few more than they do. A
// text that got less than a marker is left out, and only the server's name stands there.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/behaviour.h"
#include "text/character.h"

namespace cutline::delivery {
namespace {

constexpr std::string_view kFact = "instructions.shared";

/// One text on its way, as it would be without the others.
struct Taker {
  Delivered* piece = nullptr;  // null: the client's own text, of which only the length is known
  std::string text;
  std::size_t got = 0;  // bytes
  bool open = true;
};

bool takes_part(const Delivered& piece) { return piece.state == State::kAtStart; }

std::size_t frame_bytes(const Delivered& piece) {
  return piece.frame.before.size() + piece.frame.after.size();
}

/// Not known for lack of time alone: it may stand in the list.
bool may_take_part(const Delivered& piece) {
  return piece.state == State::kUnknown && !piece.frame.before.empty();
}

/// Of such a text, were it in time.
std::size_t text_bytes(const Delivered& piece, const std::optional<text::Budget>& budget) {
  return text::delivered(piece.original,
                         budget ? text::cut(piece.original, piece.whole, *budget) : std::nullopt,
                         budget.value_or(text::Budget{}))
      .size();
}

/// The bytes that are spent before any text.
std::size_t spent(const Behaviour& behaviour, const std::vector<Delivered>& pieces) {
  std::size_t bytes = static_cast<std::size_t>(behaviour.integer(kFact, "beside").value_or(0));
  const auto first = std::ranges::find_if(pieces, takes_part);
  if (first != pieces.end()) bytes += first->frame.opening.size();
  for (const Delivered& piece : pieces)
    if (takes_part(piece)) bytes += frame_bytes(piece);
  return bytes;
}

/// The servers' texts in their order, then the client's own.
std::vector<Taker> takers_of(const Behaviour& behaviour, std::vector<Delivered>& pieces) {
  std::vector<Taker> takers;
  for (Delivered& piece : pieces)
    if (takes_part(piece)) takers.push_back({.piece = &piece, .text = piece.text()});
  const auto own = static_cast<std::size_t>(behaviour.integer(kFact, "own_text").value_or(0));
  takers.push_back({.text = std::string(own, ' ')});
  return takers;
}

/// Whether it could take one more character.
bool take(Taker& taker, std::size_t& room) {
  if (taker.got == taker.text.size()) return false;
  const std::size_t bytes = text::character_at(taker.text, taker.got).end - taker.got;
  if (bytes > room) return false;
  taker.got += bytes;
  room -= bytes;
  return true;
}

/// Would there be too little room if those came in time, too, of which that is not known?
bool may_be_crowded(const Behaviour& behaviour, const std::vector<Delivered>& pieces,
                    const std::vector<Taker>& takers, std::size_t room) {
  if (std::ranges::none_of(pieces, may_take_part)) return false;
  const std::optional<text::Budget> budget = budget_of(behaviour, Channel::kInstructions).budget;
  std::size_t bytes = 0;
  for (const Taker& taker : takers) bytes += taker.text.size();
  for (const Delivered& piece : pieces)
    if (may_take_part(piece)) bytes += frame_bytes(piece) + text_bytes(piece, budget);
  return bytes > room;
}

void deal(std::vector<Taker>& takers, std::size_t room) {
  for (bool any = true; any;) {
    any = false;
    for (Taker& taker : takers) {
      taker.open = taker.open && take(taker, room);
      any = any || taker.open;
    }
  }
}

void cut_to(Delivered& piece, std::size_t bytes, const std::string& says) {
  text::Budget budget = piece.budget.value_or(text::Budget{});
  budget.size = bytes;
  budget.unit = text::Unit::kBytes;
  if (bytes < budget.marker.size()) {
    piece.state = State::kNever;
    piece.never = Never::kNotDelivered;
    piece.reason = says + ", which leaves nothing for it";
    piece.kept = {};
    piece.marker.clear();
    piece.cut.reset();
    return;
  }
  piece.budget = std::move(budget);
  piece.cut = text::cut(piece.original, piece.whole, *piece.budget);
  if (!piece.cut) return;
  piece.kept = piece.original.substr(0, piece.cut->at.bytes.value);
  piece.marker = piece.cut->marker ? piece.budget->marker : "";
}

void doubt_all(std::vector<Delivered>& pieces, const std::string& reason) {
  for (Delivered& piece : pieces) {
    if (!takes_part(piece)) continue;
    piece.state = State::kUnknown;
    piece.reason = reason;
    piece.kept = {};
    piece.cut.reset();
    piece.marker.clear();
  }
}

}  // namespace

void share_room(const Behaviour& behaviour, std::vector<Delivered>& pieces) {
  const std::optional<std::int64_t> size = behaviour.integer(kFact, "size");
  if (!size || std::ranges::none_of(pieces, takes_part)) return;
  const std::size_t limit = static_cast<std::size_t>(*size);
  const std::size_t already = spent(behaviour, pieces);
  const std::string says =
      fmt::format("{} share {} bytes", count(pieces.size(), "server"), with_separators(*size));
  if (already > limit) {
    doubt_all(pieces, says +
                          ", and their names alone are too long for that; what becomes of the "
                          "texts is not known");
    return;
  }
  std::vector<Taker> takers = takers_of(behaviour, pieces);
  if (may_be_crowded(behaviour, pieces, takers, limit - already)) {
    doubt_all(pieces, says +
                          ", and whether all of them are in time for the first request is not "
                          "known");
    return;
  }
  deal(takers, limit - already);
  auto because = std::make_shared<std::vector<Found>>(*takers.front().piece->because);
  because->push_back(behaviour.fact(kFact));
  for (const Taker& taker : takers) {
    if (!taker.piece || taker.got == taker.text.size()) continue;
    cut_to(*taker.piece, taker.got, says);
    taker.piece->because = because;
  }
}

}  // namespace cutline::delivery
