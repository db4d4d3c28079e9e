// lab_host.cc: pipes, clock and log around the lab server.
#include "run/lab_host.h"

#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "base/number.h"
#include "lab/limits.h"
#include "lab/log.h"
#include "lab/server.h"
#include "sys/fd.h"
#include "sys/files.h"
#include "sys/loop.h"
#include "wire/line_reader.h"

namespace cutline::run {
namespace {

constexpr std::size_t kLineBytesMax = std::size_t{64} << 20;
/// What a client may ask for without reading any of it. One text may be large, and be asked for
/// again and again.
constexpr std::size_t kUnreadBytesMax = std::size_t{1} << 30;
constexpr std::size_t kActionsMax = 100'000;

class Host {
 public:
  Host(const lab::Settings& settings, lab::Texts texts, std::optional<sys::AppendFile> log,
       sys::Fd in, sys::Fd out)
      : server_(settings, std::move(texts)), log_(std::move(log)), out_(loop_, std::move(out)) {
    in_.emplace(loop_, std::move(in),
                sys::Reader::Callbacks{
                    .bytes = [this](std::string_view bytes) { hear(bytes); },
                    .end = [this] { input_ended(); },
                });
  }

  Result<int> serve() {
    loop_.run();
    if (problem_) return fail(*std::move(problem_));
    return exit_code_;
  }

 private:
  using Direction = lab::Direction;

  void hear(std::string_view bytes) {
    for (const wire::Line& line : lines_.feed(bytes)) {
      if (line.too_long)
        record(Direction::kReceived,
               "a line of more than " + count(kLineBytesMax, "byte") + ", dropped");
      else
        take(line.bytes);
    }
    do_what_is_due();
  }

  void input_ended() {
    if (!lines_.rest().empty()) take(std::string(lines_.rest()));
    input_ended_ = true;
    do_what_is_due();
  }

  void take(std::string_view line) {
    record(Direction::kReceived, line);
    const sys::Time now = loop_.now();
    for (lab::Action& action : server_.receive(line))
      actions_.emplace(now + action.after, std::move(action));
    if (actions_.size() > kActionsMax) give_up("it asks more than can be answered in time");
  }

  void do_what_is_due() {
    while (!actions_.empty() && actions_.begin()->first <= loop_.now()) {
      const lab::Action action = std::move(actions_.extract(actions_.begin()).mapped());
      if (action.kind == lab::Action::Kind::kExit) return exit(action.exit_code);
      // Before it is sent: a client may kill us as soon as it has what it wants.
      record(Direction::kSent, action.bytes);
      out_.write(action.bytes);
      if (!check_output()) return;
      if (out_.waiting() > kUnreadBytesMax) give_up("it does not read what it asks for");
    }
    if (!actions_.empty())
      timer_.at(actions_.begin()->first, [this] { do_what_is_due(); });
    else if (input_ended_)
      exit(0);
  }

  void record(Direction direction, std::string_view lines) {
    if (!log_) return;
    const Result<void> written =
        log_->append(lab::log_records({.time = std::chrono::system_clock::now(),
                                       .pid = ::getpid(),
                                       .parent_pid = ::getppid(),
                                       .direction = direction},
                                      lines));
    if (!written) stop(written.error());
  }

  /// Once all that was sent before is on its way.
  void exit(int code) {
    exit_code_ = code;
    in_.reset();
    timer_.cancel();
    out_.close_when_done([this] {
      if (check_output()) loop_.stop();
    });
  }

  /// A client that is gone is normal; an output that takes nothing is not.
  bool check_output() {
    if (out_.error() == 0) return true;
    stop({.code = "cli.stdout",
          .message = std::string("writing failed: ") + std::strerror(out_.error()),
          .place = "standard output",
          .hint = {},
          .blame = Blame::kMissing});
    return false;
  }

  void give_up(std::string_view why) {
    stop({.code = "lab.client",
          .message = "the lab stops because of its client: " + std::string(why),
          .place = {},
          .hint = {},
          .blame = Blame::kMissing});
  }

  void stop(Problem problem) {
    if (!problem_) problem_ = std::move(problem);
    loop_.stop();
  }

  lab::Server server_;
  std::optional<sys::AppendFile> log_;
  sys::Loop loop_;
  sys::Writer out_;
  std::optional<sys::Reader> in_;
  sys::Timer timer_{loop_};
  wire::LineReader lines_{kLineBytesMax};
  std::multimap<sys::Time, lab::Action> actions_;  // equal times stay in order
  bool input_ended_ = false;
  std::optional<Problem> problem_;
  int exit_code_ = 0;
};

}  // namespace

Result<int> serve_lab(const lab::Settings& settings) {
  const auto read = [](const std::string& path) {
    return sys::read_file(path, lab::kTextBytesMax);
  };
  CUTLINE_TRY_ASSIGN(lab::Texts texts, lab::load_texts(settings, read));
  std::optional<sys::AppendFile> log;
  if (settings.log_file) {
    CUTLINE_TRY_ASSIGN(log, sys::AppendFile::open(*settings.log_file));
  }
  CUTLINE_TRY_ASSIGN(sys::Fd in, sys::duplicate(STDIN_FILENO));
  CUTLINE_TRY_ASSIGN(sys::Fd out, sys::duplicate(STDOUT_FILENO));
  return Host(settings, std::move(texts), std::move(log), std::move(in), std::move(out)).serve();
}

}  // namespace cutline::run
