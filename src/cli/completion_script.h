// completion_script.h: scripts that teach shells to complete cutline's words.
#pragma once

#include <span>
#include <string>

#include "cli/options.h"

namespace cutline::cli {

/// Commands, options, choices, files and folders from the table of commands; `clients` for the
/// options that name one; after "--" the shell completes a command of its own.
std::string completion_script(Shell shell, std::span<const std::string> clients);

}  // namespace cutline::cli
