// clusters.h: grapheme clusters (Unicode Annex 29), one after the other. Inside this room only.
//
// ICU's break iterator decides, but is asked only where there is something to decide. Most
// characters are plain: they join with no plain neighbour (CR LF apart), and between two of them is
// a boundary whatever stands around. Hence English goes by at memory speed, Japanese and most emoji
// at some 100 MB/s, and only accents, joined emoji, flags and the like at ICU's 30 MB/s. A new
// Unicode version can move characters in or out of "plain" (that is ICU's data), but would have to
// break its own promise of two rules only, GB999 and GB5, to make the notion wrong; a test compares
// the outcome with ICU's own iterator and with utf8proc.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace cutline::text {

class ClusterReader {
 public:
  /// `utf8` must outlive the reader.
  explicit ClusterReader(std::string_view utf8);
  ~ClusterReader();
  ClusterReader(const ClusterReader&) = delete;
  ClusterReader& operator=(const ClusterReader&) = delete;

  bool done() const { return at_ == utf8_.size(); }
  /// Where the next cluster begins, in bytes.
  std::size_t at() const { return at_; }

  /// Steps over the next cluster. Precondition (asserted): not done.
  std::string_view next();

  /// Steps over at most `most` clusters; returns over how many.
  std::size_t skip(std::size_t most);

 private:
  class Icu;

  std::size_t skip_plain(std::size_t most);

  std::string_view utf8_;
  std::size_t at_ = 0;
  std::unique_ptr<Icu> icu_;  // opened when first needed
};

/// The last byte offset at or before `at` (anywhere in the text) that is surely a cluster boundary,
/// as the characters on both sides tell without what stands around them, or else the text's start.
std::size_t sure_boundary_before(std::string_view utf8, std::size_t at);

}  // namespace cutline::text
