// sandbox.h: going where there is no network. Internal to this room; process.h says what it is for.
//
// Like the guardian, which calls it, it may use nothing but system calls.
#pragma once

#include <cstdint>

#include "sys/guardian.h"

namespace cutline::sys {

/// Takes the calling process, which must have one thread, into namespaces of its own, and sends the
/// listening sockets made there to launch.handover.
Failure enter_sandbox(const Launch& launch);

/// Takes from a server that is root the right to go back. Takes effect with its exec.
void lock_sandbox();

/// A non-blocking socket that listens on 127.0.0.1:port and closes on exec; or -1 and errno.
int open_loopback_listener(std::uint16_t port);

}  // namespace cutline::sys
