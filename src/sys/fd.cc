// fd.cc: descriptors and pipes.
#include "sys/fd.h"

#include <cstring>

#include <fcntl.h>
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
  for (Fd* end : {&pipe.read, &pipe.write}) {
    if (end->get() >= kFirstFree) continue;
    CUTLINE_TRY_ASSIGN(*end, duplicate(end->get()));
  }
  return pipe;
}

void set_nonblocking(const Fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace cutline::sys
