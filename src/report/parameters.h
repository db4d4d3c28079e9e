// parameters.h: what becomes of the descriptions of tools' parameters.
#pragma once

#include <string>
#include <vector>

#include "delivery/schemas.h"
#include "report/check.h"
#include "report/style.h"

namespace cutline::report {

struct LostParameters {
  std::vector<std::string> tools;  // that lose descriptions of parameters, in their order
  std::size_t texts = 0;           // how many descriptions are lost
};

/// Over the tools that arrive, as far as it is known what the client makes of schemas.
LostParameters lost_parameters(const CheckedGroup& group, delivery::SchemaEffects& schemas);

/// A line for each group of clients held to that loses the same; empty where none does.
std::string parameters_lines(const Check& check, const Style& style);

}  // namespace cutline::report
