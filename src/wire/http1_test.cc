// http1_test.cc: what RFC 9112 says, chopped in every way.
#include "wire/http1.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"

namespace cutline::wire {
namespace {

using testing::HasSubstr;
using namespace std::string_view_literals;

std::string shown(const HttpHeaders& headers) {
  std::string out;
  for (const auto& [name, value] : headers) out += fmt::format("{}={};", name, value);
  return out;
}

/// "METHOD TARGET {headers} body" for each request, then what became of the stream: a problem's
/// code and place, "|" between two requests, "…" within one.
std::string outcome(const std::vector<HttpRequest>& requests, const HttpRequestReader& reader,
                    const Result<void>& fed) {
  std::string out;
  for (const HttpRequest& r : requests)
    out += fmt::format("{} {} {{{}}} {}{}", r.method, r.target, shown(r.headers), r.body,
                       r.keep_alive ? "" : " (close)") +
           "\n";
  if (!fed) return out + fed.error().code + " at " + fed.error().place;
  return out + (reader.between_requests() ? "|" : "…");
}

/// Checks every way of cutting; `limits` are small in the tests of limits.
void expect_requests(std::string_view bytes, std::string_view expected, HttpLimits limits = {}) {
  SCOPED_TRACE(bytes);
  std::optional<HttpRequestReader> reader;
  std::vector<HttpRequest> requests;
  Result<void> fed;
  const auto check = [&] {
    if (reader) {
      EXPECT_EQ(outcome(requests, *reader, fed), expected);
    }
  };
  cases::for_each_chopping(
      bytes,
      [&] {
        check();
        reader.emplace(limits);
        requests.clear();
        fed = {};
      },
      [&](std::string_view part) {
        if (fed) fed = reader->feed(part, requests);
      });
  check();
}

TEST(HttpRequestReader, ReadsBodiesOfEveryKindHoweverTheyAreCut) {
  struct Case {
    std::string_view bytes, expected;
  };
  for (const Case& c : std::vector<Case>{
           {"", "|"},
           {"GET / HTTP/1.1\r\n\r\n", "GET / {} \n|"},
           {"GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Y:  two words \r\n\r\n",
            "GET /a?b=c {Host=x;X-Y=two words;} \n|"},
           {"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
            "POST / {Content-Length=5;} hello\n|"},
           {"POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n", "POST / {content-length=0;} \n|"},
           {"POST / HTTP/1.1\r\nTransfer-Encoding: "
            "Chunked\r\n\r\n5\r\nhello\r\n1;a=\"b\"\r\n!\r\n0\r\n\r\n",
            "POST / {Transfer-Encoding=Chunked;} hello!\n|"},
           {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n\r\n23456\r\n9\r\n0\r\n"
            "Trailer: dropped\r\n\r\nGET /2 HTTP/1.1\r\n\r\n",
            "POST / {Transfer-Encoding=chunked;} \r\n23456\r\n9\nGET /2 {} \n|"},
           {"POST /1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nab"
            "\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\ncdGET /3 HTTP/1.1\r\n\r\n\r\n",
            "POST /1 {Content-Length=2;} ab\nPOST /2 {Content-Length=2;} cd\nGET /3 {} \n|"},
           {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / {Connection=close;}  (close)\n|"},
           {"GET / HTTP/1.0\r\n\r\n", "GET / {}  (close)\n|"},
           {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET / {Connection=keep-alive;} \n|"},
           {"GET / HTTP/1.1\r\nA: one\r\n  two\r\n\r\n", "GET / {A=one two;} \n|"},
           {"GET / HTTP/1.1\r\nA: 1\r\na: 2\r\n\r\n", "GET / {A=1;a=2;} \n|"},
           {"GET / HTTP/1.1\r\nA: \r\n\r\n", "GET / {A=;} \n|"},
           {"BREW /pot HTTP/1.1\r\n\r\n", "BREW /pot {} \n|"},
           {"GET / HTTP/1.1\r\n", "…"},
           {"GE", "…"},
           {"\r\n\r\n", "|"},
           {"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", "…"},
           {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "…"},
       })
    expect_requests(c.bytes, c.expected);
}

TEST(HttpRequestReader, SaysWhereItStoppedUnderstanding) {
  struct Case {
    std::string_view bytes, expected;
  };
  for (const Case& c : std::vector<Case>{
           {"\x16\x03\x01\x02\0"sv, "wire.http.syntax at byte 0"},  // TLS
           {"GET / HTTP/1.1\n\n", "wire.http.syntax at byte 14"},
           {"GET /\r\n", "wire.http.syntax at byte 0"},
           {"GET / HTTP/2.0\r\n", "wire.http.syntax at byte 0"},
           {"GET / HT\r\n", "wire.http.syntax at byte 0"},
           {"GET  / HTTP/1.1\r\n", "wire.http.syntax at byte 0"},
           {"GET /\x01 HTTP/1.1\r\n", "wire.http.syntax at byte 0"},
           {"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "wire.http.syntax at byte 25"},
           {"GET / HTTP/1.1\r\nA : b\r\n\r\n", "wire.http.syntax at byte 16"},
           {"GET / HTTP/1.1\r\nA: \x01\r\n\r\n", "wire.http.syntax at byte 16"},
           {"GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", "wire.http.syntax at byte 16"},
           {"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "wire.http.syntax at byte 16"},
           {"GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "wire.http.syntax at byte 16"},
           {"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "wire.http.syntax at byte 35"},
           {"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "wire.http.syntax at byte 35"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "wire.http.syntax at byte 43"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "wire.http.syntax at byte 52"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "wire.http.syntax at byte 46"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
            "wire.http.syntax at byte 50"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n",
            "wire.http.syntax at byte 47"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\n",
            "wire.http.syntax at byte 49"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad\r\n\r\n",
            "wire.http.syntax at byte 46"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
            "wire.http.syntax at byte 46"},
           {"GET /1 HTTP/1.1\r\n\r\nnonsense\r\n", "GET /1 {} \nwire.http.syntax at byte 19"},
       })
    expect_requests(c.bytes, c.expected);
}

TEST(HttpRequestReader, KeepsItsLimits) {
  const HttpLimits limits{.head_bytes_max = 30, .body_bytes_max = 4};
  struct Case {
    std::string_view bytes, expected;
  };
  for (const Case& c : std::vector<Case>{
           {"GET / HTTP/1.1\r\nA: 6789012\r\n\r\n", "GET / {A=6789012;} \n|"},  // 30 bytes
           {"GET / HTTP/1.1\r\nA: 67890123\r\n\r\n", "wire.http.head_too_large at byte 30"},
           {"GET / HTTP/1.1\r\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "wire.http.head_too_large at byte 30"},
           {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "wire.http.head_too_large at byte 30"},
       })
    expect_requests(c.bytes, c.expected, limits);

  const HttpLimits body{.head_bytes_max = 100, .body_bytes_max = 4};
  for (const Case& c : std::vector<Case>{
           {"GET / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd", "GET / {Content-Length=4;} abcd\n|"},
           {"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcde",
            "wire.http.body_too_large at byte 37"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n",
            "GET / {Transfer-Encoding=chunked;} abcd\n|"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde",
            "wire.http.body_too_large at byte 51"},
           {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
            "wire.http.body_too_large at byte 46"},
       })
    expect_requests(c.bytes, c.expected, body);

  const std::string head = "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect_requests(head + "1;a=" + std::string(20'000, 'x'),
                  fmt::format("wire.http.head_too_large at byte {}", 46 + kChunkHeadBytesMax));
  expect_requests(head + "0\r\n" + std::string(20'000, 'x'),
                  fmt::format("wire.http.head_too_large at byte {}", 46 + kChunkHeadBytesMax));
}

TEST(HttpRequestReader, LongHeadsAndManyTrailersTakeLinearTime) {
  std::string head = "GET / HTTP/1.1\r\n",
              trailers = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0;a=";
  for (int i = 0; i < 30'000; ++i) head += "a: b\r\n";
  trailers += std::string(7'000, 'x') + "\r\n";
  for (int i = 0; i < 1'500; ++i) trailers += "a: b\r\n";
  HttpRequestReader reader;
  std::vector<HttpRequest> requests;
  for (const std::string& bytes : {head + "\r\n", trailers + "\r\n"})
    for (std::size_t at = 0; at < bytes.size(); ++at)
      ASSERT_TRUE(reader.feed(std::string_view(bytes).substr(at, 1), requests));
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].headers.size(), 30'000u);
}

TEST(HttpRequestReader, BelievesAnAnnouncedLengthAsItComes) {
  HttpRequestReader reader;
  std::vector<HttpRequest> requests;
  constexpr std::size_t kLength = 100'000'000;
  const std::string part(1'000'000, 'x');
  ASSERT_TRUE(
      reader.feed(fmt::format("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", kLength), requests));
  EXPECT_LT(reader.unfinished().body.capacity(), 100u);
  for (std::size_t sent = 0; sent < kLength; sent += part.size()) {
    EXPECT_LE(reader.unfinished().body.capacity(), std::max<std::size_t>(16 * sent, 64 << 10));
    ASSERT_TRUE(reader.feed(part, requests));
  }
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].body.size(), kLength);
  EXPECT_EQ(requests[0].body.capacity(), kLength);  // moved twice, the last time early
}

TEST(HttpRequestReader, AsksOnceForTheBodyThatWaits) {
  HttpRequestReader reader;
  std::vector<HttpRequest> requests;
  const std::string head = "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  ASSERT_TRUE(reader.feed(head.substr(0, 30), requests));
  EXPECT_FALSE(reader.wants_continue());
  ASSERT_TRUE(reader.feed(head.substr(30), requests));
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_FALSE(reader.wants_continue());
  ASSERT_TRUE(reader.feed("ab" + head + "a", requests));
  EXPECT_FALSE(reader.wants_continue());  // it did not wait
  ASSERT_TRUE(reader.feed("b" + head, requests));
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_EQ(requests.size(), 2u);
}

TEST(HttpRequestReader, ShowsWhatThereIsOfABrokenRequest) {
  HttpRequestReader reader;
  std::vector<HttpRequest> requests;
  ASSERT_TRUE(reader.feed("POST /v1 HTTP/1.1\r\nA: b\r\nContent-Length: 9\r\n\r\nabc", requests));
  EXPECT_EQ(reader.unfinished().target, "/v1");
  EXPECT_EQ(reader.unfinished().body, "abc");
  HttpRequestReader moved = std::move(reader);
  EXPECT_FALSE(moved.between_requests());
  EXPECT_EQ(shown(moved.unfinished().headers), "A=b;Content-Length=9;");
}

// --- Responses
// ------------------------------------------------------------------------------------

/// "STATUS REASON {headers} body", then "." if it is done, or the problem.
void expect_response(std::string_view bytes, std::string_view expected, HttpLimits limits = {},
                     bool to_head = false) {
  SCOPED_TRACE(bytes);
  std::optional<HttpResponseReader> reader;
  std::string body;
  Result<void> fed;
  const auto check = [&] {
    if (!reader) return;
    if (fed) fed = reader->end();
    const HttpResponse& r = reader->response();
    std::string out = fmt::format("{} {} {{{}}} {}", r.status, r.reason, shown(r.headers), body);
    out += fed ? "." : " " + fed.error().code + " at " + fed.error().place;
    EXPECT_EQ(out, expected);
    EXPECT_EQ(reader->done(), fed.has_value());
  };
  cases::for_each_chopping(
      bytes,
      [&] {
        check();
        reader.emplace(limits, to_head);
        body.clear();
        fed = {};
      },
      [&](std::string_view part) {
        if (fed) fed = reader->feed(part, body);
      });
  check();
}

TEST(HttpResponseReader, FindsTheEndOfEveryKindOfBody) {
  expect_response("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
                  "200 OK {Content-Length=2;} hi.");
  expect_response("HTTP/1.1 200 \r\n\r\nto the end", "200  {} to the end.");
  expect_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                  "200 OK {Transfer-Encoding=chunked;} hi.");
  expect_response("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n",
                  "204 No Content {Content-Length=2;} .");
  expect_response(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n"
      "Content-Length: 1\r\n\r\nx",
      "200 OK {Content-Length=1;} x.");
  expect_response("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "200 OK {Content-Length=2;} .",
                  {}, true);
}

TEST(HttpResponseReader, SaysWhatIsWrong) {
  expect_response("", "200  {}  wire.http.cut_short at byte 0");
  expect_response("HTTP/1.1 200 OK\r\nA", "200 OK {}  wire.http.cut_short at byte 18");
  expect_response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
                  "200 OK {Content-Length=3;} hi wire.http.cut_short at byte 40");
  expect_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
                  "200 OK {Transfer-Encoding=chunked;} hi wire.http.cut_short at byte 54");
  expect_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                  "200 OK {Transfer-Encoding=gzip;}  wire.http.syntax at byte 44");
  expect_response("HTTP/1.1 2x0 OK\r\n", "200  {}  wire.http.syntax at byte 0");
  expect_response("HTTP/1.1 200 \r\n\r\n12345", "200  {} 1234 wire.http.body_too_large at byte 21",
                  {.head_bytes_max = 100, .body_bytes_max = 4});
  HttpResponseReader reader;
  std::string body;
  EXPECT_TRUE(reader.feed("HTTP/1.1 204 \r\n\r\n", body));
  const Result<void> fed = reader.feed("x", body);
  ASSERT_FALSE(fed);
  EXPECT_THAT(fed.error().message, HasSubstr("after the end"));
}

// --- Writing
// --------------------------------------------------------------------------------------

TEST(HttpWriting, IsReadBack) {
  HttpRequest request{
      .method = "POST", .target = "/v1/messages", .headers = {{"Host", "a"}}, .body = "{}"};
  const std::string bytes = write_request(request);
  EXPECT_EQ(bytes, "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
  expect_requests(bytes, "POST /v1/messages {Host=a;Content-Length=2;} {}\n|");
  EXPECT_EQ(write_request({.method = "GET", .target = "/", .headers = {}, .body = {}}),
            "GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ((HttpRequest{.method = "", .target = "/a?b?c", .headers = {}, .body = {}}).path(),
            "/a");
  EXPECT_EQ((HttpRequest{.method = "", .target = "/a", .headers = {}, .body = {}}).path(), "/a");

  HttpResponse response{.status = 404,
                        .reason = {},
                        .headers = {{"content-length", "7"}, {"X", "a\r\nY: b"}},
                        .body = "none",
                        .keep_alive = false};
  EXPECT_EQ(
      write_response(response),
      "HTTP/1.1 404 Not Found\r\nX: a  Y: b\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnone");
  response = {.status = 529, .reason = {}, .headers = {}, .body = {}};
  EXPECT_EQ(write_response(response), "HTTP/1.1 529 \r\nContent-Length: 0\r\n\r\n");
  response = {.status = 100, .reason = {}, .headers = {}, .body = {}};
  EXPECT_EQ(write_response(response), "HTTP/1.1 100 Continue\r\n\r\n");

  response = {.status = 200, .reason = {}, .headers = {{"A", "b"}}, .body = {}};
  const std::string chunked = write_chunked_head(response) + write_chunk("0123456789abcdef") +
                              write_chunk("") + write_chunk("x") + std::string(kLastChunk);
  expect_response(chunked, "200 OK {A=b;Transfer-Encoding=chunked;} 0123456789abcdefx.");
}

TEST(HttpHeaders, AreFoundWhateverTheirCase) {
  const HttpHeaders headers = {{"Content-Type", "a"}, {"content-type", "b"}};
  EXPECT_EQ(find_header(headers, "CONTENT-TYPE"), "a");
  EXPECT_EQ(find_header(headers, "Content"), std::nullopt);
}

}  // namespace
}  // namespace cutline::wire
