// sandbox_test.cc: what can be reached from inside, tried from inside. Run by root it runs itself
// again as others.
#include <cstddef>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sys/process_fixture.h"
#include "sys/sockets.h"

namespace cutline::sys {
namespace {

using testing::HasSubstr;

constexpr std::uint16_t kPort = 8080;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const Result<void> available = sandbox_available(); !available)
      GTEST_SKIP() << to_text(available.error());
  }
};

Command inside(std::string script, std::vector<std::uint16_t> ports = {}) {
  Command command{.argv = {"bash", "-c", std::move(script)},
                  .environment = {{"LC_ALL", "C"}},
                  .directory = "/"};
  command.sandbox = Sandbox{std::move(ports)};
  return command;
}

/// Runs it to its end; whoever connects to a listener is told which one it was.
std::string output_when_answered(const Command& command) {
  Loop loop;
  std::string out;
  const auto process = Process::start(loop, command, [](ExitStatus) {});
  if (!process) return to_text(process.error());
  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<std::unique_ptr<Writer>> writers;
  std::size_t number = 0;
  for (Fd& socket : (*process)->take_listeners()) {
    ++number;
    listeners.push_back(
        std::make_unique<Listener>(loop, std::move(socket), [&loop, &writers, number](Fd fd) {
          writers.push_back(std::make_unique<Writer>(loop, std::move(fd)));
          writers.back()->write(fmt::format("listener {}\n", number));
          writers.back()->close_when_done();
        }));
  }
  Reader reader(
      loop, (*process)->take_stdout(),
      {.bytes = [&](std::string_view bytes) { out += bytes; }, .end = [&] { loop.stop(); }});
  Timer deadline(loop);
  deadline.at(loop.now() + kDeadline, [&] { loop.stop(); });
  loop.run();
  return out;
}

TEST_F(SandboxTest, ReachesItsListeners) {
  EXPECT_EQ(output_when_answered(
                inside("cat </dev/tcp/127.0.0.1/8080; cat </dev/tcp/127.0.0.1/443", {443, kPort})),
            "listener 2\nlistener 1\n");
}

TEST_F(SandboxTest, ReachesNothingElse) {
  const Fd ours = listen_on_loopback(0).value();
  const std::string script = fmt::format(R"(
      for there in 192.0.2.1/80 10.0.0.1/53 ::ffff:192.0.2.1/80 2001:db8::1/80 127.0.0.1/{}; do
        (exec 3<>/dev/tcp/$there) 2>&1 | sed -n 's/.*connect: //p'
      done
      sed 1,2d /proc/net/dev | cut -d: -f1)",
                                         port_of(ours));
  EXPECT_EQ(finish(inside(script, {kPort})).out,
            "Network is unreachable\nNetwork is unreachable\nNetwork is unreachable\n"
            "Network is unreachable\nConnection refused\n    lo\n");
}

TEST_F(SandboxTest, CannotBeLeft) {
  const std::string script = fmt::format("nsenter --net=/proc/{}/ns/net true 2>&1", ::getpid());
  EXPECT_THAT(finish(inside(script)).out,
              testing::AnyOf(HasSubstr("Operation not permitted"), HasSubstr("Permission denied")));
}

TEST_F(SandboxTest, CannotBeReachedFromOutside) {
  Loop loop;
  const auto process = Process::start(loop, inside("exec sleep 1000", {0}), {}).value();
  const std::vector<Fd> listeners = process->take_listeners();
  ASSERT_EQ(listeners.size(), 1u);
  EXPECT_TRUE(process->take_listeners().empty());
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_of(listeners[0]));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Fd client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_NE(port_of(listeners[0]), 0);
  EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), -1);
  EXPECT_EQ(errno, ECONNREFUSED);
}

TEST_F(SandboxTest, MayAllHaveTheSamePort) {
  Loop loop;
  const auto other = Process::start(loop, inside("exec sleep 1000", {kPort}), {}).value();
  EXPECT_EQ(output_when_answered(inside("cat </dev/tcp/127.0.0.1/8080", {kPort})), "listener 1\n");
}

TEST_F(SandboxTest, ChangesNothingElse) {
  EXPECT_EQ(finish(inside("id -u; id -g; pwd")).out,
            fmt::format("{}\n{}\n/\n", ::geteuid(), ::getegid()));
  EXPECT_EQ(finish(inside("for fd in /proc/self/fd/*; do [ -e $fd ] && echo ${fd##*/}; done",
                          {kPort, 0, 0}))
                .out,
            "0\n1\n2\n");
  EXPECT_EQ(finish(inside("exit 42")).status.code, 42);
}

TEST_F(SandboxTest, EndsAsATreeAndWithUs) {
  {
    Loop loop;
    Fifo fifo;
    Command command = tree(fifo);
    command.sandbox = Sandbox{{kPort}};
    auto process = Process::start(loop, command, {}).value();
    ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
    process.reset();
    EXPECT_EQ(our_descendants(), 0u);
    EXPECT_TRUE(fifo.wait_for_end());
  }
  Fifo fifo;
  const pid_t us = ::fork();
  if (us == 0) {
    Loop loop;
    Command command = tree(fifo);
    command.sandbox = Sandbox{{kPort}};
    auto process = Process::start(loop, command, {});
    loop.run();
    ::_exit(1);
  }
  ASSERT_TRUE(fifo.wait_for_bytes(kTreeSize));
  ::kill(us, SIGKILL);
  EXPECT_TRUE(fifo.wait_for_end());
  EXPECT_EQ(::waitpid(us, nullptr, 0), us);
  EXPECT_EQ(our_descendants(), 0u);
}

TEST_F(SandboxTest, SaysWhyItCannotListen) {
  Loop loop;
  for (const auto& [ports, text] :
       {std::pair{std::vector<std::uint16_t>{kPort, kPort}, "Address already in use"},
        std::pair{std::vector<std::uint16_t>(kSandboxPortsMax + 1), "Too many open files"}}) {
    const auto process = Process::start(loop, inside("true", ports), {});
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error().code, "sys.sandbox");
    EXPECT_THAT(process.error().message, HasSubstr(text));
  }
  EXPECT_TRUE(
      Process::start(loop, inside("true", std::vector<std::uint16_t>(kSandboxPortsMax)), {}));
  EXPECT_EQ(our_descendants(), 0u);
}

/// As a container's policy does: unshare(2) is forbidden to us and our children from now on.
bool forbid_namespaces() {
  std::array<sock_filter, 4> code{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = code.size(), .filter = code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(Sandbox, SaysWhyItIsNotPermitted) {
  const Pipe pipe = make_pipe().value();
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text = "no filter";
    if (forbid_namespaces()) {
      const Result<void> available = sandbox_available();
      text = available ? "available" : available.error().code + "\n" + to_text(available.error());
    }
    const bool written = ::write(pipe.write.get(), text.data(), text.size()) > 0;
    ::_exit(written ? 0 : 1);
  }
  std::array<char, 1'000> text{};
  const ssize_t size = ::read(pipe.read.get(), text.data(), text.size());
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(
      std::string_view(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))),
      "sys.sandbox\n"
      "cannot keep it from the network: making namespaces: Operation not permitted; a "
      "container, AppArmor or /proc/sys/kernel/unprivileged_userns_clone does not permit user "
      "namespaces here\n"
      "  hint: permit it there; or --no-isolation runs it without, and the result says so");
}

/// Runs the tests of this file under setpriv(1), which takes rights away.
void run_again_with(const std::vector<std::string>& restrictions) {
  if (::geteuid() != 0) GTEST_SKIP() << "we are not root, who could become another";
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  Command command{.argv = {"setpriv"}, .environment = {{"TMPDIR", "/tmp"}}, .directory = "/"};
  command.argv.insert(command.argv.end(), restrictions.begin(), restrictions.end());
  command.argv.insert(command.argv.end(), {self.string(), "--gtest_list_tests"});
  if (const Finished listed = finish(command); listed.status.code != 0)
    GTEST_SKIP() << "it cannot run this program: " << listed.err;
  command.argv.back() = "--gtest_filter=SandboxTest.*";
  const Finished finished = finish(command);
  EXPECT_EQ(finished.status.code, 0) << finished.out << finished.err;
  // The thread sanitizer, for one: its own thread stands in the way of a user namespace.
  if (finished.out.find("SKIPPED") != std::string::npos) GTEST_SKIP() << finished.out;
}

TEST(Sandbox, WorksForAnOrdinaryUserToo) {
  run_again_with({"--reuid=65534", "--regid=65534", "--clear-groups"});
}

TEST(Sandbox, WorksForARootWithoutTheRight) {
  run_again_with({"--bounding-set=-sys_admin", "--inh-caps=-sys_admin"});
}

}  // namespace
}  // namespace cutline::sys
