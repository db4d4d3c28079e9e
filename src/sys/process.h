// process.h: child processes that cannot outlive us.
//
// Every child stands under a small guardian process of its own: its parent, the subreaper of all
// its descendants, outside our process group. The guardian ends the whole tree when it is told to,
// and also when we are gone: it holds a pipe whose other end only we have, so that even `kill -9`
// of this program leaves nothing behind. (A process group alone does not do: npx starts shells that
// start others, some in groups of their own.)
//
// Two things are out of reach: processes of another user (sudo), and, when somebody kills the
// guardian itself, the descendants of the server; the server dies with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "sys/fd.h"
#include "sys/loop.h"

namespace cutline::sys {

/// What a process may reach. Its own network namespace with only loopback in it, and for an
/// ordinary user a user namespace around that, in which its ids are what they were; the listening
/// sockets are made inside, so that it reaches them and nothing else, and handed out to us. Its
/// view of files and processes is ours, so a socket file is a way out: that is how a server outside
/// is reached.
struct Sandbox {
  std::vector<std::uint16_t> ports = {};  // 127.0.0.1:PORT inside; 0: any (port_of() says which)
};
inline constexpr std::size_t kSandboxPortsMax = 64;

/// Whether a Sandbox can be had here: tried, with a process that never comes to run anything.
/// Problem "sys.sandbox" with the reason and the remedy.
Result<void> sandbox_available();

/// A terminal of its own instead of three pipes: its standard streams are one pty, the session's
/// controlling terminal. take_stdin() and take_stdout() are our end of it; there is no stderr. Its
/// input ends by a ^D typed there, not by closing our end.
struct Terminal {
  unsigned short columns = 120, rows = 40;
};

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH of the child's environment
  bool clear_environment = false;
  std::vector<std::pair<std::string, std::string>> environment;  // added to or replacing ours
  std::string directory;                                         // empty: ours
  std::optional<Sandbox> sandbox = {};
  std::optional<Terminal> terminal = {};
};

struct ExitStatus {
  std::optional<int> code, signal;
};

/// How long a server is given to end by itself. Many servers ignore the end of their input, and who
/// waits for us has his answer already: so the first wait is short.
struct Shutdown {
  std::chrono::milliseconds after_end_of_input{10};  // then SIGTERM
  std::chrono::milliseconds after_term{1'000};       // then SIGKILL
};

class Process {
 public:
  /// Returns when the command runs, or cannot be run: Problem "sys.command.not_found",
  /// "sys.command.not_executable", "sys.directory", "sys.process" (the system refused; says what),
  /// "sys.descriptor", "sys.sandbox" (namespaces are not permitted here: which, why, and the
  /// remedy), "sys.terminal". `on_exit` is called once; its standard output may still hold bytes
  /// then.
  static Result<std::unique_ptr<Process>> start(Loop& loop, const Command& command,
                                                std::function<void(ExitStatus)> on_exit);
  ~Process();  // kills what is left of the tree, at once, and waits until it is gone
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const;
  /// Our ends of its standard streams, non-blocking; each can be taken once.
  Fd take_stdin();
  Fd take_stdout();
  Fd take_stderr();
  /// The sandbox's listening sockets, in the order of its ports; to be taken once.
  std::vector<Fd> take_listeners();

  /// SIGTERM to the whole tree, then SIGKILL after `grace`; without a grace SIGKILL at once.
  /// `on_gone` is called from the loop when nothing of the tree is left, also if that is so
  /// already. Calling it again makes it shorter.
  void terminate(std::chrono::milliseconds grace, std::function<void()> on_gone);
  /// Set once the process itself (not its descendants) has ended.
  std::optional<ExitStatus> exit_status() const;

 private:
  struct Impl;
  explicit Process(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace cutline::sys
