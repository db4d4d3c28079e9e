// version.h: versions of programs and inclusive ranges of them, as npm writes them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline {

/// MAJOR.MINOR.PATCH with any number of parts; a pre-release suffix ("-beta.1") sorts before the
/// same version without one, and as text among its kind.
class Version {
 public:
  /// Problem "version.syntax" for anything but digits and dots before the suffix.
  static Result<Version> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// The same with its last part one higher and one lower: 2.1.83 -> 2.1.84. There is no version
  /// before one that ends in 0: previous_patch() of it is itself.
  Version next_patch() const;
  Version previous_patch() const;
  /// Missing parts count as 0: 2.1 equals 2.1.0.
  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }

 private:
  static Version of(std::vector<std::uint64_t> parts);

  std::string text_;
  std::vector<std::uint64_t> parts_;
  std::string suffix_;
};

/// "A..B", both inclusive; "A.." from A on; "..B" up to B; "A" alone is just A.
struct VersionRange {
  std::optional<Version> from, to;

  static Result<VersionRange> parse(std::string_view text);
  bool contains(const Version& version) const;
  bool overlaps(const VersionRange& other) const;
  std::string text() const;
};

}  // namespace cutline
