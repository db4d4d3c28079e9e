// command.cc: posix_spawn, with output into files: no pipe that could fill up while we wait.
#include "support/command.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutline::testing_support {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what, int error) {
  std::fprintf(stderr, "support/command: %s: %s\n", what, std::strerror(error));
  std::abort();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Ours with the command's over it, as "NAME=VALUE".
std::vector<std::string> environment_of(const Command& command) {
  std::map<std::string, std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    merged[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : command.environment) merged[name] = value;
  std::vector<std::string> lines;
  lines.reserve(merged.size());
  for (const auto& [name, value] : merged) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Ran run(const Command& command) {
  const ScratchFolder output;
  const std::string out = output.path() + "/out", err = output.path() + "/err";

  // coreutils' timeout ends what hangs, with all that it started.
  std::vector<std::string> argv = {"timeout", "--kill-after=5",
                                   std::to_string(command.limit.count())};
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  std::vector<std::string> environment = environment_of(command);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!command.directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
  const int write_flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), write_flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), write_flags, 0600);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, "timeout", &actions, nullptr, pointers(argv).data(),
                                 pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) give_up("cannot run timeout", error);

  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) give_up("waitpid", errno);
  Ran ran;
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.out = read_file(out);
  ran.err = read_file(err);
  return ran;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "cutline-test.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) give_up("mkdtemp", errno);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what a server still writes there is not worth a failure
  fs::remove_all(path_, ignored);
}

}  // namespace cutline::testing_support
