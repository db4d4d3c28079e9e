// remover.h: emptying a folder, whatever is in it. Internal to this room.
#pragma once

#include <string_view>

#include "sys/fd.h"

namespace cutline::sys {

/// A folder that we can read and write, whatever its permissions were; no link. Or none, and errno.
Fd open_for_removal(int parent, const char* name);

/// Removes all that is in it, but the entry of the name `spared`. The first errno, or 0.
int empty_folder(const Fd& folder, std::string_view spared = {});

}  // namespace cutline::sys
