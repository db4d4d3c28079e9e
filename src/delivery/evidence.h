// evidence.h: how we know a fact.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutline::delivery {

/// From the strongest to the weakest.
enum class EvidenceKind { kMeasured, kSource, kDocumented, kReported };
std::string_view name(EvidenceKind kind);  // "measured", …
std::optional<EvidenceKind> evidence_kind_named(std::string_view name);

struct Evidence {
  EvidenceKind kind = EvidenceKind::kReported;
  std::string date;      // ISO 8601
  std::string how;       // what was run or read; may be empty where there is a URL
  std::string url;       // may be empty where it was measured
  std::string versions;  // that it was seen with, where that is narrower than the fact's range
  std::string says;      // what this piece says, where it disagrees with the fact: a conflict
};

}  // namespace cutline::delivery
