// sandbox.cc: a network namespace with nothing but loopback in it.
//
// Root makes it directly. Everyone else, and a root that has lost the right (in a container), makes
// a user namespace first and is allowed everything in that, which counts for nothing outside. Its
// ids are mapped to themselves, so that files and programs see the user that they know.
//
// A socket belongs to the namespace in which it was made, whoever holds it: so we listen here, and
// the other side of the fork accepts.
#include "sys/sandbox.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/process.h"

namespace cutline::sys {
namespace {

constexpr int kBacklog = 512;
constexpr Failure kNone{Step::kNamespaces, 0};

bool write_whole(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const std::size_t size = std::strlen(text);
  const bool written =
      retried([&] { return ::write(fd, text, size); }) == static_cast<ssize_t>(size);
  const int error = errno;
  ::close(fd);
  errno = error;
  return written;
}

Failure make_namespaces(const Launch& launch) {
  if (::geteuid() == 0 && ::unshare(CLONE_NEWNET) == 0) return kNone;
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return {Step::kNamespaces, errno};
  // A group may only be mapped by whoever cannot use the mapping to drop one that bars him.
  if (!write_whole("/proc/self/setgroups", "deny") && errno != ENOENT)
    return {Step::kIdentity, errno};
  if (!write_whole("/proc/self/uid_map", launch.uid_map) ||
      !write_whole("/proc/self/gid_map", launch.gid_map))
    return {Step::kIdentity, errno};
  return kNone;
}

Failure bring_loopback_up() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {Step::kLoopback, errno};
  ifreq request{};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  request.ifr_flags = IFF_UP;
  const bool up = ::ioctl(fd, SIOCSIFFLAGS, &request) == 0;
  const int error = errno;
  ::close(fd);
  return {Step::kLoopback, up ? 0 : error};
}

Failure hand_over(int socket, const std::array<int, kSandboxPortsMax>& fds, std::size_t count) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> control{};
  char byte = 0;
  iovec content{.iov_base = &byte, .iov_len = 1};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  if (count > 0) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(header), fds.data(), count * sizeof(int));
  }
  const bool sent = retried([&] { return ::sendmsg(socket, &message, MSG_NOSIGNAL); }) == 1;
  return {Step::kHandover, sent ? 0 : errno};
}

Failure hand_listeners_over(const Launch& launch) {
  std::array<int, kSandboxPortsMax> fds{};
  std::size_t count = 0;
  Failure failure{Step::kListen, 0};
  for (const std::uint16_t port : launch.ports) {
    const int fd = count < fds.size() ? open_loopback_listener(port) : -1;
    if (fd < 0) {
      failure.error = count < fds.size() ? errno : EMFILE;
      break;
    }
    fds[count++] = fd;
  }
  if (failure.error == 0) failure = hand_over(launch.handover, fds, count);
  while (count > 0) ::close(fds[--count]);
  return failure;
}

}  // namespace

Failure enter_sandbox(const Launch& launch) {
  Failure failure = make_namespaces(launch);
  if (failure.error == 0) failure = bring_loopback_up();
  if (failure.error == 0) failure = hand_listeners_over(launch);
  return failure;
}

void lock_sandbox() {
  // setns(2) into a namespace of ours, and tracing one of ours that is there, need these. Where we
  // may not drop them we are in a user namespace, where they are worth nothing outside.
  for (const int capability : {CAP_SYS_ADMIN, CAP_SYS_PTRACE})
    ::prctl(PR_CAPBSET_DROP, static_cast<unsigned long>(capability), 0, 0, 0);
}

int open_loopback_listener(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(fd, kBacklog) == 0)
    return fd;
  const int error = errno;
  ::close(fd);
  errno = error;
  return -1;
}

}  // namespace cutline::sys
