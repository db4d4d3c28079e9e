// measurement_parts.h: what the screens of one measurement and of several say alike.
#pragma once

#include <cstddef>
#include <string>

#include "report/measurement.h"

namespace cutline::report {

/// "the connection", "tool find", "instructions of srv".
std::string piece_words(const delivery::PieceId& piece);
/// "Claude Code 2.1.332"
std::string client_words(const Measurement& measurement);

/// Of servers that did not serve: then there is nothing to hold a prediction against.
std::string not_served_part(const Measurement& measurement, const Style& style);
/// Whether the prediction was right, with at most so many differences; whole lines.
std::string prediction_part(const Measurement& measurement, std::size_t most, const Style& style);

}  // namespace cutline::report
