// shim_host_test.cc: a server on the other side of a socket is like one below the shim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "run/shim.h"
#include "run/shim_fixture.h"
#include "run/shim_frames.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Host : public ShimTest {
 protected:
  /// A host for a command, and one shim that connects to it.
  Ran run_hosted(std::vector<std::string> server, std::string input) {
    sys::Loop loop;
    sys::Command command;
    command.argv = std::move(server);
    auto host = ShimHost::start(loop, path("socket"), command);
    EXPECT_TRUE(host) << to_text(host.error());
    return run(loop, shim({}, path("socket")), std::move(input));
  }
};

TEST_F(Host, PassesBytesUnchanged) {
  const Ran ran = run_hosted(shell("cat; printf 'no end'; echo oh >&2; exit 3"), "one\n\xFF\n");
  EXPECT_EQ(ran.out, "one\n\xFF\nno end");
  EXPECT_EQ(ran.err, "oh\n");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(lines("client"), ElementsAre("one", "\xFF"));
  EXPECT_THAT(lines("server"), ElementsAre("one", "\xFF", "no end"));
  EXPECT_THAT(lines("stderr"), ElementsAre("oh"));
  EXPECT_THAT(lines("started"), ElementsAre(StartsWith("pid ")));
  EXPECT_THAT(lines("ended"), ElementsAre("exit code 3"));
  EXPECT_FALSE(std::filesystem::exists(path("socket"))) << "it is removed with the host";
}

TEST_F(Host, TellsHowAServerEnds) {
  EXPECT_EQ(run_hosted(shell("kill -KILL $$"), "").code, 128 + SIGKILL);
  const Ran missing = run_hosted({"no-such-server"}, "");
  EXPECT_EQ(missing.code, 77);
  EXPECT_THAT(missing.err, HasSubstr("sys.command.not_found: command 'no-such-server' not found"));
}

TEST_F(Host, PassesVeryLongLines) {
  constexpr std::size_t kLong = std::size_t{20} << 20;
  const Ran ran = run_hosted({"cat"}, std::string(kLong, 'x') + "\n");
  EXPECT_EQ(ran.out.size(), kLong + 1);
}

TEST_F(Host, StartsAServerForEachShim) {
  sys::Loop loop;
  sys::Command command;
  command.argv = {"cat"};
  const auto host = ShimHost::start(loop, path("socket"), command).value();
  for (const char* line : {"first\n", "second\n"})
    EXPECT_EQ(run(loop, shim({}, path("socket")), line).out, line);
  EXPECT_THAT(lines("server"), ElementsAre("first", "second"));
  std::vector<std::int64_t> processes;
  for (const store::Message& message : log())
    if (message.direction == "client") processes.push_back(message.process);
  EXPECT_THAT(processes, ElementsAre(1, 2));
}

TEST_F(Host, EndsTheServerWhenItsShimIsGone) {
  sys::Loop loop;
  sys::Command command;
  command.argv = shell("trap 'echo ended > " + path("mark") + "; exit 0' TERM; echo up; " +
                       "while :; do sleep 0.05; done");
  const auto host = ShimHost::start(loop, path("socket"), command).value();
  auto process =
      sys::Process::start(loop, shim({}, path("socket")), [](const sys::ExitStatus&) {}).value();
  sys::Timer timer(loop);
  std::function<void()> look = [&] {
    if (std::filesystem::exists(path("mark"))) return loop.stop();
    timer.at(loop.now() + 10ms, look);
  };
  sys::Writer in(loop, process->take_stdin());
  sys::Reader out(loop, process->take_stdout(),
                  {.bytes =
                       [&](std::string_view) {
                         ::kill(process->pid(), SIGKILL);
                         look();
                       },
                   .end = [] {}});
  const auto before = loop.now();
  loop.run();
  EXPECT_LT(loop.now() - before, 20s);
}

TEST_F(Host, IsMissed) {
  const Ran ran = run(shim({}, path("nobody")), "");
  EXPECT_EQ(ran.code, 77);
  EXPECT_THAT(ran.err, HasSubstr("run.shim_host: cannot reach the host"));
  EXPECT_THAT(run(shim({}, path(std::string(200, 'x'))), "").err, HasSubstr("too long"));
  sys::Loop loop;
  EXPECT_EQ(ShimHost::start(loop, path("no/folder"), {}).error().code, "sys.listen");
}

TEST(ShimFrames, ComeOutAsTheyWentInWhereverTheyAreCut) {
  const std::string bytes = frame(FrameKind::kInput, "hello") + frame(FrameKind::kInputEnds) +
                            frame(FrameKind::kOutput, std::string(300, '\0'));
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += step)
      ASSERT_TRUE(reader.feed(std::string_view(bytes).substr(at, step), frames));
    ASSERT_EQ(frames.size(), 3U);
    EXPECT_EQ(frames[0].payload, "hello");
    EXPECT_EQ(frames[1].kind, FrameKind::kInputEnds);
    EXPECT_EQ(frames[2].payload, std::string(300, '\0'));
  }
  std::vector<Frame> frames;
  EXPECT_FALSE(FrameReader().feed("GET / HTTP/1.1\r\n", frames));
  EXPECT_FALSE(FrameReader().feed("i\xFF\xFF\xFF\xFF", frames));
}

TEST(ShimFrames, CarryExitsAndProblems) {
  EXPECT_EQ(exit_status_of(to_payload(sys::ExitStatus{.code = 3, .signal = {}})).code, 3);
  EXPECT_EQ(exit_status_of(to_payload(sys::ExitStatus{.code = {}, .signal = 9})).signal, 9);
  EXPECT_EQ(exit_status_of("nonsense").code, std::nullopt);
  const Problem problem{
      .code = "a.b", .message = "it \"is\" not there", .place = {}, .hint = "look"};
  EXPECT_EQ(problem_of(to_payload(problem)).message, problem.message);
  EXPECT_EQ(problem_of(to_payload(problem)).hint, "look");
  EXPECT_EQ(problem_of("nonsense").code, "run.shim_host");
}

}  // namespace
}  // namespace cutline::run
