// shim_remote.cc: a server that a ShimHost keeps for us, at the other end of a socket.
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "run/intake.h"
#include "run/shim_frames.h"
#include "run/shim_server.h"
#include "sys/fd.h"
#include "sys/sockets.h"

namespace cutline::run {
namespace {

tl::unexpected<Problem> unreachable(const std::string& socket, std::string_view reason) {
  return fail({.code = "run.shim_host",
               .message = fmt::format("cannot reach the host of the server: {}", reason),
               .place = socket,
               .hint = {},
               .blame = Blame::kMissing});
}

class RemoteServer : public ServerBehind {
 public:
  RemoteServer(sys::Loop& loop, ServerEvents events, sys::Fd in, sys::Fd out)
      : events_(std::move(events)),
        to_host_(loop, std::move(out)),
        from_host_(
            loop, std::move(in),
            sys::Reader::Callbacks{
                .bytes = [this](std::string_view bytes) { hear(bytes); },
                .end = [this] { gone(lost()); },
            },
            [this] { return std::max(events_.output_unwritten(), events_.errors_unwritten()); }) {}

  void write(std::string_view bytes) override { to_host_.write(frame(FrameKind::kInput, bytes)); }
  void end_input() override { to_host_.write(frame(FrameKind::kInputEnds)); }
  void terminate() override { to_host_.write(frame(FrameKind::kTerminate)); }
  std::size_t unwritten() const override { return to_host_.waiting(); }

 private:
  static Result<sys::ExitStatus> lost() {
    return fail({.code = "run.shim_host",
                 .message = "the host of the server is gone",
                 .place = {},
                 .hint = {},
                 .blame = Blame::kMissing});
  }

  void hear(std::string_view bytes) {
    std::vector<Frame> frames;
    const Result<void> read = frames_.feed(bytes, frames);
    for (const Frame& frame : frames) take(frame);
    if (!read) gone(fail(read.error()));
  }

  void take(const Frame& frame) {
    switch (frame.kind) {
      case FrameKind::kStarted: {
        std::int64_t pid = 0;
        std::from_chars(frame.payload.data(), frame.payload.data() + frame.payload.size(), pid);
        return events_.started(pid);
      }
      case FrameKind::kOutput:
        return events_.output(frame.payload);
      case FrameKind::kErrors:
        return events_.errors(frame.payload);
      case FrameKind::kOutputEnds:
        return events_.output_ended();
      case FrameKind::kEnded:
        return gone(exit_status_of(frame.payload));
      case FrameKind::kFailed:
        return gone(fail(problem_of(frame.payload)));
      case FrameKind::kInput:
      case FrameKind::kInputEnds:
      case FrameKind::kTerminate:
        return;
    }
  }

  void gone(const Result<sys::ExitStatus>& status) {
    if (!std::exchange(gone_, true)) events_.gone(status);
  }

  ServerEvents events_;
  FrameReader frames_;
  bool gone_ = false;
  sys::Writer to_host_;
  Intake from_host_;
};

}  // namespace

Result<std::unique_ptr<ServerBehind>> connect_server(sys::Loop& loop, const std::string& socket,
                                                     ServerEvents events) {
  Result<sys::Fd> in = sys::connect_to_path(socket);
  if (!in) return unreachable(socket, in.error().message);
  CUTLINE_TRY_ASSIGN(sys::Fd out, sys::duplicate(in->get()));
  return std::make_unique<RemoteServer>(loop, std::move(events), *std::move(in), std::move(out));
}

}  // namespace cutline::run
