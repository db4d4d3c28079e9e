// shim_host.cc: a server for each connection, and its streams in frames.
#include <cstdint>
#include <map>
#include <utility>

#include <unistd.h>

#include "run/intake.h"
#include "run/shim.h"
#include "run/shim_frames.h"
#include "run/shim_server.h"
#include "sys/sockets.h"

namespace cutline::run {
namespace {

/// One shim and its server.
class Session {
 public:
  /// `over` is called once, from the loop, and may destroy this.
  Session(sys::Loop& loop, sys::Fd in, sys::Fd out, std::function<void()> over)
      : loop_(loop),
        over_(std::move(over)),
        to_shim_(loop, std::move(out)),
        from_shim_(loop, std::move(in),
                   sys::Reader::Callbacks{
                       .bytes = [this](std::string_view bytes) { hear(bytes); },
                       .end = [this] { shim_gone(); },
                   },
                   [this] { return server_ ? server_->unwritten() : 0; }) {}

  void start(const sys::Command& command) {
    auto server = start_server(
        loop_, command,
        {
            .started = [this](std::int64_t pid) { say(FrameKind::kStarted, std::to_string(pid)); },
            .output = [this](std::string_view bytes) { say(FrameKind::kOutput, bytes); },
            .errors = [this](std::string_view bytes) { say(FrameKind::kErrors, bytes); },
            .output_ended = [this] { say(FrameKind::kOutputEnds); },
            .gone =
                [this](const Result<sys::ExitStatus>& status) {
                  last_word(FrameKind::kEnded, to_payload(*status));
                },
            .output_unwritten = [this] { return to_shim_.waiting(); },
            .errors_unwritten = [this] { return to_shim_.waiting(); },
        });
    if (server)
      server_ = *std::move(server);
    else
      last_word(FrameKind::kFailed, to_payload(server.error()));
  }

 private:
  void say(FrameKind kind, std::string_view payload = {}) { to_shim_.write(frame(kind, payload)); }

  void last_word(FrameKind kind, std::string_view payload) {
    say(kind, payload);
    to_shim_.close_when_done(over_);
  }

  void hear(std::string_view bytes) {
    std::vector<Frame> frames;
    const Result<void> read = frames_.feed(bytes, frames);
    for (const Frame& frame : frames) take(frame);
    if (!read) shim_gone();
  }

  void take(const Frame& frame) {
    if (!server_) return;
    if (frame.kind == FrameKind::kInput) server_->write(frame.payload);
    if (frame.kind == FrameKind::kInputEnds) server_->end_input();
    if (frame.kind == FrameKind::kTerminate) server_->terminate();
  }

  void shim_gone() {
    if (server_) server_->terminate();
  }

  sys::Loop& loop_;
  std::function<void()> over_;
  FrameReader frames_;
  std::unique_ptr<ServerBehind> server_;
  sys::Writer to_shim_;
  Intake from_shim_;
};

}  // namespace

struct ShimHost::Impl {
  Impl(sys::Loop& run_in, std::string path, sys::Fd listening, sys::Command server_command)
      : loop(run_in),
        socket(std::move(path)),
        command(std::move(server_command)),
        listener(run_in, std::move(listening), [this](sys::Fd in) { accept(std::move(in)); }) {}
  ~Impl() { ::unlink(socket.c_str()); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void accept(sys::Fd in) {
    Result<sys::Fd> out = sys::duplicate(in.get());
    if (!out) return;  // the shim sees its connection end, and says so
    const std::int64_t id = ++last_id;
    auto session = std::make_unique<Session>(loop, std::move(in), *std::move(out),
                                             [this, id] { sessions.erase(id); });
    Session& started = *sessions.emplace(id, std::move(session)).first->second;
    started.start(command);
  }

  sys::Loop& loop;
  std::string socket;
  sys::Command command;
  std::int64_t last_id = 0;
  std::map<std::int64_t, std::unique_ptr<Session>> sessions;
  sys::Listener listener;
};

ShimHost::ShimHost(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShimHost::~ShimHost() = default;

Result<std::unique_ptr<ShimHost>> ShimHost::start(sys::Loop& loop, const std::string& socket,
                                                  sys::Command command) {
  CUTLINE_TRY_ASSIGN(sys::Fd listening, sys::listen_on_path(socket));
  auto impl = std::make_unique<Impl>(loop, socket, std::move(listening), std::move(command));
  return std::unique_ptr<ShimHost>(new ShimHost(std::move(impl)));
}

}  // namespace cutline::run
