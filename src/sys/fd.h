// fd.h: a file descriptor that is closed exactly once, and pipes of them.
#pragma once

#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/result.h"

namespace cutline::sys {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset();

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read, write;
};

/// Both ends close on exec, and none is a standard stream even if we were started without those.
/// Problem "sys.descriptor".
Result<Pipe> make_pipe();

/// Two connected sockets that keep messages apart, with the same promises. Problem
/// "sys.descriptor".
Result<std::pair<Fd, Fd>> make_message_sockets();

/// Raises our limit of open descriptors as far as the system permits, at most to this. What we
/// start inherits it.
void allow_descriptors(std::size_t count);

/// Another descriptor of the same open file, with the same promises. Problem "sys.descriptor".
Result<Fd> duplicate(int fd);

/// Makes reading and writing return at once. For our own ends of our own pipes only: on what we
/// inherited the setting would be shared with strangers.
void set_nonblocking(const Fd& fd);

/// Repeats a system call as long as signals interrupt it.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace cutline::sys
