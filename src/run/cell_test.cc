// cell_test.cc: one start of a client, with one that does as it is told: what it can reach, how it
// ends, what of it is kept, and that nothing of it is left.
#include "run/cell.h"

#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "run/cell_fixture.h"
#include "sys/sockets.h"

namespace cutline::run {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(CellTest, KeepsEverythingThatAClientAndItsServersSaid) {
  const CellEvidence evidence = run(plan("servers ask err:3 exit:4"));
  EXPECT_EQ(evidence.problem, "");
  EXPECT_EQ(evidence.exit_code, 4);
  EXPECT_GT(evidence.wall_us, 0);

  ASSERT_EQ(evidence.conversation.size(), 1U);
  EXPECT_THAT(evidence.session_of, ElementsAre(0U));
  const Seen& seen = evidence.conversation.front();
  EXPECT_TRUE(seen.request.says("BEGIN codeword: "));
  EXPECT_TRUE(seen.request.tool("mcp__lab__lookup_part"));
  ASSERT_EQ(kept_.requests.size(), 1U);
  EXPECT_THAT(kept_.requests[seen.sequence].body, HasSubstr("Which words do you see?"));
  EXPECT_THAT(kept_.requests[seen.sequence].headers, Not(HasSubstr("secret")));
  EXPECT_THAT(kept_.answers[seen.sequence], HasSubstr("BEGIN="));

  EXPECT_THAT(file(evidence, "stdout"), HasSubstr("BEGIN="));
  EXPECT_EQ(file(evidence, "stderr"), "xxx");
  EXPECT_EQ(count(evidence, "client", "\"initialize\""), 1U);
  EXPECT_EQ(count(evidence, "server", "END codeword: "), 1U);
  EXPECT_EQ(count(evidence, "started", ""), 1U);
}

TEST_F(CellTest, AClientReachesTheGatewayAndNothingElse) {
  const sys::Fd ours = sys::listen_on_loopback(0).value();
  const std::string reach = "reach:" + std::to_string(sys::port_of(ours));
  const CellEvidence evidence = run(plan("servers ask " + reach));
  EXPECT_EQ(evidence.conversation.size(), 1U) << file(evidence, "stderr");
  EXPECT_THAT(file(evidence, "stdout"),
              AllOf(HasSubstr("loopback not reached"), HasSubstr("world not reached")));
}

TEST_F(CellTest, WithoutIsolationTheNetworkIsThere) {
  const sys::Fd ours = sys::listen_on_loopback(0).value();
  CellPlan open = plan("servers ask reach:" + std::to_string(sys::port_of(ours)));
  open.isolated = false;
  const CellEvidence evidence = run(std::move(open));
  EXPECT_EQ(evidence.conversation.size(), 1U) << file(evidence, "stderr");
  EXPECT_THAT(file(evidence, "stdout"), HasSubstr("loopback reached"));
}

TEST_F(CellTest, OnlyAServerThatMayStandsOutside) {
  const sys::Fd ours = sys::listen_on_loopback(0).value();
  const std::string port = std::to_string(sys::port_of(ours));
  // Says in a file whether it gets there, and then is the lab server.
  const std::string script = "(exec 3<>/dev/tcp/127.0.0.1/" + port +
                             ") 2>/dev/null && echo reached >" + path("$0") + " || echo shut in >" +
                             path("$0") + "; exec " + own_program() +
                             " lab --instructions english:1000";
  CellPlan both = plan("servers ask reach:" + port);
  both.sessions[0].servers = {lab("outside"), lab("inside")};
  both.sessions[0].servers[0].outside = true;
  for (PlannedServer& server : both.sessions[0].servers)
    server.argv = {"bash", "-c", script, server.name};
  const CellEvidence evidence = run(std::move(both));
  EXPECT_EQ(evidence.conversation.size(), 1U) << file(evidence, "stderr");
  EXPECT_EQ(sys::read_file(path("outside"), 100).value(), "reached\n");
  EXPECT_EQ(sys::read_file(path("inside"), 100).value(), "shut in\n");
  EXPECT_THAT(file(evidence, "stdout"), HasSubstr("loopback not reached"));
  EXPECT_EQ(count(evidence, "server", "END codeword: "), 2U);
}

TEST_F(CellTest, TheEnvironmentIsTheClientsOwn) {
  ::setenv("CUTLINE_TEST_SECRET", "of whoever runs us", 1);
  const CellEvidence evidence = run(plan("env"));
  ::unsetenv("CUTLINE_TEST_SECRET");
  std::vector<std::string> names;
  std::istringstream lines(file(evidence, "stdout"));
  for (std::string line; std::getline(lines, line);)
    names.push_back(line.substr(0, line.find('=')));
  EXPECT_THAT(names, testing::UnorderedElementsAre("ANTHROPIC_BASE_URL", "HOME", "TMPDIR", "PATH",
                                                   "LANG", "TERM", "FAKE_CLIENT"));
}

TEST_F(CellTest, AServersFolderAndEnvironmentAreItsOwn) {
  CellPlan one = plan("servers ask");
  PlannedServer& server = one.sessions[0].servers[0];
  server.directory = folder_->path();
  server.environment = {{"PART", "of the server"}};
  server.argv = {"sh", "-c", "pwd >seen; echo $PART >>seen; exec " + own_program() + " lab"};
  run(std::move(one));
  EXPECT_EQ(sys::read_file(path("seen"), 1'000).value(), folder_->path() + "\nof the server\n");
}

// --- How it ends ---------------------------------------------------------------------------------

TEST_F(CellTest, OneThatHangsIsEndedInTime) {
  const Held held(path("held"));
  CellPlan slow = plan("hold:" + held.path() + " servers ask deaf out:5 hang");
  slow.timeout = std::chrono::seconds(1);
  const CellEvidence evidence = run(std::move(slow));
  EXPECT_THAT(evidence.problem, HasSubstr("did not end within 1 s"));
  EXPECT_EQ(evidence.signal, 9);
  EXPECT_TRUE(held.let_go());
  // What it said until then is kept, to see why.
  EXPECT_EQ(evidence.conversation.size(), 1U);
  EXPECT_THAT(file(evidence, "stdout"), HasSubstr("xxxxx"));
  EXPECT_EQ(count(evidence, "server", "END codeword: "), 1U);
}

TEST_F(CellTest, OneThatCrashesHasASignal) {
  const CellEvidence evidence = run(plan("servers ask crash"));
  EXPECT_EQ(evidence.problem, "");  // its requests are there
  EXPECT_EQ(evidence.signal, 6);
  EXPECT_FALSE(evidence.exit_code);
  EXPECT_EQ(evidence.conversation.size(), 1U);
}

TEST_F(CellTest, NothingOfItIsLeft) {
  const Held held(path("held"));
  const CellEvidence evidence = run(plan("hold:" + held.path() + " daemon servers ask daemon env"));
  EXPECT_EQ(evidence.problem, "");
  EXPECT_TRUE(held.let_go());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a zombie";
  const std::string out = file(evidence, "stdout");
  const std::size_t home = out.find("HOME=") + 5;
  EXPECT_FALSE(std::filesystem::exists(out.substr(home, out.find('\n', home) - home)));
}

TEST_F(CellTest, EndsWithItsOwner) {
  const Held held(path("held"));
  sys::Loop loop;
  std::optional<CellRun> cell(std::in_place, loop,
                              plan("deaf daemon servers ask hold:" + held.path() + " hang"),
                              hooks([](const CellEvidence&) { FAIL() << "it has no end"; }));
  std::jthread waiter([&] {
    EXPECT_TRUE(held.taken());
    ::kill(::getpid(), SIGUSR1);
  });
  const sys::Signals signals(loop, {SIGUSR1}, [&](int) { loop.stop(); });
  loop.run();
  cell.reset();
  EXPECT_TRUE(held.let_go());
  EXPECT_EQ(kept_.requests.size(), 1U);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a zombie";
}

TEST_F(CellTest, WhatIsNotThereIsAProblem) {
  CellPlan none = plan("ask");
  class NoProgram final : public FakeAdapter {
   public:
    Result<sys::Command> prepare(const ClientStart&, const sys::Scratch&) const override {
      sys::Command command;
      command.argv = {"/nowhere/client"};
      command.clear_environment = true;
      return command;
    }
  } adapter;
  none.adapter = &adapter;
  EXPECT_THAT(run(std::move(none)).problem, HasSubstr("/nowhere/client"));
}

TEST_F(CellTest, EvidenceThatCannotBeKeptEndsIt) {
  sys::Loop loop;
  CellEvidence evidence;
  CellRun cell(
      loop, plan("servers ask hang"),
      {.keep = [](const auto&, const auto&) -> Result<void> {
         return fail(
             {.code = "store.write", .message = "the disk is full", .place = {}, .hint = {}});
       },
       .done =
           [&](CellEvidence got) {
             evidence = std::move(got);
             loop.stop();
           }});
  loop.run();
  EXPECT_THAT(evidence.problem, HasSubstr("the disk is full"));
}

// --- Bounds and sessions -------------------------------------------------------------------------

TEST_F(CellTest, OfMuchOutputTheBeginningIsKept) {
  CellPlan loud = plan("out:20000000 err:17000000");
  loud.sessions.push_back(loud.sessions.front());
  loud.variables[0].second = "history " + loud.variables[0].second;
  const CellEvidence evidence = run(std::move(loud));
  constexpr std::size_t kMost = 16 << 20;
  const auto end_of = [&](const std::string& name) {  // the whole would drown a failure's message
    const std::string bytes = file(evidence, name);
    EXPECT_NEAR(static_cast<double>(bytes.size()), static_cast<double>(kMost), 100) << name;
    return bytes.substr(bytes.size() - 60);
  };
  const std::size_t lost = 20'000'000 + std::string_view("history 1\n").size() - kMost;
  for (const std::string session : {"-1", "-2"}) {
    EXPECT_THAT(end_of("stdout" + session),
                HasSubstr(fmt::format("\n[cutline: {} bytes more were not kept]\n", lost)));
    EXPECT_THAT(end_of("stderr" + session), HasSubstr("[cutline: 222784 bytes more"));
  }
}

TEST_F(CellTest, SessionsFollowEachOtherInOneHome) {
  CellPlan two = plan("history servers ask ask");
  two.sessions.push_back(two.sessions.front());
  two.sessions[1].script.prompt = "And now?";
  two.sessions[1].script.turns.push_back({.content = llm::TextReply{"as told"}, .delay = {}});
  two.sessions[1].servers.push_back(lab("second", "japanese:300"));
  const CellEvidence evidence = run(std::move(two));
  EXPECT_EQ(evidence.problem, "");
  EXPECT_THAT(file(evidence, "stdout-1"), HasSubstr("history 1"));
  EXPECT_THAT(file(evidence, "stdout-2"), AllOf(HasSubstr("history 2"), HasSubstr("as told")));
  EXPECT_EQ(file(evidence, "history"), "line\nline\n");

  // Numbered through, so that every answer stands beside its request.
  EXPECT_THAT(evidence.session_of, ElementsAre(0U, 0U, 1U, 1U));
  for (std::size_t i = 0; i < evidence.conversation.size(); ++i)
    EXPECT_EQ(evidence.conversation[i].sequence, i);
  ASSERT_EQ(kept_.answers.size(), 4U);
  EXPECT_THAT(kept_.answers, Each(Not(IsEmpty())));
  EXPECT_THAT(kept_.answers[2], HasSubstr("as told"));
  EXPECT_FALSE(evidence.conversation[1].request.says("## second"));
  EXPECT_TRUE(evidence.conversation[2].request.says("## second"));
  EXPECT_LT(evidence.conversation[1].at_us, evidence.conversation[2].at_us);
}

TEST_F(CellTest, SilenceEndsAClientOnATerminal) {
  CellPlan one = plan("servers ask hang");
  one.sessions[0].interactive = true;
  const CellEvidence evidence = run(std::move(one));
  EXPECT_EQ(evidence.problem, "");
  EXPECT_EQ(evidence.conversation.size(), 1U);
  EXPECT_THAT(file(evidence, "stdout"), HasSubstr("BEGIN="));
}

TEST_F(CellTest, SeveralRunInOneLoop) {
  sys::Loop loop;
  std::vector<CellEvidence> ended;
  std::vector<std::unique_ptr<CellRun>> cells;
  for (const char* text : {"english:700", "japanese:700", "none"}) {
    CellPlan one = plan("servers ask");
    one.sessions[0].servers = {lab("lab", text)};
    cells.push_back(std::make_unique<CellRun>(
        loop, std::move(one),
        CellRun::Hooks{.keep = [](const auto&, const auto&) -> Result<void> { return {}; },
                       .done =
                           [&](CellEvidence got) {
                             ended.push_back(std::move(got));
                             if (ended.size() == 3) loop.stop();
                           }}));
  }
  loop.run();
  for (const CellEvidence& evidence : ended) {
    EXPECT_EQ(evidence.problem, "");
    EXPECT_EQ(evidence.conversation.size(), 1U) << file(evidence, "stderr");
  }
}

}  // namespace
}  // namespace cutline::run
