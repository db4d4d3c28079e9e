// help.h: the help texts, made from the table of commands.
#pragma once

#include <string>

#include "cli/command_spec.h"
#include "report/style.h"

namespace cutline::cli {

/// Of program_spec(): what cutline is and its commands. Of a command: synopsis, options, examples.
std::string help_text(const CommandSpec& command, const report::Style& style);

}  // namespace cutline::cli
