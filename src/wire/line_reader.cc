// line_reader.cc: the only state is the unfinished line.
#include "wire/line_reader.h"

#include <algorithm>

namespace cutline::wire {

std::vector<Line> LineReader::feed(std::string_view chunk) {
  std::vector<Line> lines;
  while (!chunk.empty()) {
    const std::size_t feed_at = std::min(chunk.find('\n'), chunk.size());
    const std::string_view part = chunk.substr(0, feed_at);
    const bool ended = feed_at < chunk.size();
    chunk.remove_prefix(ended ? feed_at + 1 : feed_at);

    if (!skipping_ && too_long_with(part)) {
      lines.push_back({.bytes = {}, .too_long = true, .length = line_bytes_max_ + 1});
      std::string().swap(pending_);  // gives the memory back, too
      skipping_ = true;
    }
    if (!skipping_) pending_ += part;
    if (!ended) break;
    if (!skipping_) lines.push_back(finished_line());
    skipping_ = false;
  }
  return lines;
}

/// One byte over the limit may still turn out to be the CR of a CRLF.
bool LineReader::too_long_with(std::string_view more) const {
  const std::size_t length = pending_.size() + more.size();
  if (length <= line_bytes_max_) return false;
  const char last = more.empty() ? pending_.back() : more.back();
  return length > line_bytes_max_ + 1 || last != '\r';
}

Line LineReader::finished_line() {
  Line line;
  line.bytes = std::move(pending_);
  pending_.clear();
  line.crlf = line.bytes.ends_with('\r');
  if (line.crlf) line.bytes.pop_back();
  line.length = line.bytes.size();
  return line;
}

}  // namespace cutline::wire
