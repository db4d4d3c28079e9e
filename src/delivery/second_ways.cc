// second_ways.cc: texts that the model meets twice.
//
// Of a tool that is deferred some clients tell the name at the start, some the head of the
// description, too (the fact tool.announced). Instructions that are cut at the start may come whole
// with the result of a search (instructions.searched).
#include <cstdint>

#include <fmt/format.h>

#include "delivery/behaviour.h"
#include "json/writer.h"
#include "text/character.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

constexpr std::string_view kAnnounced = "tool.announced";
constexpr std::string_view kSearched = "instructions.searched";

Placement place_of(const Behaviour& behaviour, std::string_view fact) {
  return {.role = std::string(behaviour.text(fact, "role")),
          .path = std::string(behaviour.text(fact, "path")),
          .form = {}};
}

/// In a string of JSON, without the quotes around it.
std::string quoted(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out.substr(1, out.size() - 2);
}

/// JavaScript cuts a character of two units in half, and its JSON escapes the half that stays.
std::string half_escaped(std::string_view line, const text::Cut& cut) {
  if (!cut.pair_protected) return {};
  const auto value = static_cast<std::uint32_t>(text::character_at(line, cut.at.bytes.value).value);
  return fmt::format("\\u{:04x}", 0xD800 + ((value - 0x10000) >> 10));
}

/// The first line of a description as it is told: trimmed, cut, quoted.
void put_first_line(const Behaviour& behaviour, SecondWay& way, std::string_view description) {
  const std::string_view line = text::trimmed(description.substr(0, description.find('\n')));
  std::string_view kept = line;
  std::string marker;
  const bool in_json = behaviour.truth(kAnnounced, "quoted").value_or(false);
  if (const auto size = behaviour.integer(kAnnounced, "size")) {
    const text::Budget budget = {
        .size = static_cast<std::size_t>(*size),
        .unit = text::unit_named(behaviour.text(kAnnounced, "unit")).value_or(text::Unit::kUtf16),
        .marker = std::string(behaviour.text(kAnnounced, "marker")),
        .marker_inside = true,
        .first_line_only = false};
    if (const auto cut = text::cut(line, text::measure(line), budget)) {
      kept = line.substr(0, cut->at.bytes.value);
      marker = (in_json ? half_escaped(line, *cut) : "") + budget.marker;
    }
  }
  way.units = text::measure(kept).utf16.value;
  way.text = text::replaced((in_json ? quoted(kept) : std::string(kept)) + marker,
                            behaviour.text(kAnnounced, "what"), behaviour.text(kAnnounced, "with"));
}

std::optional<SecondWay> announcement(const Behaviour& behaviour, const Delivered& tool) {
  const std::string_view says = behaviour.text(kAnnounced, "says");
  if (says.empty()) return std::nullopt;
  SecondWay way;
  if (says == "nothing") return way;
  way.says = says == "name" ? SecondWay::Says::kName : SecondWay::Says::kHead;
  way.where = place_of(behaviour, kAnnounced);
  way.before = announced_before(behaviour, tool.full_name);
  way.after = behaviour.text(kAnnounced, "after");
  if (way.says == SecondWay::Says::kHead) put_first_line(behaviour, way, tool.original);
  return way;
}

std::optional<SecondWay> found_by_search(const Behaviour& behaviour) {
  if (!behaviour.value(kSearched)) return std::nullopt;
  SecondWay way;
  way.says = SecondWay::Says::kWhole;
  way.state = State::kDeferred;
  way.where = place_of(behaviour, kSearched);
  return way;
}

}  // namespace

std::string announced_before(const Behaviour& behaviour, std::string_view full_name) {
  return text::replaced(behaviour.text(kAnnounced, "before"), "{name}", full_name);
}

void add_second_ways(const Behaviour& behaviour, Delivery& delivery) {
  bool more = false;
  for (Delivered& piece : delivery.pieces) {
    const bool tool = piece.piece.kind == PieceId::Kind::kTool;
    // A server that comes later is announced otherwise.
    if (tool && piece.state == State::kDeferred && piece.request == 1)
      piece.also = announcement(behaviour, piece);
    if (tool || (piece.state != State::kAtStart && piece.state != State::kInRequest)) continue;
    piece.also = found_by_search(behaviour);
    more = more || (piece.also && piece.cut);
  }
  if (more)
    delivery.notes.emplace_back(
        "once the model searches for tools, it gets the instructions whole");
}

}  // namespace cutline::delivery
