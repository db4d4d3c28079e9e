// sse.h: server-sent events (WHATWG HTML, "Parsing an event stream"), written and read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline::wire {

struct SseEvent {
  std::string event;  // "" if it has no name
  std::string data;   // lines joined by LF
  std::string id;     // the last one given so far, as the standard has it
};

/// Appends one event. `data` of several lines becomes several data fields. Precondition (asserted):
/// `event` is one line.
void append_event(std::string& out, std::string_view event, std::string_view data);

/// Bytes in, events out; cut anywhere, even between CR and LF.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes_max) : event_bytes_max_(event_bytes_max) {}

  /// Problem "wire.sse.event_too_large"; after it the reader is dead.
  Result<void> feed(std::string_view bytes, std::vector<SseEvent>& events);

 private:
  std::size_t kept_bytes() const;
  void finish_line(std::vector<SseEvent>& events);
  void take_field(std::string_view name, std::string_view value);
  void dispatch(std::vector<SseEvent>& events);

  std::size_t event_bytes_max_;
  std::string line_;
  SseEvent pending_;
  bool has_data_ = false, after_cr_ = false, at_start_ = true;
};

}  // namespace cutline::wire
