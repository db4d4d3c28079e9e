// evidence.cc: names of the kinds of evidence.
#include "delivery/evidence.h"

#include <array>

namespace cutline::delivery {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"measured", "source", "documented", "reported"};

}  // namespace

std::string_view name(EvidenceKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<EvidenceKind> evidence_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<EvidenceKind>(i);
  return std::nullopt;
}

}  // namespace cutline::delivery
