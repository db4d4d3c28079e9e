// sockets.h: listening sockets and connections, in the loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/fd.h"
#include "sys/loop.h"

namespace cutline::sys {

/// 127.0.0.1:port; port 0 lets the system choose. Problem "sys.listen" (with the reason; a port
/// that is taken has its own hint).
Result<Fd> listen_on_loopback(std::uint16_t port);
/// A socket file, which must not be there yet. Problem "sys.listen".
Result<Fd> listen_on_path(const std::string& path);
/// A connection to a socket file, for Reader and Writer (each with a duplicate), non-blocking.
/// Problem "sys.connect".
Result<Fd> connect_to_path(const std::string& path);
/// Which port an IPv4 socket listens on.
std::uint16_t port_of(const Fd& listener);

/// Hands on each connection as a descriptor (non-blocking, close on exec) for Reader and Writer.
/// Running out of descriptors is survived: it tries again until one is free. Many connections, each
/// with a descriptor for the Reader and one for the Writer: see allow_descriptors().
class Listener {
 public:
  Listener(Loop& loop, Fd socket, std::function<void(Fd)> accepted);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// A connection that bytes go through in both directions: plain, or TLS to a named host. It may be
/// destroyed by its own callbacks.
class Stream {
 public:
  struct Callbacks {
    std::function<void()> connected;
    std::function<void(std::string_view)> bytes;  // valid during the call
    std::function<void(Result<void>)> ended;      // once: the other side closed, or what went wrong
  };
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;
  /// What is written before it is connected waits. After the end it is dropped.
  virtual void write(std::string bytes) = 0;
  /// Bytes that the system has not taken yet. More than kStreamWaitingBytesMax end the stream.
  virtual std::size_t waiting() const = 0;
};
inline constexpr std::size_t kStreamWaitingBytesMax = 256 << 20;

struct Endpoint {
  std::string host;  // a name or an address
  std::uint16_t port = 0;
  bool tls = false;
  std::string ca_file = {};  // PEM; whom to trust for TLS instead of the system's store
};
/// Problems, by `ended`: "sys.connect" (name not found, refused, timed out after `timeout`,
/// broken), "sys.tls" (what does not verify; an end of the connection that was not announced, so
/// that what came may have been cut short). Nothing is called before this returns. Destroying it
/// ends it, but a name lookup under way cannot be ended: the destruction of the loop waits for it.
std::unique_ptr<Stream> connect(Loop& loop, const Endpoint& endpoint,
                                std::chrono::milliseconds timeout, Stream::Callbacks callbacks);

}  // namespace cutline::sys
