// shim_server.cc: a server that is a process of ours.
//
// It has ended when its process has and nobody holds its output any more: a launcher may end and
// leave the server running. Then whatever is left of its tree is ended, and only then it is gone.
#include "run/shim_server.h"

#include <chrono>
#include <optional>
#include <utility>

#include "run/intake.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

/// After SIGTERM. Clients that want a server gone kill it after about as long.
constexpr std::chrono::milliseconds kGrace = 2'000ms;
/// When all of a tree are gone its streams can hold bytes, but nobody who writes more.
constexpr std::chrono::milliseconds kStreamsAfterGone = 200ms;

class OwnServer : public ServerBehind {
 public:
  OwnServer(sys::Loop& loop, ServerEvents events) : loop_(loop), events_(std::move(events)) {}

  Result<void> start(const sys::Command& command) {
    CUTLINE_TRY_ASSIGN(process_, sys::Process::start(loop_, command,
                                                     [this](sys::ExitStatus) { process_ended(); }));
    events_.started(process_->pid());
    in_.emplace(loop_, process_->take_stdin());
    out_.emplace(loop_, process_->take_stdout(),
                 sys::Reader::Callbacks{.bytes = events_.output, .end = [this] { output_ended(); }},
                 events_.output_unwritten);
    err_.emplace(loop_, process_->take_stderr(),
                 sys::Reader::Callbacks{.bytes = events_.errors, .end = [this] { errors_ended(); }},
                 events_.errors_unwritten);
    return {};
  }

  void write(std::string_view bytes) override { in_->write(std::string(bytes)); }

  void end_input() override {
    input_ended_ = true;
    in_->close_when_done();
    if (process_->exit_status()) end_launched();
  }

  void terminate() override {
    if (ending_) return;
    ending_ = true;
    in_->close_now();
    process_->terminate(kGrace, [this] { tree_gone(); });
  }

  std::size_t unwritten() const override { return in_->waiting(); }

 private:
  void process_ended() {
    if (output_ended_) return terminate();
    if (input_ended_) end_launched();
  }

  /// Without a client there is nobody for whom what a launcher left behind should go on for long.
  void end_launched() {
    wait_.at(loop_.now() + kGrace, [this] { terminate(); });
  }

  void output_ended() {
    output_ended_ = true;
    events_.output_ended();
    if (process_->exit_status()) terminate();
    end_if_over();
  }

  void errors_ended() {
    errors_ended_ = true;
    end_if_over();
  }

  void tree_gone() {
    gone_ = true;
    wait_.at(loop_.now() + kStreamsAfterGone, [this] { end(); });
    end_if_over();
  }

  void end_if_over() {
    if (gone_ && output_ended_ && errors_ended_) end();
  }

  void end() {
    if (std::exchange(ended_, true)) return;
    wait_.cancel();
    events_.gone(process_->exit_status().value_or(sys::ExitStatus{}));
  }

  sys::Loop& loop_;
  ServerEvents events_;
  std::unique_ptr<sys::Process> process_;
  std::optional<sys::Writer> in_;
  std::optional<Intake> out_, err_;
  sys::Timer wait_{loop_};
  bool input_ended_ = false, output_ended_ = false, errors_ended_ = false;
  bool ending_ = false, gone_ = false, ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ServerBehind>> start_server(sys::Loop& loop, const sys::Command& command,
                                                   ServerEvents events) {
  auto server = std::make_unique<OwnServer>(loop, std::move(events));
  CUTLINE_TRY(server->start(command));
  return server;
}

}  // namespace cutline::run
