// cut_context.h: the text around a cut, with scissors where it falls.
#pragma once

#include <string>
#include <string_view>

#include "report/style.h"
#include "text/structure.h"

namespace cutline::report {

/// A few lines: the sentence up to the cut (or the end of what stands before it), the scissors, and
/// what comes next, dimmed. Whole lines, each behind a bar.
std::string cut_context(std::string_view text, text::ByteOffset at, const text::Loss& loss,
                        const Style& style);

/// What stands at the cut in one line of at most `columns`, "… the end of it✂what comes next …".
std::string cut_line(std::string_view text, text::ByteOffset at, std::size_t columns);

}  // namespace cutline::report
