// audit_test.cc: real processes that are servers, nearly servers, or nothing of the kind.
//
// Where a wait must not have been needed it is made longer than the test may take: then the end of
// the test is the proof.
#include "run/audit.h"

#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/utf8.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;
using mcp::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;

/// A legacy server in a few lines of shell. `on_probe` is what it does when it is asked
/// server/discover; $id is the request's id.
std::string server(
    std::string_view on_probe = R"(answer '"error":{"code":-32601,"message":"no"}')") {
  return fmt::format(R"(
      answer() {{ printf '{{"jsonrpc":"2.0","id":%s,%s}}\n' "$id" "$1"; }}
      while read -r line; do
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\([^,}}]*\).*/\1/p')
        case $line in
          *server/discover*) {} ;;
          *notifications/*) ;;
          *'"initialize"'*) answer '"result":{{"protocolVersion":"2025-11-25",
              "capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"shell","version":"1"}},
              "instructions":"Read me."}}' | tr -d '\n'; echo ;;
          *tools/list*) answer '"result":{{"tools":[]}}' ;;
        esac
      done)",
                     on_probe);
}

sys::Command shell(std::string script) {
  return {.argv = {"sh", "-c", std::move(script)}, .environment = {}, .directory = {}};
}

AuditOptions patient() {
  AuditOptions options;
  options.interview.limits.probe_timeout = 60s;
  options.interview.limits.total_timeout = 120s;
  options.shutdown = {.after_end_of_input = 60s, .after_term = 60s};
  return options;
}

Audit audited(const sys::Command& command, const AuditOptions& options = patient()) {
  const mcp::Time before = std::chrono::steady_clock::now();
  Result<Audit> result = audit(command, options);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 50s) << "it waited for something in vain";
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "somebody is left";
  EXPECT_TRUE(result);
  return result ? *std::move(result) : Audit{};
}

TEST(Audit, AsksAServerAndEndsIt) {
  const Audit audit = audited(shell(server()));
  EXPECT_EQ(audit.offer.outcome, Outcome::kServes) << audit.offer.outcome_detail;
  EXPECT_EQ(audit.offer.legacy->instructions->value, "Read me.");
  EXPECT_EQ(audit.offer.legacy->server.name, "shell");
  EXPECT_EQ(audit.offer.command.front(), "sh");
  EXPECT_EQ(audit.offer.times.process_starts, 1u);
  EXPECT_GT(*audit.offer.times.first_answer, 0ms);
  EXPECT_FALSE(audit.offer.exit) << "it was we who ended it";
  EXPECT_EQ(audit.interrupted_by, 0);
}

TEST(Audit, DoesOtherWorkOnceWhileTheServerStarts) {
  int times = 0;
  AuditOptions options = patient();
  options.meanwhile = [&] { ++times; };
  const Audit audit = audited(shell(server("exit 5")), options);
  EXPECT_EQ(audit.offer.times.process_starts, 2u);
  EXPECT_EQ(times, 1);
}

TEST(Audit, DoesOtherWorkAlsoIfTheServerCannotBeStarted) {
  int times = 0;
  AuditOptions options = patient();
  options.meanwhile = [&] { ++times; };
  const Audit audit =
      audited({.argv = {"/nowhere/server"}, .environment = {}, .directory = {}}, options);
  EXPECT_EQ(audit.offer.outcome, Outcome::kDidNotStart);
  EXPECT_EQ(times, 1);
}

TEST(Audit, StartsAServerAgainThatDiesOfTheProbe) {
  const Audit audit = audited(shell(server("exit 5")));
  EXPECT_EQ(audit.offer.outcome, Outcome::kServes) << audit.offer.outcome_detail;
  EXPECT_EQ(audit.offer.probe.answer, mcp::ProbeAnswer::kExit);
  EXPECT_EQ(audit.offer.times.process_starts, 2u);
  EXPECT_EQ(audit.offer.exit->code, 5);
}

TEST(Audit, TellsHowAServerDidNotStart) {
  const Audit silent = audited(shell("exit 3"));
  EXPECT_EQ(silent.offer.outcome, Outcome::kDidNotStart);
  EXPECT_EQ(silent.offer.exit->code, 3);

  const Audit loud = audited(shell("echo 'no \"config\" given' >&2; kill -ABRT $$"));
  EXPECT_EQ(loud.offer.outcome, Outcome::kDidNotStart);
  EXPECT_EQ(loud.offer.exit->signal, SIGABRT);
  EXPECT_THAT(loud.offer.stderr_tail, HasSubstr("no \"config\" given"));
}

TEST(Audit, TellsThatACommandCannotBeRun) {
  sys::Command command{.argv = {"no-such-server", "x"}, .environment = {}, .directory = {}};
  const Audit audit = audited(command);
  EXPECT_EQ(audit.offer.outcome, Outcome::kDidNotStart);
  EXPECT_THAT(audit.offer.outcome_detail, HasSubstr("'no-such-server' not found"));
  EXPECT_THAT(audit.offer.command, ElementsAre("no-such-server", "x"));
  EXPECT_EQ(audit.offer.times.process_starts, 0u);

  command = shell(server());
  command.directory = "/no/such/folder";
  EXPECT_EQ(run::audit(command, patient()).error().code, "sys.directory");
}

TEST(Audit, NamesWhatIsNoServer) {
  AuditOptions options = patient();
  options.interview.limits.probe_timeout = 100ms;
  options.interview.limits.total_timeout = 300ms;

  const Audit sleeps = audited({.argv = {"sleep", "1000"}, .environment = {}, .directory = {}},
                               {.interview = options.interview, .shutdown = {10ms, 60s}});
  EXPECT_EQ(sleeps.offer.outcome, Outcome::kHangs);
  ASSERT_FALSE(sleeps.offer.incidents.empty());
  EXPECT_EQ(sleeps.offer.incidents.front().code, "never-reads");

  // Stops at the first line that it sends back.
  const Audit echoes = audited({.argv = {"cat"}, .environment = {}, .directory = {}});
  EXPECT_EQ(echoes.offer.outcome, Outcome::kBroke);

  // Never ends by itself, neither writing nor at the end of its input.
  options.interview.limits.total_timeout = 60s;
  const Audit floods = audited({.argv = {"yes"}, .environment = {}, .directory = {}},
                               {.interview = options.interview, .shutdown = {10ms, 60s}});
  EXPECT_EQ(floods.offer.outcome, Outcome::kBroke);
}

TEST(Audit, EndsServersThatDoNotWantTo) {
  AuditOptions options = patient();
  options.shutdown = {.after_end_of_input = 10ms, .after_term = 10ms};
  const Audit audit =
      audited(shell("trap '' TERM; " + server() + "; while :; do sleep 1; done"), options);
  EXPECT_EQ(audit.offer.outcome, Outcome::kServes);
}

TEST(Audit, IsNotHeldUpByWhatADeadServerLeftBehind) {
  // The child holds all three streams open.
  const Audit audit = audited(shell("sleep 1000 & exit 4"));
  EXPECT_EQ(audit.offer.outcome, Outcome::kDidNotStart);
  EXPECT_EQ(audit.offer.exit->code, 4);
}

TEST(Audit, FollowsALauncherThatLeavesTheServerBehind) {
  const Audit audit = audited(shell("exec 3<&0; { " + server() + "; } <&3 & exit 0"));
  EXPECT_EQ(audit.offer.outcome, Outcome::kServes) << audit.offer.outcome_detail;
}

TEST(Audit, GivesUpAServerThatClosesItsOutput) {
  AuditOptions options = patient();
  options.shutdown.after_end_of_input = 10ms;
  const Audit audit = audited(shell("exec >&-; exec sleep 1000"), options);
  EXPECT_NE(audit.offer.outcome, Outcome::kServes);
  EXPECT_FALSE(audit.offer.exit);
}

TEST(Audit, KeepsTheLastOfStandardError) {
  // 900,000 bytes, so that the tail begins in the middle of a character.
  const Audit flood =
      audited(shell(R"(printf '%0300000d' 0 | sed 's/0/…/g' >&2; printf 'last\377' >&2)"));
  EXPECT_LE(flood.offer.stderr_tail.size(), mcp::kStderrTailBytes + 2);
  EXPECT_GE(flood.offer.stderr_tail.size(), mcp::kStderrTailBytes - 3);
  EXPECT_TRUE(flood.offer.stderr_tail.starts_with("…"));
  EXPECT_TRUE(flood.offer.stderr_tail.ends_with("…last\uFFFD"));
}

TEST(Audit, GivesTheServerTheEnvironmentAskedFor) {
  sys::Command command = shell("echo \"$KEY in $PWD\" >&2");
  command.environment = {{"KEY", "value"}};
  command.directory = "/proc";
  EXPECT_EQ(audited(command).offer.stderr_tail, "value in /proc\nvalue in /proc\n");
}

TEST(Audit, CanBeInterrupted) {
  const std::string us = std::to_string(::getpid());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Audit audit = audited(
        shell(fmt::format("trap '' TERM; read -r line; kill -{} {}; exec sleep 1000", signal, us)));
    EXPECT_EQ(audit.interrupted_by, signal);
    EXPECT_NE(audit.offer.outcome, Outcome::kServes);
  }
}

TEST(Audit, MayBeInterruptedWhileTheServerEnds) {
  const std::string us = std::to_string(::getpid());
  const Audit audit =
      audited(shell("trap '' TERM; " + server() + "; kill -INT " + us + "; exec sleep 1000"));
  EXPECT_EQ(audit.interrupted_by, SIGINT);
  EXPECT_EQ(audit.offer.outcome, Outcome::kServes) << "all was said before";
}

}  // namespace
}  // namespace cutline::run
