// rewrite.cc: ICU composes; we leave out.
#include "text/rewrite.h"

#include <algorithm>

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

std::string composed(std::string_view utf8) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  CUTLINE_ASSERT(U_SUCCESS(error));
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  nfkc->normalizeUTF8(0, icu::StringPiece(utf8.data(), static_cast<std::int32_t>(utf8.size())),
                      sink, nullptr, error);
  CUTLINE_ASSERT(U_SUCCESS(error));
  return out;
}

bool is_left_out(CodePoint c) {
  const auto category = u_charType(c);
  return category == U_FORMAT_CHAR || category == U_PRIVATE_USE_CHAR || category == U_UNASSIGNED;
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

std::string nfkc_without_invisible(std::string_view utf8) {
  std::string text(utf8);
  if (is_ascii(utf8)) return text;
  for (int round = 0; round < kRoundsMax; ++round) {
    std::string next = visible(composed(text));
    if (next == text) break;
    text = std::move(next);
  }
  return text;
}

}  // namespace cutline::text
