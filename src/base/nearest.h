// nearest.h: the word that a mistyped one was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cutline {

/// The candidate with the smallest edit distance to `word` (a swap of neighbours counts as one),
/// if it is near enough to be worth suggesting: at most a third of the longer word, at least one.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace cutline
