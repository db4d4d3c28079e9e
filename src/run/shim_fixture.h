// shim_fixture.h: for the tests of the shim: a folder, a log in it, and shims that run.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "run/shim.h"
#include "sys/files.h"
#include "sys/loop.h"
#include "sys/process.h"

namespace cutline::run {

/// What is started when a test wants a server in a few lines of shell.
inline std::vector<std::string> shell(std::string script) {
  return {"sh", "-c", std::move(script)};
}

class ShimTest : public testing::Test {
 protected:
  struct Ran {
    std::string out, err;
    int code = -1;
  };

  void SetUp() override {
    char name[] = "/tmp/cutline-shim-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  std::string log_path() const { return path("log.jsonl"); }

  static std::string self() { return std::filesystem::read_symlink("/proc/self/exe"); }

  std::vector<std::string> lab(std::vector<std::string> settings) const {
    std::vector<std::string> argv = {self(), "lab"};
    argv.insert(argv.end(), settings.begin(), settings.end());
    return argv;
  }

  /// A shim in front of a command, or of the one behind `socket`.
  sys::Command shim(std::vector<std::string> server, const std::string& socket = {}) const {
    sys::Command command;
    command.argv = {self(), "shim", "lab", log_path(), socket};
    command.argv.insert(command.argv.end(), server.begin(), server.end());
    return command;
  }

  std::string log_text() const { return sys::read_file(log_path(), 1 << 30).value(); }
  std::vector<store::Message> log() const {
    Result<std::vector<store::Message>> messages = read_shim_log(log_text(), 0);
    EXPECT_TRUE(messages) << (messages ? "" : to_text(messages.error()));
    return messages ? *std::move(messages) : std::vector<store::Message>{};
  }
  std::vector<std::string> lines(std::string_view direction) const {
    std::vector<std::string> found;
    for (const store::Message& message : log())
      if (message.direction == direction) found.push_back(message.line);
    return found;
  }

  /// Gives a command its whole input, and takes everything until it ends.
  static Ran run(sys::Loop& loop, const sys::Command& command, std::string input) {
    Ran ran;
    int open = 3;
    const auto one_less = [&] {
      if (--open == 0) loop.stop();
    };
    auto process = sys::Process::start(loop, command, [&](const sys::ExitStatus& status) {
                     ran.code = status.code.value_or(-1);
                     one_less();
                   }).value();
    sys::Writer in(loop, process->take_stdin());
    in.write(std::move(input));
    in.close_when_done();
    sys::Reader out(loop, process->take_stdout(),
                    {.bytes = [&](std::string_view bytes) { ran.out += bytes; }, .end = one_less});
    sys::Reader err(loop, process->take_stderr(),
                    {.bytes = [&](std::string_view bytes) { ran.err += bytes; }, .end = one_less});
    loop.run();
    return ran;
  }
  static Ran run(const sys::Command& command, std::string input) {
    sys::Loop loop;
    return run(loop, command, std::move(input));
  }

  std::filesystem::path folder_;
};

}  // namespace cutline::run
