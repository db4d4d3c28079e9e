// names.cc: replacing characters, joining, shortening, telling equal names apart.
#include "delivery/names.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number.h"
#include "base/sha1.h"
#include "text/character.h"
#include "text/punycode.h"

namespace cutline::delivery {
namespace {

/// Longer ones are hostile; what a client makes of their punycode is not worth quadratic time.
constexpr std::size_t kPunycodeBytesMax = 1024;

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::size_t size_at(const Behaviour& behaviour, std::string_view key) {
  return static_cast<std::size_t>(behaviour.integer("tool.name", key).value_or(0));
}

/// The names filled into a form; neither can bring a hole of its own for the other.
std::string filled(std::string_view form, std::string_view server, std::string_view tool) {
  constexpr std::string_view kServer = "{server}", kTool = "{tool}";
  std::string out;
  while (!form.empty()) {
    if (form.starts_with(kServer)) {
      out += server;
      form.remove_prefix(kServer.size());
    } else if (form.starts_with(kTool)) {
      out += tool;
      form.remove_prefix(kTool.size());
    } else {
      out += form.front();
      form.remove_prefix(1);
    }
  }
  return out;
}

/// 32-bit FNV-1a over the UTF-16 units, in lower-case digits of base 36, at least seven of them.
std::string fnv1a_base36(std::string_view utf8) {
  constexpr std::uint32_t kOffset = 2166136261U, kPrime = 16777619U;
  constexpr std::size_t kDigits = 7;
  std::uint32_t hash = kOffset;
  const auto add = [&](std::uint32_t unit) { hash = (hash ^ unit) * kPrime; };
  for (std::size_t at = 0; at < utf8.size();) {
    const text::Character c = text::character_at(utf8, at);
    const auto value = static_cast<std::uint32_t>(c.value);
    at = c.end;
    if (value > 0xFFFF) add(0xD800 + ((value - 0x10000) >> 10));
    add(value > 0xFFFF ? 0xDC00 + (value & 0x3FF) : value);
  }
  std::string digits(kDigits, '0');
  for (std::size_t i = kDigits; hash > 0; hash /= 36)
    digits[--i] = "0123456789abcdefghijklmnopqrstuvwxyz"[hash % 36];
  return digits;
}

void refuse(Delivered& piece, Never why, std::string reason) {
  piece.state = State::kNever;
  piece.never = why;
  piece.reason = std::move(reason);
}

std::size_t sum_of(const Delivered& piece) {
  return text::measure(piece.piece.server).utf16.value +
         text::measure(piece.piece.tool).utf16.value;
}

void refuse_equal(Delivered& piece, std::string_view which) {
  refuse(piece, Never::kNameCollides,
         fmt::format("{} tool has the same full name, {}", which, piece.full_name));
}

void refuse_all(const std::vector<Delivered*>& tools, const std::string& reason) {
  for (Delivered* piece : tools)
    if (piece->arrives()) refuse(*piece, Never::kNameCollides, reason);
}

}  // namespace

std::bitset<128> characters(std::string_view ranges) {
  std::bitset<128> set;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const unsigned char from = static_cast<unsigned char>(ranges[i]);
    const bool range = i + 2 < ranges.size() && ranges[i + 1] == '-';
    const unsigned char to = range ? static_cast<unsigned char>(ranges[i + 2]) : from;
    for (unsigned c = from; c <= to && c < set.size(); ++c) set.set(c);
    if (range) i += 2;
  }
  return set;
}

NameRules::NameRules(const Behaviour& behaviour)
    : program_(behaviour.program()),
      form_(behaviour.text("tool.name", "form")),
      replacement_(behaviour.text("tool.name", "replacement")),
      non_ascii_(behaviour.text("tool.name", "non_ascii")),
      keeps_(characters(behaviour.text("tool.name", "keeps"))),
      runs_(behaviour.truth("tool.name", "runs").value_or(false)),
      per_code_point_(behaviour.text("tool.name", "per") == "code-point"),
      longest_(behaviour.integer("tool.name", "longest")),
      longest_sum_(behaviour.integer("tool.name", "longest_sum")),
      head_(size_at(behaviour, "head")),
      tail_(size_at(behaviour, "tail")),
      infix_(behaviour.text("tool.name", "infix")),
      hash_of_(behaviour.text("tool.name", "hash_of")),
      fnv_(behaviour.text("tool.name", "hash") == "fnv1a-base36"),
      hash_digits_(size_at(behaviour, "hash_digits")),
      hash_changed_(behaviour.truth("tool.name", "hash_changed").value_or(false)) {
  const std::string_view equal = behaviour.text("tool.name", "equal_names");
  if (equal == "first-wins") equal_ = Equal::kFirstWins;
  if (equal == "last-wins") equal_ = Equal::kLastWins;
  if (equal == "hashed") equal_ = Equal::kHashed;
  if (equal == "fails") equal_ = Equal::kFails;
  const std::string_view over = behaviour.text("tool.name", "over");
  if (over == "dropped") over_ = Over::kDropped;
  if (over == "sent") over_ = Over::kSent;
  if (over == "cut") over_ = Over::kCut;
  if (over == "middle") over_ = Over::kMiddle;
  if (over == "hashed") over_ = Over::kHashed;
}

std::string NameRules::mangle(std::string_view name) const {
  if (keeps_.none()) return std::string(name);  // nothing is said to be replaced
  if (non_ascii_ == "punycode" && !is_ascii(name) && name.size() <= kPunycodeBytesMax)
    return mangle("xn--" + text::punycode(name));
  std::string out;
  bool replaced = false;  // the character before
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    const text::Character c = text::character_at(name, begin);
    at = c.end;
    if (c.value < 0x80 && keeps_.test(static_cast<std::size_t>(c.value))) {
      out += name.substr(begin, c.end - begin);
      replaced = false;
      continue;
    }
    if (!(runs_ && replaced)) out += replacement_;
    // An expression of JavaScript replaces each UTF-16 unit by itself.
    if (!runs_ && !per_code_point_ && c.value > 0xFFFF) out += replacement_;
    replaced = true;
  }
  return out;
}

std::string NameRules::joined(std::string_view server, std::string_view tool) const {
  return filled(form_, mangle(server), mangle(tool));
}

std::string NameRules::full(std::string_view server, std::string_view tool) const {
  if (form_.empty()) return std::string(tool);
  const std::string name = joined(server, tool);
  const bool changed = hash_changed_ && name != filled(form_, server, tool);
  if (changed && !hash_of_.empty()) return hashed(name, server, tool);
  return is_over(name) ? shortened(name, server, tool) : name;
}

bool NameRules::is_over(std::string_view name) const {
  return longest_ && text::measure(name).utf16.value > static_cast<std::size_t>(*longest_);
}

std::string NameRules::digest(std::string_view server, std::string_view tool) const {
  const std::string hashed = filled(hash_of_, server, tool);
  return (fnv_ ? fnv1a_base36(hashed) : sha1_hex(hashed)).substr(0, hash_digits_);
}

/// Made unique by the first digits of a hash, and short enough.
std::string NameRules::hashed(std::string name, std::string_view server,
                              std::string_view tool) const {
  const std::string suffix = "_" + digest(server, tool);
  if (longest_ && name.size() + suffix.size() > static_cast<std::size_t>(*longest_))
    name.resize(static_cast<std::size_t>(*longest_) -
                std::min(suffix.size(), static_cast<std::size_t>(*longest_)));
  return name + suffix;
}

std::string NameRules::shortened(std::string name, std::string_view server,
                                 std::string_view tool) const {
  switch (over_) {
    case Over::kCut:
      name.resize(static_cast<std::size_t>(*longest_));
      return name;
    case Over::kMiddle:
      return name.substr(0, head_) + infix_ +
             name.substr(name.size() - std::min(tail_, name.size()));
    case Over::kHashed:
      return hashed(std::move(name), server, tool);
    case Over::kUnknown:
    case Over::kDropped:
    case Over::kSent:
      return name;
  }
  return name;
}

/// Both as they are configured and sent: what a client puts between them is not counted.
bool NameRules::is_sum_over(const Delivered& piece) const {
  return longest_sum_ && sum_of(piece) > static_cast<std::size_t>(*longest_sum_);
}

void NameRules::settle_length(Delivered& piece) const {
  const bool changed =
      piece.full_name != filled(form_, piece.piece.server, piece.piece.tool) && !form_.empty();
  if (hash_changed_ && hash_of_.empty() && changed) {
    piece.state = State::kUnknown;
    piece.reason = fmt::format(
        "how {} tells names apart in which it replaces characters is not "
        "known",
        program_);
    return;
  }
  if (is_over(piece.full_name))
    refuse_or_doubt(piece, "its full name has", text::measure(piece.full_name).utf16.value,
                    *longest_);
  else if (is_sum_over(piece))
    refuse_or_doubt(piece, "the names of server and tool together have", sum_of(piece),
                    *longest_sum_);
}

void NameRules::refuse_or_doubt(Delivered& piece, std::string_view what, std::size_t length,
                                std::int64_t longest) const {
  if (over_ == Over::kDropped) {
    refuse(piece, Never::kNameRefused,
           fmt::format("{} {}; {} leaves out those over {}", what, count(length, "character"),
                       program_, with_separators(longest)));
  } else if (over_ == Over::kUnknown) {
    piece.state = State::kUnknown;
    piece.reason =
        fmt::format("whether {} sends a name of {} characters is not known", program_, length);
  }
}

void NameRules::settle(std::vector<Delivered*>& tools) const {
  std::unordered_map<std::string, std::vector<Delivered*>> same;
  for (Delivered* piece : tools) {
    if (piece->arrives()) settle_length(*piece);
    // Without a form nobody knows which names come out equal.
    if (piece->arrives() && !form_.empty()) same[piece->full_name].push_back(piece);
  }
  for (auto& [name, pieces] : same) {
    if (pieces.size() < 2) continue;
    if (equal_ == Equal::kFails)
      return refuse_all(
          tools, fmt::format("two tools have the same full name, and {} stops there", program_));
    if (equal_ == Equal::kFirstWins)
      std::for_each(pieces.begin() + 1, pieces.end(),
                    [](Delivered* piece) { refuse_equal(*piece, "an earlier"); });
    if (equal_ == Equal::kLastWins)
      std::for_each(pieces.begin(), pieces.end() - 1,
                    [](Delivered* piece) { refuse_equal(*piece, "a later"); });
    if (equal_ != Equal::kHashed) continue;
    for (Delivered* piece : pieces)
      piece->full_name = hashed(piece->full_name, piece->piece.server, piece->piece.tool);
  }
}

}  // namespace cutline::delivery
