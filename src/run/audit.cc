// audit.cc: drives an interview over the lives of a real server.
//
// One life: start, talk until the interview wants no more or the server has ended, close its input,
// wait, terminate, and only when its whole tree is gone either start the next life or stop. So two
// lives never overlap (they would fight for the same files), and nothing is left behind.
#include "run/audit.h"

#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <signal.h>

#include "sys/loop.h"
#include "text/utf8.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

/// The end of the output and the exit of a process are two messages; this long we wait for the
/// other.
constexpr std::chrono::milliseconds kExitAfterOutput = 200ms;
/// A launcher may end and leave the server running on its output; if it says nothing, it is no
/// server but something that the dead one left behind.
constexpr std::chrono::milliseconds kSilenceAfterExit = 1'000ms;
/// Who interrupts us does not want to wait.
constexpr std::chrono::milliseconds kInterruptedGrace = 200ms;
/// When all of a tree are gone its standard error can hold bytes, but nobody who writes more.
constexpr std::chrono::milliseconds kErrorsAfterGone = 200ms;

/// The last bytes of a stream of any length.
class Tail {
 public:
  void add(std::string_view bytes) {
    bytes_ += bytes;
    if (bytes_.size() > 2 * mcp::kStderrTailBytes) cut();
  }

  /// As valid UTF-8, beginning with a whole character.
  std::string text() {
    cut();
    constexpr std::size_t kContinuationsMax = 3;
    std::size_t begin = 0;
    while (was_cut_ && begin < std::min(kContinuationsMax, bytes_.size()) &&
           (static_cast<unsigned char>(bytes_[begin]) & 0xC0) == 0x80)
      ++begin;
    return text::repair_utf8(std::string_view(bytes_).substr(begin)).text;
  }

 private:
  void cut() {
    if (bytes_.size() <= mcp::kStderrTailBytes) return;
    bytes_.erase(0, bytes_.size() - mcp::kStderrTailBytes);
    was_cut_ = true;
  }

  std::string bytes_;
  bool was_cut_ = false;
};

mcp::Exit exit_of(const sys::ExitStatus& status) {
  return {.code = status.code, .signal = status.signal};
}

class Auditor {
 public:
  Auditor(const sys::Command& command, const AuditOptions& options)
      : command_(command),
        options_(options),
        signals_(loop_, {SIGINT, SIGTERM, SIGHUP}, [this](int signal) { interrupt(signal); }) {}

  Result<Audit> audit() {
    begin_life();
    if (options_.meanwhile) options_.meanwhile();
    if (process_) loop_.run();
    if (problem_) return fail(*std::move(problem_));
    Audit audit{.offer = interview_ ? interview_->take_offer(loop_.now()) : could_not_run(),
                .interrupted_by = interrupted_by_};
    audit.offer.command = command_.argv;
    audit.offer.stderr_tail = errors_.text();
    return audit;
  }

 private:
  // --- A life ------------------------------------------------------------------------------------

  void begin_life() {
    auto started =
        sys::Process::start(loop_, command_, [this](const sys::ExitStatus&) { process_ended(); });
    if (!started) return could_not_start(std::move(started).error());
    process_ = *std::move(started);
    talking_ = true;
    output_ended_ = errors_ended_ = gone_ = false;
    in_.emplace(loop_, process_->take_stdin());
    out_.emplace(loop_, process_->take_stdout(),
                 sys::Reader::Callbacks{
                     .bytes = [this](std::string_view bytes) { hear(bytes); },
                     .end = [this] { output_ended(); },
                 });
    err_.emplace(loop_, process_->take_stderr(),
                 sys::Reader::Callbacks{
                     .bytes = [this](std::string_view bytes) { errors_.add(bytes); },
                     .end = [this] { errors_ended(); },
                 });
    if (interview_)
      interview_->started(loop_.now());
    else
      interview_.emplace(options_.interview, loop_.now());
    go_on();
  }

  void could_not_start(Problem problem) {
    process_.reset();
    if (interview_) {
      // It could be started before: to the interview it is a process that ended at once.
      interview_->started(loop_.now());
      interview_->ended(std::nullopt, loop_.now());
      loop_.stop();
    } else if (problem.code.starts_with("sys.command.")) {
      start_problem_ = std::move(problem);
    } else {
      problem_ = std::move(problem);
    }
  }

  mcp::Offer could_not_run() const {
    mcp::Offer offer;
    offer.outcome = mcp::Outcome::kDidNotStart;
    offer.outcome_detail = start_problem_->message;
    if (!start_problem_->hint.empty()) offer.outcome_detail += " (" + start_problem_->hint + ")";
    return offer;
  }

  // --- Talking -----------------------------------------------------------------------------------

  /// After everything that may have changed what the interview wants.
  void go_on() {
    if (interview_->wants() != mcp::Interview::Wants::kGoOn) return end_talk();
    in_->write(interview_->take_output());
    const mcp::Time deadline = interview_->deadline();
    if (deadline == deadline_at_) return;
    deadline_at_ = deadline;
    deadline_.at(deadline, [this] {
      deadline_at_.reset();
      interview_->blocked(in_->waiting());
      interview_->tick(loop_.now());
      go_on();
    });
  }

  void hear(std::string_view bytes) {
    if (!talking_) return;
    if (process_->exit_status()) end_after(kSilenceAfterExit);
    interview_->received(bytes, loop_.now());
    go_on();
  }

  void output_ended() {
    output_ended_ = true;
    if (!talking_) return;
    if (process_->exit_status())
      server_ended();
    else
      end_after(kExitAfterOutput);
  }

  void process_ended() {
    if (!talking_) return terminate(options_.shutdown.after_term);
    if (output_ended_)
      server_ended();
    else
      end_after(kSilenceAfterExit);
  }

  void end_after(std::chrono::milliseconds wait) {
    ending_.at(loop_.now() + wait, [this] { server_ended(); });
  }

  void server_ended() {
    std::optional<mcp::Exit> exit;
    if (process_->exit_status()) exit = exit_of(*process_->exit_status());
    interview_->ended(exit, loop_.now());
    go_on();
  }

  // --- Ending ------------------------------------------------------------------------------------

  void end_talk() {
    stop_talking();
    if (process_->exit_status()) return terminate(options_.shutdown.after_term);
    ending_.at(loop_.now() + options_.shutdown.after_end_of_input,
               [this] { terminate(options_.shutdown.after_term); });
  }

  void stop_talking() {
    talking_ = false;
    deadline_.cancel();
    deadline_at_.reset();
    ending_.cancel();
    in_->close_now();
  }

  void terminate(std::chrono::milliseconds grace) {
    ending_.cancel();
    process_->terminate(grace, [this] { tree_gone(); });
  }

  void tree_gone() {
    gone_ = true;
    if (errors_ended_) return end_life();
    ending_.at(loop_.now() + kErrorsAfterGone, [this] { end_life(); });
  }

  void errors_ended() {
    errors_ended_ = true;
    if (gone_) end_life();
  }

  void end_life() {
    ending_.cancel();
    const bool again = interview_->wants() == mcp::Interview::Wants::kRestart;
    if (again && interrupted_by_ == 0) return begin_life();
    loop_.stop();
  }

  void interrupt(int signal) {
    const bool again = interrupted_by_ != 0;
    if (!again) interrupted_by_ = signal;
    if (talking_) stop_talking();
    if (!gone_) terminate(again ? 0ms : kInterruptedGrace);
  }

  const sys::Command& command_;
  const AuditOptions& options_;
  sys::Loop loop_;
  sys::Signals signals_;
  std::optional<mcp::Interview> interview_;
  std::optional<Problem> problem_, start_problem_;
  int interrupted_by_ = 0;
  Tail errors_;

  // Of the life under way.
  std::unique_ptr<sys::Process> process_;
  std::optional<sys::Writer> in_;
  std::optional<sys::Reader> out_, err_;
  sys::Timer deadline_{loop_}, ending_{loop_};
  std::optional<mcp::Time> deadline_at_;
  bool talking_ = false, output_ended_ = false, errors_ended_ = false, gone_ = false;
};

}  // namespace

Result<Audit> audit(const sys::Command& command, const AuditOptions& options) try {
  return Auditor(command, options).audit();
} catch (const std::bad_alloc&) {
  // The limits of a conversation are generous; a machine may have less.
  return fail({.code = "run.memory",
               .message = "there is not enough memory for what the server sends",
               .place = {},
               .hint = "--max-message bounds it",
               .blame = Blame::kMissing});
}

}  // namespace cutline::run
