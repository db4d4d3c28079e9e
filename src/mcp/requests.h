// requests.h: what we send, in both eras.
//
// Legacy: the version is agreed upon once, in initialize. Modern: it travels, with who we are and
// what we can, in the _meta of every request ("the envelope").
#pragma once

#include <string>
#include <string_view>

#include "mcp/offer.h"

namespace cutline::mcp {

inline constexpr std::string_view kClientName = "cutline";
inline constexpr std::string_view kClientVersion = "0.1.0";

namespace method {
inline constexpr std::string_view kDiscover = "server/discover";
inline constexpr std::string_view kInitialize = "initialize";
inline constexpr std::string_view kInitialized = "notifications/initialized";
inline constexpr std::string_view kTools = "tools/list";
inline constexpr std::string_view kPrompts = "prompts/list";
inline constexpr std::string_view kResources = "resources/list";
inline constexpr std::string_view kTemplates = "resources/templates/list";
inline constexpr std::string_view kPing = "ping";
inline constexpr std::string_view kLogMessage = "notifications/message";
}  // namespace method

/// The parameters of server/discover: the envelope alone.
std::string discover_params();
std::string initialize_params();
/// `cursor` is a JSON token as the server sent it; empty for the first page. May be empty itself.
std::string list_params(Era era, std::string_view cursor);

}  // namespace cutline::mcp
