// guardian.cc: starts one server, reports how it ends, and ends all that descends from it.
//
// This is a fork of a program that may have threads, and it never calls exec: so it uses system
// calls alone. As the subreaper of the tree it becomes the parent of every orphan in it; hence it
// has no children exactly when nothing of the tree is left, and killing its children again and
// again reaches everything, whatever sessions and groups the processes made for themselves.
//
// Why not clone3 with a PID namespace, which kills a tree by itself: it needs privileges or user
// namespaces, which containers forbid, and the server would see other process ids than its user.
#include "sys/guardian.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/descendants.h"
#include "sys/fd.h"
#include "sys/sandbox.h"

namespace cutline::sys {
namespace {

constexpr std::chrono::milliseconds kKillAgainAfter{20};
/// What SIGKILL has not ended by then is stuck in the kernel or belongs to another user.
constexpr std::chrono::seconds kGiveUpAfter{5};
constexpr std::size_t kSignalledAtOnceMax = 4096;

/// By system call, as the C library keeps two signals for itself, and those too can be inherited
/// as ignored.
void set_all_signals_to_default() {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } action{};  // as the kernel has it; all zero is SIG_DFL
  for (int signal = 1; signal < NSIG; ++signal)
    ::syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask);
}

void unblock_all_signals_but(const sigset_t& blocked) {
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

void close_range(unsigned first, unsigned last) {
  if (first > last || ::syscall(SYS_close_range, first, last, 0U) == 0) return;
  constexpr unsigned kOpenMax = 65'536;  // before Linux 5.9: as many as anybody has open
  for (unsigned fd = first; fd <= std::min(last, kOpenMax); ++fd) ::close(static_cast<int>(fd));
}

template <std::size_t N>
void close_all_but(std::array<int, N> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = 0;
  for (const int fd : kept) {
    if (fd > 0) close_range(first, static_cast<unsigned>(fd) - 1);
    first = static_cast<unsigned>(fd) + 1;
  }
  close_range(first, ~0U);
}

// --- The server before it is itself --------------------------------------------------------------

/// Only returns if nothing could be run; the errno that says most about it.
int execute(const Launch& launch) {
  int error = ENOENT;
  for (char* const* path = launch.paths; *path != nullptr; ++path) {
    ::execve(*path, launch.argv, launch.envp);
    if (errno == ENOEXEC) {
      launch.script_argv[1] = *path;
      ::execve(launch.script_argv[0], launch.script_argv, launch.envp);
      return errno;
    }
    const bool try_next = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    if (!try_next) return errno;
    if (error != EACCES) error = errno;
  }
  return error;
}

[[noreturn]] void become_server(const Launch& launch, pid_t guardian) {
  if (launch.terminal)
    ::setsid();
  else
    ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != guardian) ::_exit(1);  // it died before it could be noticed
  set_all_signals_to_default();
  sigset_t none;
  sigemptyset(&none);
  unblock_all_signals_but(none);

  if (launch.handover >= 0) lock_sandbox();

  Failure failure{Step::kStreams, 0};
  for (int fd = 0; fd < 3 && failure.error == 0; ++fd)
    if (::dup2(launch.stdio[static_cast<std::size_t>(fd)], fd) < 0) failure.error = errno;
  if (failure.error == 0 && launch.terminal && ::ioctl(STDIN_FILENO, TIOCSCTTY, 0) != 0)
    failure = {Step::kTerminal, errno};
  if (failure.error == 0 && launch.directory != nullptr && ::chdir(launch.directory) != 0)
    failure = {Step::kDirectory, errno};
  if (failure.error == 0) failure = {Step::kExec, execute(launch)};
  retried([&] { return ::write(launch.exec_write, &failure, sizeof failure); });
  ::_exit(127);
}

// --- The guardian --------------------------------------------------------------------------------

class Guardian {
 public:
  explicit Guardian(const Launch& launch) : launch_(launch) {}

  [[noreturn]] void live() {
    stand_aside();
    start_server();
    for (bool left = true; left; left = reap()) {
      wait();
      obey();
    }
    ::_exit(0);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void stand_aside() {
    ::setsid();  // no terminal's signals
    ::prctl(PR_SET_NAME, "cutline-guard");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    set_all_signals_to_default();
    // What ends a whole session or service must find us alive: our work begins then.
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE})
      ::sigaction(signal, &ignore, nullptr);
    close_all_but(std::array{launch_.control, launch_.status, launch_.exec_read, launch_.exec_write,
                             launch_.handover, launch_.stdio[0], launch_.stdio[1],
                             launch_.stdio[2]});
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    child_signal_ = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (child_signal_ < 0) fail(Step::kGuardian, errno);
    unblock_all_signals_but(child);
    lookup_ = available_lookup();
  }

  void start_server() {
    if (launch_.handover >= 0) {
      const Failure failure = enter_sandbox(launch_);
      if (failure.error != 0) fail(failure.step, failure.error);
      ::close(launch_.handover);
    }
    const pid_t self = ::getpid();
    server_ = ::fork();
    if (server_ < 0) fail(Step::kFork, errno);
    if (server_ == 0) become_server(launch_, self);
    for (const int fd : launch_.stdio) ::close(fd);
    ::close(launch_.exec_write);

    Failure failure{};
    const ssize_t got =
        retried([&] { return ::read(launch_.exec_read, &failure, sizeof failure); });
    ::close(launch_.exec_read);
    if (got == sizeof failure) {
      ::waitpid(server_, nullptr, 0);
      fail(failure.step, failure.error);
    }
    report({StatusMessage::Kind::kStarted, server_, 0});
  }

  [[noreturn]] void fail(Step step, int error) {
    report({StatusMessage::Kind::kFailed, static_cast<std::int32_t>(step), error});
    ::_exit(0);
  }

  void report(const StatusMessage& message) {
    retried([&] { return ::write(launch_.status, &message, sizeof message); });
  }

  void wait() {
    std::array<pollfd, 2> polls{pollfd{child_signal_, POLLIN, 0},
                                pollfd{killing_ ? -1 : launch_.control, POLLIN, 0}};
    ::poll(polls.data(), polls.size(), killing_ ? static_cast<int>(kKillAgainAfter.count()) : -1);
    signalfd_siginfo ignored;  // reap() asks for itself who has ended
    while (::read(child_signal_, &ignored, sizeof ignored) > 0) continue;
    ordered_ = (polls[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
  }

  void obey() {
    if (ordered_) {
      Order order = Order::kKill;
      const ssize_t got = retried([&] { return ::read(launch_.control, &order, sizeof order); });
      if (got == sizeof order && order == Order::kTerminate) return signal_tree(SIGTERM);
      killing_ = true;
      give_up_at_ = Clock::now() + kGiveUpAfter;
    }
    if (!killing_) return;
    if (Clock::now() > give_up_at_) ::_exit(1);
    signal_tree(SIGKILL);
  }

  void signal_tree(int signal) {
    const std::size_t count = descendants(::getpid(), lookup_, tree_);
    for (std::size_t i = 0; i < count; ++i) ::kill(tree_[i], signal);
    // Without /proc that is nobody. The server at least is known, and its id not given away again
    // before we reap it.
    if (count == 0 && server_running_) ::kill(server_, signal);
  }

  /// Takes leave of everyone who has ended; whether anyone is left.
  bool reap() {
    while (true) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid == 0) return true;
      if (pid < 0) return false;
      if (pid != server_) continue;
      server_running_ = false;
      const bool exited = WIFEXITED(status);
      report({StatusMessage::Kind::kExited, exited ? WEXITSTATUS(status) : -1,
              exited ? 0 : WTERMSIG(status)});
    }
  }

  const Launch& launch_;
  Lookup lookup_ = Lookup::kParents;
  int child_signal_ = -1;
  pid_t server_ = -1;
  bool server_running_ = true;
  bool ordered_ = false, killing_ = false;
  Clock::time_point give_up_at_;
  std::array<pid_t, kSignalledAtOnceMax> tree_{};
};

}  // namespace

void guard(const Launch& launch) { Guardian(launch).live(); }

}  // namespace cutline::sys
