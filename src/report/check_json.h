// check_json.h: `check --format json`, as docs/check.schema.json describes it.
#pragma once

#include <string>

#include "report/check.h"

namespace cutline::report {

inline constexpr int kCheckSchemaVersion = 1;

/// Indented, with a line feed at the end. Members are only ever added under one schema version.
std::string check_json(const Check& check);

}  // namespace cutline::report
