// sample.cc: the sentences, and the rule by which they follow each other.
//
// Every byte is fixed by tests/cases/README.md: texts that were measured years ago must be made
// again from their kind, length and salt alone. Do not correct the sentences.
#include "text/sample.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/number.h"
#include "base/sha256.h"

namespace cutline::text {
namespace {

constexpr std::array<std::string_view, 16> kCodewords = {
    "AMBER",  "BIRCH",  "CEDAR", "DELTA", "EMBER", "FJORD",  "GROVE", "HAZEL",
    "INDIGO", "JASPER", "KELP",  "LARCH", "MAPLE", "NEEDLE", "ONYX",  "PEBBLE"};

constexpr std::string_view kEnglish[] = {
    "Bin seven holds the short brass screws. ",
    "Count a bin before you move it. ",
    "Two labels on one part mean that the older label is wrong. ",
    "The night shift writes its counts in the green book. ",
    "Springs are kept by wire width, not by length. ",
};
constexpr std::string_view kJapanese[] = {
    "七番の箱には短い真鍮のねじが入っています。",
    "箱を動かす前に数を数えてください。",
    "札が二枚ある部品は、古い札が誤りです。",
    "夜の当番は緑の帳面に数を書きます。",
};
constexpr std::string_view kChinese[] = {
    "七号箱里放着短的黄铜螺丝。",
    "移动箱子之前先清点数量。",
    "一个零件有两张标签时,旧标签是错的。",
};
constexpr std::string_view kEmoji[] = {"🔩🔧🧰", "📦🧲🔨🔦", "🧵🧶"};
constexpr std::string_view kMixed[] = {
    "Bin 七 holds 🔩 and 🔧. ",
    "数を数える before you move it. ",
    "Ω = 12 µm ± 3 %. ",
};

struct KindOfSample {
  SampleKind kind;
  std::string_view name;
  std::span<const std::string_view> sentences;
};

constexpr std::array<KindOfSample, 5> kKinds = {{
    {SampleKind::kEnglish, "english", kEnglish},
    {SampleKind::kJapanese, "japanese", kJapanese},
    {SampleKind::kChinese, "chinese", kChinese},
    {SampleKind::kEmoji, "emoji", kEmoji},
    {SampleKind::kMixed, "mixed", kMixed},
}};

const KindOfSample& look_up(SampleKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [kind](const KindOfSample& k) { return k.kind == kind; });
}

std::string codeword(std::string_view role, SampleKind kind, std::size_t utf16_units,
                     std::string_view salt) {
  const auto hash = sha256(fmt::format("{}/{}/{}/{}", role, name(kind), utf16_units, salt));
  const std::size_t number =
      std::to_integer<std::size_t>(hash[1]) * 256 + std::to_integer<std::size_t>(hash[2]);
  const std::string_view word = kCodewords[std::to_integer<std::size_t>(hash[0]) % 16];
  return fmt::format("{}-{}", word, 1000 + number % 9000);
}

/// Appends the kind's sentences, in turn, to `out`, which has `at` units, until it has `end`.
void fill(std::string& out, std::size_t at, std::size_t end, SampleKind kind, bool with_markers) {
  constexpr std::size_t kMarkerEvery = 250;
  const std::span<const std::string_view> sentences = look_up(kind).sentences;
  std::size_t turn = 0;
  std::size_t due = kMarkerEvery;
  while (at < end) {
    const std::size_t room = end - at;
    if (with_markers && at >= due) {
      const std::string marker = fmt::format("[at {}] ", at);
      due = (at / kMarkerEvery + 1) * kMarkerEvery;
      if (marker.size() <= room) {
        out += marker;
        at += marker.size();
        continue;
      }
    }
    const std::string_view sentence = sentences[turn++ % sentences.size()];
    const std::size_t units = measure(sentence).utf16.value;
    if (units > room) {
      out.append(room, '.');
      return;
    }
    out += sentence;
    at += units;
  }
}

/// The codeword that `text` begins with, if its full stop is there too.
std::optional<std::string_view> leading_codeword(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  for (const std::string_view word : kCodewords) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(word.size());
    if (rest.size() < kDigits + 2 || rest[0] != '-' || rest[kDigits + 1] != '.')
      return std::nullopt;
    const std::string_view digits = rest.substr(1, kDigits);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return text.substr(0, word.size() + 1 + kDigits);
  }
  return std::nullopt;
}

std::vector<std::string> codewords_after(std::string_view introduction, std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(introduction); at != std::string_view::npos;
       at = text.find(introduction, at)) {
    at += introduction.size();
    if (const auto word = leading_codeword(text.substr(at))) found.emplace_back(*word);
  }
  return found;
}

std::optional<Utf16Offset> last_marker(std::string_view text) {
  constexpr std::string_view kOpening = "[at ";
  constexpr std::size_t kDigitsMax = 20;
  for (std::size_t at = text.rfind(kOpening); at != std::string_view::npos;
       at = text.rfind(kOpening, at - 1)) {
    const std::string_view rest = text.substr(at + kOpening.size(), kDigitsMax + 1);
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const bool closed = end != rest.data() + rest.size() && *end == ']';
    if (error == std::errc{} && closed) return Utf16Offset{value};
    if (at == 0) break;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(SampleKind kind) { return look_up(kind).name; }

std::optional<SampleKind> sample_kind_named(std::string_view name) {
  for (const KindOfSample& k : kKinds)
    if (k.name == name) return k.kind;
  return std::nullopt;
}

Codewords codewords(SampleKind kind, std::size_t utf16_units, std::string_view salt) {
  return {codeword("begin", kind, utf16_units, salt), codeword("end", kind, utf16_units, salt)};
}

Result<std::string> sample(SampleKind kind, std::size_t utf16_units, std::string_view salt) {
  const Codewords words = codewords(kind, utf16_units, salt);
  const std::string head = fmt::format("BEGIN codeword: {}. ", words.begin);
  const std::string tail = fmt::format(" END codeword: {}.", words.end);
  const std::size_t least = head.size() + tail.size();
  if (utf16_units < least) {
    return fail(
        {.code = "text.sample.too_short",
         .message = fmt::format("a sample text of {} UTF-16 units has no room for its codewords",
                                with_separators(static_cast<std::int64_t>(utf16_units))),
         .place = {},
         .hint = fmt::format("ask for {} or more", least)});
  }
  if (utf16_units > kSampleUnitsMax) {
    return fail(
        {.code = "text.sample.too_long",
         .message = fmt::format("a sample text of {} UTF-16 units is too long", utf16_units),
         .place = {},
         .hint =
             fmt::format("ask for {} at most", with_separators(std::int64_t{kSampleUnitsMax}))});
  }
  std::string text = head;
  text.reserve(utf16_units);
  fill(text, head.size(), utf16_units - tail.size(), kind, true);
  return text + tail;
}

std::string filler(SampleKind kind, std::size_t utf16_units) {
  CUTLINE_ASSERT(utf16_units <= kSampleUnitsMax);
  std::string text;
  fill(text, 0, utf16_units, kind, false);
  return text;
}

Seen find_samples(std::string_view text) {
  return {codewords_after("BEGIN codeword: ", text), codewords_after("END codeword: ", text),
          last_marker(text)};
}

}  // namespace cutline::text
