// check_json.h: `check --format json`, as docs/check.schema.json describes it.
#pragma once

#include <string>

#include "json/writer.h"
#include "report/check.h"

namespace cutline::report {

inline constexpr int kCheckSchemaVersion = 1;

/// Indented, with a line feed at the end. Members are only ever added under one schema version.
/// What `sink` took while it was made is not in the string that is returned.
std::string check_json(const Check& check, json::Sink sink = {});

}  // namespace cutline::report
