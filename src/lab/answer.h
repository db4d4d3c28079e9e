// answer.h: the right answer to a request, before any fault is done to it.
//
// Which era a request belongs to is read off the request alone, never off what came before it: one
// with the modern envelope in `_meta` is modern, any other legacy, as far as the settings let the
// server know both. (MCP 2026-07-28, "Versioning" and "Per-request metadata".)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "json/writer.h"
#include "lab/server.h"
#include "lab/settings.h"
#include "wire/jsonrpc.h"

namespace cutline::lab {

struct Answer {
  bool is_error = false;
  bool modern = false;
  // Writes the members of the result, or of an error's data (nothing: it has none). What every
  // result of the era carries is added by answer_line(). Refers to the settings and texts that it
  // was made from.
  std::function<void(json::Writer&)> write_members;
  // Of an error:
  std::int64_t code = 0;
  std::string message;
};

Answer answer(const Settings& settings, const Texts& texts, const wire::Message& request);

/// The error -32022 with the data that the revision asks for; `requested` may be missing.
Answer unsupported_version(Eras eras, const std::optional<std::string>& requested);

/// The version that a request asks for, in the envelope or in initialize.
std::optional<std::string> requested_version(const wire::Message& request);

/// The whole line, with an `id` of any choice. `padding_bytes` x's are put into the `_meta` of a
/// result, or the data of an error.
std::string answer_line(const Answer& answer, const Settings& settings, std::string_view id,
                        std::size_t padding_bytes = 0);

}  // namespace cutline::lab
