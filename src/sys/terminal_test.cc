// terminal_test.cc: programs that believe that somebody sits there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/process_fixture.h"

namespace cutline::sys {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

Command on_terminal(std::string script) {
  Command command = shell(std::move(script));
  command.terminal = Terminal{.columns = 77, .rows = 33};
  return command;
}

TEST(Terminal, IsOneForTheProgram) {
  EXPECT_EQ(finish(on_terminal("tty -s && [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size")).out,
            "33 77\r\n");
  EXPECT_EQ(finish(on_terminal("echo out; echo err >&2; echo there >/dev/tty")).out,
            "out\r\nerr\r\nthere\r\n")
      << "all three, and it is the controlling one";
  EXPECT_EQ(finish(on_terminal("exit 7")).status.code, 7);
}

TEST(Terminal, LosesNothingAtTheEnd) {
  const std::string out = finish(on_terminal("seq 100000")).out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 100'000);
  EXPECT_THAT(out, EndsWith("99999\r\n100000\r\n"));
}

TEST(Terminal, TakesWhatIsTyped) {
  EXPECT_THAT(finish(on_terminal("read -r line; echo \"<$line>\""), "typed\n").out,
              HasSubstr("<typed>\r\n"));
  EXPECT_THAT(finish(on_terminal("cat; echo end"), "a line\n\x04").out, EndsWith("end\r\n"));
}

TEST(Terminal, SendsSignalsForKeys) {
  Loop loop;
  std::optional<ExitStatus> status;
  const auto process =
      Process::start(
          loop,
          on_terminal("trap 'echo interrupted; exit 3' INT; echo ready; while :; do sleep 0.01; "
                      "done"),
          [&](ExitStatus ended) {
            status = ended;
            loop.stop();
          })
          .value();
  EXPECT_FALSE(process->take_stderr());
  Writer keys(loop, process->take_stdin());
  std::string out;
  Reader reader(loop, process->take_stdout(),
                {.bytes =
                     [&](std::string_view bytes) {
                       const bool was_ready = out.find("ready") != out.npos;
                       out += bytes;
                       if (!was_ready && out.find("ready") != out.npos) keys.write("\x03");
                     },
                 .end = [] {}});
  Timer deadline(loop);
  deadline.at(loop.now() + kDeadline, [&] { loop.stop(); });
  loop.run();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 3);
}

TEST(Terminal, GoesWithASandbox) {
  if (const Result<void> available = sandbox_available(); !available)
    GTEST_SKIP() << to_text(available.error());
  Command command = on_terminal("stty size; sed 1,2d /proc/net/dev | cut -d: -f1");
  command.sandbox = Sandbox{};
  EXPECT_EQ(finish(command).out, "33 77\r\n    lo\r\n");
}

TEST(Terminal, ItsTreeEndsLikeAnyOther) {
  Loop loop;
  Fifo fifo;
  Command command = tree(fifo);
  command.terminal = Terminal{};
  auto process = Process::start(loop, command, {}).value();
  ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
  process.reset();
  EXPECT_EQ(our_descendants(), 0u);
  EXPECT_TRUE(fifo.wait_for_end());
}

}  // namespace
}  // namespace cutline::sys
