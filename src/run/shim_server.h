// shim_server.h: the server behind a shim: a process of ours, or one that a ShimHost keeps for us.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/loop.h"
#include "sys/process.h"

namespace cutline::run {

/// None of the callbacks may destroy the server.
struct ServerEvents {
  std::function<void(std::int64_t pid)> started;  // first of all, or never
  std::function<void(std::string_view)> output, errors;
  std::function<void()> output_ended;
  /// Last of all, and once: nothing of the server is left, and what it said was handed on. A
  /// Problem if it could not be started, or the host is gone.
  std::function<void(const Result<sys::ExitStatus>&)> gone;
  /// Bytes that wait where output and errors go; while there are too many, no more is read.
  std::function<std::size_t()> output_unwritten, errors_unwritten;
};

class ServerBehind {
 public:
  ServerBehind() = default;
  ServerBehind(const ServerBehind&) = delete;
  ServerBehind& operator=(const ServerBehind&) = delete;
  virtual ~ServerBehind() = default;

  virtual void write(std::string_view bytes) = 0;
  virtual void end_input() = 0;
  /// Ends the whole tree; `gone` is called when that is done.
  virtual void terminate() = 0;
  /// Bytes that it has not taken yet.
  virtual std::size_t unwritten() const = 0;
};

/// Problems are those of sys::Process.
Result<std::unique_ptr<ServerBehind>> start_server(sys::Loop& loop, const sys::Command& command,
                                                   ServerEvents events);

/// Over a socket on which a ShimHost listens. Problem "run.shim_host".
Result<std::unique_ptr<ServerBehind>> connect_server(sys::Loop& loop, const std::string& socket,
                                                     ServerEvents events);

}  // namespace cutline::run
