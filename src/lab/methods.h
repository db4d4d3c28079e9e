// methods.h: what clients send, in all revisions up to 2026-07-28 and their extensions.
#pragma once

#include <array>
#include <string_view>

namespace cutline::lab {

/// Stands for the first message of the process, if that is not initialize.
inline constexpr std::string_view kUnknownFirst = "unknown-first";

inline constexpr std::array<std::string_view, 28> kClientMethods = {
    "initialize",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "resources/directory/read",
    "completion/complete",
    "logging/setLevel",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
    "tasks/update",
    "skills/list",
    "skills/get",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/tasks/status",
};

}  // namespace cutline::lab
