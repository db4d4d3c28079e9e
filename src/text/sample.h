// sample.h: sample texts of an exact length, with codewords at both ends and position markers.
//
// A text of N UTF-16 units begins "BEGIN codeword: WORD-NNNN. ", ends " END codeword: WORD-NNNN.",
// and carries "[at N] " about every 250 units, N being the marker's own offset. The codewords
// depend on role, kind, length and salt (SHA-256), so that whatever of a text turns up later, in a
// request or an answer, tells which text it was and how much of it arrived.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/unit.h"

namespace cutline::text {

enum class SampleKind { kEnglish, kJapanese, kChinese, kEmoji, kMixed };

std::string_view name(SampleKind kind);
std::optional<SampleKind> sample_kind_named(std::string_view name);

/// The longest sample text that is made; a client that would take more is yet to be seen.
inline constexpr std::size_t kSampleUnitsMax = std::size_t{256} << 20;

/// Salts: "" for instructions, "discover" where the modern era gets a text of its own, the tool's
/// name for a tool description. Problem "text.sample.too_short" if the codewords do not fit,
/// "text.sample.too_long" over kSampleUnitsMax.
Result<std::string> sample(SampleKind kind, std::size_t utf16_units, std::string_view salt);

/// The same sentences without codewords and markers, filled up with full stops. Precondition
/// (asserted): at most kSampleUnitsMax.
std::string filler(SampleKind kind, std::size_t utf16_units);

struct Codewords {
  std::string begin, end;  // "AMBER-1234"
};
Codewords codewords(SampleKind kind, std::size_t utf16_units, std::string_view salt);

/// What of sample texts is visible in any text. A codeword counts with the full stop after it only:
/// without, the cut may have taken a digit.
struct Seen {
  std::vector<std::string> begins, ends;   // codewords, in order of appearance
  std::optional<Utf16Offset> last_marker;  // N of the last whole "[at N]"
};
/// Linear.
Seen find_samples(std::string_view text);

}  // namespace cutline::text
