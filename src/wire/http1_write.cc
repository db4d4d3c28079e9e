// http1_write.cc: HTTP messages as bytes, and what can be asked of a message.
#include <algorithm>
#include <array>

#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

#include "wire/http1.h"

namespace cutline::wire {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A line break in a value would begin another header.
void append_on_one_line(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  append_on_one_line(out, name);
  out += ": ";
  append_on_one_line(out, value);
  out += "\r\n";
}

/// All but those that say where the body ends, which is for the writer to say.
void append_headers(std::string& out, const HttpHeaders& headers, bool keep_alive) {
  for (const auto& [name, value] : headers)
    if (!equal_ignoring_case(name, "Content-Length") &&
        !equal_ignoring_case(name, "Transfer-Encoding"))
      append_header(out, name, value);
  if (!keep_alive && !find_header(headers, "Connection")) append_header(out, "Connection", "close");
}

std::string status_line(const HttpResponse& response) {
  namespace http = boost::beast::http;
  std::string reason = response.reason;
  const http::status known = http::int_to_status(static_cast<unsigned>(response.status));
  if (reason.empty() && known != http::status::unknown)
    reason = std::string(http::obsolete_reason(known));
  std::string line = fmt::format("HTTP/1.1 {:03} ", response.status);
  append_on_one_line(line, reason);
  return line + "\r\n";
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<std::string_view> find_header(const HttpHeaders& headers, std::string_view name) {
  for (const auto& [other, value] : headers)
    if (equal_ignoring_case(other, name)) return value;
  return std::nullopt;
}

std::string_view HttpRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string write_response(const HttpResponse& response) {
  std::string out = status_line(response);
  append_headers(out, response.headers, response.keep_alive);
  const int status = response.status;
  const bool bodiless = status / 100 == 1 || status == 204 || status == 304;
  if (!bodiless) append_header(out, "Content-Length", std::to_string(response.body.size()));
  out += "\r\n";
  if (!bodiless) out += response.body;
  return out;
}

std::string write_request(const HttpRequest& request) {
  constexpr std::array<std::string_view, 3> kWithBody = {"POST", "PUT", "PATCH"};
  std::string out;
  append_on_one_line(out, request.method + " " + request.target);
  out += " HTTP/1.1\r\n";
  append_headers(out, request.headers, request.keep_alive);
  if (!request.body.empty() || std::ranges::find(kWithBody, request.method) != kWithBody.end())
    append_header(out, "Content-Length", std::to_string(request.body.size()));
  out += "\r\n";
  out += request.body;
  return out;
}

std::string write_chunked_head(const HttpResponse& response) {
  std::string out = status_line(response);
  append_headers(out, response.headers, response.keep_alive);
  append_header(out, "Transfer-Encoding", "chunked");
  return out + "\r\n";
}

std::string write_chunk(std::string_view bytes) {
  if (bytes.empty()) return {};
  std::string out = fmt::format("{:x}\r\n", bytes.size());
  out += bytes;
  return out + "\r\n";
}

}  // namespace cutline::wire
