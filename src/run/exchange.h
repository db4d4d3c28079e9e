// exchange.h: one request and its answer, without sockets. Internal to this room.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "llm/script.h"
#include "run/gateway.h"
#include "store/evidence.h"
#include "wire/http1.h"

namespace cutline::run {

/// What is answered, and what is noted of it.
struct Heard {
  wire::HttpResponse response;
  bool streamed = false;
  std::string note;  // JSON, for the record
  std::chrono::milliseconds delay{0};
  std::optional<Seen> seen;  // what could be read, without sequence and time
};

/// The request as it is kept, without its body: headers that carry a key without their value.
store::Request record_of(const wire::HttpRequest& request, std::int64_t at_us);

/// Loopback is open to every page in a browser of this machine; so a Host or Origin that is not
/// loopback is refused (403). So is (400) what could be read as meant for either of two hosts: two
/// Host headers, or a target in absolute form that names another host (RFC 9112, section 3.2).
std::optional<Heard> refusal(const wire::HttpRequest& request);

/// The answer of the dialect whose request it is; of a place that none has, a 404.
Heard hear_request(wire::HttpRequest request, llm::ScriptPlayer& player);

/// The target with something else for each key in its query: Gemini's may stand there, and those of
/// others.
std::string with_key(std::string_view target, std::string_view in_its_place);

/// The target without the scheme and the host that it has in absolute form.
std::string origin_form(std::string_view target);

/// Of a client that has begun a request and said no more for so long.
Problem half_request(std::chrono::milliseconds silence, const wire::HttpRequest& unfinished);

/// For what is no HTTP at all, or no whole request.
wire::HttpResponse bad_request(const Problem& problem);
Problem too_many_pipelined();

}  // namespace cutline::run
