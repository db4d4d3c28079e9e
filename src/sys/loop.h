// loop.h: the one place where the program waits. Asio stays behind it.
//
// Single-threaded: all callbacks run inside run(). Objects unregister themselves when they are
// destroyed, also from within their own callback. The loop must outlive them.
//
// While a loop exists, SIGPIPE is blocked in its thread: there is no other way to write to a pipe
// whose reader is gone without dying of it, and a server that dies is our daily business. The mask
// is put back, and a SIGPIPE that came meanwhile forgotten, when the loop goes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace cutline::sys {

using Time = std::chrono::steady_clock::time_point;

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs callbacks until stop() is called by one of them or nothing is left to wait for. Signals
  /// are waited for as long as their object lives.
  void run();
  void stop();
  /// Runs the callbacks that are due, and waits for nothing.
  void run_ready();
  Time now() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Calls back once at a time; destroying or resetting it cancels.
class Timer {
 public:
  explicit Timer(Loop& loop);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void at(Time when, std::function<void()> callback);
  void cancel();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Reads a pipe, socket, terminal or file until its end, at most kReadChunkBytes at a time. It
/// leaves the flags of the descriptor alone: others may share them.
inline constexpr std::size_t kReadChunkBytes = 64 << 10;

class Reader {
 public:
  struct Callbacks {
    std::function<void(std::string_view)> bytes;  // valid during the call
    std::function<void()> end;                    // end of file, or an error that means the same
  };
  Reader(Loop& loop, Fd fd, Callbacks callbacks);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Writes to a pipe, socket, terminal or file without blocking. Writing to a closed pipe drops the
/// bytes, and so does writing that fails, but see error(). What waits when the writer is destroyed
/// is dropped too. For a socket, closing ends our direction of it: the other side sees the end, and
/// a Reader of a duplicate reads on.
class Writer {
 public:
  Writer(Loop& loop, Fd fd);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(std::string bytes);
  /// Bytes that the other side has not taken yet; for a pipe, those that stand in it included.
  std::size_t waiting() const;
  /// The errno of the write that failed; 0 if none did. That the reader is gone is no failure.
  int error() const;
  /// Closes the descriptor once everything is written, or the other side is gone, and then calls
  /// back in the loop.
  void close_when_done(std::function<void()> closed = {});
  void close_now();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Calls back in the loop when one of the signals arrives, instead of the default action.
class Signals {
 public:
  Signals(Loop& loop, const std::vector<int>& signals, std::function<void(int)> callback);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace cutline::sys
