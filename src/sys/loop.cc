// loop.cc: Asio's reactor, timers and signals; reading and writing ourselves.
//
// Asio tells when a descriptor is ready, we do the read() and write(). Its own operations need the
// descriptor non-blocking, but our standard streams are shared with whoever started us: a shell
// would find its terminal changed. So a descriptor that blocks is written in pieces that a ready
// pipe takes whole, and regular files, for which there is no readiness, are simply read.
#include "sys/loop.h"

#include <deque>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/asio.h"

namespace cutline::sys {
namespace {

namespace asio = boost::asio;
using Error = boost::system::error_code;
using Descriptor = asio::posix::stream_descriptor;

class SigpipeBlock {
 public:
  SigpipeBlock() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &sigpipe_, &before);
    was_blocked_ = sigismember(&before, SIGPIPE) == 1;
  }
  ~SigpipeBlock() {
    if (was_blocked_) return;
    const timespec at_once{};
    while (::sigtimedwait(&sigpipe_, nullptr, &at_once) == SIGPIPE) continue;
    ::pthread_sigmask(SIG_UNBLOCK, &sigpipe_, nullptr);
  }
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t sigpipe_;
  bool was_blocked_ = false;
};

/// Gives `fd` to `descriptor`, without a change to the flags of the open file: Asio wants it
/// non-blocking, so it is made to believe that it is. A closed one stays closed.
void adopt(Descriptor& descriptor, Fd fd) {
  Error error;
  if (fd) descriptor.assign(fd.get(), error);
  if (!descriptor.is_open()) return;
  const int flags = ::fcntl(fd.get(), F_GETFL);
  descriptor.native_non_blocking(true, error);
  ::fcntl(fd.get(), F_SETFL, flags);
  fd.release();
}

void close(Descriptor& descriptor) {
  Error ignored;
  descriptor.close(ignored);
}

}  // namespace

struct Loop::Impl {
  SigpipeBlock sigpipe;
  std::vector<char> buffer = std::vector<char>(kReadChunkBytes);  // of the Reader that reads now
  asio::io_context context{1};
};

asio::io_context& context_of(Loop& loop) { return loop.impl().context; }

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

void Loop::run() {
  impl_->context.restart();
  impl_->context.run();
}

void Loop::stop() { impl_->context.stop(); }

void Loop::run_ready() {
  impl_->context.restart();
  impl_->context.poll();
}

Time Loop::now() const { return std::chrono::steady_clock::now(); }

// --- Timer ---------------------------------------------------------------------------------------

struct Timer::Impl : std::enable_shared_from_this<Impl> {
  explicit Impl(Loop& loop) : timer(context_of(loop)) {}

  asio::steady_timer timer;
  std::function<void()> callback;
  std::size_t turn = 0;  // an expiry that is already queued cannot be cancelled, but it is outdated
};

Timer::Timer(Loop& loop) : impl_(std::make_shared<Impl>(loop)) {}
Timer::~Timer() { cancel(); }

void Timer::at(Time when, std::function<void()> callback) {
  impl_->callback = std::move(callback);
  impl_->timer.expires_at(when);
  impl_->timer.async_wait([self = impl_->shared_from_this(), turn = ++impl_->turn](const Error&) {
    if (turn != self->turn) return;
    const std::function<void()> call = std::exchange(self->callback, nullptr);
    call();
  });
}

void Timer::cancel() {
  ++impl_->turn;
  impl_->callback = nullptr;
  impl_->timer.cancel();
}

// --- Reader --------------------------------------------------------------------------------------

struct Reader::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& loop, Callbacks calls)
      : descriptor(context_of(loop)), callbacks(std::move(calls)), buffer(loop.impl().buffer) {}

  void wait() {
    descriptor.async_wait(Descriptor::wait_read, [self = shared_from_this()](const Error& error) {
      if (!self->stopped) self->ready(error);
    });
  }

  void ready(const Error& error) {
    // "Not supported" is what a regular file gives: it is always ready.
    if (error && error != asio::error::operation_not_supported) return finish();
    if (!has_something()) return wait();
    const ssize_t got = retried(
        [this] { return ::read(descriptor.native_handle(), buffer.data(), buffer.size()); });
    if (got < 0 && errno == EAGAIN) return wait();
    if (got <= 0) return finish();
    callbacks.bytes(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
    if (!stopped) wait();
  }

  /// Being woken is no promise: what came for a descriptor of the same number before counts, too. A
  /// read of one that blocks would then hold up the whole loop.
  bool has_something() {
    if (nonblocking) return true;
    pollfd poll{.fd = descriptor.native_handle(), .events = POLLIN, .revents = 0};
    return retried([&poll] { return ::poll(&poll, 1, 0); }) != 0;
  }

  void finish() {
    stopped = true;
    close(descriptor);
    callbacks.end();
  }

  Descriptor descriptor;
  bool nonblocking = false;
  Callbacks callbacks;
  std::vector<char>& buffer;  // all readers share it: a thousand connections need one
  bool stopped = false;
};

Reader::Reader(Loop& loop, Fd fd, Callbacks callbacks)
    : impl_(std::make_shared<Impl>(loop, std::move(callbacks))) {
  impl_->nonblocking = (::fcntl(fd.get(), F_GETFL) & O_NONBLOCK) != 0;
  adopt(impl_->descriptor, std::move(fd));
  impl_->wait();
}

Reader::~Reader() {
  impl_->stopped = true;
  close(impl_->descriptor);
}

// --- Writer --------------------------------------------------------------------------------------

struct Writer::Impl : std::enable_shared_from_this<Impl> {
  explicit Impl(Loop& loop) : descriptor(context_of(loop)), done(loop) {}

  bool ready() {
    if (nonblocking) return true;
    pollfd poll{.fd = descriptor.native_handle(), .events = POLLOUT, .revents = 0};
    return retried([&poll] { return ::poll(&poll, 1, 0); }) != 0;
  }

  void flush() {
    // A pipe that is ready takes PIPE_BUF bytes without blocking, and not one more for certain.
    const std::size_t piece_max = nonblocking ? SSIZE_MAX : PIPE_BUF;
    while (!queue.empty()) {
      if (!ready()) return wait();
      const std::string& bytes = queue.front();
      const std::size_t size = std::min(bytes.size() - written, piece_max);
      const ssize_t put = retried(
          [&] { return ::write(descriptor.native_handle(), bytes.data() + written, size); });
      if (put < 0 && errno == EAGAIN) return wait();
      if (put < 0) return fail_with(errno);
      written += static_cast<std::size_t>(put);
      queued -= static_cast<std::size_t>(put);
      if (written < bytes.size()) continue;
      queue.pop_front();
      written = 0;
    }
    if (closing) finish();
  }

  void wait() {
    waiting = true;
    descriptor.async_wait(Descriptor::wait_write, [self = shared_from_this()](const Error& error) {
      self->waiting = false;
      if (!self->descriptor.is_open()) return;
      if (error) return self->fail_with(error.value());
      self->flush();
    });
  }

  void fail_with(int error) {
    const bool reader_gone = error == EPIPE || error == ECONNRESET;
    if (!reader_gone) failed = error;
    finish();
  }

  void finish() {
    // A Reader holds the same socket open, so that closing alone would not tell the other side.
    if (is_socket && descriptor.is_open()) ::shutdown(descriptor.native_handle(), SHUT_WR);
    close(descriptor);
    queue.clear();
    queued = written = 0;
    if (closed) done.at(Time{}, std::exchange(closed, nullptr));
  }

  Descriptor descriptor;
  Timer done;  // calls `closed` from the loop
  std::function<void()> closed;
  std::deque<std::string> queue;
  std::size_t written = 0;  // of the first in the queue
  std::size_t queued = 0;
  int failed = 0;  // an errno
  bool nonblocking = false, is_pipe = false, is_socket = false, waiting = false, closing = false;
};

Writer::Writer(Loop& loop, Fd fd) : impl_(std::make_shared<Impl>(loop)) {
  struct stat status{};
  if (::fstat(fd.get(), &status) == 0) {
    impl_->is_pipe = S_ISFIFO(status.st_mode);
    impl_->is_socket = S_ISSOCK(status.st_mode);
  }
  impl_->nonblocking = (::fcntl(fd.get(), F_GETFL) & O_NONBLOCK) != 0;
  adopt(impl_->descriptor, std::move(fd));
}

Writer::~Writer() { close_now(); }

void Writer::write(std::string bytes) {
  if (bytes.empty() || impl_->closing || !impl_->descriptor.is_open()) return;
  impl_->queued += bytes.size();
  impl_->queue.push_back(std::move(bytes));
  if (!impl_->waiting) impl_->flush();
}

std::size_t Writer::waiting() const {
  int in_pipe = 0;
  if (impl_->is_pipe && impl_->descriptor.is_open())
    ::ioctl(impl_->descriptor.native_handle(), FIONREAD, &in_pipe);
  return impl_->queued + static_cast<std::size_t>(in_pipe);
}

int Writer::error() const { return impl_->failed; }

void Writer::close_when_done(std::function<void()> closed) {
  impl_->closing = true;
  impl_->closed = std::move(closed);
  if (impl_->queue.empty()) impl_->finish();
}

void Writer::close_now() {
  impl_->closed = nullptr;
  impl_->done.cancel();
  impl_->finish();
}

// --- Signals -------------------------------------------------------------------------------------

struct Signals::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& loop, std::function<void(int)> call)
      : set(context_of(loop)), callback(std::move(call)) {}

  void wait() {
    set.async_wait([self = shared_from_this()](const Error& error, int signal) {
      if (error || self->stopped) return;
      self->wait();
      self->callback(signal);
    });
  }

  asio::signal_set set;
  std::function<void(int)> callback;
  bool stopped = false;
};

Signals::Signals(Loop& loop, const std::vector<int>& signals, std::function<void(int)> callback)
    : impl_(std::make_shared<Impl>(loop, std::move(callback))) {
  Error ignored;
  for (int signal : signals) impl_->set.add(signal, ignored);
  impl_->wait();
}

Signals::~Signals() {
  impl_->stopped = true;
  Error ignored;
  impl_->set.clear(ignored);
  impl_->set.cancel(ignored);
}

}  // namespace cutline::sys
