// difference_words.cc: wording of arrivals, places and texts that differ.
#include "delivery/difference_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace cutline::delivery {

std::string piece_title(const PieceId& piece) {
  return piece.kind == PieceId::Kind::kInstructions
             ? fmt::format("instructions of {}", piece.server)
             : fmt::format("tool {} of {}", piece.tool, piece.server);
}

std::string arrival_words(const Delivered& piece) {
  std::string words(name(piece.state));
  if (piece.state == State::kInRequest) words += fmt::format(" {}", piece.request);
  if (piece.state == State::kNever && !piece.reason.empty())
    words += fmt::format(" ({})", piece.reason);
  return words;
}

std::string place_words(const Placement& place) {
  std::string words = place.role;
  if (!place.path.empty()) words += ", " + place.path;
  if (!place.form.empty()) words += fmt::format(" ({})", place.form);
  return words;
}

std::size_t first_difference(std::string_view a, std::string_view b) {
  const auto [differs, unused] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(differs - a.begin());
}

std::string context_words(std::string_view text, std::size_t at) {
  constexpr std::size_t kContextBytes = 30;
  std::size_t begin = at - std::min(at, kContextBytes);
  std::size_t end = std::min(text.size(), at + kContextBytes);
  while (begin > 0 && !text::is_character_boundary(text, {begin})) --begin;
  while (end < text.size() && !text::is_character_boundary(text, {end})) ++end;
  return fmt::format("{}{}{}", begin > 0 ? "…" : "", text.substr(begin, end - begin),
                     end < text.size() ? "…" : "");
}

std::string text_words(std::string_view text, std::size_t at) {
  return fmt::format("{} bytes, from byte {} on: {}", text.size(), at, context_words(text, at));
}

std::string second_way_words(const SecondWay& way, std::size_t at) {
  const std::string says(name(way.says));
  return way.says == SecondWay::Says::kHead ? says + ", " + text_words(way.text, at) : says;
}

}  // namespace cutline::delivery
