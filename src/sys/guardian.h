// guardian.h: the process between us and a server. Internal to this room; process.h says why.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <sys/types.h>

namespace cutline::sys {

/// All that guardian and server need, ready before the fork: after it nothing may allocate. The
/// descriptors are the guardian's ends; none is below 3, all close on exec.
struct Launch {
  char* const* paths;  // to try in turn, ended by a null pointer
  char* const* argv;
  char** script_argv;  // "/bin/sh", a free place, then the arguments: for files without "#!"
  char* const* envp;
  const char* directory;  // null: stay
  std::array<int, 3> stdio;
  int control;  // read end: one Order a byte, its end means kKill
  int status;   // write end: StatusMessages
  int exec_read, exec_write;
  bool terminal;  // stdio is a pty that becomes the controlling terminal
  // For a sandbox:
  int handover;  // one end of a socket pair, for the listening sockets; -1: no sandbox
  std::span<const std::uint16_t> ports;
  const char *uid_map, *gid_map;  // what stands in the files of these names
};

/// What we tell the guardian.
enum class Order : char { kTerminate = 't', kKill = 'k' };

/// What the guardian tells us; written at once, so that a message is never torn.
struct StatusMessage {
  enum class Kind : std::int32_t { kStarted, kFailed, kExited } kind;
  std::int32_t value;  // process id; Step; exit code, or -1
  std::int32_t error;  // 0; errno; signal, or 0
};

/// What failed before the server ran.
enum class Step : std::int32_t {
  kGuardian,
  kNamespaces,  // making them
  kIdentity,    // mapping our user into the new user namespace
  kLoopback,    // bringing it up
  kListen,
  kHandover,  // of the listening sockets
  kFork,
  kStreams,
  kTerminal,
  kDirectory,
  kExec
};

/// What stopped the server before its exec. An error of 0: nothing did.
struct Failure {
  Step step;
  int error;
};

/// The guardian's whole life, to be called in a fork with all signals blocked.
[[noreturn]] void guard(const Launch& launch);

}  // namespace cutline::sys
