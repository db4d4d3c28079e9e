// line_reader_fuzz.cc: the first byte is the limit, the second the length of the parts in which the
// rest arrives; the lines must be those of the rest in one piece.
#include <algorithm>
#include <cstdint>

#include "base/assert.h"
#include "wire/line_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cutline::wire::Line;
  using cutline::wire::LineReader;
  if (size < 2) return 0;
  const std::size_t limit = data[0], length = std::size_t{data[1]} % 16 + 1;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 2), size - 2);

  LineReader whole(limit), chopped(limit);
  const std::vector<Line> expected = whole.feed(bytes);
  std::vector<Line> lines;
  for (std::size_t at = 0; at < bytes.size(); at += length) {
    for (Line& line : chopped.feed(bytes.substr(at, length))) lines.push_back(std::move(line));
    CUTLINE_ASSERT(chopped.rest().size() <= limit + 1);
  }
  const auto same = [limit](const Line& a, const Line& b) {
    CUTLINE_ASSERT(a.bytes.size() <= limit && a.too_long == (a.length > limit));
    return a.bytes == b.bytes && a.too_long == b.too_long && a.crlf == b.crlf &&
           a.length == b.length;
  };
  CUTLINE_ASSERT(std::ranges::equal(lines, expected, same));
  CUTLINE_ASSERT(chopped.rest() == whole.rest());
  return 0;
}
