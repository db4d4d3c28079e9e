// descendants_test.cc
#include "sys/descendants.h"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/fd.h"

namespace cutline::sys {
namespace {

/// A chain of `depth` processes below us, all waiting; their ids, the eldest first.
std::vector<pid_t> chain(int depth, const Pipe& report) {
  const pid_t child = ::fork();
  if (child == 0) {
    // A name that could be taken for the fields that follow it.
    ::prctl(PR_SET_NAME, ") S 1 (");
    for (int i = 1; i < depth && ::fork() == 0; ++i) continue;
    const pid_t self = ::getpid();
    const ssize_t put = ::write(report.write.get(), &self, sizeof self);
    ::pause();
    ::_exit(put > 0 ? 0 : 1);
  }
  std::vector<pid_t> pids(static_cast<std::size_t>(depth));
  for (pid_t& pid : pids)
    EXPECT_EQ(::read(report.read.get(), &pid, sizeof pid), ssize_t{sizeof pid});
  return pids;
}

TEST(Descendants, AreFoundBothWays) {
  const Pipe report = make_pipe().value();
  const std::vector<pid_t> pids = chain(5, report);
  for (const Lookup lookup : {Lookup::kChildren, Lookup::kParents}) {
    if (lookup == Lookup::kChildren && available_lookup() != lookup) continue;
    std::array<pid_t, 64> found{};
    const std::size_t count = descendants(::getpid(), lookup, found);
    EXPECT_THAT(std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)),
                testing::UnorderedElementsAreArray(pids));

    std::array<pid_t, 2> few{};
    EXPECT_EQ(descendants(::getpid(), lookup, few), 2u);
    EXPECT_EQ(few[0], found[0]) << "parents come before their children";
  }
  std::array<pid_t, 64> found{};
  const std::size_t count = descendants(::getpid(), available_lookup(), found);
  for (std::size_t i = 0; i < count; ++i) ::kill(found[i], SIGKILL);
  while (::wait(nullptr) > 0) continue;
  EXPECT_EQ(descendants(::getpid(), available_lookup(), found), 0u);
}

}  // namespace
}  // namespace cutline::sys
