// loop_test.cc
#include "sys/loop.h"

#include <optional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace cutline::sys {
namespace {

using namespace std::chrono_literals;

TEST(Timer, CallsInOrderOfTime) {
  Loop loop;
  Timer later(loop), sooner(loop), never(loop), again(loop);
  std::string calls;
  const Time now = loop.now();
  later.at(now - 1ms, [&] { calls += "later "; });
  sooner.at(now - 2ms, [&] { calls += "sooner "; });
  never.at(now, [&] { calls += "cancelled "; });
  never.cancel();
  again.at(now, [&] { calls += "replaced "; });
  again.at(now, [&] { again.at(now, [&] { calls += "again "; }); });
  loop.run();
  EXPECT_EQ(calls, "sooner later again ");
}

TEST(Timer, IsForgottenWhenDestroyedEvenIfDue) {
  Loop loop;
  Timer first(loop);
  auto second = std::make_unique<Timer>(loop);
  bool called = false;
  first.at(loop.now() - 2ms, [&] { second.reset(); });
  second->at(loop.now() - 1ms, [&] { called = true; });
  loop.run();
  EXPECT_FALSE(called);
}

TEST(Loop, StopsAndRunsAgain) {
  Loop loop;
  Timer stop(loop), later(loop);
  bool called = false;
  later.at(loop.now() + 1h, [] { FAIL(); });
  stop.at(loop.now(), [&] { loop.stop(); });
  loop.run();
  later.at(loop.now(), [&] { called = true; });
  loop.run();
  EXPECT_TRUE(called);
}

TEST(Loop, GivesTheSignalMaskBack) {
  sigset_t before, after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  ASSERT_EQ(sigismember(&before, SIGPIPE), 0);
  {
    Loop loop;
    Pipe pipe = make_pipe().value();
    pipe.read.reset();
    EXPECT_EQ(::write(pipe.write.get(), "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
  }
  ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGPIPE), 0);
}

TEST(Signals, ReachTheLoop) {
  Loop loop;
  std::vector<int> seen;
  std::optional<Signals> signals;
  signals.emplace(loop, std::vector<int>{SIGUSR1, SIGUSR2}, [&](int signal) {
    seen.push_back(signal);
    if (seen.size() == 1)
      ::raise(SIGUSR2);
    else
      signals.reset();
  });
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_EQ(seen, (std::vector<int>{SIGUSR1, SIGUSR2}));
}

TEST(Reader, ReadsToTheEnd) {
  Loop loop;
  Pipe pipe = make_pipe().value();
  std::string got;
  bool ended = false;
  Reader reader(
      loop, std::move(pipe.read),
      {.bytes = [&](std::string_view bytes) { got += bytes; }, .end = [&] { ended = true; }});
  ASSERT_EQ(::write(pipe.write.get(), "hello", 5), 5);
  pipe.write.reset();
  loop.run();
  EXPECT_EQ(got, "hello");
  EXPECT_TRUE(ended);
}

TEST(Reader, ReadsFilesAndNothing) {
  for (const auto& [path, at_least] :
       {std::pair{"/proc/self/exe", std::size_t{100'000}}, std::pair{"/dev/null", std::size_t{0}},
        std::pair{"/no/such/file", std::size_t{0}}}) {
    Loop loop;
    std::size_t got = 0;
    bool ended = false;
    Reader reader(loop, Fd(::open(path, O_RDONLY | O_CLOEXEC)),
                  {.bytes =
                       [&](std::string_view bytes) {
                         EXPECT_LE(bytes.size(), kReadChunkBytes);
                         got += bytes.size();
                       },
                   .end = [&] { ended = true; }});
    loop.run();
    EXPECT_GE(got, at_least) << path;
    EXPECT_TRUE(ended) << path;
  }
}

TEST(Reader, IsNotHeldUpByBytesThatAnotherHasTaken) {
  Loop loop;
  Pipe pipe = make_pipe().value();  // blocks
  Fd same = duplicate(pipe.read.get()).value();
  Timer close(loop);  // its turn comes after that of the other reader
  std::string got;
  int ends = 0;
  const Reader::Callbacks callbacks = {.bytes =
                                           [&](std::string_view bytes) {
                                             got += bytes;
                                             close.at(loop.now(), [&] { pipe.write.reset(); });
                                           },
                                       .end = [&] { ++ends; }};
  ASSERT_EQ(::write(pipe.write.get(), "x", 1), 1);
  Reader one(loop, std::move(pipe.read), callbacks), other(loop, std::move(same), callbacks);
  loop.run();
  EXPECT_EQ(got, "x");
  EXPECT_EQ(ends, 2);
}

TEST(Reader, MayBeDestroyedByItsOwnCallbacks) {
  for (const bool at_end : {false, true}) {
    Loop loop;
    Pipe pipe = make_pipe().value();
    std::unique_ptr<Reader> reader;
    reader = std::make_unique<Reader>(loop, std::move(pipe.read),
                                      Reader::Callbacks{.bytes =
                                                            [&](std::string_view) {
                                                              if (!at_end) reader.reset();
                                                            },
                                                        .end =
                                                            [&] {
                                                              EXPECT_TRUE(at_end);
                                                              reader.reset();
                                                            }});
    ASSERT_EQ(::write(pipe.write.get(), "x", 1), 1);
    pipe.write.reset();
    loop.run();
    EXPECT_EQ(reader, nullptr);
  }
}

/// Sends ten megabytes through a pipe of which either end may be non-blocking.
void send_through_pipe(bool writer_blocks) {
  Loop loop;
  Pipe pipe = make_pipe().value();
  if (!writer_blocks) set_nonblocking(pipe.write);
  const int flags = ::fcntl(pipe.write.get(), F_GETFL);
  const Fd same_file = duplicate(pipe.write.get()).value();
  Writer writer(loop, std::move(pipe.write));

  const std::string sent(10'000'000, 'x');
  writer.write(sent.substr(0, 10));
  writer.write(sent.substr(10));
  EXPECT_EQ(writer.waiting(), sent.size()) << "nobody has read anything";
  EXPECT_EQ(::fcntl(same_file.get(), F_GETFL), flags);

  std::size_t got = 0;
  bool closed = false;
  const auto stop_when_done = [&] {
    if (closed && got == sent.size()) loop.stop();
  };
  writer.close_when_done([&] {
    closed = true;
    EXPECT_EQ(writer.waiting(), 0u);
    stop_when_done();
  });
  writer.write("too late");
  Reader reader(loop, std::move(pipe.read),
                {.bytes =
                     [&](std::string_view bytes) {
                       got += bytes.size();
                       stop_when_done();
                     },
                 .end = [] { FAIL() << "same_file keeps it open"; }});
  loop.run();
  EXPECT_EQ(got, sent.size());
}

TEST(Writer, NeverBlocks) {
  send_through_pipe(true);
  send_through_pipe(false);
}

TEST(Writer, DropsWhatNobodyCanRead) {
  Loop loop;
  Pipe pipe = make_pipe().value();
  set_nonblocking(pipe.write);
  Writer writer(loop, std::move(pipe.write));
  writer.write(std::string(1'000'000, 'x'));
  bool closed = false;
  writer.close_when_done([&] { closed = true; });
  pipe.read.reset();
  loop.run();
  EXPECT_TRUE(closed);
  EXPECT_EQ(writer.waiting(), 0u);
  writer.write("x");
  EXPECT_EQ(writer.waiting(), 0u);
  EXPECT_EQ(writer.error(), 0);
}

TEST(Writer, KnowsWhyItCouldNotWrite) {
  Loop loop;
  Writer writer(loop, Fd(::open("/dev/full", O_WRONLY | O_CLOEXEC)));
  EXPECT_EQ(writer.error(), 0);
  writer.write("x");
  EXPECT_EQ(writer.error(), ENOSPC);
  EXPECT_EQ(writer.waiting(), 0u);
}

TEST(Writer, WritesFiles) {
  Loop loop;
  char path[] = "/tmp/cutline-writer-XXXXXX";
  const Fd file(::mkostemp(path, O_CLOEXEC));
  ::unlink(path);
  Writer writer(loop, duplicate(file.get()).value());
  writer.write(std::string(100'000, 'x'));
  writer.close_when_done();
  loop.run();
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), 100'000);
}

}  // namespace
}  // namespace cutline::sys
