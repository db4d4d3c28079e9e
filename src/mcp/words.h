// words.h: pieces of the sentences that tell a person what happened in a conversation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/document.h"
#include "mcp/offer.h"
#include "wire/jsonrpc.h"

namespace cutline::mcp {

/// A stranger's bytes inside a sentence of ours: in quotes, made safe for a terminal, cut to
/// `columns_max` with an ellipsis.
std::string quoted(std::string_view bytes, std::size_t columns_max = 60);

/// The same without quotes, for what is a sentence itself but may quote a stranger.
std::string harmless(std::string_view bytes, std::size_t columns_max = 120);

/// "error -32601 (“Method not found”)".
std::string error_words(const wire::RpcError& error);

/// "60.0 s"; "350 ms" under a second.
std::string time_words(Milliseconds time);

/// "ended (exit code 1)", or "closed its standard output" where no exit is known.
std::string end_words(const std::optional<Exit>& exit);

/// "a number", "an object", …
std::string_view type_words(json::Type type);

/// "a", "a and b", "a, b and c".
std::string joined(std::span<const std::string> words);

}  // namespace cutline::mcp
