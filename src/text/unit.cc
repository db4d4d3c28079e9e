// unit.cc: counting and finding places, in blocks that compilers turn into vector code.
//
// In valid UTF-8 every byte but a continuation begins a character, and a character takes two UTF-16
// units exactly if its first byte is F0 or more. So nothing has to be decoded to count.
#include "text/unit.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/assert.h"
#include "text/character.h"
#include "text/clusters.h"

namespace cutline::text {
namespace {

struct Words {
  Unit unit;
  std::string_view name, noun;
};

constexpr std::array<Words, 4> kWords = {{
    {Unit::kUtf16, "utf16", "UTF-16 units"},
    {Unit::kCodePoints, "code_points", "code points"},
    {Unit::kBytes, "bytes", "bytes"},
    {Unit::kGraphemes, "grapheme_clusters", "grapheme clusters"},
}};

const Words& words(Unit unit) {
  return *std::find_if(kWords.begin(), kWords.end(),
                       [unit](const Words& w) { return w.unit == unit; });
}

bool begins_pair(char byte) { return static_cast<unsigned char>(byte) >= 0xF0; }

// The sums of a block fit in a byte, so that a vector register holds as many of them as it can.
constexpr std::size_t kBlock = 240;

struct Begun {
  std::size_t characters = 0;
  std::size_t pairs = 0;
};

Begun begun_in_block(const char* bytes) {
  std::uint8_t characters = 0;
  std::uint8_t pairs = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    characters = static_cast<std::uint8_t>(characters + (is_continuation(bytes[i]) ? 0 : 1));
    pairs = static_cast<std::uint8_t>(pairs + (begins_pair(bytes[i]) ? 1 : 0));
  }
  return {characters, pairs};
}

/// The end of the largest prefix in which `weight` of all first bytes adds up to at most `size`;
/// `block_weight` says the same for a block.
template <class BlockWeight, class Weight>
std::size_t weighed_prefix(std::string_view utf8, std::size_t size, BlockWeight block_weight,
                           Weight weight) {
  std::size_t at = 0;
  std::size_t used = 0;
  while (utf8.size() - at >= kBlock) {
    const std::size_t more = block_weight(begun_in_block(utf8.data() + at));
    if (more > size - used) break;
    used += more;
    at += kBlock;
  }
  for (; at < utf8.size(); ++at) {
    if (is_continuation(utf8[at])) continue;
    const std::size_t more = weight(utf8[at]);
    if (more > size - used) break;
    used += more;
  }
  return at;
}

}  // namespace

std::string_view name(Unit unit) { return words(unit).name; }
std::string_view noun(Unit unit) { return words(unit).noun; }

std::optional<Unit> unit_named(std::string_view name) {
  for (const Words& w : kWords)
    if (w.name == name) return w.unit;
  return std::nullopt;
}

Place measure(std::string_view utf8) {
  Begun sum;
  std::size_t at = 0;
  for (; utf8.size() - at >= kBlock; at += kBlock) {
    const Begun begun = begun_in_block(utf8.data() + at);
    sum.characters += begun.characters;
    sum.pairs += begun.pairs;
  }
  for (; at < utf8.size(); ++at) {
    if (!is_continuation(utf8[at])) ++sum.characters;
    if (begins_pair(utf8[at])) ++sum.pairs;
  }
  return {ByteOffset{utf8.size()}, CodePointOffset{sum.characters},
          Utf16Offset{sum.characters + sum.pairs}};
}

std::size_t length(std::string_view utf8, Unit unit) {
  switch (unit) {
    case Unit::kBytes:
      return utf8.size();
    case Unit::kUtf16:
      return measure(utf8).utf16.value;
    case Unit::kCodePoints:
      return measure(utf8).code_points.value;
    case Unit::kGraphemes:
      return ClusterReader(utf8).skip(utf8.size());
  }
  CUTLINE_ASSERT(false);
}

bool is_character_boundary(std::string_view utf8, ByteOffset at) {
  return at.value == utf8.size() || (at.value < utf8.size() && !is_continuation(utf8[at.value]));
}

Place place_at(std::string_view utf8, ByteOffset at) {
  CUTLINE_ASSERT(is_character_boundary(utf8, at));
  return measure(utf8.substr(0, at.value));
}

GraphemeOffset grapheme_offset(std::string_view utf8, ByteOffset at) {
  CUTLINE_ASSERT(is_character_boundary(utf8, at));
  const std::size_t begun = length(utf8.substr(0, at.value), Unit::kGraphemes);
  return GraphemeOffset{is_grapheme_boundary(utf8, at) ? begun : begun - 1};
}

bool is_grapheme_boundary(std::string_view utf8, ByteOffset at) {
  CUTLINE_ASSERT(is_character_boundary(utf8, at));
  if (at.value == utf8.size()) return true;
  // What decides stands before `at`, and in the one character after it.
  const std::size_t from = sure_boundary_before(utf8, at.value);
  ByteOffset end{at.value + 1};
  while (!is_character_boundary(utf8, end)) ++end.value;
  ClusterReader clusters(utf8.substr(from, end.value - from));
  while (from + clusters.at() < at.value) clusters.next();
  return from + clusters.at() == at.value;
}

ByteOffset prefix(std::string_view utf8, Unit unit, std::size_t size) {
  if (utf8.size() <= size) return ByteOffset{utf8.size()};  // no unit is smaller than a byte
  switch (unit) {
    case Unit::kBytes: {
      ByteOffset at{size};
      while (!is_character_boundary(utf8, at)) --at.value;
      return at;
    }
    case Unit::kUtf16:
      return ByteOffset{weighed_prefix(
          utf8, size, [](const Begun& begun) { return begun.characters + begun.pairs; },
          [](char byte) { return begins_pair(byte) ? std::size_t{2} : std::size_t{1}; })};
    case Unit::kCodePoints:
      return ByteOffset{weighed_prefix(
          utf8, size, [](const Begun& begun) { return begun.characters; },
          [](char) { return std::size_t{1}; })};
    case Unit::kGraphemes: {
      ClusterReader clusters(utf8);
      clusters.skip(size);
      return ByteOffset{clusters.at()};
    }
  }
  CUTLINE_ASSERT(false);
}

}  // namespace cutline::text
