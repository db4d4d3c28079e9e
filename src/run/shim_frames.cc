// shim_frames.cc: frames out and in.
#include "run/shim_frames.h"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/utf8.h"
#include "json/document.h"
#include "json/writer.h"

namespace cutline::run {
namespace {

constexpr std::string_view kKinds = "ietpocrxf";
constexpr std::size_t kHeadBytes = 5;

std::uint32_t length_in(std::string_view head) {
  std::uint32_t length = 0;
  for (std::size_t i = kHeadBytes - 1; i > 0; --i)
    length = length << 8 | static_cast<unsigned char>(head[i]);
  return length;
}

}  // namespace

std::string frame(FrameKind kind, std::string_view payload) {
  CUTLINE_ASSERT(payload.size() <= kFramePayloadBytesMax);
  std::string bytes(1, static_cast<char>(kind));
  bytes.reserve(kHeadBytes + payload.size());
  for (std::size_t i = 0; i + 1 < kHeadBytes; ++i)
    bytes += static_cast<char>(payload.size() >> (8 * i) & 0xFFU);
  return bytes.append(payload);
}

std::string to_payload(const sys::ExitStatus& status) {
  if (status.signal) return fmt::format("s{}", *status.signal);
  return status.code ? fmt::format("c{}", *status.code) : "";
}

sys::ExitStatus exit_status_of(std::string_view payload) {
  int number = 0;
  const char* end = payload.data() + payload.size();
  if (payload.size() < 2 || std::from_chars(payload.data() + 1, end, number).ptr != end) return {};
  if (payload.front() == 's') return {.code = {}, .signal = number};
  return {.code = number, .signal = {}};
}

std::string to_payload(const Problem& problem) {
  json::Writer writer;
  writer.begin_object();
  writer.member("code", problem.code);
  writer.member("message", repair_utf8(problem.message).text);
  writer.member("hint", repair_utf8(problem.hint).text);
  return writer.end_object().take();
}

Problem problem_of(std::string_view payload) {
  Problem problem{.code = "run.shim_host",
                  .message = "the server could not be started",
                  .place = {},
                  .hint = {},
                  .blame = Blame::kMissing};
  const Result<json::Document> document = json::Document::parse(payload);
  if (!document) return problem;
  problem.code = json::string_member(document->root(), "code").value_or(problem.code);
  problem.message = json::string_member(document->root(), "message").value_or(problem.message);
  problem.hint = json::string_member(document->root(), "hint").value_or("");
  return problem;
}

Result<void> FrameReader::feed(std::string_view bytes, std::vector<Frame>& frames) {
  pending_ += bytes;
  std::string_view rest = pending_;
  while (rest.size() >= kHeadBytes) {
    const std::size_t length = length_in(rest);
    if (length > kFramePayloadBytesMax || kKinds.find(rest.front()) == std::string_view::npos) {
      return fail({.code = "run.shim_host",
                   .message = "what came over the socket is not what a shim and its host say",
                   .place = {},
                   .hint = {},
                   .blame = Blame::kMissing});
    }
    if (rest.size() < kHeadBytes + length) break;
    frames.push_back({.kind = static_cast<FrameKind>(rest.front()),
                      .payload = std::string(rest.substr(kHeadBytes, length))});
    rest.remove_prefix(kHeadBytes + length);
  }
  pending_.erase(0, pending_.size() - rest.size());
  return {};
}

}  // namespace cutline::run
