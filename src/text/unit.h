// unit.h: the four units in which clients count text, and offsets in each of them.
//
// Everything in this room works on valid UTF-8 (utf8.h makes it so) and counts what a client would
// count: JavaScript clients count UTF-16 code units, Rust ones code points or bytes, a few grapheme
// clusters (Unicode Annex 29, as ICU segments them).
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>

namespace cutline::text {

enum class Unit { kUtf16, kCodePoints, kBytes, kGraphemes };

/// The names in profiles and JSON: "utf16", "code_points", "bytes", "grapheme_clusters".
std::string_view name(Unit unit);
std::optional<Unit> unit_named(std::string_view name);
/// For people: "UTF-16 units", "code points", "bytes", "grapheme clusters".
std::string_view noun(Unit unit);

/// One distinct type per unit, so that no offset is ever taken for another.
template <Unit U>
struct Offset {
  std::size_t value = 0;
  auto operator<=>(const Offset&) const = default;
};
using ByteOffset = Offset<Unit::kBytes>;
using Utf16Offset = Offset<Unit::kUtf16>;
using CodePointOffset = Offset<Unit::kCodePoints>;
using GraphemeOffset = Offset<Unit::kGraphemes>;

/// The same place in all units (graphemes are costly and asked for separately).
struct Place {
  ByteOffset bytes;
  CodePointOffset code_points;
  Utf16Offset utf16;
  bool operator==(const Place&) const = default;
};

/// Lengths of a whole text in the cheap units: the place of its end.
Place measure(std::string_view utf8);

/// The length in any unit. Linear; grapheme clusters go through ICU.
std::size_t length(std::string_view utf8, Unit unit);

/// Does no character go across `at`?
bool is_character_boundary(std::string_view utf8, ByteOffset at);

/// The place at a byte offset, which must be a character boundary of `utf8`.
Place place_at(std::string_view utf8, ByteOffset at);

/// Number of grapheme clusters that end at or before `at`, a character boundary.
GraphemeOffset grapheme_offset(std::string_view utf8, ByteOffset at);

/// Does no grapheme cluster go across `at`, a character boundary? Looks no further to either side
/// than it takes to know; both ends of a text are boundaries.
bool is_grapheme_boundary(std::string_view utf8, ByteOffset at);

/// The byte offset of the largest whole prefix of at most `size` units that ends on a character
/// boundary (a surrogate pair or a UTF-8 sequence is never split). Reads no further than needed.
ByteOffset prefix(std::string_view utf8, Unit unit, std::size_t size);

}  // namespace cutline::text
