// sse.cc: the standard's own steps. The bytes are not decoded: what is not UTF-8 in an event's data
// is for the one who reads the data.
#include "wire/sse.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/number.h"

namespace cutline::wire {

void append_event(std::string& out, std::string_view event, std::string_view data) {
  CUTLINE_ASSERT(event.find_first_of("\r\n") == std::string_view::npos);
  if (!event.empty()) {
    out += "event: ";
    out += event;
    out += '\n';
  }
  for (bool more = true; more;) {
    const std::size_t end = std::min(data.find_first_of("\r\n"), data.size());
    out += "data: ";
    out += data.substr(0, end);
    out += '\n';
    more = end < data.size();
    if (more) data.remove_prefix(end + (data.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  out += '\n';
}

Result<void> SseReader::feed(std::string_view bytes, std::vector<SseEvent>& events) {
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes[0] == '\n') {  // the other half of a CRLF
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (part.size() > event_bytes_max_ - std::min(event_bytes_max_, line_.size() + kept_bytes()))
      return fail(
          {.code = "wire.sse.event_too_large",
           .message = fmt::format("an event has more than {}", count(event_bytes_max_, "byte")),
           .place = {},
           .hint = {},
           .blame = Blame::kMissing});
    line_ += part;
    if (end == std::string_view::npos) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    finish_line(events);
  }
  return {};
}

std::size_t SseReader::kept_bytes() const { return pending_.event.size() + pending_.data.size(); }

void SseReader::finish_line(std::vector<SseEvent>& events) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view line = line_;
  if (std::exchange(at_start_, false) && line.starts_with(kByteOrderMark))
    line.remove_prefix(kByteOrderMark.size());
  if (line.empty()) {
    dispatch(events);
  } else if (line[0] != ':') {
    const std::size_t colon = std::min(line.find(':'), line.size());
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value);
  }
  line_.clear();
}

void SseReader::take_field(std::string_view name, std::string_view value) {
  if (name == "event") {
    pending_.event = value;
  } else if (name == "data") {
    if (has_data_) pending_.data += '\n';
    pending_.data += value;
    has_data_ = true;
  } else if (name == "id" && value.find('\0') == std::string_view::npos) {
    pending_.id = value;
  }
}

/// The id stays for the events to come; one without data is none.
void SseReader::dispatch(std::vector<SseEvent>& events) {
  if (has_data_)
    events.push_back({std::move(pending_.event), std::move(pending_.data), pending_.id});
  pending_.event.clear();
  pending_.data.clear();
  has_data_ = false;
}

}  // namespace cutline::wire
