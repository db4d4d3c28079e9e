// utf8.cc: the repair of base with offsets that cannot be taken for others.
#include "text/utf8.h"

#include <utility>

namespace cutline::text {

Repaired repair_utf8(std::string_view bytes) {
  Utf8Repair repair = cutline::repair_utf8(bytes);
  Repaired repaired;
  repaired.text = std::move(repair.text);
  repaired.invalid_at.reserve(repair.invalid_at.size());
  for (const std::size_t at : repair.invalid_at) repaired.invalid_at.push_back(ByteOffset{at});
  return repaired;
}

}  // namespace cutline::text
