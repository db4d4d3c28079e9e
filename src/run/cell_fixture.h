// cell_fixture.h: cells of the fake client, run to their end, and a way to see that nothing of one
// is left.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/writer.h"
#include "run/cell.h"
#include "sys/files.h"
#include "sys/process.h"
#include "sys/scratch.h"

namespace cutline::run {

inline std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

/// The configuration that all clients have, and nothing else.
class FakeAdapter : public Adapter {
 public:
  std::string_view id() const override { return "fake"; }

  Result<sys::Command> prepare(const ClientStart& start,
                               const sys::Scratch& scratch) const override {
    json::Writer config;
    config.begin_object().key("mcpServers").begin_object();
    for (const ServerEntry& server : start.servers) {
      config.key(server.name).begin_object().member("command", server.argv.front());
      config.key("args").begin_array();
      for (std::size_t i = 1; i < server.argv.size(); ++i) config.string(server.argv[i]);
      config.end_array().key("env").begin_object();
      for (const auto& [name, value] : server.environment) config.member(name, value);
      config.end_object().end_object();
    }
    config.end_object().end_object();
    CUTLINE_TRY_ASSIGN(const std::string file, scratch.write("mcp.json", config.take()));
    sys::Command command;
    command.argv = {own_program(), "client", "--mcp-config", file, "--", start.prompt};
    command.clear_environment = true;
    command.environment = {{"ANTHROPIC_BASE_URL", start.gateway}};
    command.directory = scratch.path() + "/work";
    return command;
  }
  std::vector<store::File> leavings(const sys::Scratch& scratch) const override {
    const Result<std::string> history = sys::read_file(scratch.path() + "/home/history", 1 << 20);
    return history ? std::vector{store::File{.name = "history", .bytes = *history}}
                   : std::vector<store::File>{};
  }
  Told told(Leavings, std::string_view) const override { return {}; }
  std::span<const std::string_view> set_by_us() const override { return {}; }
  std::string_view tools_of_servers() const override { return "*"; }
  bool compacts(std::string_view) const override { return false; }
};

/// A pipe with a name that a client and all that it starts hold open.
class Held {
 public:
  explicit Held(std::string path) : path_(std::move(path)) {
    ::mkfifo(path_.c_str(), 0600);
    fd_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  ~Held() { ::close(fd_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const std::string& path() const { return path_; }
  /// Waits until a client says that it is there.
  bool taken() const {
    char byte = 0;
    return wait(POLLIN) && ::read(fd_, &byte, 1) == 1;
  }
  /// Waits until nobody holds it any more.
  bool let_go() const {
    char byte = 0;
    while (wait(POLLIN | POLLHUP))
      if (::read(fd_, &byte, 1) == 0) return true;
    return false;
  }

 private:
  bool wait(short events) const {
    pollfd waiting{.fd = fd_, .events = events, .revents = 0};
    constexpr int kDeadlineMs = 60'000;
    return ::poll(&waiting, 1, kDeadlineMs) == 1;
  }

  std::string path_;
  int fd_ = -1;
};

class CellTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<void> available = sys::sandbox_available();
    if (!available && !std::getenv("CUTLINE_REQUIRE_ALL"))
      GTEST_SKIP() << to_text(available.error());
    ASSERT_TRUE(available) << to_text(available.error());
    folder_.emplace(sys::Scratch::make("cutline-cells").value());
  }

  std::string path(std::string_view name) const {
    return folder_->path() + "/" + std::string(name);
  }

  static PlannedServer lab(std::string name = "lab", std::string text = "english:1000") {
    PlannedServer server;
    server.name = std::move(name);
    server.argv = {own_program(), "lab", "--instructions", std::move(text)};
    return server;
  }

  /// One session with one server.
  CellPlan plan(std::string acts) const {
    CellPlan plan;
    plan.adapter = &adapter_;
    plan.version = *Version::parse("1.0.0");
    plan.variables = {{"FAKE_CLIENT", std::move(acts)}};
    Session session;
    session.script.prompt = "Which words do you see?";
    session.servers.push_back(lab());
    plan.sessions.push_back(std::move(session));
    plan.timeout = std::chrono::seconds(60);
    plan.program = own_program();
    plan.path = std::getenv("PATH");
    return plan;
  }

  struct Kept {
    std::vector<store::Request> requests;
    std::vector<std::string> answers;  // beside each
  };
  CellRun::Hooks hooks(std::function<void(CellEvidence)> done) {
    return {.keep = [this](const std::vector<store::Request>& requests,
                           const Gateway::Hooks::Answers& answers) -> Result<void> {
              for (const store::Request& request : requests) kept_.requests.push_back(request);
              kept_.answers.resize(kept_.requests.size());
              for (const auto& [sequence, answer] : answers) kept_.answers.at(sequence) = answer;
              return {};
            },
            .done = std::move(done)};
  }

  CellEvidence run(CellPlan plan) {
    sys::Loop loop;
    CellEvidence evidence;
    CellRun cell(loop, std::move(plan), hooks([&](CellEvidence got) {
                   evidence = std::move(got);
                   loop.stop();
                 }));
    loop.run();
    return evidence;
  }

  static std::string file(const CellEvidence& evidence, std::string_view name) {
    for (const store::File& one : evidence.files)
      if (one.name == name) return one.bytes;
    return "(no file " + std::string(name) + ")";
  }
  static std::size_t count(const CellEvidence& evidence, std::string_view direction,
                           std::string_view words) {
    std::size_t found = 0;
    for (const store::Message& message : evidence.messages)
      found += message.direction == direction && message.line.find(words) != std::string::npos;
    return found;
  }

  FakeAdapter adapter_;
  Kept kept_;
  std::optional<sys::Scratch> folder_;
};

}  // namespace cutline::run
