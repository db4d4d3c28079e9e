// npm.cc: running npm and making sense of how it failed.
#include "run/npm.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <signal.h>

#include "base/defer.h"
#include "base/utf8.h"
#include "json/document.h"
#include "sys/loop.h"
#include "sys/process.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::minutes kTimeMax{10};
constexpr std::chrono::milliseconds kGrace = 2'000ms;
/// When all of its tree are gone its streams can hold bytes, but nobody who writes more.
constexpr std::chrono::milliseconds kStreamsAfterGone = 500ms;
/// The list of all versions of a package is far below that.
constexpr std::size_t kOutputBytesMax = std::size_t{16} << 20;
constexpr std::size_t kErrorBytesMax = std::size_t{64} << 10;
constexpr std::size_t kSaidLinesMax = 8;

tl::unexpected<Problem> could_not_start(Problem problem) {
  if (problem.code == "sys.command.not_found") {
    problem.code = "run.npm.missing";
    problem.message = "clients are installed with npm, which is not in PATH";
    problem.hint = "it comes with Node.js";
  }
  return fail(std::move(problem));
}

/// One run of it.
class Child {
 public:
  explicit Child(sys::Loop& loop) : loop_(loop) {}

  Result<void> start(const sys::Command& command) {
    auto started = sys::Process::start(loop_, command, [this](sys::ExitStatus) { terminate(); });
    if (!started) return could_not_start(started.error());
    process_ = *std::move(started);
    process_->take_stdin().reset();
    listen(out_reader_, process_->take_stdout(), out_, kOutputBytesMax);
    listen(err_reader_, process_->take_stderr(), err_, kErrorBytesMax);
    timer_.at(loop_.now() + kTimeMax, [this] { late_ = true, terminate(); });
    return {};
  }

  void terminate() {
    timer_.cancel();
    process_->terminate(kGrace, [this] {
      gone_ = true;
      timer_.at(loop_.now() + kStreamsAfterGone, [this] { loop_.stop(); });
      if (streams_ == 0) loop_.stop();
    });
  }

  /// What is left of it when the loop has stopped.
  Result<NpmRun> end() {
    if (late_)
      return fail({.code = "run.npm.failed",
                   .message = fmt::format("npm took more than {} minutes", kTimeMax.count()),
                   .place = {},
                   .hint = "is the connection to its registry slow?",
                   .blame = Blame::kMissing});
    const sys::ExitStatus status = process_->exit_status().value_or(sys::ExitStatus{});
    return NpmRun{.exit_code = status.code.value_or(-1),
                  .out = std::move(out_),
                  .error_code = {},
                  .said = std::move(err_)};
  }

 private:
  /// The last bytes are kept; of an output that is too long nobody could read the beginning.
  void listen(std::optional<sys::Reader>& reader, sys::Fd fd, std::string& kept,
              std::size_t bytes_max) {
    reader.emplace(loop_, std::move(fd),
                   sys::Reader::Callbacks{
                       .bytes =
                           [&kept, bytes_max](std::string_view bytes) {
                             kept += bytes;
                             if (kept.size() > 2 * bytes_max)
                               kept.erase(0, kept.size() - bytes_max);
                           },
                       .end = [this] { stream_ended(); },
                   });
  }

  void stream_ended() {
    --streams_;
    if (gone_ && streams_ == 0) loop_.stop();
  }

  sys::Loop& loop_;
  sys::Timer timer_{loop_};
  std::unique_ptr<sys::Process> process_;
  std::optional<sys::Reader> out_reader_, err_reader_;
  std::string out_, err_;
  int streams_ = 2;
  bool gone_ = false, late_ = false;
};

std::string last_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t from = text.size();
  for (std::size_t lines = 0; lines < kSaidLinesMax && from != std::string_view::npos; ++lines)
    from = from == 0 ? std::string_view::npos : text.rfind('\n', from - 1);
  return std::string(from == std::string_view::npos ? text : text.substr(from + 1));
}

/// What it says as JSON is short and has its code; what it says to people is long.
void read_error(NpmRun& run) {
  const Result<json::Document> document = json::Document::parse(run.out);
  const auto error = document ? document->root().find("error") : std::nullopt;
  if (error) {
    run.error_code = json::string_member(*error, "code").value_or("");
    std::string said = json::string_member(*error, "summary").value_or("");
    if (!said.empty()) run.said = std::move(said);
  }
  run.said = without_credentials(last_lines(repair_utf8(run.said).text));
}

struct Reason {
  std::string_view code, message, hint;
};
constexpr std::string_view kNoNetwork = "npm cannot reach its registry";
constexpr std::string_view kNetworkHint = "is there a network? npm ping tries it";
constexpr std::string_view kNoRight = "npm may not write where it has to";
constexpr std::array kReasons = {
    Reason{"ENOSPC", "the disk is full", "cutline clients list tells what could be removed"},
    Reason{"EDQUOT", "the disk quota is used up", "cutline clients list tells what is there"},
    Reason{"EACCES", kNoRight, ""},
    Reason{"EPERM", kNoRight, ""},
    Reason{"EROFS", kNoRight, ""},
    Reason{"ENOTFOUND", kNoNetwork, kNetworkHint},
    Reason{"EAI_AGAIN", kNoNetwork, kNetworkHint},
    Reason{"ECONNREFUSED", kNoNetwork, kNetworkHint},
    Reason{"ECONNRESET", kNoNetwork, kNetworkHint},
    Reason{"ETIMEDOUT", kNoNetwork, kNetworkHint},
    Reason{"EHOSTUNREACH", kNoNetwork, kNetworkHint},
    Reason{"ENETUNREACH", kNoNetwork, kNetworkHint},
    Reason{"ERR_SOCKET_TIMEOUT", kNoNetwork, kNetworkHint},
    Reason{"EINTEGRITY", "what came is not what the registry promised", ""},
    Reason{"E401", "the registry wants a login", "npm login, or the settings in .npmrc"},
    Reason{"E403", "the registry refuses it", ""},
};

/// Masks from `begin` on up to white space, a quote or a comma.
void mask_word(std::string& text, std::size_t begin) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n\"',", begin), text.size());
  text.replace(begin, end - begin, "***");
}

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string out(text);
  constexpr std::string_view kScheme = "://";
  for (std::size_t at = 0; (at = out.find(kScheme, at)) != std::string::npos;) {
    at += kScheme.size();
    const std::size_t end = std::min(out.find_first_of("/ \t\r\n\"'", at), out.size());
    const std::size_t sign = out.rfind('@', end);
    if (sign != std::string::npos && sign >= at && sign < end) out.replace(at, sign - at, "***");
  }
  for (const std::string_view key :
       {"_authToken=", "_auth=", "_password=", "Bearer ", "Basic ", "npm_"}) {
    for (std::size_t at = 0; (at = out.find(key, at)) != std::string::npos;) {
      at += key.size();
      mask_word(out, at);
    }
  }
  return out;
}

Problem npm_problem(const NpmRun& run, std::string_view wanted) {
  Problem problem{.code = "run.npm.failed",
                  .message = fmt::format("npm could not {}", wanted),
                  .place = {},
                  .hint = {},
                  .blame = Blame::kMissing};
  for (const Reason& reason : kReasons) {
    const bool named = run.error_code.empty() ? run.said.find(reason.code) != std::string::npos
                                              : run.error_code == reason.code;
    if (!named) continue;
    problem.message += fmt::format(": {}", reason.message);
    problem.hint = reason.hint;
    break;
  }
  if (!run.said.empty()) problem.message += fmt::format("; it says: {}", run.said);
  return problem;
}

// --- Npm -----------------------------------------------------------------------------------------

struct Npm::Impl {
  void interrupt(int came) {
    signal = came;
    if (child) child->terminate();
  }

  Result<void> interrupted() const {
    if (signal == 0) return {};
    return fail({.code = "run.interrupted",
                 .message = "interrupted; nothing of what was being installed is left",
                 .place = {},
                 .hint = {},
                 .blame = Blame::kMissing,
                 .signal = signal});
  }

  sys::Loop loop;
  int signal = 0;
  std::optional<Child> child;  // while it runs
  sys::Signals signals{loop, {SIGINT, SIGTERM, SIGHUP}, [this](int came) { interrupt(came); }};
};

Npm::Npm() : impl_(std::make_unique<Impl>()) {}

Npm::~Npm() = default;

Result<NpmRun> Npm::run(const std::vector<std::string>& arguments, const std::string& directory) {
  sys::Command command;
  command.argv = {"npm"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.argv.emplace_back("--json");
  command.environment = {
      {"NO_COLOR", "1"}, {"npm_config_update_notifier", "false"}, {"npm_config_progress", "false"}};
  command.directory = directory;
  const Defer over([this] { impl_->child.reset(); });
  CUTLINE_TRY(impl_->child.emplace(impl_->loop).start(command));
  impl_->loop.run();
  CUTLINE_TRY(interrupted());
  CUTLINE_TRY_ASSIGN(NpmRun run, impl_->child->end());
  if (run.exit_code != 0) read_error(run);
  return run;
}

Result<void> Npm::interrupted() {
  impl_->loop.run_ready();  // a signal that came while nothing was waited for is told here
  return impl_->interrupted();
}

}  // namespace cutline::run
