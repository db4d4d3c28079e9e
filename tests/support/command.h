// command.h: running a program to its end, for tests that look at it from outside.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace cutline::testing_support {

struct Command {
  std::vector<std::string> argv;                                   // argv[0] is looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment{};  // added to ours
  std::string directory{};                                         // empty: ours
  std::chrono::seconds limit{60};  // then it is ended, with exit code 124
};

struct Ran {
  int exit_code = -1;  // 128 + the signal that ended it
  std::string out, err;
};

/// Standard input is empty. Aborts the test program if nothing can be run at all.
Ran run(const Command& command);

/// A new empty folder, removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace cutline::testing_support
