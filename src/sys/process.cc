// process.cc: starting a child, and the conversation with its guardian.
#include "sys/process.h"

#include <array>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "sys/guardian.h"
#include "sys/preparation.h"
#include "sys/start_problem.h"

namespace cutline::sys {
namespace {

/// A file system that does not answer must not hold us for ever.
constexpr std::chrono::seconds kStartMax{20};
/// The guardian itself gives up before that.
constexpr std::chrono::seconds kDestructionMax{7};

// --- Its standard streams ------------------------------------------------------------------------

struct Streams {
  std::array<Fd, 3> ours, theirs;
};

Result<Streams> pipes() {
  CUTLINE_TRY_ASSIGN(Pipe in, make_pipe());
  CUTLINE_TRY_ASSIGN(Pipe out, make_pipe());
  CUTLINE_TRY_ASSIGN(Pipe err, make_pipe());
  return Streams{{std::move(in.write), std::move(out.read), std::move(err.read)},
                 {std::move(in.read), std::move(out.write), std::move(err.write)}};
}

Result<Streams> pseudoterminal(const Terminal& terminal) {
  std::array<char, 64> name{};
  const Fd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!master || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
      ::ptsname_r(master.get(), name.data(), name.size()) != 0)
    return no_terminal(errno);
  const Fd slave(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  winsize size{};
  size.ws_col = terminal.columns;
  size.ws_row = terminal.rows;
  if (!slave || ::ioctl(slave.get(), TIOCSWINSZ, &size) != 0) return no_terminal(errno);

  Streams streams;
  for (Fd& theirs : streams.theirs) {
    CUTLINE_TRY_ASSIGN(theirs, duplicate(slave.get()));
  }
  CUTLINE_TRY_ASSIGN(streams.ours[0], duplicate(master.get()));
  CUTLINE_TRY_ASSIGN(streams.ours[1], duplicate(master.get()));
  return streams;
}

Result<Streams> streams_for(const Command& command) {
  return command.terminal ? pseudoterminal(*command.terminal) : pipes();
}

// --- Forking -------------------------------------------------------------------------------------

/// Starts the guardian with no signal able to reach a handler of ours in it.
pid_t fork_guardian(const Launch& launch) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) guard(launch);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

/// Waits for events (0: just the end) of a descriptor; whether one came in time.
bool wait_for(const Fd& fd, short events, std::chrono::milliseconds most) {
  pollfd poll{.fd = fd.get(), .events = events, .revents = 0};
  return retried([&] { return ::poll(&poll, 1, static_cast<int>(most.count())); }) > 0;
}

std::optional<StatusMessage> first_message(const Fd& status) {
  StatusMessage message{};
  if (!wait_for(status, POLLIN, kStartMax)) return std::nullopt;
  const ssize_t got = retried([&] { return ::read(status.get(), &message, sizeof message); });
  if (got != sizeof message) return std::nullopt;
  return message;
}

/// The sockets that came with a message; what is there of it must be there already.
Result<std::vector<Fd>> received(const Fd& socket, std::size_t count) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kSandboxPortsMax * sizeof(int))> control{};
  char byte = 0;
  iovec content{.iov_base = &byte, .iov_len = 1};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got =
      retried([&] { return ::recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT); });
  if (got < 0) return not_isolated("taking sockets out", errno);
  std::vector<Fd> fds;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); got == 1 && header != nullptr) {
    const std::size_t sent = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < sent; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      fds.emplace_back(fd);
    }
  }
  // Fewer come when we have no descriptors left.
  if (fds.size() != count) return not_isolated("taking sockets out", EMFILE);
  return fds;
}

}  // namespace

// --- Process -------------------------------------------------------------------------------------

struct Process::Impl : std::enable_shared_from_this<Impl> {
  explicit Impl(Loop& run_in) : loop(run_in), timer(run_in) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    reader.reset();
    control.reset();  // the guardian takes it as an order to kill
    if (guardian > 0 && wait_for(alive, 0, kDestructionMax)) reap_guardian();
  }

  void listen(Fd status) {
    // The callbacks may lead to our destruction, so each holds us while it runs.
    const std::weak_ptr<Impl> weak = weak_from_this();
    reader.emplace(loop, std::move(status),
                   Reader::Callbacks{.bytes =
                                         [weak](std::string_view bytes) {
                                           if (const auto self = weak.lock()) self->hear(bytes);
                                         },
                                     .end =
                                         [weak] {
                                           if (const auto self = weak.lock()) self->tree_gone();
                                         }});
  }

  /// The guardian has only one thing to say once the server runs.
  void hear(std::string_view bytes) {
    StatusMessage message{};
    if (bytes.size() < sizeof message) return;
    std::memcpy(&message, bytes.data(), sizeof message);
    ExitStatus status;
    if (message.error != 0)
      status.signal = message.error;
    else
      status.code = message.value;
    server_ended(status);
  }

  void server_ended(const ExitStatus& status) {
    if (exit) return;
    exit = status;
    if (const auto call = std::exchange(on_exit, nullptr)) call(status);
  }

  void tree_gone() {
    reap_guardian();
    timer.cancel();
    // A guardian that ends without a word was killed, and the server with it.
    server_ended({.code = {}, .signal = SIGKILL});
    if (const auto call = std::exchange(on_gone, nullptr)) call();
  }

  void reap_guardian() {
    retried([this] { return ::waitpid(guardian, nullptr, 0); });
    guardian = -1;
  }

  void order(Order order) {
    // Fails only when the guardian is gone, which we are about to hear anyway.
    retried([&] { return ::write(control.get(), &order, sizeof order); });
  }

  Loop& loop;
  Timer timer;
  std::optional<Reader> reader;
  Fd control, alive;  // alive: our end of the status pipe, to see it end without the loop
  std::array<Fd, 3> stdio;
  std::vector<Fd> listeners;
  pid_t guardian = -1, server = -1;
  std::function<void(ExitStatus)> on_exit;
  std::function<void()> on_gone;
  std::optional<ExitStatus> exit;
};

Process::Process(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Process::~Process() {
  impl_->on_exit = nullptr;
  impl_->on_gone = nullptr;
}

Result<std::unique_ptr<Process>> Process::start(Loop& loop, const Command& command,
                                                std::function<void(ExitStatus)> on_exit) {
  if (command.argv.empty() || command.argv.front().empty())
    return fail({.code = "sys.command.not_found",
                 .message = "there is no command to start",
                 .place = {},
                 .hint = {}});
  if (command.sandbox && command.sandbox->ports.size() > kSandboxPortsMax)
    return not_isolated("listening inside", EMFILE);
  CUTLINE_TRY_ASSIGN(Streams streams, streams_for(command));
  CUTLINE_TRY_ASSIGN(Pipe control, make_pipe());
  CUTLINE_TRY_ASSIGN(Pipe status, make_pipe());
  CUTLINE_TRY_ASSIGN(Pipe exec, make_pipe());
  CUTLINE_TRY_ASSIGN(Fd alive, duplicate(status.read.get()));
  std::pair<Fd, Fd> handover;
  if (command.sandbox) {
    CUTLINE_TRY_ASSIGN(handover, make_message_sockets());
  }

  Preparation preparation(command);
  Launch launch = preparation.launch();
  for (std::size_t i = 0; i < 3; ++i) launch.stdio[i] = streams.theirs[i].get();
  launch.control = control.read.get();
  launch.status = status.write.get();
  launch.exec_read = exec.read.get();
  launch.exec_write = exec.write.get();
  launch.handover = handover.second.get();

  auto impl = std::make_shared<Impl>(loop);
  impl->guardian = fork_guardian(launch);
  if (impl->guardian < 0) return refused("fork", errno);
  for (Fd* theirs : {&control.read, &status.write, &exec.read, &exec.write, &handover.second})
    theirs->reset();
  streams.theirs = {};
  impl->control = std::move(control.write);
  impl->alive = std::move(alive);

  const std::optional<StatusMessage> message = first_message(status.read);
  if (!message) return refused("it did not begin to run", ETIMEDOUT);
  if (message->kind == StatusMessage::Kind::kFailed)
    return not_started(command, preparation.paths(), *message);
  if (command.sandbox) {
    CUTLINE_TRY_ASSIGN(impl->listeners, received(handover.first, command.sandbox->ports.size()));
  }
  for (const Fd& ours : streams.ours)
    if (ours) set_nonblocking(ours);
  impl->server = message->value;
  impl->on_exit = std::move(on_exit);
  impl->stdio = std::move(streams.ours);
  impl->listen(std::move(status.read));
  return std::unique_ptr<Process>(new Process(std::move(impl)));
}

Result<void> sandbox_available() {
  Loop loop;
  // A folder is no program, but that is only seen inside.
  const auto process = Process::start(
      loop, {.argv = {"/"}, .environment = {}, .directory = {}, .sandbox = Sandbox{}}, {});
  if (process || process.error().code == "sys.command.not_executable") return {};
  return fail(process.error());
}

pid_t Process::pid() const { return impl_->server; }
Fd Process::take_stdin() { return std::move(impl_->stdio[0]); }
Fd Process::take_stdout() { return std::move(impl_->stdio[1]); }
Fd Process::take_stderr() { return std::move(impl_->stdio[2]); }
std::vector<Fd> Process::take_listeners() { return std::exchange(impl_->listeners, {}); }
std::optional<ExitStatus> Process::exit_status() const { return impl_->exit; }

void Process::terminate(std::chrono::milliseconds grace, std::function<void()> on_gone) {
  if (impl_->guardian < 0) return impl_->timer.at(impl_->loop.now(), std::move(on_gone));
  impl_->on_gone = std::move(on_gone);
  if (grace <= grace.zero()) return impl_->order(Order::kKill);
  impl_->order(Order::kTerminate);
  impl_->timer.at(impl_->loop.now() + grace, [impl = impl_.get()] { impl->order(Order::kKill); });
}

}  // namespace cutline::sys
