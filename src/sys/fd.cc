// fd.cc: descriptors and pipes.
#include "sys/fd.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cutline::sys {
namespace {

constexpr int kFirstFree = 3;  // behind the standard streams

tl::unexpected<Problem> no_descriptor() {
  return fail({.code = "sys.descriptor",
               .message = std::string("cannot open another descriptor: ") + std::strerror(errno),
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

/// Moves them away from the standard streams.
Result<void> move_up(std::initializer_list<Fd*> fds) {
  for (Fd* fd : fds) {
    if (fd->get() >= kFirstFree) continue;
    CUTLINE_TRY_ASSIGN(*fd, duplicate(fd->get()));
  }
  return {};
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

void Fd::reset() {
  // Not repeated on EINTR: on Linux the descriptor is gone then too.
  if (fd_ >= 0) ::close(release());
}

Result<Fd> duplicate(int fd) {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstFree));
  if (!copy) return no_descriptor();
  return copy;
}

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return no_descriptor();
  Pipe pipe{Fd(ends[0]), Fd(ends[1])};
  CUTLINE_TRY(move_up({&pipe.read, &pipe.write}));
  return pipe;
}

Result<std::pair<Fd, Fd>> make_message_sockets() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return no_descriptor();
  std::pair<Fd, Fd> sockets{ends[0], ends[1]};
  CUTLINE_TRY(move_up({&sockets.first, &sockets.second}));
  return sockets;
}

void allow_descriptors(std::size_t count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min<rlim_t>(count, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void set_nonblocking(const Fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace cutline::sys
