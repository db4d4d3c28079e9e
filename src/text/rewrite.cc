// rewrite.cc: ICU composes; we leave out.
#include "text/rewrite.h"

#include <algorithm>
#include <array>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "text/character.h"

namespace cutline::text {
namespace {

/// What is left out can bring characters together that compose; more rounds than this need no text.
constexpr int kRoundsMax = 10;

bool is_ascii(std::string_view utf8) {
  return std::ranges::all_of(utf8, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

const icu::Normalizer2& nfkc() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  CUTLINE_ASSERT(U_SUCCESS(error));
  return *nfkc;
}

icu::StringPiece piece(std::string_view utf8) {
  return {utf8.data(), static_cast<std::int32_t>(utf8.size())};
}

bool is_composed(std::string_view utf8) {
  UErrorCode error = U_ZERO_ERROR;
  const bool composed = nfkc().isNormalizedUTF8(piece(utf8), error);
  CUTLINE_ASSERT(U_SUCCESS(error));
  return composed;
}

std::string composed(std::string_view utf8) {
  UErrorCode error = U_ZERO_ERROR;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  nfkc().normalizeUTF8(0, piece(utf8), sink, nullptr, error);
  CUTLINE_ASSERT(U_SUCCESS(error));
  return out;
}

bool is_left_out(CodePoint c) {
  if (c < 0x80) return false;
  const auto category = u_charType(c);
  return category == U_FORMAT_CHAR || category == U_PRIVATE_USE_CHAR || category == U_UNASSIGNED;
}

/// Whether nothing is done to it, whatever stands around it: the quick check of Unicode Annex 15.
bool is_left_alone(CodePoint c) {
  return !is_left_out(c) && u_getCombiningClass(c) == 0 &&
         u_getIntPropertyValue(c, UCHAR_NFKC_QUICK_CHECK) == UNORM_YES;
}

/// Texts use few characters, again and again: those that were just looked at are remembered.
bool all_left_alone(std::string_view utf8) {
  std::array<CodePoint, 256> alone = {};
  for (std::size_t at = 0; at < utf8.size();) {
    const Character c = character_at(utf8, at);
    at = c.end;
    CodePoint& remembered = alone[static_cast<std::size_t>(c.value) % alone.size()];
    if (c.value < 0x80 || c.value == remembered) continue;
    if (!is_left_alone(c.value)) return false;
    remembered = c.value;
  }
  return true;
}

bool is_visible(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const Character c = character_at(utf8, at);
    if (is_left_out(c.value)) return false;
    at = c.end;
  }
  return true;
}

std::string visible(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const Character c = character_at(utf8, at);
    if (!is_left_out(c.value)) out += utf8.substr(at, c.end - at);
    at = c.end;
  }
  return out;
}

}  // namespace

bool is_nfkc_without_invisible(std::string_view utf8) {
  return is_ascii(utf8) || all_left_alone(utf8) || (is_visible(utf8) && is_composed(utf8));
}

std::string nfkc_without_invisible(std::string_view utf8) {
  std::string text(utf8);
  for (int round = 0; round < kRoundsMax && !is_nfkc_without_invisible(text); ++round)
    text = visible(composed(text));
  return text;
}

std::string_view trimmed(std::string_view value) {
  constexpr std::string_view kSpaces[] = {
      " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u00a0", "\u1680", "\u2000",
      "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
      "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view space : kSpaces) {
      const std::size_t before = value.size();
      if (value.starts_with(space)) value.remove_prefix(space.size());
      if (value.ends_with(space)) value.remove_suffix(space.size());
      again = again || value.size() != before;
    }
  }
  return value;
}

std::string replaced(std::string_view utf8, std::string_view what, std::string_view with) {
  std::string out;
  for (std::size_t at = utf8.find(what); !what.empty() && at != utf8.npos; at = utf8.find(what)) {
    out += utf8.substr(0, at);
    out += with;
    utf8.remove_prefix(at + what.size());
  }
  return out += utf8;
}

std::string indented(std::string_view utf8, std::size_t by) {
  std::string out;
  for (const char c : utf8) {
    out += c;
    if (c == '\n') out.append(by, ' ');
  }
  return out;
}

}  // namespace cutline::text
