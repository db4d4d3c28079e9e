// log.cc: a message that is JSON is kept as JSON, so that the log can be queried; anything else as
// a string. The log itself is always valid UTF-8, whatever was said.
#include "lab/log.h"

#include <algorithm>

#include <fmt/format.h>

#include "json/document.h"
#include "json/writer.h"
#include "text/utf8.h"

namespace cutline::lab {
namespace {

/// RFC 3339 in UTC with milliseconds.
std::string to_text(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto whole = floor<milliseconds>(time);
  const auto day = floor<days>(whole);
  const year_month_day date(day);
  const hh_mm_ss clock(whole - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::string record(const LogEntry& entry, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const text::Repaired repaired = text::repair_utf8(line);
  json::Writer writer;
  writer.begin_object().member("time", to_text(entry.time));
  writer.member("pid", entry.pid).member("ppid", entry.parent_pid);
  writer.member("direction", entry.direction == Direction::kReceived ? "received" : "sent");
  writer.member("bytes", line.size());
  if (!repaired.invalid_at.empty())
    writer.member("invalid_utf8_at", repaired.invalid_at.front().value);
  if (const Result<json::Document> document = json::Document::parse(repaired.text))
    writer.key("message").raw(document->root().raw());
  else
    writer.member("text", repaired.text);
  writer.end_object();
  return writer.take() + "\n";
}

}  // namespace

std::string log_records(const LogEntry& entry, std::string_view lines) {
  std::string records;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    records += record(entry, lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return records;
}

}  // namespace cutline::lab
