// names.cc: all names at once, so that a server of a thousand tools costs one pass over its text.
//
// The names are sorted, and at each place where a word may begin the range of those that the text
// can still become is narrowed byte by byte; at nearly every place the first byte leaves none. An
// automaton (Aho, Corasick) would be linear in the worst case, too, and slower in every other;
// kNameBytesMax bounds ours instead.
#include "text/names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text/character.h"

namespace cutline::text {
namespace {

struct Wanted {
  std::string_view name;
  std::size_t given = 0;  // index in the order they were given
  std::optional<Span> first;
};

/// Does the character that begins with this byte make one word with a name next to it? ASCII, and
/// the two-byte Latin letters (U+00C0 to U+027F).
bool is_word_lead(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
  const bool digit = byte >= '0' && byte <= '9';
  return letter || digit || byte == '_' || byte == '-' || (byte >= 0xC3 && byte <= 0xC9);
}

class Search {
 public:
  Search(std::string_view text, std::span<const std::string> names) : text_(text) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!names[i].empty() && names[i].size() <= kNameBytesMax)
        wanted_.push_back({names[i], i, std::nullopt});
    std::sort(wanted_.begin(), wanted_.end(), [](const Wanted& a, const Wanted& b) {
      return a.name != b.name ? a.name < b.name : a.given < b.given;
    });
    const auto same = [](const Wanted& a, const Wanted& b) { return a.name == b.name; };
    wanted_.erase(std::unique(wanted_.begin(), wanted_.end(), same), wanted_.end());
    for (const Wanted& w : wanted_) begins_[static_cast<unsigned char>(w.name[0])] = true;
  }

  std::vector<Wanted> run() {
    if (wanted_.empty()) return {};
    bool in_word = false;  // the character before belongs to a word
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char byte = text_[at];
      if (is_continuation(byte)) continue;
      if (!in_word && begins_[static_cast<unsigned char>(byte)]) match(at);
      in_word = is_word_lead(byte);
    }
    return std::move(wanted_);
  }

 private:
  /// Notes the names that stand at `at` for the first time.
  void match(std::size_t at) {
    auto low = wanted_.begin();
    auto high = wanted_.end();
    for (std::size_t depth = 0; low != high; ++depth) {
      if (low->name.size() == depth) {
        const std::size_t end = at + depth;
        if (!low->first && (end == text_.size() || !is_word_lead(text_[end])))
          low->first = Span{ByteOffset{at}, ByteOffset{end}};
        ++low;
      }
      if (at + depth == text_.size()) return;
      const auto byte = static_cast<unsigned char>(text_[at + depth]);
      const auto of = [depth](const Wanted& w) {
        return static_cast<unsigned char>(w.name[depth]);
      };
      low = std::lower_bound(low, high, byte,
                             [&of](const Wanted& w, unsigned char b) { return of(w) < b; });
      high = std::upper_bound(low, high, byte,
                              [&of](unsigned char b, const Wanted& w) { return b < of(w); });
    }
  }

  std::string_view text_;
  std::vector<Wanted> wanted_;
  std::array<bool, 256> begins_{};
};

}  // namespace

std::vector<Outline::Use> first_uses(std::string_view text, std::span<const std::string> names) {
  std::vector<Wanted> found = Search(text, names).run();
  std::erase_if(found, [](const Wanted& w) { return !w.first; });
  std::sort(found.begin(), found.end(),
            [](const Wanted& a, const Wanted& b) { return a.given < b.given; });
  std::vector<Outline::Use> uses;
  uses.reserve(found.size());
  for (const Wanted& w : found) uses.push_back({std::string(w.name), *w.first});
  return uses;
}

}  // namespace cutline::text
