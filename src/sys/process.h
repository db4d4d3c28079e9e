// process.h: child processes that cannot outlive us.
//
// Every child stands under a small guardian process of its own: its parent, the subreaper of all
// its descendants, outside our process group. The guardian ends the whole tree when it is told to,
// and also when we are gone: it holds a pipe whose other end only we have, so that even `kill -9` of
// this program leaves nothing behind. (A process group alone does not do: npx starts shells that
// start others, some in groups of their own.)
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"
#include "sys/loop.h"

namespace cutline::sys {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH of the child's environment
  bool clear_environment = false;
  std::vector<std::pair<std::string, std::string>> environment;  // added to or replacing ours
  std::string directory;                                         // empty: ours
};

struct ExitStatus {
  std::optional<int> code, signal;
};

struct Shutdown {
  std::chrono::milliseconds after_end_of_input{2'000};  // then SIGTERM
  std::chrono::milliseconds after_term{2'000};          // then SIGKILL
};

class Process {
 public:
  /// Problem "sys.command.not_found", "sys.command.not_executable", "sys.directory",
  /// "sys.process" (the system refused; says what).
  static Result<std::unique_ptr<Process>> start(Loop& loop, const Command& command,
                                                std::function<void(ExitStatus)> on_exit);
  ~Process();  // kills what is left of the tree, at once

  pid_t pid() const;
  /// Our ends of its standard streams; each can be taken once.
  Fd take_stdin();
  Fd take_stdout();
  Fd take_stderr();

  /// SIGTERM to the whole tree, then SIGKILL after `grace`; `on_gone` when nothing of it is left.
  void terminate(std::chrono::milliseconds grace, std::function<void()> on_gone);
  /// Set once the process itself (not its descendants) has ended.
  std::optional<ExitStatus> exit_status() const;

 private:
  struct Impl;
  explicit Process(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace cutline::sys
