// rewrite.h: texts that a client writes anew before it counts them.
#pragma once

#include <string>
#include <string_view>

namespace cutline::text {

/// Compatibility composition (NFKC, Unicode Annex 15), with format characters, private use and what
/// is not assigned (general categories Cf, Co, Cn) left out, again and again until nothing changes:
/// "…" becomes "...", "①" becomes "1", a zero-width joiner goes. Which characters are assigned is
/// what ICU knows of. `utf8` is valid.
std::string nfkc_without_invisible(std::string_view utf8);
/// Whether that leaves it as it is.
bool is_nfkc_without_invisible(std::string_view utf8);

/// Without the white space at its ends, as JavaScript's trim() sees it.
std::string_view trimmed(std::string_view value);

/// Every `what` replaced, from the left; as it is where `what` is empty.
std::string replaced(std::string_view utf8, std::string_view what, std::string_view with);

/// Every line after the first moved to the right, empty ones too; lines end with "\n".
std::string indented(std::string_view utf8, std::size_t by);

}  // namespace cutline::text
