// sse_fuzz.cc: the first byte is the limit, the second the length of the parts in which the rest
// arrives; the events must be those of the rest in one piece, and come back when written.
#include <algorithm>
#include <cstdint>

#include "base/assert.h"
#include "wire/sse.h"

namespace {

using cutline::wire::SseEvent;

struct Seen {
  std::vector<SseEvent> events;
  bool fits = true;
};

Seen read(std::string_view bytes, std::size_t step, std::size_t limit) {
  Seen seen;
  cutline::wire::SseReader reader(limit);
  for (std::size_t at = 0; at < bytes.size() && seen.fits; at += step)
    seen.fits = reader.feed(bytes.substr(at, step), seen.events).has_value();
  return seen;
}

bool same(const SseEvent& a, const SseEvent& b) {
  return a.event == b.event && a.data == b.data && a.id == b.id;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t limit = data[0], step = std::size_t{data[1]} % 16 + 1;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 2), size - 2);
  const Seen whole = read(bytes, std::max<std::size_t>(bytes.size(), 1), limit);
  const Seen chopped = read(bytes, step, limit);
  CUTLINE_ASSERT(whole.fits == chopped.fits);
  CUTLINE_ASSERT(std::ranges::equal(whole.events, chopped.events, same));

  std::string written;
  for (const SseEvent& event : whole.events) {
    CUTLINE_ASSERT(event.data.size() <= limit && event.event.size() <= limit);
    cutline::wire::append_event(written, event.event, event.data);
  }
  const Seen again = read(written, step, 1'000);
  CUTLINE_ASSERT(again.fits);
  CUTLINE_ASSERT(std::ranges::equal(
      whole.events, again.events,
      [](const SseEvent& a, const SseEvent& b) { return a.event == b.event && a.data == b.data; }));
  return 0;
}
