// process_test.cc: real processes.
#include "sys/process.h"

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process_fixture.h"

namespace cutline::sys {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

Problem start_problem(const Command& command) {
  Loop loop;
  const auto process = Process::start(loop, command, [](ExitStatus) { FAIL(); });
  EXPECT_FALSE(process);
  return process ? Problem{} : process.error();
}

TEST(Process, TellsHowItEnded) {
  EXPECT_EQ(finish(shell("exit 0")).status.code, 0);
  EXPECT_EQ(finish(shell("exit 42")).status.code, 42);
  EXPECT_EQ(finish(shell("kill -KILL $$")).status.signal, SIGKILL);
  EXPECT_EQ(finish(shell("kill -TERM $$")).status.signal, SIGTERM);
  EXPECT_EQ(finish(shell("kill -PIPE $$")).status.signal, SIGPIPE) << "not ignored in the child";
  EXPECT_EQ(finish(shell("kill -KILL $$")).status.code, std::nullopt);
}

TEST(Process, SaysWhyItCannotStart) {
  char name[] = "/tmp/cutline-process-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  std::ofstream(folder / "plain") << "no program";
  std::ofstream(folder / "orphan") << "#!/no/such/interpreter\n";
  std::filesystem::permissions(folder / "orphan", std::filesystem::perms(0755));

  const struct {
    Command command;
    std::string_view code, text;
  } cases[] = {
      {{.argv = {"no-such-command-xyz"}, .environment = {}, .directory = {}},
       "sys.command.not_found",
       "command 'no-such-command-xyz' not found: No such file or directory"},
      {{.argv = {"/etc/passwd/x"}, .environment = {}, .directory = {}},
       "sys.command.not_found",
       "Not a directory"},
      {{.argv = {folder / "plain"}, .environment = {}, .directory = {}},
       "sys.command.not_executable",
       "cannot be run: Permission denied"},
      {{.argv = {folder}, .environment = {}, .directory = {}},
       "sys.command.not_executable",
       "Permission denied"},
      {{.argv = {folder / "orphan"}, .environment = {}, .directory = {}},
       "sys.command.not_executable",
       "the interpreter that it asks for"},
      {{.argv = {"true"}, .environment = {}, .directory = "/no/such/folder"},
       "sys.directory",
       "'/no/such/folder': No such file or directory"},
      {{.argv = {"sh"}, .environment = {{"PATH", "/nowhere"}}, .directory = {}},
       "sys.command.not_found",
       "looked up in PATH"},
      {{.argv = {"true", std::string().append(4 << 20, 'x')}, .environment = {}, .directory = {}},
       "sys.process",
       "Argument list too long"},
      {{.argv = {}, .environment = {}, .directory = {}}, "sys.command.not_found", "no command"},
  };
  for (const auto& c : cases) {
    const Problem problem = start_problem(c.command);
    EXPECT_EQ(problem.code, c.code);
    EXPECT_THAT(to_text(problem), HasSubstr(c.text));
  }
  EXPECT_EQ(our_descendants(), 0u);
  std::filesystem::remove_all(folder);
}

TEST(Process, RunsScriptsWithoutAnInterpreterLineAsAShellWould) {
  char name[] = "/tmp/cutline-process-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  std::ofstream(folder / "script") << "echo \"$0 $1\"\n";
  std::filesystem::permissions(folder / "script", std::filesystem::perms(0755));
  const std::string path = folder.string() + ":" + std::getenv("PATH");
  EXPECT_EQ(
      finish({.argv = {"script", "a b"}, .environment = {{"PATH", path}}, .directory = {}}).out,
      fmt::format("{}/script a b\n", folder.string()));
  EXPECT_EQ(finish({.argv = {"./script", "x"}, .environment = {}, .directory = folder}).out,
            "./script x\n");
  std::filesystem::remove_all(folder);
}

TEST(Process, GetsTheEnvironmentAskedFor) {
  ::setenv("CUTLINE_TEST_OURS", "ours", 1);
  Command command = shell("echo \"$CUTLINE_TEST_OURS,$CUTLINE_TEST_NEW\"");
  EXPECT_EQ(finish(command).out, "ours,\n");
  command.environment = {{"CUTLINE_TEST_NEW", "a=b\nc"}, {"CUTLINE_TEST_OURS", "theirs"}};
  EXPECT_EQ(finish(command).out, "theirs,a=b\nc\n");
  ::unsetenv("CUTLINE_TEST_OURS");

  const Command cleared{.argv = {"/usr/bin/env"},
                        .clear_environment = true,
                        .environment = {{"A", "1"}, {"B", "2"}, {"A", "3"}},
                        .directory = {}};
  EXPECT_EQ(finish(cleared).out, "B=2\nA=3\n");
}

TEST(Process, RunsInTheFolderAskedFor) {
  Command command = shell("pwd");
  command.directory = "/proc";
  EXPECT_EQ(finish(command).out, "/proc\n");
}

TEST(Process, SeesNothingOfOurs) {
  const Fd leaked(::dup(STDERR_FILENO));  // does not close on exec
  ASSERT_EQ(::fcntl(leaked.get(), F_GETFD), 0);
  EXPECT_EQ(finish(shell("for fd in /proc/self/fd/*; do [ -e $fd ] && echo ${fd##*/}; done")).out,
            "0\n1\n2\n");

  struct sigaction ignore{}, old{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR1, &ignore, &old);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  EXPECT_EQ(finish({.argv = {"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"},
                    .environment = {},
                    .directory = {}})
                .out,
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  ::sigaction(SIGUSR1, &old, nullptr);
}

TEST(Process, StandsInAGroupAndSessionApart) {
  const std::string out =
      finish(shell("read -r pid name state parent group session rest </proc/$$/stat;"
                   "[ $pid = $group ] && echo $session"))
          .out;
  ASSERT_FALSE(out.empty());
  EXPECT_NE(std::stoi(out), ::getsid(0));
}

TEST(Process, PassesTenMegabytesThrough) {
  std::string input(10'000'000, '\0');
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 31 >> 8);
  EXPECT_TRUE(finish({.argv = {"cat"}, .environment = {}, .directory = {}}, input).out == input);
}

TEST(Process, MayIgnoreOrCloseItsInput) {
  // More than a pipe holds: neither may block or kill us.
  EXPECT_EQ(finish(shell("exec <&-; echo closed"), std::string(1'000'000, 'x')).out, "closed\n");
  EXPECT_EQ(finish(shell("echo ignored"), std::string(1'000'000, 'x')).out, "ignored\n");
}

TEST(Process, DoesNotBlockUsWhenItNeverReads) {
  Loop loop;
  auto process = Process::start(loop, shell("exec sleep 1000"), [](ExitStatus) {}).value();
  Writer in(loop, process->take_stdin());
  in.write(std::string(1'000'000, 'x'));
  bool gone = false;
  process->terminate(kDeadline, [&] { gone = true; });
  EXPECT_EQ(in.waiting(), 1'000'000u);
  loop.run();
  EXPECT_TRUE(gone);
  EXPECT_EQ(process->exit_status()->signal, SIGTERM);
}

/// Waits for a byte on its standard output, then terminates it; the exit status when all are gone.
ExitStatus terminate_when_ready(const Command& command, std::chrono::milliseconds grace) {
  Loop loop;
  std::unique_ptr<Process> process = Process::start(loop, command, [](ExitStatus) {}).value();
  bool gone = false;
  Reader out(loop, process->take_stdout(),
             {.bytes = [&](std::string_view) { process->terminate(grace, [&] { gone = true; }); },
              .end = [] {}});
  loop.run();
  EXPECT_TRUE(gone);
  EXPECT_EQ(our_descendants(), 0u);
  return process->exit_status().value_or(ExitStatus{});
}

TEST(Terminate, LetsItEndByItself) {
  EXPECT_EQ(terminate_when_ready(shell("trap 'exit 7' TERM; echo; while :; do sleep 0.01; done"),
                                 kDeadline)
                .code,
            7);
}

TEST(Terminate, KillsWhoIgnoresIt) {
  const Time before = std::chrono::steady_clock::now();
  EXPECT_EQ(terminate_when_ready(shell("trap '' TERM; echo; exec sleep 1000"), 50ms).signal,
            SIGKILL);
  EXPECT_GE(std::chrono::steady_clock::now() - before, 50ms);
  EXPECT_EQ(terminate_when_ready(shell("trap 'exit 7' TERM; echo; exec sleep 1000"), 0ms).signal,
            SIGKILL);
  EXPECT_EQ(terminate_when_ready(shell("(kill -STOP $$; echo) & exec sleep 1000"), 1ms).code,
            std::nullopt);
}

TEST(Terminate, MayBeCalledAgainAndAfterTheEnd) {
  Loop loop;
  std::unique_ptr<Process> process;
  std::string calls;
  process = Process::start(loop, shell("trap '' TERM; echo; exec sleep 1000"), [&](ExitStatus) {
              calls += "exit ";
            }).value();
  Reader out(loop, process->take_stdout(),
             {.bytes =
                  [&](std::string_view) {
                    process->terminate(kDeadline, [&] { calls += "never "; });
                    process->terminate(0ms, [&] {
                      calls += "gone ";
                      process->terminate(kDeadline, [&] {
                        calls += "again ";
                        process.reset();
                      });
                    });
                  },
              .end = [] {}});
  loop.run();
  EXPECT_EQ(calls, "exit gone again ");
}

TEST(Tree, IsGoneAfterTerminate) {
  Loop loop;
  Fifo fifo;
  auto process = Process::start(loop, tree(fifo), [](ExitStatus) {}).value();
  ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
  bool gone = false;
  process->terminate(10ms, [&] { gone = true; });
  loop.run();
  EXPECT_TRUE(gone);
  EXPECT_TRUE(fifo.wait_for_end());
  EXPECT_EQ(our_descendants(), 0u);
}

TEST(Tree, IsGoneAfterDestruction) {
  Loop loop;
  Fifo fifo;
  auto process = Process::start(loop, tree(fifo), [](ExitStatus) { FAIL(); }).value();
  ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
  process.reset();
  EXPECT_EQ(our_descendants(), 0u) << "at once, not soon";
  EXPECT_TRUE(fifo.wait_for_end());
}

TEST(Tree, OutlivesItsRootUntilTold) {
  Loop loop;
  Fifo fifo;
  std::string calls;
  std::unique_ptr<Process> process =
      Process::start(loop, tree(fifo, "exit 3"), [&](ExitStatus status) {
        EXPECT_EQ(status.code, 3);
        calls += "exit ";
        EXPECT_TRUE(fifo.wait_for_bytes(kTreeSize));
        process->terminate(10ms, [&] { calls += "gone "; });
      }).value();
  loop.run();
  EXPECT_EQ(calls, "exit gone ");
  EXPECT_TRUE(fifo.wait_for_end());
}

TEST(Tree, DiesWithUsEvenIfWeAreKilled) {
  Fifo fifo;
  const pid_t us = ::fork();
  if (us == 0) {
    Loop loop;
    auto process = Process::start(loop, tree(fifo), [](ExitStatus) {});
    loop.run();
    ::_exit(1);
  }
  ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
  ::kill(us, SIGKILL);
  EXPECT_TRUE(fifo.wait_for_end());
  EXPECT_EQ(::waitpid(us, nullptr, 0), us);
}

TEST(Tree, DiesIfWeEndWithoutGoodbye) {
  Fifo fifo;
  const pid_t us = ::fork();
  if (us == 0) {
    Loop loop;
    auto process = Process::start(loop, tree(fifo), [](ExitStatus) {});
    ::_exit(fifo.wait_for_bytes(kTreeSize) ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(us, &status, 0), us);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fifo.wait_for_end());
}

TEST(Process, CanBeManyAtOnceAndLeavesNothing) {
  Loop loop;
  std::vector<std::unique_ptr<Process>> processes;
  processes.reserve(50);
  int ended = 0;
  for (int i = 0; i < 50; ++i)
    processes.push_back(Process::start(loop, shell("exec cat"), [&](ExitStatus status) {
                          EXPECT_EQ(status.code, 0);
                          ++ended;
                        }).value());
  // In the order opposite to their start: no later one may hold an earlier one's pipe.
  for (auto& process : processes) process->take_stdin();
  loop.run();
  EXPECT_EQ(ended, 50);
  EXPECT_EQ(our_descendants(), 0u);
}

}  // namespace
}  // namespace cutline::sys
