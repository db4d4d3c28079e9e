// version.cc: reading and comparing versions.
#include "base/version.h"

#include <charconv>

namespace cutline {
namespace {

tl::unexpected<Problem> not_a_version(std::string_view text) {
  return fail({.code = "version.syntax",
               .message = "'" + std::string(text) + "' is not a version",
               .place = {},
               .hint = "write it as npm does: 2.1.285"});
}

}  // namespace

Result<Version> Version::parse(std::string_view text) {
  Version version;
  version.text_ = text;
  std::string_view numbers = text;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    version.suffix_ = text.substr(dash);
    numbers = text.substr(0, dash);
  }
  while (true) {
    const std::size_t dot = numbers.find('.');
    const std::string_view part = numbers.substr(0, dot);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (part.empty() || error != std::errc{} || end != part.data() + part.size())
      return not_a_version(text);
    version.parts_.push_back(value);
    if (dot == std::string_view::npos) break;
    numbers.remove_prefix(dot + 1);
  }
  return version;
}

Version Version::of(std::vector<std::uint64_t> parts) {
  Version version;
  for (const std::uint64_t part : parts)
    version.text_ += (version.text_.empty() ? "" : ".") + std::to_string(part);
  version.parts_ = std::move(parts);
  return version;
}

Version Version::next_patch() const {
  std::vector<std::uint64_t> parts = parts_;
  if (!parts.empty()) ++parts.back();
  return of(std::move(parts));
}

Version Version::previous_patch() const {
  std::vector<std::uint64_t> parts = parts_;
  if (parts.empty() || parts.back() == 0) return *this;
  --parts.back();
  return of(std::move(parts));
}

std::strong_ordering Version::operator<=>(const Version& other) const {
  const std::size_t most = std::max(parts_.size(), other.parts_.size());
  for (std::size_t i = 0; i < most; ++i) {
    const std::uint64_t mine = i < parts_.size() ? parts_[i] : 0;
    const std::uint64_t theirs = i < other.parts_.size() ? other.parts_[i] : 0;
    if (mine != theirs) return mine <=> theirs;
  }
  if (suffix_.empty() != other.suffix_.empty()) return suffix_.empty() <=> other.suffix_.empty();
  return suffix_.compare(other.suffix_) <=> 0;
}

Result<VersionRange> VersionRange::parse(std::string_view text) {
  const std::size_t dots = text.find("..");
  VersionRange range;
  if (dots == std::string_view::npos) {
    CUTLINE_TRY_ASSIGN(range.from, Version::parse(text));
    range.to = range.from;
    return range;
  }
  const std::string_view from = text.substr(0, dots);
  const std::string_view to = text.substr(dots + 2);
  if (!from.empty()) {
    CUTLINE_TRY_ASSIGN(range.from, Version::parse(from));
  }
  if (!to.empty()) {
    CUTLINE_TRY_ASSIGN(range.to, Version::parse(to));
  }
  if (range.from && range.to && *range.to < *range.from) {
    return fail({.code = "version.range",
                 .message = "the range '" + std::string(text) + "' ends before it begins",
                 .place = {},
                 .hint = "write FROM..TO with the older version first"});
  }
  return range;
}

bool VersionRange::contains(const Version& version) const {
  return (!from || *from <= version) && (!to || version <= *to);
}

bool VersionRange::overlaps(const VersionRange& other) const {
  const bool before = to && other.from && *to < *other.from;
  const bool after = from && other.to && *other.to < *from;
  return !before && !after;
}

std::string VersionRange::text() const {
  if (from && to && *from == *to) return from->text();
  return (from ? from->text() : "") + ".." + (to ? to->text() : "");
}

}  // namespace cutline
