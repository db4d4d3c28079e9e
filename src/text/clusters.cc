// clusters.cc: a fast path over plain characters, and ICU for the rest.
#include "text/clusters.h"

#include <algorithm>

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "base/assert.h"
#include "text/character.h"

namespace cutline::text {
namespace {

/// Between two plain characters is always a boundary, except between CR and LF: what joins to the
/// left (Extend, SpacingMark, V, T), to the right (Prepend, L), to either (ZWJ) or to its kind
/// (Regional_Indicator) is not plain.
bool is_plain(CodePoint c) {
  if (c < 0x300) return true;  // before the first combining mark
  switch (u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK)) {
    case U_GCB_OTHER:
    case U_GCB_CONTROL:
    case U_GCB_CR:
    case U_GCB_LF:
    case U_GCB_LV:
    case U_GCB_LVT:
      return true;
    default:
      return false;
  }
}

/// Is between the two a boundary, whatever stands around? From Unicode 15.1 on, consonants of some
/// Indian scripts join across the marks between them (rule GB9c).
bool is_sure(CodePoint left, CodePoint right) {
  if (is_plain(left) && is_plain(right)) return !(left == '\r' && right == '\n');
  constexpr CodePoint kJoiner = 0x200D;
  return u_getIntPropertyValue(right, UCHAR_GRAPHEME_CLUSTER_BREAK) == U_GCB_OTHER &&
         u_getIntPropertyValue(right, UCHAR_INDIC_SYLLABIC_CATEGORY) != U_INSC_CONSONANT &&
         u_getIntPropertyValue(left, UCHAR_GRAPHEME_CLUSTER_BREAK) != U_GCB_PREPEND &&
         left != kJoiner;
}

constexpr std::size_t kAsciiBlock = 32;

/// Are the next bytes ASCII without a CR, and followed by ASCII, so that each is a cluster?
bool is_ascii_block(std::string_view utf8, std::size_t at) {
  if (utf8.size() - at <= kAsciiBlock) return false;
  unsigned bits = 0;
  unsigned returns = 0;
  for (std::size_t i = 0; i < kAsciiBlock; ++i) {
    const auto byte = static_cast<unsigned char>(utf8[at + i]);
    bits |= byte;
    returns |= byte == '\r' ? 1U : 0U;
  }
  bits |= static_cast<unsigned char>(utf8[at + kAsciiBlock]);
  return bits < 0x80 && returns == 0;
}

}  // namespace

/// ICU's iterator over what follows one boundary of the text.
class ClusterReader::Icu {
 public:
  Icu() {
    UErrorCode status = U_ZERO_ERROR;
    breaks_.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    CUTLINE_ASSERT(U_SUCCESS(status));
  }
  ~Icu() { utext_close(&window_); }
  Icu(const Icu&) = delete;
  Icu& operator=(const Icu&) = delete;

  /// The end of the cluster that begins at `at`. Goes on where it stands, if that is `at`.
  std::size_t end_of(std::string_view utf8, std::size_t at) {
    if (!open_ || begin_ + static_cast<std::size_t>(breaks_->current()) != at) open(utf8, at);
    const std::int32_t end = breaks_->next();
    return end == icu::BreakIterator::DONE ? utf8.size() : begin_ + static_cast<std::size_t>(end);
  }

 private:
  void open(std::string_view utf8, std::size_t at) {
    // The iterator counts in 32 bits. No reader lets so long a text in; if one did, the cluster
    // that crosses this place would be counted as two.
    constexpr std::size_t kWindowBytesMax = std::size_t{1} << 30;
    const std::size_t bytes = std::min(utf8.size() - at, kWindowBytesMax);
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&window_, utf8.data() + at, static_cast<std::int64_t>(bytes), &status);
    breaks_->setText(&window_, status);
    CUTLINE_ASSERT(U_SUCCESS(status));
    begin_ = at;
    open_ = true;
  }

  std::unique_ptr<icu::BreakIterator> breaks_;
  UText window_ = UTEXT_INITIALIZER;
  std::size_t begin_ = 0;
  bool open_ = false;
};

ClusterReader::ClusterReader(std::string_view utf8) : utf8_(utf8) {}
ClusterReader::~ClusterReader() = default;

std::string_view ClusterReader::next() {
  CUTLINE_ASSERT(!done());
  const std::size_t begin = at_;
  skip(1);
  return utf8_.substr(begin, at_ - begin);
}

std::size_t ClusterReader::skip(std::size_t most) {
  std::size_t count = 0;
  while (count < most && !done()) {
    const std::size_t plain = skip_plain(most - count);
    count += plain;
    if (plain > 0) continue;
    if (!icu_) icu_ = std::make_unique<Icu>();
    at_ = icu_->end_of(utf8_, at_);
    ++count;
  }
  return count;
}

/// Steps over clusters that are sure to be one plain character (or CR LF) each.
std::size_t ClusterReader::skip_plain(std::size_t most) {
  std::size_t count = 0;
  Character here;  // at at_, if its end says so; known to be plain then
  while (count < most && at_ < utf8_.size()) {
    while (most - count >= kAsciiBlock && is_ascii_block(utf8_, at_)) {
      at_ += kAsciiBlock;
      count += kAsciiBlock;
    }
    if (count == most) break;
    if (here.end <= at_) {
      here = character_at(utf8_, at_);
      if (!is_plain(here.value)) break;
    }
    Character following;
    if (here.end < utf8_.size()) {
      following = character_at(utf8_, here.end);
      if (here.value == '\r' && following.value == '\n') {
        here = following;
      } else if (!is_plain(following.value)) {
        break;
      }
    }
    at_ = here.end;
    here = following;
    ++count;
  }
  return count;
}

std::size_t sure_boundary_before(std::string_view utf8, std::size_t at) {
  if (at == utf8.size() && at > 0) --at;
  while (at > 0 && is_continuation(utf8[at])) --at;
  while (at > 0) {
    const std::size_t before = begin_before(utf8, at);
    if (is_sure(character_at(utf8, before).value, character_at(utf8, at).value)) break;
    at = before;
  }
  return at;
}

}  // namespace cutline::text
