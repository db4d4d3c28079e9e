// terminal.h: text of a stranger, made safe for a terminal, and the width it takes there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutline::text {

/// Control characters (C0 but tab and line feed, DEL, C1), bidi controls, zero-width and tag
/// characters are shown as ␛-like pictures or \u{XXXX}; everything else is kept. The result cannot
/// move the cursor, change colours or reorder what stands around it.
std::string sanitise(std::string_view utf8);

/// The same with tabs and line feeds shown as well (↵ and →), for text inside a line.
std::string sanitise_line(std::string_view utf8);

/// Columns that a terminal gives to a sanitised text: 2 for East Asian wide characters and emoji,
/// 0 for combining ones.
std::size_t columns(std::string_view utf8);

/// The longest head (or tail) of whole grapheme clusters that fits into `columns_max`.
std::string_view head_columns(std::string_view utf8, std::size_t columns_max);
std::string_view tail_columns(std::string_view utf8, std::size_t columns_max);

/// Breaks at spaces, or between characters where there are none; no line is wider than
/// `columns_max` unless a single cluster is.
std::vector<std::string> wrap(std::string_view utf8, std::size_t columns_max);

}  // namespace cutline::text
