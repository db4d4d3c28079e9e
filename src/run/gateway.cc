// gateway.cc: connections, the batch that is kept before it is answered, and the answers.
#include "run/gateway.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "run/exchange.h"
#include "run/forwarding.h"

namespace cutline::run {
namespace {

/// Asked for in one connection without waiting for answers.
constexpr std::size_t kPipelinedMax = 64;
/// Closing while the other side still sends would take our last answer from it; so it may go on for
/// a while, unheard.
constexpr std::chrono::seconds kLingerMax{1};

}  // namespace

struct Gateway::Impl {
  class Connection;

  Impl(sys::Loop& run_in, sys::Fd socket, GatewayOptions given, Hooks given_hooks)
      : loop(run_in),
        options(std::move(given)),
        hooks(std::move(given_hooks)),
        player(options.script),
        flush(run_in),
        listener(run_in, std::move(socket), [this](sys::Fd fd) { accept(std::move(fd)); }) {}

  void accept(sys::Fd fd);
  void forget(std::size_t connection) {
    // Not at once: the connection may be the one that calls.
    gone.push_back(connection);
    flush_soon();
  }

  std::int64_t now_us() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(loop.now() - options.began)
        .count();
  }

  /// What waits for `keep`: a record, and what to do once it is safe.
  void enqueue(store::Request record, std::size_t connection,
               std::optional<wire::HttpRequest> request) {
    batch.push_back(
        {.record = std::move(record), .connection = connection, .request = std::move(request)});
    flush_soon();
  }
  void flush_soon() {
    if (std::exchange(flushing, true)) return;
    flush.at(loop.now(), [this] {
      flushing = false;
      keep_batch();
    });
  }
  void keep_batch();
  void remember_answer(std::size_t sequence, std::string answer) {
    answers.emplace_back(sequence, std::move(answer));
  }

  struct Waiting {
    store::Request record;
    std::size_t connection = 0;
    std::optional<wire::HttpRequest> request;  // nothing: it only has to be kept
  };

  sys::Loop& loop;
  GatewayOptions options;
  Hooks hooks;
  llm::ScriptPlayer player;
  std::vector<Waiting> batch;
  Hooks::Answers answers;
  std::size_t kept = 0;
  bool flushing = false, failed = false;
  std::vector<std::size_t> gone;
  std::size_t next_connection = 0;
  std::unordered_map<std::size_t, std::unique_ptr<Connection>> connections;
  sys::Timer flush;
  sys::Listener listener;
};

// --- A connection --------------------------------------------------------------------------------

class Gateway::Impl::Connection {
 public:
  Connection(Impl& gateway, std::size_t id, sys::Fd in, sys::Fd out)
      : gateway_(gateway),
        id_(id),
        parser_(gateway.options.limits),
        timer_(gateway.loop),
        silence_(gateway.loop),
        writer_(gateway.loop, std::move(out)),
        reader_(std::make_unique<sys::Reader>(
            gateway.loop, std::move(in),
            sys::Reader::Callbacks{.bytes = [this](std::string_view bytes) { hear(bytes); },
                                   .end = [this] { ended(); }})) {}

  /// The request is safe: now it may be answered.
  void answer(std::size_t sequence, std::int64_t at_us, wire::HttpRequest request) {
    keep_alive_ = request.keep_alive;
    head_only_ = request.method == "HEAD";
    if (auto refused = refusal(request)) return reply(sequence, *std::move(refused));
    if (gateway_.options.upstream) return forward(sequence, std::move(request));
    Heard heard = hear_request(std::move(request), gateway_.player);
    const auto delay = heard.delay;
    if (heard.seen && gateway_.hooks.seen) {
      heard.seen->sequence = sequence;
      heard.seen->at_us = at_us;
      gateway_.hooks.seen(*std::move(heard.seen));
    }
    if (delay.count() == 0) return reply(sequence, std::move(heard));
    // The reply waits in the timer, and the timer in us.
    timer_.at(gateway_.loop.now() + delay,
              [this, sequence, held = std::make_shared<Heard>(std::move(heard))] {
                reply(sequence, std::move(*held));
              });
  }

  /// What was no request is safe.
  void answer_broken() {
    broken_is_kept_ = true;
    next();
  }

 private:
  void hear(std::string_view bytes) {
    if (closing_ || broken_) return;
    std::vector<wire::HttpRequest> requests;
    const Result<void> fed = parser_.feed(bytes, requests);
    for (wire::HttpRequest& request : requests) take(std::move(request));
    if (broken_) return;
    if (!fed) return broken(fed.error());
    watch();
    if (parser_.wants_continue()) writer_.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  void watch() {
    if (parser_.between_requests()) return silence_.cancel();
    const std::chrono::milliseconds longest = gateway_.options.half_request_silence_max;
    silence_.at(gateway_.loop.now() + longest, [this, longest] {
      if (!closing_) broken(half_request(longest, parser_.unfinished()));
    });
  }

  void take(wire::HttpRequest request) {
    if (broken_) return;
    if (waiting_.size() >= kPipelinedMax) return broken(too_many_pipelined());
    waiting_.push_back(std::move(request));
    next();
  }

  void next() {
    if (busy_ || closing_) return;
    if (waiting_.empty()) return say_broken();
    busy_ = true;
    wire::HttpRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    store::Request record = record_of(request, gateway_.now_us());
    gateway_.enqueue(std::move(record), id_, std::move(request));
  }

  void broken(const Problem& problem) {
    silence_.cancel();
    store::Request record = record_of(parser_.unfinished(), gateway_.now_us());
    record.body = parser_.unfinished().body;
    record.problem = to_text(problem);
    gateway_.enqueue(std::move(record), id_, std::nullopt);
    broken_ = wire::write_response(bad_request(problem));
  }

  /// After the answers to what came before it.
  void say_broken() {
    if (!broken_ || !broken_is_kept_) return;
    writer_.write(*broken_);
    close();
  }

  void ended() {
    silence_.cancel();
    if (!closing_ && !broken_ && !parser_.between_requests()) {
      store::Request record = record_of(parser_.unfinished(), gateway_.now_us());
      record.body = parser_.unfinished().body;
      record.problem = fmt::format(
          "the client closed the connection in the middle of a request, {} bytes into its body",
          record.body.size());
      gateway_.enqueue(std::move(record), id_, std::nullopt);
    }
    input_ended_ = true;
    if (closed_) return gateway_.forget(id_);
    if (!busy_ && waiting_.empty() && !broken_) close();
  }

  void reply(std::size_t sequence, Heard heard) {
    heard.response.keep_alive = keep_alive_ && !input_ended_;
    std::string bytes = heard.streamed ? wire::write_chunked_head(heard.response)
                                       : wire::write_response(heard.response);
    if (head_only_) {
      bytes.resize(bytes.find("\r\n\r\n") + 4);
    } else if (heard.streamed) {
      bytes += wire::write_chunk(heard.response.body);
      bytes += wire::kLastChunk;
    }
    gateway_.remember_answer(sequence, std::move(heard.note));
    writer_.write(std::move(bytes));
    answered();
  }

  void answered() {
    busy_ = false;
    const bool more = !waiting_.empty() || broken_;
    if (!keep_alive_ || (input_ended_ && !more)) return close();
    next();
  }

  void close() {
    if (std::exchange(closing_, true)) return;
    timer_.cancel();
    silence_.cancel();
    writer_.close_when_done([this] {
      closed_ = true;
      if (input_ended_ || !broken_) return gateway_.forget(id_);
      timer_.at(gateway_.loop.now() + kLingerMax, [this] { gateway_.forget(id_); });
    });
  }

  void forward(std::size_t sequence, wire::HttpRequest request) {
    forwarding_ = std::make_unique<Forwarding>(
        gateway_.loop, *gateway_.options.upstream, std::move(request),
        Forwarding::Callbacks{
            .bytes = [this](std::string bytes) { writer_.write(std::move(bytes)); },
            .done =
                [this, sequence](const Forwarded& forwarded) {
                  gateway_.remember_answer(sequence, forwarded.note);
                  tell_of(sequence, forwarded);
                  if (!forwarded.complete) keep_alive_ = false;
                  answered();
                },
        });
  }

  void tell_of(std::size_t sequence, const Forwarded& forwarded) {
    if (forwarded.problem.empty() || !gateway_.hooks.not_forwarded) return;
    gateway_.hooks.not_forwarded(
        {.sequence = sequence, .at_us = gateway_.now_us(), .problem = forwarded.problem});
  }

  Impl& gateway_;
  std::size_t id_;
  wire::HttpRequestReader parser_;
  std::deque<wire::HttpRequest> waiting_;
  std::optional<std::string> broken_;  // the answer to what is no request; nothing is read after it
  bool broken_is_kept_ = false;
  bool busy_ = false, closing_ = false, closed_ = false, input_ended_ = false;
  bool keep_alive_ = true, head_only_ = false;
  sys::Timer timer_, silence_;
  sys::Writer writer_;
  std::unique_ptr<sys::Reader> reader_;
  std::unique_ptr<Forwarding> forwarding_;
};

void Gateway::Impl::accept(sys::Fd fd) {
  Result<sys::Fd> out = sys::duplicate(fd.get());
  if (!out) return;  // out of descriptors: the client sees a closed connection
  const std::size_t id = next_connection++;
  connections.emplace(id, std::make_unique<Connection>(*this, id, std::move(fd), *std::move(out)));
}

void Gateway::Impl::keep_batch() {
  for (const std::size_t id : std::exchange(gone, {})) connections.erase(id);
  if (failed || batch.empty()) return;
  std::vector<Waiting> waiting = std::exchange(batch, {});
  std::vector<store::Request> records;
  records.reserve(waiting.size());
  for (Waiting& one : waiting) {
    if (one.request) one.record.body = std::move(one.request->body);  // given back below
    records.push_back(std::move(one.record));
  }
  const Result<void> safe = hooks.keep(records, answers);
  if (!safe) {
    failed = true;
    return hooks.failed(safe.error());
  }
  answers.clear();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::size_t sequence = kept++;
    const auto connection = connections.find(waiting[i].connection);
    if (connection == connections.end()) continue;
    if (!waiting[i].request) {
      connection->second->answer_broken();
      continue;
    }
    waiting[i].request->body = std::move(records[i].body);
    connection->second->answer(sequence, records[i].at_us, *std::move(waiting[i].request));
  }
}

Gateway::Gateway(sys::Loop& loop, sys::Fd listener, GatewayOptions options, Hooks hooks)
    : impl_(std::make_unique<Impl>(loop, std::move(listener), std::move(options),
                                   std::move(hooks))) {}

Gateway::~Gateway() {
  if (!impl_->failed && !impl_->answers.empty()) {
    const Result<void> kept = impl_->hooks.keep({}, impl_->answers);
    if (!kept) impl_->hooks.failed(kept.error());
  }
}

std::size_t Gateway::requests() const { return impl_->kept; }

}  // namespace cutline::run
