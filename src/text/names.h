// names.h: where names occur in a text as whole words. Inside this room only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/structure.h"

namespace cutline::text {

/// The first use of each name that occurs, in the order of `names`; see outline_of.
std::vector<Outline::Use> first_uses(std::string_view text, std::span<const std::string> names);

}  // namespace cutline::text
