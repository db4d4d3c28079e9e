// shim_log.cc: records as they are written.
#include "run/shim_log.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "json/writer.h"
#include "run/base64.h"

namespace cutline::run {
namespace {

std::int64_t now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

constexpr std::string_view name(Voice voice) {
  switch (voice) {
    case Voice::kClient:
      return "client";
    case Voice::kServer:
      return "server";
    case Voice::kErrors:
      return "stderr";
  }
  return "";
}

/// Where to cut so that no character is cut that was whole.
std::string_view whole_characters(std::string_view bytes) {
  const std::size_t valid = valid_utf8_prefix(bytes);
  constexpr std::size_t kCharacterBytesMax = 4;
  return bytes.size() - valid < kCharacterBytesMax ? bytes.substr(0, valid) : bytes;
}

void append_line(std::string& record, std::string_view line) {
  if (is_valid_utf8(line)) {
    record += R"(,"line":)";
    json::append_string(record, line);
  } else {
    record += fmt::format(R"(,"line_base64":"{}")", to_base64(line));
  }
}

}  // namespace

ShimLog::ShimLog(sys::AppendFile file, std::string_view server) : file_(std::move(file)) {
  json::append_string(server_, repair_utf8(server).text);
}

Result<ShimLog> ShimLog::open(const std::string& path, std::string_view server) {
  CUTLINE_TRY_ASSIGN(sys::AppendFile file, sys::AppendFile::open(path));
  return ShimLog(std::move(file), server);
}

std::string ShimLog::head_of(std::string_view direction) const {
  return fmt::format(R"({{"at_us":{},"server":{},"pid":{},"direction":"{}")", now_us(), server_,
                     pid_, direction);
}

Result<void> ShimLog::started(std::int64_t pid) {
  pid_ = pid;
  return file_.append(head_of("started") + "}\n");
}

Result<void> ShimLog::heard(Voice voice, std::string_view bytes) {
  const bool errors = voice == Voice::kErrors;
  if (full_ || (errors && errors_full_)) return {};
  const std::size_t most = errors ? kRecordedErrorBytesMax : kRecordedLineBytesMax;
  Open& open = open_.at(static_cast<std::size_t>(voice));
  std::string records;  // of all that came together: a flood of lines must not be one of writes
  while (!bytes.empty()) {
    const std::size_t feed = bytes.find('\n');
    const std::string_view part = bytes.substr(0, feed);
    open.bytes += part.substr(0, most - std::min(most, open.bytes.size()));
    open.length += part.size();
    if (feed == std::string_view::npos) break;
    bytes.remove_prefix(feed + 1);
    records += end_line(voice, true);
  }
  return records.empty() ? Result<void>() : file_.append(within_bound(std::move(records)));
}

std::string ShimLog::within_bound(std::string records) {
  if (full_) return "";
  recorded_bytes_ += records.size();
  full_ = recorded_bytes_ > kRecordedBytesMax;
  if (!full_) return records;
  return head_of("full") +
         fmt::format(R"(,"line":"{} MiB are written down; what is said after )"
                     R"(that is not"}})",
                     kRecordedBytesMax >> 20U) +
         "\n";
}

std::string ShimLog::end_line(Voice voice, bool finished) {
  Open open = std::exchange(open_.at(static_cast<std::size_t>(voice)), {});
  if (voice == Voice::kErrors) {
    // The bound is on all lines together; the one that reaches it is the last.
    if (errors_full_) return "";
    const std::size_t room = kRecordedErrorBytesMax - error_bytes_;
    if (open.bytes.size() > room) open.bytes.resize(room);
    error_bytes_ += open.bytes.size() + 1;
    errors_full_ = error_bytes_ >= kRecordedErrorBytesMax;
  }
  const bool cut = open.bytes.size() < open.length;
  std::string record = head_of(name(voice));
  append_line(record, cut ? whole_characters(open.bytes) : open.bytes);
  if (cut) record += fmt::format(R"(,"cut_from_bytes":{})", open.length);
  if (!finished) record += R"(,"unfinished":true)";
  return record + "}\n";
}

Result<void> ShimLog::ended(const Result<sys::ExitStatus>& status) {
  std::string record;
  for (const Voice voice : {Voice::kClient, Voice::kServer, Voice::kErrors})
    if (open_.at(static_cast<std::size_t>(voice)).length > 0) record += end_line(voice, false);
  record = within_bound(std::move(record));
  record += head_of("ended");
  if (!status) {
    record += R"(,"problem":)";
    json::append_string(record, repair_utf8(status.error().message).text);
  } else if (status->signal) {
    record += fmt::format(R"(,"signal":{})", *status->signal);
  } else if (status->code) {
    record += fmt::format(R"(,"code":{})", *status->code);
  }
  return file_.append(record + "}\n");
}

}  // namespace cutline::run
