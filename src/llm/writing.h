// writing.h: what the writers of all dialects share; inside this room only.
#pragma once

#include <string>
#include <string_view>

#include "llm/dialect.h"

namespace cutline::llm {

/// The arguments, or {} where they are no JSON object: what a client parses must be one, whatever a
/// script says.
std::string object_of(const ToolCall& call);

/// What a tool that takes any text gets. A script has objects only, so the text is their "input";
/// the whole of what has none.
std::string freeform_input(const ToolCall& call);

/// What follows `marker` in the path of `target`: "ID" of "/v1/models/ID?a" after "/models/".
std::string_view rest_after(std::string_view target, std::string_view marker);

/// The path of a target: all before its query.
std::string_view path_of(std::string_view target);

/// A body that an API sends as server-sent events.
Answer events_answer(std::string body);

}  // namespace cutline::llm
