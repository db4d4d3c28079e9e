// cell.cc: start the client, answer it, wait for its end, gather what it left.
#include "run/cell.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "run/clients/configuration.h"
#include "run/shim.h"
#include "sys/files.h"
#include "sys/process.h"
#include "sys/scratch.h"
#include "sys/sockets.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t kGatewayPort = 8080;  // in a network of its own nobody else has it
constexpr std::size_t kOutputBytesMax = std::size_t{16} << 20;
constexpr std::size_t kLogBytesMax = std::size_t{256} << 20;
/// What is left of a client that has ended: servers, daemons.
constexpr std::chrono::milliseconds kGrace = 500ms;
/// A client on a terminal does not end by itself; so much silence after the last answer is its end.
constexpr std::chrono::milliseconds kQuiet = 2'000ms;

/// A stream of any length, of which the beginning is kept.
class Output {
 public:
  void add(std::string_view bytes) {
    const std::size_t room = kOutputBytesMax - std::min(kOutputBytesMax, bytes_.size());
    bytes_.append(bytes.substr(0, room));
    lost_ += bytes.size() - std::min(bytes.size(), room);
  }
  std::string take() {
    if (const std::size_t lost = std::exchange(lost_, 0); lost != 0)
      bytes_ += fmt::format("\n[cutline: {} bytes more were not kept]\n", lost);
    return std::exchange(bytes_, {});
  }

 private:
  std::string bytes_;
  std::size_t lost_ = 0;
};

}  // namespace

struct CellRun::Impl {
  Impl(sys::Loop& run_in, CellPlan given, Hooks given_hooks)
      : loop(run_in), plan(std::move(given)), hooks(std::move(given_hooks)) {
    // From the loop, so that the caller has us before anything can be done.
    soon.at(loop.now(), [this] { begin(); });
  }

  void begin() {
    began = loop.now();
    Result<sys::Scratch> made = sys::Scratch::make();
    if (!made) return finish(to_text(made.error()));
    scratch.emplace(*std::move(made));
    for (const char* folder : {"home", "work", "tmp"}) {
      const auto path = scratch->make_folder(folder);
      if (!path) return finish(to_text(path.error()));
    }
    begin_session();
  }

  std::int64_t since_start_us() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(loop.now() - began).count();
  }

  // --- A session ---------------------------------------------------------------------------------

  const Session& session() const { return plan.sessions[current]; }

  void begin_session() {
    session_starts += fmt::format("{}\n", since_start_us());
    const Result<void> started = start_client();
    if (!started) return finish(to_text(started.error()));
    deadline.at(loop.now() + plan.timeout, [this] {
      evidence.problem = fmt::format("the client did not end within {} s and was killed",
                                     plan.timeout.count() / 1000);
      end_session();
    });
  }

  Result<void> start_client() {
    CUTLINE_TRY_ASSIGN(const std::vector<ServerEntry> servers, server_entries());
    sys::Fd listener;
    std::uint16_t port = kGatewayPort;
    if (!plan.isolated) {
      CUTLINE_TRY_ASSIGN(listener, sys::listen_on_loopback(0));
      port = sys::port_of(listener);
    }
    CUTLINE_TRY_ASSIGN(sys::Command command,
                       plan.adapter->prepare(start_of(servers, port), *scratch));
    finish_command(command);
    CUTLINE_TRY_ASSIGN(client,
                       sys::Process::start(loop, command, [this](const sys::ExitStatus& status) {
                         client_ended(status);
                       }));
    if (plan.isolated) listener = std::move(client->take_listeners().front());
    gateway.emplace(loop, std::move(listener), gateway_options(), gateway_hooks());
    client->take_stdin();  // dropped: its input has ended
    out.emplace(
        loop, client->take_stdout(),
        sys::Reader::Callbacks{
            .bytes = [this](std::string_view bytes) { standard_output.add(bytes); }, .end = [] {}});
    if (!session().interactive)
      err.emplace(loop, client->take_stderr(),
                  sys::Reader::Callbacks{
                      .bytes = [this](std::string_view bytes) { standard_error.add(bytes); },
                      .end = [] {}});
    return {};
  }

  Result<std::vector<ServerEntry>> server_entries() {
    std::vector<ServerEntry> entries;
    for (const PlannedServer& server : session().servers) {
      std::vector<std::string> argv = {plan.program, "shim",  "--server",
                                       server.name,  "--log", log_file()};
      std::vector<std::string> real = server.argv;
      if (!server.directory.empty())
        real.insert(real.begin(), {"/usr/bin/env", "-C", server.directory});
      if (server.outside) {
        const std::string socket =
            fmt::format("{}/server-{}.socket", scratch->path(), hosts.size());
        CUTLINE_TRY_ASSIGN(auto host, ShimHost::start(loop, socket,
                                                      {.argv = server.argv,
                                                       .environment = server.environment,
                                                       .directory = server.directory}));
        hosts.push_back(std::move(host));
        argv.insert(argv.end(), {"--connect", socket});
      } else {
        argv.push_back("--");
        argv.insert(argv.end(), real.begin(), real.end());
      }
      entries.push_back({.name = server.name,
                         .argv = std::move(argv),
                         .environment = server.environment,
                         .settings = server.settings});
    }
    return entries;
  }

  ClientStart start_of(std::vector<ServerEntry> servers, std::uint16_t port) const {
    return {.folder = plan.folder,
            .version = plan.version,
            .gateway = fmt::format("http://127.0.0.1:{}", port),
            .model = plan.model,
            .prompt = session().script.prompt,
            .turns = session().turns,
            .variables = plan.variables,
            .servers = std::move(servers),
            .arguments = session().arguments,
            .resume = session().resume,
            .interactive = session().interactive};
  }

  void finish_command(sys::Command& command) const {
    const std::string& base = scratch->path();
    command.environment.insert(command.environment.end(), {{"HOME", base + "/home"},
                                                           {"TMPDIR", base + "/tmp"},
                                                           {"PATH", plan.path},
                                                           {"LANG", "C.UTF-8"},
                                                           {"TERM", "xterm-256color"}});
    for (const auto& variable : plan.variables)
      if (!is_flag(variable.first)) command.environment.push_back(variable);
    if (plan.isolated) command.sandbox = sys::Sandbox{.ports = {kGatewayPort}};
    if (session().interactive) command.terminal = sys::Terminal{};
  }

  // --- The gateway -------------------------------------------------------------------------------

  GatewayOptions gateway_options() const {
    GatewayOptions options;
    options.script = session().script;
    options.began = began;
    return options;
  }

  Gateway::Hooks gateway_hooks() {
    return {.keep =
                [this](const std::vector<store::Request>& requests,
                       const Gateway::Hooks::Answers& answers) {
                  Gateway::Hooks::Answers shifted = answers;
                  for (auto& [sequence, answer] : shifted) sequence += kept_before;
                  return hooks.keep(requests, shifted);
                },
            .seen = [this](Seen seen) { saw(std::move(seen)); },
            .failed =
                [this](const Problem& problem) {
                  if (evidence.problem.empty()) evidence.problem = to_text(problem);
                  if (!ending) soon.at(loop.now(), [this] { end_session(); });
                }};
  }

  void saw(Seen seen) {
    const llm::Script& script = session().script;
    const bool ours = seen.endpoint == llm::Endpoint::kGenerate && !seen.request.tools.empty() &&
                      seen.request.says(script.prompt);
    if (session().interactive) quiet.at(loop.now() + kQuiet, [this] { quiet_long_enough(); });
    if (!ours) return;
    ++conversed;
    seen.sequence += kept_before;
    evidence.conversation.push_back(std::move(seen));
    evidence.session_of.push_back(current);
  }

  void quiet_long_enough() {
    if (conversed > session().script.turns.size() || conversed >= session().turns) end_session();
  }

  // --- The end -----------------------------------------------------------------------------------

  void client_ended(const sys::ExitStatus& status) {
    evidence.exit_code = status.code;
    evidence.signal = status.signal;
    end_session();
  }

  void end_session() {
    if (std::exchange(ending, true)) return;
    deadline.cancel();
    quiet.cancel();
    client->terminate(kGrace, [this] {
      // What its pipes still hold is read in this turn of the loop.
      soon.at(loop.now() + 1ms, [this] { session_ended(); });
    });
  }

  void session_ended() {
    const std::size_t kept = gateway->requests();
    gateway.reset();  // keeps its last answers, numbered within this session
    kept_before += kept;
    hosts.clear();
    out.reset();
    err.reset();
    client.reset();
    keep_output();
    ending = false;
    conversed = 0;
    if (evidence.problem.empty() && ++current < plan.sessions.size()) return begin_session();
    gather();
    finish({});
  }

  std::string log_file() const { return scratch->path() + "/messages.jsonl"; }

  void keep_output() {
    const std::string number = plan.sessions.size() == 1 ? "" : fmt::format("-{}", current + 1);
    evidence.files.push_back({.name = "stdout" + number, .bytes = standard_output.take()});
    evidence.files.push_back({.name = "stderr" + number, .bytes = standard_error.take()});
  }

  void gather() {
    evidence.files.push_back({.name = std::string(kSessionsFile), .bytes = session_starts});
    for (store::File& file : plan.adapter->leavings(*scratch))
      evidence.files.push_back(std::move(file));
    const Result<std::string> log = sys::read_file(log_file(), kLogBytesMax);
    if (!log) {  // no server was started, or several have said too much together
      if (log.error().code == "sys.file.too_large" && evidence.problem.empty())
        evidence.problem = to_text(log.error());
      return;
    }
    const auto start =
        std::chrono::duration_cast<std::chrono::microseconds>(began.time_since_epoch());
    Result<std::vector<store::Message>> messages = read_shim_log(*log, start.count());
    if (messages)
      evidence.messages = *std::move(messages);
    else if (evidence.problem.empty())
      evidence.problem = to_text(messages.error());
  }

  void finish(std::string problem) {
    deadline.cancel();
    if (evidence.problem.empty()) evidence.problem = std::move(problem);
    evidence.wall_us = since_start_us();
    scratch.reset();
    // Our owner may end us in there.
    const auto done = std::move(hooks.done);
    done(std::move(evidence));
  }

  sys::Loop& loop;
  CellPlan plan;
  Hooks hooks;
  CellEvidence evidence;
  sys::Time began;
  std::string session_starts;
  std::size_t current = 0, kept_before = 0, conversed = 0;
  bool ending = false;
  Output standard_output, standard_error;
  std::optional<sys::Scratch> scratch;
  sys::Timer soon{loop}, deadline{loop}, quiet{loop};
  std::vector<std::unique_ptr<ShimHost>> hosts;
  std::unique_ptr<sys::Process> client;
  std::optional<Gateway> gateway;
  std::optional<sys::Reader> out, err;
};

CellRun::CellRun(sys::Loop& loop, CellPlan plan, Hooks hooks)
    : impl_(std::make_unique<Impl>(loop, std::move(plan), std::move(hooks))) {}

CellRun::~CellRun() = default;

}  // namespace cutline::run
