// fd_test.cc
#include "sys/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cutline::sys {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(Fd, ClosesOnce) {
  Pipe pipe = make_pipe().value();
  const int first = pipe.read.get();
  const int second = pipe.write.get();
  Fd moved = std::move(pipe.read);
  EXPECT_FALSE(pipe.read);
  EXPECT_TRUE(is_open(first));
  moved = std::move(pipe.write);
  EXPECT_FALSE(is_open(first));
  EXPECT_TRUE(is_open(second));
  moved.reset();
  EXPECT_FALSE(is_open(second));
}

TEST(Pipe, KeepsOutOfTheWay) {
  // As if we had been started without standard input and output.
  const Fd input(::dup(STDIN_FILENO)), output(::dup(STDOUT_FILENO));
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  const Pipe pipe = make_pipe().value();
  ::dup2(input.get(), STDIN_FILENO);
  ::dup2(output.get(), STDOUT_FILENO);
  for (const Fd* end : {&pipe.read, &pipe.write}) {
    EXPECT_GE(end->get(), 3);
    EXPECT_EQ(::fcntl(end->get(), F_GETFD), FD_CLOEXEC);
  }
}

}  // namespace
}  // namespace cutline::sys
