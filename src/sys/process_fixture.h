// process_fixture.h: real processes for tests. Nothing sleeps to wait for another: a script says by
// a byte that it is where it should be, and that all of a tree are gone is seen by the end of a
// pipe that each holds.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/descendants.h"
#include "sys/process.h"

namespace cutline::sys {

/// Far longer than anything takes, so that a hang is a failure and not a hang.
inline constexpr std::chrono::seconds kDeadline{60};

inline Command shell(std::string script, std::vector<std::string> arguments = {}) {
  Command command{
      .argv = {"sh", "-c", std::move(script), "sh"}, .environment = {}, .directory = {}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return command;
}

struct Finished {
  ExitStatus status;
  std::string out, err;
};

/// Gives the command its input and waits until it and its streams have ended.
inline Finished finish(const Command& command, std::string input = {}) {
  Loop loop;
  Finished finished;
  int to_end = 3;
  const auto ended = [&] {
    if (--to_end == 0) loop.stop();
  };
  Result<std::unique_ptr<Process>> process = Process::start(loop, command, [&](ExitStatus status) {
    finished.status = status;
    ended();
  });
  if (!process) {
    ADD_FAILURE() << to_text(process.error());
    return finished;
  }
  Writer in(loop, (*process)->take_stdin());
  in.write(std::move(input));
  in.close_when_done();
  Reader out(loop, (*process)->take_stdout(),
             {.bytes = [&](std::string_view bytes) { finished.out += bytes; }, .end = ended});
  Reader err(loop, (*process)->take_stderr(),
             {.bytes = [&](std::string_view bytes) { finished.err += bytes; }, .end = ended});
  Timer deadline(loop);
  deadline.at(loop.now() + kDeadline, [&] {
    ADD_FAILURE() << "it does not end";
    loop.stop();
  });
  loop.run();
  return finished;
}

inline std::size_t our_descendants() {
  std::array<pid_t, 64> found{};
  return descendants(::getpid(), available_lookup(), found);
}

/// A named pipe that the processes of a tree hold open.
class Fifo {
 public:
  Fifo() {
    char folder[] = "/tmp/cutline-fifo-XXXXXX";
    folder_ = ::mkdtemp(folder);
    ::mkfifo(path().c_str(), 0600);
    fd_ = Fd(::open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;
  ~Fifo() { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ / "fifo"; }

  /// Waits until the holders have written so many bytes.
  bool wait_for_bytes(std::size_t count) {
    while (count > 0) {
      const std::optional<std::size_t> got = read_some(count);
      if (!got || *got == 0) return false;
      count -= *got;
    }
    return true;
  }

  /// Waits until nobody holds it any more.
  bool wait_for_end() {
    std::optional<std::size_t> got;
    do {
      got = read_some(1);
    } while (got && *got > 0);
    return got.has_value();
  }

 private:
  std::optional<std::size_t> read_some(std::size_t most) {
    pollfd poll{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, static_cast<int>(std::chrono::milliseconds(kDeadline).count())) != 1)
      return std::nullopt;
    char bytes[16];
    const ssize_t got = ::read(fd_.get(), bytes, std::min(most, sizeof bytes));
    return got < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(got));
  }

  std::filesystem::path folder_;
  Fd fd_;
};

/// A server whose descendants do all they can to get away: a child that ignores SIGTERM, one in a
/// session of its own, and one whose parents are gone. Each holds the pipe and has said so.
inline constexpr std::size_t kTreeSize = 4;
inline Command tree(const Fifo& fifo, const std::string& last_words = "exec sleep 1000") {
  return shell(R"(
      exec 3>"$1"
      sh -c 'trap "" TERM HUP; printf 1 >&3; exec sleep 1000' &
      setsid sh -c 'printf 2 >&3; exec sleep 1000' &
      (setsid sh -c 'trap "" TERM HUP; printf 3 >&3; exec sleep 1000' &)
      printf 4 >&3
      )" + last_words,
               {fifo.path()});
}

}  // namespace cutline::sys
