// shim.cc: three streams handed on, and written down before they are.
#include "run/shim.h"

#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "run/intake.h"
#include "run/shim_log.h"
#include "run/shim_server.h"
#include "sys/fd.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

/// So that the exit code is what shells have for it.
constexpr int kSignalExit = 128;
/// Whoever ends us with a signal may have stopped reading.
constexpr std::chrono::milliseconds kLastBytesAfterSignal = 500ms;

/// Ours alone: standard output itself becomes /dev/null, so that its end is told when we tell it.
Result<sys::Fd> take_standard_output() {
  CUTLINE_TRY_ASSIGN(sys::Fd out, sys::duplicate(STDOUT_FILENO));
  const sys::Fd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (null) ::dup2(null.get(), STDOUT_FILENO);
  return out;
}

class Shim {
 public:
  Shim(ShimLog log, sys::Fd out, sys::Fd err)
      : log_(std::move(log)),
        out_(loop_, std::move(out)),
        err_(loop_, std::move(err)),
        signals_(loop_, {SIGINT, SIGTERM, SIGHUP}, [this](int) { interrupt(); }) {}

  Result<int> run(const ShimOptions& options, sys::Fd in) {
    standard_input_ = std::move(in);
    auto server = options.socket ? connect_server(loop_, *options.socket, events())
                                 : start_server(loop_, options.command, events());
    if (!server) {
      CUTLINE_TRY(log_.ended(fail(server.error())));
      return fail(std::move(server).error());
    }
    server_ = *std::move(server);
    if (problem_) server_->terminate();
    loop_.run();
    if (problem_) return fail(*std::move(problem_));
    return exit_code_;
  }

 private:
  ServerEvents events() {
    return {
        .started = [this](std::int64_t pid) { started(pid); },
        .output = [this](std::string_view bytes) { pass(Voice::kServer, bytes, out_); },
        .errors = [this](std::string_view bytes) { pass(Voice::kErrors, bytes, err_); },
        .output_ended = [this] { out_.close_when_done(); },
        .gone = [this](const Result<sys::ExitStatus>& status) { gone(status); },
        .output_unwritten = [this] { return out_.waiting(); },
        .errors_unwritten = [this] { return err_.waiting(); },
    };
  }

  /// Only now is anything read: what the client says is said to a process that is known.
  void started(std::int64_t pid) {
    check(log_.started(pid));
    in_.emplace(loop_, std::move(standard_input_),
                sys::Reader::Callbacks{
                    .bytes = [this](std::string_view bytes) { from_client(bytes); },
                    .end = [this] { server_->end_input(); },
                },
                [this] { return server_ ? server_->unwritten() : 0; });
  }

  void from_client(std::string_view bytes) {
    check(log_.heard(Voice::kClient, bytes));
    server_->write(bytes);
  }

  void pass(Voice voice, std::string_view bytes, sys::Writer& to) {
    check(log_.heard(voice, bytes));
    to.write(std::string(bytes));
  }

  /// A record that cannot be written is the end: without it the run is worth nothing.
  void check(const Result<void>& written) {
    if (written || problem_) return;
    problem_ = written.error();
    if (server_) server_->terminate();
  }

  void gone(const Result<sys::ExitStatus>& status) {
    check(log_.ended(status));
    if (!status && !problem_) problem_ = status.error();
    if (status)
      exit_code_ = status->signal ? kSignalExit + *status->signal : status->code.value_or(0);
    if (interrupted_) wait_.at(loop_.now() + kLastBytesAfterSignal, [this] { loop_.stop(); });
    out_.close_when_done([this] { err_.close_when_done([this] { loop_.stop(); }); });
  }

  void interrupt() {
    interrupted_ = true;
    if (server_) server_->terminate();
  }

  sys::Loop loop_;
  ShimLog log_;
  sys::Writer out_, err_;
  sys::Timer wait_{loop_};
  sys::Fd standard_input_;
  std::optional<Intake> in_;
  std::unique_ptr<ServerBehind> server_;
  sys::Signals signals_;
  std::optional<Problem> problem_;
  int exit_code_ = 0;
  bool interrupted_ = false;
};

}  // namespace

Result<int> run_shim(const ShimOptions& options) {
  CUTLINE_TRY_ASSIGN(ShimLog log, ShimLog::open(options.log_file, options.server));
  CUTLINE_TRY_ASSIGN(sys::Fd in, sys::duplicate(STDIN_FILENO));
  CUTLINE_TRY_ASSIGN(sys::Fd err, sys::duplicate(STDERR_FILENO));
  CUTLINE_TRY_ASSIGN(sys::Fd out, take_standard_output());
  return Shim(std::move(log), std::move(out), std::move(err)).run(options, std::move(in));
}

}  // namespace cutline::run
