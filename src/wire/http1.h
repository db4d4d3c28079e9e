// http1.h: HTTP/1.1 (RFC 9112) without sockets: bytes in, messages out, and the other way round.
//
// Boost.Beast's parser does the syntax, behind http1.cc. Bodies are kept as they were sent, after
// chunking is undone; content codings are the caller's business. Trailers are read and dropped.
// What is reported, and where, does not depend on where the bytes were cut.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace cutline::wire {

struct HttpLimits {
  std::size_t head_bytes_max = 256 << 10;  // the empty line included
  std::size_t body_bytes_max = std::size_t{128} << 20;
};
/// Between two chunks: size, extensions, and the trailers after the last. More is "head_too_large".
inline constexpr std::size_t kChunkHeadBytesMax = 16 << 10;

/// ASCII letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;  // as sent, in order
/// The first of that name, whatever its case.
std::optional<std::string_view> find_header(const HttpHeaders& headers, std::string_view name);

struct HttpRequest {
  std::string method, target;
  HttpHeaders headers;
  std::string body;
  bool keep_alive = true;
  /// The target without its query.
  std::string_view path() const;
};

struct HttpResponse {
  int status = 200;
  std::string reason;
  HttpHeaders headers;
  std::string body;
  bool keep_alive = true;
};

/// Reads the requests of one connection, one after the other, cut anywhere. "Expect: 100-continue"
/// is reported by wants_continue() once the head is there and the body is not.
class HttpRequestReader {
 public:
  explicit HttpRequestReader(HttpLimits limits = {});
  ~HttpRequestReader();
  HttpRequestReader(HttpRequestReader&&) noexcept;
  HttpRequestReader& operator=(HttpRequestReader&&) noexcept;
  HttpRequestReader(const HttpRequestReader&) = delete;
  HttpRequestReader& operator=(const HttpRequestReader&) = delete;

  /// Appends what `bytes` completes to `requests`. Problems "wire.http.syntax",
  /// "wire.http.head_too_large", "wire.http.body_too_large" (message says what is wrong, place the
  /// byte's offset in the connection); after one the reader is dead: feeding it more is our bug.
  Result<void> feed(std::string_view bytes, std::vector<HttpRequest>& requests);
  /// It says so once a request.
  bool wants_continue();
  /// Whether the connection may end here: no request is half read.
  bool between_requests() const;
  /// What is there of the one half read, for the record of a broken one.
  const HttpRequest& unfinished() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same for one response, with the body handed on as it comes (an answer may stream for
/// minutes). Interim responses (100, 103) are passed over.
class HttpResponseReader {
 public:
  /// The answer to a HEAD has no body, whatever its headers say.
  explicit HttpResponseReader(HttpLimits limits = {}, bool to_head = false);
  ~HttpResponseReader();
  HttpResponseReader(HttpResponseReader&&) noexcept;
  HttpResponseReader& operator=(HttpResponseReader&&) noexcept;
  HttpResponseReader(const HttpResponseReader&) = delete;
  HttpResponseReader& operator=(const HttpResponseReader&) = delete;

  /// The same Problems; bytes after the end of the response are one of syntax. `body` gets the
  /// bytes of the body that `bytes` holds, chunking undone.
  Result<void> feed(std::string_view bytes, std::string& body);
  /// The other side closed: the end of a body without a length. Problem "wire.http.cut_short".
  Result<void> end();
  bool has_head() const;
  bool done() const;
  const HttpResponse& response() const;  // without its body

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A whole message: Content-Length is added (one among the headers is replaced), a reason phrase
/// where there is none, and "Connection: close" where keep_alive is false. Line breaks in headers
/// become spaces.
std::string write_response(const HttpResponse& response);
std::string write_request(const HttpRequest& request);
/// The head of a response whose body follows in chunks; then each chunk (nothing for no bytes,
/// which would be the last); then the last one.
std::string write_chunked_head(const HttpResponse& response);
std::string write_chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace cutline::wire
