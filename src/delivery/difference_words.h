// difference_words.h: how two deliveries that differ are told apart, in words. Internal to this
// room; the words hold a server's text as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "delivery/delivery.h"

namespace cutline::delivery {

/// "instructions of srv", "tool find of srv".
std::string piece_title(const PieceId& piece);
/// "at-start", "in-request 2", "never (the reason)".
std::string arrival_words(const Delivered& piece);
/// "system-role-message, messages[1].content (blocks)"
std::string place_words(const Placement& place);
/// "name", "head, 160 bytes, from byte 40 on: …"
std::string second_way_words(const SecondWay& way, std::size_t at);

/// The first byte that is not the same; the shorter length if one begins with the other.
std::size_t first_difference(std::string_view a, std::string_view b);
/// What stands around a byte.
std::string context_words(std::string_view text, std::size_t at);
/// "2063 bytes, from byte 2048 on: …"
std::string text_words(std::string_view text, std::size_t at);

}  // namespace cutline::delivery
