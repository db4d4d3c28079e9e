// output.h: writing results.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "json/writer.h"
#include "report/style.h"

namespace cutline::cli {

/// All of it, as it is. Problem "cli.stdout"; a reader that has gone away (a closed pipe) is none.
Result<void> print(std::string_view bytes);

/// A result in one format; `style` matters to text only.
using Renderer = std::function<std::string(Format format, const report::Style& style)>;

/// The same of a result that can be long: what `sink` (where there is one) took of it while it was
/// made is not returned.
using LongRenderer =
    std::function<std::string(Format format, const report::Style& style, const json::Sink& sink)>;

/// Prints the result in the format asked for, and writes it to each file in the format of its
/// ending (in the one asked for where the ending names none). What cannot be written keeps nothing
/// else from being written; the first problem is returned.
Result<void> deliver_output(const Output& output, const Renderer& render);
Result<void> deliver_output(const Output& output, const LongRenderer& render);

}  // namespace cutline::cli
