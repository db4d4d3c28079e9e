// http1.cc: our framing around Beast's parser.
//
// Beast is given whole elements only: the first line, the other lines of a head, the lines between
// two chunks, and bytes of a body. Fed byte by byte it would look at the beginning of an element
// again and again, find the same mistake at another place than in one piece, and in some states run
// into its own assertions. What it does not limit (the whole head, the lines between chunks), or
// lets pass (a transfer coding that we cannot undo, which would hide where the body ends), is
// refused here.
//
// The library stays header-only in this file: compiled separately it would need Asio's sources.
#include "wire/http1.h"

#include <algorithm>
#include <limits>

#include <boost/beast/http/basic_parser.hpp>
#include <fmt/format.h>

#include "base/assert.h"
#include "base/number.h"

namespace cutline::wire {
namespace {

namespace http = boost::beast::http;
using ErrorCode = boost::beast::error_code;
using BeastText = boost::beast::string_view;

std::string text(BeastText view) { return {view.data(), view.size()}; }

/// Room for `more` bytes. What was announced is believed step by step, so that announcing 100 MB
/// takes no more than 16 times of what was sent, and a large body is hardly ever moved.
void make_room(std::string& body, std::size_t more, std::optional<std::uint64_t> announced) {
  constexpr std::size_t kFirst = 64 << 10, kSteps = 16;
  const std::size_t needed = body.size() + more;
  if (!announced || needed <= body.capacity()) return;
  const std::size_t step = std::max({needed, kFirst, body.size() * kSteps});
  body.reserve(
      std::max(needed, static_cast<std::size_t>(std::min<std::uint64_t>(*announced, step))));
}

/// Collects what Beast finds in one message.
template <bool is_request>
class Parser final : public http::basic_parser<is_request> {
 public:
  using Message = std::conditional_t<is_request, HttpRequest, HttpResponse>;

  Parser(const HttpLimits& limits, bool no_body) : limits_(limits) {
    // The limits are ours: Beast has one for each part of a head, and reports them elsewhere.
    this->header_limit(std::numeric_limits<std::uint32_t>::max());
    this->body_limit(boost::none);
    this->skip(no_body);
  }

  Message message;              // a response's without its body
  std::string* body = nullptr;  // where the body goes; set before bytes of it are put

  bool is_http11() const { return http11_; }
  std::size_t body_bytes() const { return body_bytes_; }
  /// Whether a body's own bytes are next, and not lines.
  bool takes_bytes() const {
    return this->is_header_done() && (!this->chunked() || chunk_bytes_left_ > 0);
  }

 private:
  void on_request_impl(http::verb, BeastText method, BeastText target, int version,
                       ErrorCode&) override {
    if constexpr (is_request) {
      message.method = text(method);
      message.target = text(target);
    }
    http11_ = version >= 11;
  }
  void on_response_impl(int code, BeastText reason, int version, ErrorCode&) override {
    if constexpr (!is_request) {
      message.status = code;
      message.reason = text(reason);
    }
    http11_ = version >= 11;
  }
  void on_field_impl(http::field, BeastText name, BeastText value, ErrorCode&) override {
    if (!head_done_) message.headers.emplace_back(text(name), text(value));
  }
  void on_header_impl(ErrorCode& error) override {
    head_done_ = true;
    message.keep_alive = this->keep_alive();
    const auto coding = find_header(message.headers, "Transfer-Encoding");
    const bool plain = coding && equal_ignoring_case(*coding, "chunked");
    if (coding && !this->is_done() && !plain) error = http::error::bad_transfer_encoding;
    // A request whose end nobody can tell is "done" to Beast.
    if (coding && is_request && !plain) error = http::error::bad_transfer_encoding;
    if (const auto length = this->content_length(); length && !this->is_done()) {
      announced_ = *length;
      if (*length > limits_.body_bytes_max) error = http::error::body_limit;
    }
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(BeastText bytes, ErrorCode& error) override {
    return append(bytes, error);
  }
  void on_chunk_header_impl(std::uint64_t size, BeastText, ErrorCode& error) override {
    chunk_bytes_left_ = size;
    if (size > limits_.body_bytes_max - body_bytes_) error = http::error::body_limit;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, BeastText bytes, ErrorCode& error) override {
    chunk_bytes_left_ -= bytes.size();
    return append(bytes, error);
  }
  void on_finish_impl(ErrorCode&) override {}

  std::size_t append(BeastText bytes, ErrorCode& error) {
    const std::size_t fit = std::min(bytes.size(), limits_.body_bytes_max - body_bytes_);
    if (fit < bytes.size()) error = http::error::body_limit;
    if constexpr (is_request) make_room(*body, fit, announced_);
    body->append(bytes.data(), fit);
    body_bytes_ += fit;
    return fit;
  }

  HttpLimits limits_;
  std::optional<std::uint64_t> announced_;
  std::uint64_t chunk_bytes_left_ = 0;
  std::size_t body_bytes_ = 0;
  bool head_done_ = false, http11_ = false;
};

Problem problem(std::string_view code, std::string message, std::size_t offset) {
  return {.code = std::string(code),
          .message = std::move(message),
          .place = fmt::format("byte {}", offset),
          .hint = {},
          .blame = Blame::kMissing};
}

bool is_token_character(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

/// One message after the other out of one stream of bytes.
template <bool is_request>
class Framer {
 public:
  explicit Framer(const HttpLimits& limits, bool no_body = false)
      : limits_(limits), no_body_(no_body) {
    CUTLINE_ASSERT(limits.head_bytes_max < std::numeric_limits<std::uint32_t>::max());
    next();
  }

  /// Takes bytes of the message from the front of `bytes`, to its end or theirs.
  Result<void> take(std::string_view& bytes, std::string& body) {
    CUTLINE_ASSERT(!dead_);
    parser_->body = &body;
    while (!bytes.empty() && !parser_->is_done()) {
      Result<void> taken = parser_->takes_bytes() ? take_body(bytes) : take_line(bytes);
      if (taken) continue;
      dead_ = true;
      return taken;
    }
    return {};
  }

  /// Makes ready for the next message; the last one is lost.
  void next() {
    parser_.emplace(limits_, no_body_);
    pending_.clear();
    line_at_ = head_bytes_ = 0;
  }

  Parser<is_request>& parser() { return *parser_; }
  const Parser<is_request>& parser() const { return *parser_; }
  bool nothing_yet() const { return !dead_ && !parser_->got_some() && pending_.empty(); }
  bool line_begun() const { return !pending_.empty(); }
  std::size_t offset() const { return offset_ + pending_.size(); }

 private:
  Result<void> take_body(std::string_view& bytes) {
    CUTLINE_TRY_ASSIGN(const std::size_t taken, put(bytes));
    bytes.remove_prefix(taken);
    return {};
  }

  Result<void> take_line(std::string_view& bytes) {
    const bool in_head = !parser_->is_header_done();
    if (nothing_yet() && bytes[0] != '\r' && !is_token_character(bytes[0]))
      return fail(
          problem("wire.http.syntax", "the first byte is none that HTTP begins with", offset_));
    const std::size_t room =
        (in_head ? limits_.head_bytes_max - head_bytes_ : kChunkHeadBytesMax) - pending_.size();
    const std::size_t feed_at = bytes.find('\n');
    const std::size_t length = feed_at == bytes.npos ? bytes.size() : feed_at + 1;
    if (length > room) return fail(too_large(in_head, offset() + room));
    const std::size_t line_at = line_at_;
    pending_ += bytes.substr(0, length);
    bytes.remove_prefix(length);
    if (feed_at == std::string_view::npos) return {};

    line_at_ = pending_.size();
    if (!pending_.ends_with("\r\n"))
      return fail(problem("wire.http.syntax", "a line ends without a CR", offset() - 1));
    const bool empty = pending_.size() - line_at == 2;
    return in_head ? take_head_line(empty) : put_pending();
  }

  /// The first line goes to the parser at once, so that what is no HTTP gets its answer; the fields
  /// go together, since one may be continued on the next line.
  Result<void> take_head_line(bool empty) {
    const bool first = !parser_->got_some();
    if (first && empty) {  // RFC 9112, section 2.2: some clients send one after a body
      drop_pending(pending_.size());
      return {};
    }
    if (!first && !empty) return {};
    head_bytes_ += pending_.size();
    CUTLINE_TRY(put_pending());
    if (!pending_.empty())
      return fail(problem("wire.http.syntax", "a line of the head ends too early", offset_));
    return {};
  }

  /// The lines between two chunks may be too few yet; then the parser takes none of them.
  Result<void> put_pending() {
    CUTLINE_TRY_ASSIGN(const std::size_t taken, put(pending_));
    drop_pending(taken);
    return {};
  }

  void drop_pending(std::size_t taken) {
    pending_.erase(0, taken);
    line_at_ = pending_.size();
    // `put` has counted what the parser took; a line that it never saw counts here.
    if (!parser_->got_some()) offset_ += taken;
  }

  /// How many bytes the parser took; none where it needs more.
  Result<std::size_t> put(std::string_view bytes) {
    ErrorCode error;
    const std::size_t taken =
        parser_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    offset_ += taken;
    if (!error || error == http::error::need_more) return taken;
    if (error == http::error::header_limit) return fail(too_large(true, offset_));
    if (error == http::error::body_limit)
      return fail(
          problem("wire.http.body_too_large",
                  fmt::format("the body has more than {}", count(limits_.body_bytes_max, "byte")),
                  offset_));
    return fail(problem("wire.http.syntax",
                        fmt::format("this is not HTTP/1.1: {}", error.message()), offset_));
  }

  Problem too_large(bool in_head, std::size_t at) const {
    const std::size_t most = in_head ? limits_.head_bytes_max : kChunkHeadBytesMax;
    return problem(
        "wire.http.head_too_large",
        fmt::format("{} has more than {}", in_head ? "the head" : "what stands between two chunks",
                    count(most, "byte")),
        at);
  }

  HttpLimits limits_;
  bool no_body_ = false, dead_ = false;
  std::optional<Parser<is_request>> parser_;
  std::string pending_;      // lines that the parser has not taken, the last one maybe unfinished
  std::size_t line_at_ = 0;  // where in `pending_` the last line begins
  std::size_t head_bytes_ = 0;  // of this message's head that the parser has taken
  std::size_t offset_ = 0;      // of `pending_` in the stream
};

}  // namespace

// --- Requests
// -------------------------------------------------------------------------------------

struct HttpRequestReader::Impl {
  Framer<true> framer;
  bool continue_asked = false;
};

HttpRequestReader::HttpRequestReader(HttpLimits limits)
    : impl_(new Impl{.framer = Framer<true>(limits)}) {}
HttpRequestReader::~HttpRequestReader() = default;
HttpRequestReader::HttpRequestReader(HttpRequestReader&&) noexcept = default;
HttpRequestReader& HttpRequestReader::operator=(HttpRequestReader&&) noexcept = default;

Result<void> HttpRequestReader::feed(std::string_view bytes, std::vector<HttpRequest>& requests) {
  Framer<true>& framer = impl_->framer;
  while (!bytes.empty()) {
    CUTLINE_TRY(framer.take(bytes, framer.parser().message.body));
    if (!framer.parser().is_done()) break;
    requests.push_back(std::move(framer.parser().message));
    framer.next();
    impl_->continue_asked = false;
  }
  return {};
}

bool HttpRequestReader::wants_continue() {
  const Parser<true>& parser = impl_->framer.parser();
  if (!parser.is_header_done() || !parser.is_http11() || impl_->continue_asked) return false;
  if (parser.body_bytes() > 0 || impl_->framer.line_begun()) return false;
  const auto expected = find_header(parser.message.headers, "Expect");
  impl_->continue_asked = expected && equal_ignoring_case(*expected, "100-continue");
  return impl_->continue_asked;
}

bool HttpRequestReader::between_requests() const { return impl_->framer.nothing_yet(); }

const HttpRequest& HttpRequestReader::unfinished() const { return impl_->framer.parser().message; }

// --- Responses
// ------------------------------------------------------------------------------------

struct HttpResponseReader::Impl {
  Framer<false> framer;
};

HttpResponseReader::HttpResponseReader(HttpLimits limits, bool to_head)
    : impl_(new Impl{.framer = Framer<false>(limits, to_head)}) {}
HttpResponseReader::~HttpResponseReader() = default;
HttpResponseReader::HttpResponseReader(HttpResponseReader&&) noexcept = default;
HttpResponseReader& HttpResponseReader::operator=(HttpResponseReader&&) noexcept = default;

Result<void> HttpResponseReader::feed(std::string_view bytes, std::string& body) {
  Framer<false>& framer = impl_->framer;
  while (!bytes.empty()) {
    if (done())
      return fail(problem("wire.http.syntax", "there are bytes after the end of the response",
                          framer.offset()));
    CUTLINE_TRY(framer.take(bytes, body));
    const int status = framer.parser().message.status;
    const bool interim = status / 100 == 1 && status != 101;
    if (framer.parser().is_done() && interim) framer.next();
  }
  return {};
}

Result<void> HttpResponseReader::end() {
  if (done()) return {};
  Parser<false>& parser = impl_->framer.parser();
  if (!parser.is_header_done() || !parser.need_eof())
    return fail(problem("wire.http.cut_short",
                        has_head() ? "the response ends in the middle of its body"
                                   : "the connection ends before the response's head does",
                        impl_->framer.offset()));
  ErrorCode error;
  parser.put_eof(error);
  CUTLINE_ASSERT(!error && parser.is_done());
  return {};
}

bool HttpResponseReader::has_head() const { return impl_->framer.parser().is_header_done(); }
bool HttpResponseReader::done() const { return impl_->framer.parser().is_done(); }
const HttpResponse& HttpResponseReader::response() const { return impl_->framer.parser().message; }

}  // namespace cutline::wire
