// shim_test.cc: what goes through a shim is what came, and what is written down is what went
// through.
#include "run/shim.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "run/shim_fixture.h"
#include "run/shim_log.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Shim = ShimTest;

TEST_F(Shim, PassesBytesUnchangedAndWritesThemDown) {
  const Ran ran =
      run(shim(shell("cat; printf 'no end'; echo oh >&2; exit 3")), "one\ntwo\r\n\n\xFF");
  EXPECT_EQ(ran.out, "one\ntwo\r\n\n\xFFno end");
  EXPECT_EQ(ran.err, "oh\n");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(lines("client"), ElementsAre("one", "two\r", "", "\xFF"));
  EXPECT_THAT(lines("server"), ElementsAre("one", "two\r", "", "\xFFno end"));
  EXPECT_THAT(lines("stderr"), ElementsAre("oh"));
  EXPECT_THAT(lines("started"), ElementsAre(StartsWith("pid ")));
  EXPECT_THAT(lines("ended"), ElementsAre("exit code 3"));
  EXPECT_THAT(log_text(), HasSubstr(R"("line_base64":"/w==","unfinished":true)"));
}

TEST_F(Shim, EndsAsItsServerDoes) {
  EXPECT_EQ(run(shim(shell("exit 0")), "").code, 0);
  EXPECT_EQ(run(shim(shell("kill -KILL $$")), "").code, 128 + SIGKILL);
  EXPECT_EQ(lines("ended").back(), "signal 9 (SIGKILL)");
  const Ran missing = run(shim({"no-such-server"}), "");
  EXPECT_EQ(missing.code, 77);
  EXPECT_THAT(missing.err, HasSubstr("sys.command.not_found"));
  EXPECT_THAT(lines("ended").back(), HasSubstr("'no-such-server' not found"));
}

TEST_F(Shim, EndsItsServerWithItsInput) {
  EXPECT_EQ(run(shim(shell("while read -r line; do :; done; exit 4")), "x\n").code, 4);
}

TEST_F(Shim, FollowsALauncherThatLeavesTheServerBehind) {
  const Ran ran =
      run(shim(shell("exec 3<&0; { cat; sleep 0.1; echo late; } <&3 & exit 0")), "hello\n");
  EXPECT_EQ(ran.out, "hello\nlate\n");
  EXPECT_EQ(ran.code, 0);
}

TEST_F(Shim, EndsTheServersTreeWhenASignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    sys::Loop loop;
    std::string out;
    std::optional<sys::ExitStatus> status;
    auto process =
        sys::Process::start(loop,
                            shim(shell("trap 'echo bye; exit 9' TERM; sleep 1000 & echo up; wait")),
                            [&](const sys::ExitStatus& ended) {
                              status = ended;
                              loop.stop();
                            })
            .value();
    sys::Writer in(loop, process->take_stdin());
    sys::Reader reader(loop, process->take_stdout(),
                       {.bytes =
                            [&](std::string_view bytes) {
                              if (out.empty()) ::kill(process->pid(), signal);
                              out += bytes;
                            },
                        .end = [] {}});
    const auto before = loop.now();
    loop.run();
    EXPECT_LT(loop.now() - before, 20s);
    EXPECT_EQ(status->code, 9) << signal;
    EXPECT_EQ(lines("ended").back(), "exit code 9");
  }
}

TEST_F(Shim, PassesVeryLongLinesAndKeepsTheirBeginning) {
  constexpr std::size_t kLong = std::size_t{64} << 20;
  const Ran ran = run(shim({"cat"}), "short\n" + std::string(kLong, 'x') + "\nlast\n");
  EXPECT_EQ(ran.out.size(), kLong + 12);
  EXPECT_TRUE(ran.out.ends_with("x\nlast\n"));
  const std::vector<std::string> server = lines("server");
  ASSERT_EQ(server.size(), 3U);
  EXPECT_EQ(server[1], std::string(kRecordedLineBytesMax, 'x'));
  EXPECT_EQ(server[2], "last");
  EXPECT_THAT(log_text(), HasSubstr(R"("cut_from_bytes":67108864})"));
}

TEST_F(Shim, KeepsNoMoreThanSoMuchOfStandardError) {
  const Ran ran = run(shim(shell("yes errors | head -c 3000000 >&2")), "");
  EXPECT_EQ(ran.err.size(), 3'000'000U);
  std::size_t kept = 0;
  for (const std::string& line : lines("stderr")) kept += line.size() + 1;
  EXPECT_LE(kept, kRecordedErrorBytesMax + 1);
  EXPECT_GT(kept, kRecordedErrorBytesMax - 10);
}

TEST_F(Shim, WritesNoMoreDownThanSoMuchInAll) {
  const std::string kilobyte(999, 'x');
  const Ran ran = run(shim(shell("yes " + kilobyte + " | head -c 140000000; exit 3")), "");
  EXPECT_EQ(ran.out.size(), 140'000'000U);
  EXPECT_EQ(ran.code, 3);
  const std::string text = log_text();
  EXPECT_LE(text.size(), kRecordedBytesMax + 1'000);
  EXPECT_GT(text.size(), kRecordedBytesMax - (std::size_t{2} << 20));
  const std::size_t last = text.rfind('\n', text.find("\"full\"")) + 1;
  const std::vector<store::Message> end = read_shim_log(text.substr(last), 0).value();
  ASSERT_EQ(end.size(), 2U);
  EXPECT_THAT(end[0].line, HasSubstr("128 MiB are written down"));
  EXPECT_EQ(end[1].line, "exit code 3");
}

TEST_F(Shim, MakesAServerWaitForAClientThatDoesNotRead) {
  sys::Loop loop;
  const std::string counter = path("count");
  // Says how far it has come, and is far faster than anybody who does not read.
  auto process =
      sys::Process::start(
          loop,
          shim(shell("head -c 30000000 /dev/zero | tr '\\0' x | tee " + counter + " ; echo done")),
          [](const sys::ExitStatus&) {})
          .value();
  sys::Writer in(loop, process->take_stdin());
  sys::Fd out = process->take_stdout();
  sys::Timer timer(loop);
  std::uintmax_t last = 1;
  std::function<void()> look = [&] {
    std::error_code ignored;
    const std::uintmax_t now = std::filesystem::file_size(counter, ignored);
    if (!ignored && now == last) return loop.stop();
    last = ignored ? 1 : now;
    timer.at(loop.now() + 300ms, look);
  };
  look();
  loop.run();
  EXPECT_GT(last, 8'000'000U);
  EXPECT_LT(last, 12'000'000U);

  std::size_t got = 0;
  sys::Reader reader(
      loop, std::move(out),
      {.bytes = [&](std::string_view bytes) { got += bytes.size(); }, .end = [&] { loop.stop(); }});
  in.close_when_done();
  loop.run();
  EXPECT_EQ(got, 30'000'005U);
}

TEST_F(Shim, SaysWhenItCannotWriteDown) {
  sys::Command command = shim({"cat"});
  command.argv[3] = "/no/such/folder/log";
  EXPECT_THAT(run(command, "").err, HasSubstr("sys.file.write"));
  command.argv[3] = "/dev/full";
  const Ran full = run(command, "");
  EXPECT_THAT(full.err, HasSubstr("sys.file.write"));
  EXPECT_EQ(full.code, 77);
}

TEST_F(Shim, PassesOnThousandsOfLines) {
  // A question and its answer, many times over.
  constexpr int kTimes = 2'000;
  sys::Loop loop;
  auto process = sys::Process::start(loop, shim({"cat"}), [&](const sys::ExitStatus&) {
                   loop.stop();
                 }).value();
  sys::Writer in(loop, process->take_stdin());
  const std::string line = std::string(200, 'x') + "\n";
  int answers = 0;
  std::size_t got = 0;
  sys::Reader out(loop, process->take_stdout(),
                  {.bytes =
                       [&](std::string_view bytes) {
                         got += bytes.size();
                         if (got < line.size()) return;
                         got = 0;
                         if (++answers == kTimes) return in.close_when_done();
                         in.write(line);
                       },
                   .end = [] {}});
  in.write(line);
  loop.run();
  EXPECT_EQ(answers, kTimes);
}

TEST(ShimLogReader, NumbersProcessesAndSortsByTime) {
  const std::string log =
      R"({"at_us":5,"server":"a","pid":9,"direction":"started"})"
      "\n"
      R"({"at_us":30,"server":"a","pid":9,"direction":"server","line":"late"})"
      "\n"
      R"({"at_us":20,"server":"a","pid":9,"direction":"client","line":"\"early\""})"
      "\n"
      R"({"at_us":25,"server":"b","pid":8,"direction":"started"})"
      "\n"
      R"({"at_us":40,"server":"a","pid":9,"direction":"ended","signal":15})"
      "\n"
      R"({"at_us":50,"server":"a","pid":9,"direction":"started"})"
      "\n"
      R"({"at_us":60,"server":"a","pid":9,"direction":"cli)";
  const std::vector<store::Message> messages = read_shim_log(log, 5).value();
  ASSERT_EQ(messages.size(), 6U);
  EXPECT_EQ(messages[0].at_us, 0);
  EXPECT_EQ(messages[1].line, "\"early\"");
  EXPECT_EQ(messages[1].process, 1);
  EXPECT_EQ(messages[2].server, "b");
  EXPECT_EQ(messages[2].process, 1);
  EXPECT_EQ(messages[4].line, "signal 15 (SIGTERM)");
  EXPECT_EQ(messages[5].process, 2);
}

TEST(ShimLogReader, RefusesWhatNoShimWrote) {
  for (const std::string_view line :
       {"no JSON\n", "[]\n",
        R"({"at_us":1,"server":"a","pid":9,"direction":"client"})"
        "\n",
        R"({"at_us":1,"server":"a","pid":9,"direction":"x","line":""})"
        "\n"}) {
    const auto read = read_shim_log(line, 0);
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().code, "run.shim_log");
    EXPECT_EQ(read.error().place, "line 1");
  }
  EXPECT_THAT(read_shim_log("", 0).value(), IsEmpty());
}

}  // namespace
}  // namespace cutline::run
