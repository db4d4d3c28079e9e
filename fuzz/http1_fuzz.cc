// http1_fuzz.cc: the first byte is the limit of a head, the second of a body, the third the length
// of the parts in which the rest arrives; whatever it is, the requests and the problem must be
// those of the rest in one piece, and what is read can be written and read again. The same for a
// response.
#include <algorithm>
#include <cstdint>

#include "base/assert.h"
#include "wire/http1.h"

namespace {

using namespace cutline;

struct Seen {
  std::vector<wire::HttpRequest> requests;
  std::string unfinished, response_body, problem, response_problem;
  bool between = false, done = false;
};

std::string shown(const wire::HttpRequest& request) {
  std::string out = request.method + " " + request.target + "\n";
  for (const auto& [name, value] : request.headers) out.append(name).append(value).append("\n");
  return out + request.body;
}

std::string problem_of(const Result<void>& result) {
  return result ? "" : result.error().code + result.error().message + result.error().place;
}

Seen read(std::string_view bytes, std::size_t step, wire::HttpLimits limits) {
  Seen seen;
  wire::HttpRequestReader requests(limits);
  wire::HttpResponseReader response(limits);
  Result<void> request_fed, response_fed;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::string_view part = bytes.substr(at, step);
    if (request_fed) request_fed = requests.feed(part, seen.requests);
    if (response_fed) response_fed = response.feed(part, seen.response_body);
    CUTLINE_ASSERT(requests.unfinished().body.size() <= limits.body_bytes_max);
  }
  if (response_fed) response_fed = response.end();
  CUTLINE_ASSERT(seen.response_body.size() <= limits.body_bytes_max);
  seen.unfinished = shown(requests.unfinished());
  seen.problem = problem_of(request_fed);
  seen.response_problem = problem_of(response_fed);
  seen.between = requests.between_requests();
  seen.done = response.done();
  return seen;
}

void check_written(const wire::HttpRequest& request) {
  wire::HttpRequestReader reader;
  std::vector<wire::HttpRequest> again;
  CUTLINE_ASSERT(reader.feed(wire::write_request(request), again).has_value());
  CUTLINE_ASSERT(again.size() == 1 && again[0].method == request.method);
  CUTLINE_ASSERT(again[0].target == request.target && again[0].body == request.body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const wire::HttpLimits limits{.head_bytes_max = std::size_t{data[0]} * 4,
                                .body_bytes_max = data[1]};
  const std::size_t step = std::size_t{data[2]} % 16 + 1;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 3), size - 3);
  const Seen whole = read(bytes, std::max<std::size_t>(bytes.size(), 1), limits);
  const Seen chopped = read(bytes, step, limits);
  CUTLINE_ASSERT(whole.problem == chopped.problem && whole.between == chopped.between);
  CUTLINE_ASSERT(whole.unfinished == chopped.unfinished);
  CUTLINE_ASSERT(whole.response_problem == chopped.response_problem && whole.done == chopped.done);
  CUTLINE_ASSERT(whole.response_body == chopped.response_body);
  CUTLINE_ASSERT(std::ranges::equal(whole.requests, chopped.requests, {}, shown, shown));
  for (const wire::HttpRequest& request : whole.requests) check_written(request);
  return 0;
}
