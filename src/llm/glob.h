// glob.h: names by pattern; inside this room only.
#pragma once

#include <string_view>

namespace cutline::llm {

/// '*' stands for any bytes, '?' for one, and '|' stands between alternatives. Never worse than the
/// product of the two lengths.
bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace cutline::llm
