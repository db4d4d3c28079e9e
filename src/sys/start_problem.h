// start_problem.h: why a process could not be started, in words. Internal to this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/guardian.h"
#include "sys/process.h"

namespace cutline::sys {

/// "sys.process"; `error` is an errno, here and below.
tl::unexpected<Problem> refused(std::string_view what, int error);
/// "sys.terminal"
tl::unexpected<Problem> no_terminal(int error);
/// "sys.sandbox", with what does not permit it, as far as the errno tells.
tl::unexpected<Problem> not_isolated(std::string_view what, int error);
/// What the guardian said; `paths`: where the command was looked for.
tl::unexpected<Problem> not_started(const Command& command, const std::vector<std::string>& paths,
                                    const StatusMessage& failure);

}  // namespace cutline::sys
