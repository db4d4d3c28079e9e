// start_problem.cc: from the step that failed and its errno to what to do.
#include "sys/start_problem.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>

namespace cutline::sys {
namespace {

bool exists(const std::string& path, const std::string& directory) {
  const bool relative = !path.starts_with('/') && !directory.empty();
  struct stat ignored{};
  return ::stat((relative ? directory + "/" + path : path).c_str(), &ignored) == 0;
}

tl::unexpected<Problem> not_executed(const Command& command, const std::vector<std::string>& paths,
                                     int error) {
  const std::string& name = command.argv.front();
  switch (error) {
    case E2BIG:
    case EAGAIN:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return refused("exec", error);
    default:
      break;
  }
  const bool missing = error == ENOENT || error == ENOTDIR;
  const bool there = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return exists(path, command.directory);
  });
  if (missing && !there) {
    const bool searched = name.find('/') == name.npos;
    return fail({.code = "sys.command.not_found",
                 .message = fmt::format("command '{}' not found: {}", name, std::strerror(error)),
                 .place = {},
                 .hint = searched ? "it is looked up in PATH; a whole path works too" : "",
                 .blame = Blame::kMissing});
  }
  return fail({.code = "sys.command.not_executable",
               .message = fmt::format("command '{}' cannot be run: {}", name, std::strerror(error)),
               .place = {},
               .hint = missing ? "the file is there, but not the interpreter that it asks for" : "",
               .blame = Blame::kMissing});
}

}  // namespace

tl::unexpected<Problem> refused(std::string_view what, int error) {
  return fail({.code = "sys.process",
               .message = fmt::format("cannot start a process: {}: {}", what, std::strerror(error)),
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

tl::unexpected<Problem> no_terminal(int error) {
  return fail({.code = "sys.terminal",
               .message = fmt::format("cannot give it a terminal: {}", std::strerror(error)),
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

tl::unexpected<Problem> not_isolated(std::string_view what, int error) {
  std::string_view reason;
  switch (error) {
    case EPERM:
    case EACCES:
    case EROFS:
      reason =
          "; a container, AppArmor or /proc/sys/kernel/unprivileged_userns_clone does not permit "
          "user namespaces here";
      break;
    case ENOSPC:
    case EUSERS:
      reason = "; /proc/sys/user/max_user_namespaces or max_net_namespaces permits no more";
      break;
    case EINVAL:
    case ENOSYS:
      reason = "; this kernel has no such namespaces";
      break;
    default:
      break;
  }
  return fail({.code = "sys.sandbox",
               .message = fmt::format("cannot keep it from the network: {}: {}{}", what,
                                      std::strerror(error), reason),
               .place = {},
               .hint = "permit it there; or --no-isolation runs it without, and the result says so",
               .blame = Blame::kMissing});
}

tl::unexpected<Problem> not_started(const Command& command, const std::vector<std::string>& paths,
                                    const StatusMessage& failure) {
  switch (static_cast<Step>(failure.value)) {
    case Step::kGuardian:
      return refused("guardian", failure.error);
    case Step::kNamespaces:
      return not_isolated("making namespaces", failure.error);
    case Step::kIdentity:
      return not_isolated("mapping the user", failure.error);
    case Step::kLoopback:
      return not_isolated("bringing loopback up", failure.error);
    case Step::kListen:
      return not_isolated("listening inside", failure.error);
    case Step::kHandover:
      return not_isolated("handing sockets out", failure.error);
    case Step::kFork:
      return refused("fork", failure.error);
    case Step::kStreams:
      return refused("dup2", failure.error);
    case Step::kTerminal:
      return no_terminal(failure.error);
    case Step::kDirectory:
      return fail({.code = "sys.directory",
                   .message = fmt::format("cannot go to the folder '{}': {}", command.directory,
                                          std::strerror(failure.error)),
                   .place = {},
                   .hint = {}});
    case Step::kExec:
      break;
  }
  return not_executed(command, paths, failure.error);
}

}  // namespace cutline::sys
