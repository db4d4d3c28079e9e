// descendants.h: which processes descend from one. Internal to this room.
//
// Written for the guardian, which is a fork without exec and so may call nothing but system calls:
// no allocation, no locks, no stdio.
#pragma once

#include <cstddef>
#include <span>

#include <sys/types.h>

namespace cutline::sys {

enum class Lookup {
  kChildren,  // /proc/PID/task/TID/children: reads only what belongs to the tree
  kParents,   // /proc/*/stat: reads every process of the machine; where the kernel has no such file
};

/// The quickest that works here.
Lookup available_lookup();

/// Writes the descendants of `root`, zombies included, to `found`, parents before their children,
/// and returns how many. At most as many as fit: a caller that kills asks again until there are
/// none. Processes that are born while we look may be missed.
std::size_t descendants(pid_t root, Lookup lookup, std::span<pid_t> found);

}  // namespace cutline::sys
