// line_reader.h: bytes in, lines out; the framing of MCP over stdio.
//
// A line ends with LF; a CR before it belongs to the ending (some servers write CRLF). Bytes may
// arrive cut anywhere. A line over the limit is dropped as it comes, so that memory stays bounded,
// and is reported once; what is reported does not depend on where the bytes were cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutline::wire {

struct Line {
  std::string bytes;       // without its ending; empty if too long
  bool too_long = false;   // it has more bytes than the limit
  bool crlf = false;       // false if too long
  std::size_t length = 0;  // of `bytes`; if too long the limit and one: all that is known by then
};

class LineReader {
 public:
  explicit LineReader(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

  /// The lines completed by `chunk`, in order. A too long line is reported as soon as it is too
  /// long, not when it ends.
  std::vector<Line> feed(std::string_view chunk);

  /// What stands after the last line feed; call at the end of the stream. Nothing of a line that
  /// was reported as too long.
  std::string_view rest() const { return pending_; }

 private:
  bool too_long_with(std::string_view more) const;
  Line finished_line();

  std::size_t line_bytes_max_;
  std::string pending_;
  bool skipping_ = false;  // inside a line already reported as too long
};

}  // namespace cutline::wire
