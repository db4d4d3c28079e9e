// markdown.h: what a line of Markdown is by itself. Inside this room only.
#pragma once

#include <string_view>

namespace cutline::text {

/// Is the line a heading, a fence or a break, which end where the line ends?
bool stands_alone(std::string_view line);

/// Does the line, whatever came before, not go on a paragraph: is it blank, or begins a heading, an
/// item, a fence, a break, a quote, a table row or an element?
bool begins_block(std::string_view line);

}  // namespace cutline::text
