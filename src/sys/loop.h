// loop.h: the one place where the program waits. Asio stays behind it.
//
// Single-threaded: all callbacks run inside run(). Objects unregister themselves when they are
// destroyed, also from within their own callback.
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

  /// Runs callbacks until stop() is called or nothing is left to wait for.
  void run();
  void stop();
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
  void at(Time when, std::function<void()> callback);
  void cancel();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Reads a pipe, socket or terminal until its end.
class Reader {
 public:
  struct Callbacks {
    std::function<void(std::string_view)> bytes;
    std::function<void()> end;  // end of file, or an error that means the same
  };
  Reader(Loop& loop, Fd fd, Callbacks callbacks);
  ~Reader();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Writes to a pipe or socket without ever blocking. Writing to a closed pipe drops the bytes.
class Writer {
 public:
  Writer(Loop& loop, Fd fd);
  ~Writer();
  void write(std::string bytes);
  /// Bytes that the other side has not taken yet.
  std::size_t waiting() const;
  /// Closes the descriptor once everything is written.
  void close_when_done();
  void close_now();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Calls back in the loop when one of the signals arrives, instead of the default action.
class Signals {
 public:
  Signals(Loop& loop, std::vector<int> signals, std::function<void(int)> callback);
  ~Signals();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace cutline::sys
