// lab_host_test.cc: the lab server in a process of its own, with pipes as its standard streams.
#include "run/lab_host.h"

#include <cstdio>
#include <filesystem>
#include <set>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json/document.h"
#include "sys/fd.h"
#include "sys/files.h"
#include "sys/loop.h"
#include "wire/line_reader.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int kProblem = 77;  // exit code of the child where serve_lab() has a problem

std::string initialize(int id) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"initialize","params":{{)"
                     R"("protocolVersion":"2025-11-25","capabilities":{{}},)"
                     R"("clientInfo":{{"name":"test","version":"1"}}}}}})"
                     "\n",
                     id);
}

std::string ping(int id) {
  return fmt::format("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}\n", id);
}

lab::Settings settings(std::initializer_list<std::pair<std::string_view, std::string_view>> all) {
  lab::Settings settings;
  for (const auto& [key, value] : all) EXPECT_TRUE(lab::set(settings, key, value)) << key;
  return settings;
}

/// A lab server that runs.
struct Running {
  pid_t pid = -1;
  sys::Fd in, out;
};

Running start(const lab::Settings& settings) {
  sys::Pipe in = sys::make_pipe().value();
  sys::Pipe out = sys::make_pipe().value();
  std::fflush(nullptr);  // what is buffered is ours to print, not the child's
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(in.read.get(), STDIN_FILENO);
    ::dup2(out.write.get(), STDOUT_FILENO);
    for (sys::Fd* fd : {&in.read, &in.write, &out.read, &out.write}) fd->reset();
    const Result<int> code = serve_lab(settings);
    const bool blocks = ((::fcntl(0, F_GETFL) | ::fcntl(1, F_GETFL)) & O_NONBLOCK) == 0;
    EXPECT_TRUE(blocks) << "others share our standard streams";
    ::_exit(code && blocks ? *code : kProblem);
  }
  return {.pid = pid, .in = std::move(in.write), .out = std::move(out.read)};
}

int exit_code(const Running& running) {
  int status = 0;
  EXPECT_EQ(::waitpid(running.pid, &status, 0), running.pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Served {
  std::string out;
  int code = 0;
};

/// Gives a lab server its whole input at once, and takes everything until it ends.
Served serve(const lab::Settings& settings, std::string input) {
  Running running = start(settings);
  Served served;
  sys::Loop loop;
  sys::Writer in(loop, std::move(running.in));
  in.write(std::move(input));
  in.close_when_done();
  sys::Reader out(loop, std::move(running.out),
                  {.bytes = [&](std::string_view bytes) { served.out += bytes; }, .end = [] {}});
  loop.run();
  served.code = exit_code(running);
  return served;
}

/// The ids of the answers, in order.
std::string ids(std::string_view out) {
  std::string ids;
  for (const wire::Line& line : wire::LineReader(1 << 20).feed(out)) {
    const Result<json::Document> document = json::Document::parse(line.bytes);
    EXPECT_TRUE(document) << line.bytes;
    if (document) ids += std::string(document->root().find("id")->raw()) + " ";
  }
  return ids;
}

class Log : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cutline-lab-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ / "log.jsonl"; }
  std::vector<json::Document> records() const {
    std::vector<json::Document> records;
    for (const wire::Line& line :
         wire::LineReader(1 << 20).feed(sys::read_file(path(), 10 << 20).value()))
      records.push_back(json::Document::parse(line.bytes).value());
    return records;
  }

  std::filesystem::path folder_;
};

TEST(LabHost, AnswersAndEndsWithItsInput) {
  const Served served =
      serve(settings({{"instructions", "english:1000"}}), initialize(1) + ping(2));
  EXPECT_EQ(ids(served.out), "1 2 ");
  EXPECT_THAT(served.out, HasSubstr("END codeword"));
  EXPECT_EQ(served.code, 0);
}

TEST(LabHost, DoesAllThatIsDueBeforeItEnds) {
  const Served served =
      serve(settings({{"delay", "initialize=50"}}), initialize(1) + ping(2) + ping(3));
  EXPECT_EQ(ids(served.out), "2 3 1 ");
  EXPECT_EQ(served.code, 0);
}

TEST(LabHost, TakesALastLineWithoutItsEnd) {
  std::string input = ping(1) + ping(2);
  input.pop_back();
  EXPECT_EQ(ids(serve({}, input).out), "1 2 ");
}

TEST(LabHost, ExitsWhenItIsToldTo) {
  const Served after = serve(settings({{"exit-after", "initialize"}}), initialize(1) + ping(2));
  EXPECT_EQ(ids(after.out), "1 ");
  EXPECT_EQ(after.code, 0);
  const Served fault = serve(settings({{"fault", "initialize=exit"}}), ping(1) + initialize(2));
  EXPECT_EQ(ids(fault.out), "1 ");
  EXPECT_NE(fault.code, kProblem);
  EXPECT_NE(fault.code, 0);
}

TEST(LabHost, SendsALongLineWhole) {
  const Served served = serve(settings({{"fault", "ping=huge"}}), ping(1));
  EXPECT_GT(served.out.size(), 9'000'000u);
  EXPECT_EQ(served.out.back(), '\n');
  EXPECT_EQ(served.code, 0);
}

TEST(LabHost, OutlivesAClientThatDoesNotListen) {
  Running running = start({});
  running.out.reset();
  const std::string input = ping(1) + ping(2);
  EXPECT_EQ(::write(running.in.get(), input.data(), input.size()),
            static_cast<ssize_t>(input.size()));
  running.in.reset();
  EXPECT_EQ(exit_code(running), 0);
}

TEST(LabHost, SaysWhatItCannotReadOrWrite) {
  EXPECT_EQ(serve_lab(settings({{"instructions", "file:/no/such/text"}})).error().code,
            "sys.file.read");
  EXPECT_EQ(serve_lab(settings({{"log", "/no/such/folder/log"}})).error().code, "sys.file.write");
  EXPECT_EQ(serve(settings({{"log", "/dev/full"}}), ping(1)).code, kProblem);
}

TEST(LabHost, NoticesAnOutputThatTakesNothing) {
  sys::Pipe in = sys::make_pipe().value();
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(in.read.get(), STDIN_FILENO);
    ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
    in.write.reset();
    const Result<int> code = serve_lab({});
    ::_exit(!code && code.error().code == "cli.stdout" ? kProblem : 0);
  }
  const std::string input = ping(1);
  EXPECT_EQ(::write(in.write.get(), input.data(), input.size()),
            static_cast<ssize_t>(input.size()));
  // Its input goes on: it ends by itself.
  EXPECT_EQ(exit_code({.pid = pid, .in = {}, .out = {}}), kProblem);
}

TEST_F(Log, HasEveryMessageAsItWas) {
  serve(settings({{"log", path()}}), ping(1) + "no JSON\n");
  const std::vector<json::Document> log = records();
  ASSERT_GE(log.size(), 3u);
  EXPECT_EQ(json::string_member(log[0].root(), "direction"), "received");
  EXPECT_EQ(log[0].root().find("message")->find("method")->string().value, "ping");
  EXPECT_EQ(json::string_member(log[1].root(), "text"), "no JSON");
  EXPECT_EQ(json::string_member(log[2].root(), "direction"), "sent");
  EXPECT_EQ(log[2].root().find("message")->find("id")->raw(), "1");
  EXPECT_EQ(log[0].root().find("ppid")->int64(), ::getpid());
}

TEST_F(Log, IsThereAsSoonAsTheAnswerIs) {
  const Running running = start(settings({{"log", path()}}));
  const std::string input = ping(1);
  ASSERT_EQ(::write(running.in.get(), input.data(), input.size()),
            static_cast<ssize_t>(input.size()));
  char first = 0;
  ASSERT_EQ(::read(running.out.get(), &first, 1), 1);
  ::kill(running.pid, SIGKILL);
  EXPECT_EQ(exit_code(running), -1);
  EXPECT_EQ(records().size(), 2u);
}

TEST_F(Log, CanBeSharedByProcesses) {
  const lab::Settings same = settings({{"log", path()}});
  std::string input;
  for (int i = 0; i < 200; ++i) input += ping(i);
  const std::vector<Running> both = [&] {
    std::vector<Running> all;
    for (int i = 0; i < 2; ++i) all.push_back(start(same));
    return all;
  }();
  for (const Running& running : both)
    ASSERT_EQ(::write(running.in.get(), input.data(), input.size()),
              static_cast<ssize_t>(input.size()));
  for (const Running& running : both)
    for (char c = 0, lines = 0; lines < 100 && ::read(running.out.get(), &c, 1) == 1;)
      lines = static_cast<char>(lines + (c == '\n'));
  for (const Running& running : both) {
    ::kill(running.pid, SIGKILL);
    exit_code(running);
  }
  std::set<std::int64_t> pids;
  for (const json::Document& record : records()) pids.insert(*record.root().find("pid")->int64());
  EXPECT_EQ(pids, (std::set<std::int64_t>{both[0].pid, both[1].pid}));
}

}  // namespace
}  // namespace cutline::run
