// sockets.cc: listening, and accepting as fast as connections come.
#include "sys/sockets.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sys/asio.h"
#include "sys/sandbox.h"

namespace cutline::sys {
namespace {

namespace asio = boost::asio;
using Error = boost::system::error_code;
using Descriptor = asio::posix::stream_descriptor;

constexpr int kBacklog = 512;
/// So that a flood of connections does not keep those that we have waiting.
constexpr int kAcceptedAtOnceMax = 64;
constexpr std::chrono::milliseconds kTryAgainAfter{20};

tl::unexpected<Problem> not_listening(std::string place, int error, std::string_view hint) {
  return fail({.code = "sys.listen",
               .message = fmt::format("cannot listen there: {}", std::strerror(error)),
               .place = std::move(place),
               .hint = std::string(hint),
               .blame = Blame::kMissing});
}

/// Whether the path fits, which is a matter of some hundred bytes.
bool set_path(sockaddr_un& address, const std::string& path) {
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return false;
  std::copy(path.begin(), path.end(), address.sun_path);
  return true;
}

/// What accept(2) may say of a connection that is no more, as opposed to our own trouble.
bool is_about_the_connection(int error) {
  switch (error) {
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EPERM:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<Fd> listen_on_loopback(std::uint16_t port) {
  Fd fd(open_loopback_listener(port));
  if (fd) return fd;
  const int error = errno;
  std::string_view hint;
  if (error == EADDRINUSE) hint = "another program has this port; take another, or 0 for any";
  if (error == EACCES) hint = "ports below 1024 are for root; take a higher one, or 0 for any";
  return not_listening(fmt::format("127.0.0.1:{}", port), error, hint);
}

Result<Fd> listen_on_path(const std::string& path) {
  sockaddr_un address{};
  if (!set_path(address, path))
    return not_listening(
        path, ENAMETOOLONG,
        fmt::format("the path of a socket has at most {} bytes, this one has {}; TMPDIR can name a "
                    "folder with a shorter one",
                    sizeof address.sun_path - 1, path.size()));
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd.get(), kBacklog) != 0)
    return not_listening(path, errno, {});
  return fd;
}

Result<Fd> connect_to_path(const std::string& path) {
  sockaddr_un address{};
  int error = ENAMETOOLONG;
  if (set_path(address, path)) {
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // Blocks only while the other side's queue is full.
    if (fd && retried([&] {
                return ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
              }) == 0) {
      set_nonblocking(fd);
      return fd;
    }
    error = errno;
  }
  return fail({.code = "sys.connect",
               .message = fmt::format("cannot connect to it: {}", std::strerror(error)),
               .place = path,
               .hint = {},
               .blame = Blame::kMissing});
}

std::uint16_t port_of(const Fd& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : std::uint16_t{0};
}

struct Listener::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& run_in, std::function<void(Fd)> call)
      : loop(run_in), timer(run_in), accepted(std::move(call)), socket(context_of(run_in)) {}

  void wait() {
    socket.async_wait(Descriptor::wait_read, [self = shared_from_this()](const Error& error) {
      if (!error && !self->stopped) self->accept_some();
    });
  }

  void accept_some() {
    for (int i = 0; i < kAcceptedAtOnceMax; ++i) {
      Fd fd(retried([this] {
        return ::accept4(socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      }));
      if (fd) {
        const int on = 1;  // answers are small and somebody waits for them; not for socket files
        ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        accepted(std::move(fd));
        if (stopped) return;
      } else if (errno == EAGAIN) {
        break;
      } else if (!is_about_the_connection(errno)) {
        // Out of descriptors or memory. The connection stays in the queue, and we would be told of
        // it again and again.
        return timer.at(loop.now() + kTryAgainAfter, [this] { wait(); });
      }
    }
    wait();
  }

  Loop& loop;
  Timer timer;
  std::function<void(Fd)> accepted;
  Descriptor socket;
  bool stopped = false;
};

Listener::Listener(Loop& loop, Fd socket, std::function<void(Fd)> accepted)
    : impl_(std::make_shared<Impl>(loop, std::move(accepted))) {
  set_nonblocking(socket);
  Error error;
  if (socket) impl_->socket.assign(socket.get(), error);
  if (impl_->socket.is_open()) socket.release();
  impl_->wait();
}

Listener::~Listener() {
  impl_->stopped = true;
  impl_->timer.cancel();
  Error ignored;
  impl_->socket.close(ignored);
}

}  // namespace cutline::sys
