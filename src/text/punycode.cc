// punycode.cc: the encoder of RFC 3492, section 6.3; ICU keeps its own to itself.
#include "text/punycode.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "text/character.h"

namespace cutline::text {
namespace {

// Section 5.
constexpr std::uint64_t kBase = 36, kMin = 1, kMax = 26, kSkew = 38, kDamp = 700;
constexpr std::uint64_t kFirstBias = 72, kFirst = 0x80;

char digit(std::uint64_t value) {
  return static_cast<char>(value < 26 ? 'a' + value : '0' + value - 26);
}

/// Section 6.1.
std::uint64_t adapted(std::uint64_t delta, std::uint64_t points, bool first) {
  delta = first ? delta / kDamp : delta / 2;
  delta += delta / points;
  std::uint64_t k = 0;
  for (; delta > (kBase - kMin) * kMax / 2; k += kBase) delta /= kBase - kMin;
  return k + (kBase - kMin + 1) * delta / (delta + kSkew);
}

void append_integer(std::string& out, std::uint64_t value, std::uint64_t bias) {
  for (std::uint64_t k = kBase;; k += kBase) {
    const std::uint64_t t = std::clamp(k > bias ? k - bias : 0, kMin, kMax);
    if (value < t) break;
    out += digit(t + (value - t) % (kBase - t));
    value = (value - t) / (kBase - t);
  }
  out += digit(value);
}

std::vector<std::uint64_t> code_points(std::string_view utf8) {
  std::vector<std::uint64_t> points;
  for (std::size_t at = 0; at < utf8.size();) {
    const Character c = character_at(utf8, at);
    points.push_back(static_cast<std::uint64_t>(c.value));
    at = c.end;
  }
  return points;
}

}  // namespace

std::string punycode(std::string_view utf8) {
  const std::vector<std::uint64_t> points = code_points(utf8);
  std::string out;
  for (const std::uint64_t point : points)
    if (point < kFirst) out += static_cast<char>(point);
  const std::uint64_t basic = out.size();
  if (basic > 0) out += '-';
  std::uint64_t handled = basic, n = kFirst, delta = 0, bias = kFirstBias;
  while (handled < points.size()) {
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t point : points)
      if (point >= n) next = std::min(next, point);
    delta += (next - n) * (handled + 1);
    n = next;
    for (const std::uint64_t point : points) {
      if (point < n) ++delta;
      if (point != n) continue;
      append_integer(out, delta, bias);
      bias = adapted(delta, handled + 1, handled == basic);
      delta = 0;
      ++handled;
    }
    ++delta;
    ++n;
  }
  return out;
}

}  // namespace cutline::text
