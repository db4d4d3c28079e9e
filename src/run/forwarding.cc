// forwarding.cc: a connection a request; the answer is passed on piece by piece, and what it says
// of usage is noted.
#include "run/forwarding.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "json/writer.h"
#include "run/exchange.h"

namespace cutline::run {
namespace {

constexpr std::chrono::seconds kConnectMax{10};
/// A model may think for long before its first word.
constexpr std::chrono::minutes kSilenceMax{10};
/// Of an answer is kept for its usage and the record.
constexpr std::size_t kAnswerKeptBytes = std::size_t{4} << 20;

bool is_any_of(std::string_view header, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return wire::equal_ignoring_case(header, name); });
}

/// For one hop only, or about the endpoint that the client thinks it talks to.
bool stays_here(std::string_view header) {
  return is_any_of(header, {"host", "connection", "keep-alive", "content-length",
                            "transfer-encoding", "expect", "accept-encoding", "proxy-connection"});
}

wire::HttpRequest outward(const Upstream& upstream, const llm::Dialect& dialect,
                          wire::HttpRequest request) {
  const auto key = upstream.keys.find(dialect.name());
  const bool has_key = key != upstream.keys.end();
  wire::HttpHeaders headers = {{"host", upstream.endpoint.host}};
  for (auto& [name, value] : request.headers) {
    if (stays_here(name)) continue;
    if (has_key && holds_the_key(dialect, name)) {
      const bool bearer = is_any_of(name, {"authorization"});
      headers.emplace_back(name, bearer ? "Bearer " + key->second : key->second);
    } else {
      headers.emplace_back(std::move(name), std::move(value));
    }
  }
  headers.emplace_back("connection", "close");
  request.headers = std::move(headers);
  if (has_key && has_key_in_query(dialect)) request.target = with_key(request.target, key->second);
  request.target = upstream.path_prefix + origin_form(request.target);
  return request;
}

}  // namespace

struct Forwarding::Impl {
  Impl(sys::Loop& run_in, const Upstream& upstream, wire::HttpRequest request, Callbacks given)
      : loop(run_in),
        callbacks(std::move(given)),
        dialect(*llm::addressee(request).dialect),
        silence(run_in) {
    outgoing = wire::write_request(outward(upstream, dialect, std::move(request)));
    stream = sys::connect(loop, upstream.endpoint, kConnectMax,
                          {.connected = [this] { connected(); },
                           .bytes = [this](std::string_view bytes) { hear(bytes); },
                           .ended = [this](const Result<void>& end) { ended(end); }});
  }

  void connected() {
    stream->write(std::move(outgoing));
    watch();
  }

  void watch() {
    silence.at(loop.now() + kSilenceMax, [this] {
      finish(fmt::format("the API said nothing for {} minutes", kSilenceMax.count()));
    });
  }

  void hear(std::string_view bytes) {
    if (over) return;
    watch();
    std::string body;
    const Result<void> fed = reader.feed(bytes, body);
    if (reader.has_head() && !head_sent) send_head();
    if (!body.empty()) {
      const std::size_t room = kAnswerKeptBytes - std::min(kAnswerKeptBytes, kept.size());
      kept.append(body, 0, std::min(room, body.size()));
      callbacks.bytes(wire::write_chunk(body));
    }
    if (!fed) return finish(to_text(fed.error()));
    if (reader.done()) finish({});
  }

  void send_head() {
    head_sent = true;
    wire::HttpResponse head = reader.response();
    std::erase_if(head.headers, [](const auto& header) { return stays_here(header.first); });
    callbacks.bytes(wire::write_chunked_head(head));
  }

  void ended(const Result<void>& end) {
    if (over) return;
    if (!end) return finish(to_text(end.error()));
    const Result<void> whole = reader.end();
    finish(whole ? std::string() : to_text(whole.error()));
  }

  /// `problem` is empty if the answer is whole.
  void finish(const std::string& problem) {
    if (std::exchange(over, true)) return;
    silence.cancel();
    Forwarded forwarded{.complete = problem.empty(), .problem = problem, .note = note(problem)};
    if (!head_sent) {
      const llm::Answer answer =
          dialect.error({.status = 502, .type = {}, .message = "the upstream API: " + problem});
      callbacks.bytes(wire::write_response({.status = answer.status,
                                            .reason = {},
                                            .headers = {{"content-type", answer.content_type}},
                                            .body = answer.body}));
      forwarded.complete = true;
    } else if (problem.empty()) {
      callbacks.bytes(std::string(wire::kLastChunk));
    }
    // Not from within our own stream's callback, which our owner may be about to end.
    done_later.at(loop.now(), [this, forwarded] { callbacks.done(forwarded); });
  }

  std::string note(const std::string& problem) const {
    json::Writer out;
    out.begin_object().member("by", "upstream");
    if (!problem.empty()) out.member("problem", repair_utf8(problem).text);
    if (reader.has_head()) {
      out.member("status", reader.response().status);
      const auto type = wire::find_header(reader.response().headers, "content-type").value_or("");
      if (const auto usage = dialect.usage(type, kept)) {
        out.key("usage").begin_object().member("input_tokens", usage->input_tokens);
        out.member("output_tokens", usage->output_tokens).end_object();
      }
      out.member("body", repair_utf8(kept).text);
    }
    out.end_object();
    return out.take();
  }

  sys::Loop& loop;
  Callbacks callbacks;
  const llm::Dialect& dialect;
  std::string outgoing, kept;
  wire::HttpResponseReader reader;
  bool head_sent = false, over = false;
  sys::Timer silence;
  sys::Timer done_later{loop};
  std::unique_ptr<sys::Stream> stream;
};

Forwarding::Forwarding(sys::Loop& loop, const Upstream& upstream, wire::HttpRequest request,
                       Callbacks callbacks)
    : impl_(std::make_unique<Impl>(loop, upstream, std::move(request), std::move(callbacks))) {}

Forwarding::~Forwarding() = default;

}  // namespace cutline::run
