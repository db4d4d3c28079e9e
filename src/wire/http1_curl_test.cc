// http1_curl_test.cc: another implementation's opinion: curl sends two requests over one connection
// and reads our answers. Skipped where there is no curl.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "wire/http1.h"
#include "wire/sse.h"

namespace cutline::wire {
namespace {

/// What a shell command wrote, with its exit code.
std::pair<std::string, int> run(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {"", -1};
  std::string out(4'096, '\0');
  out.resize(std::fread(out.data(), 1, out.size(), pipe));
  return {out, ::pclose(pipe)};
}

struct Server {
  int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port = 0;
  std::vector<HttpRequest> requests;
  int connections = 0, continues = 0;
  std::string problem;

  Server() {
    limit_waits(listener);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener, any, length), 0);
    EXPECT_EQ(::listen(listener, 1), 0);
    EXPECT_EQ(::getsockname(listener, any, &length), 0);
    port = ntohs(address.sin_port);
  }
  ~Server() { ::close(listener); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  static void limit_waits(int fd) {
    const timeval limit{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }

  static void send(int fd, const std::string& bytes) {
    EXPECT_EQ(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  /// Answers `wanted` requests; the last answer ends the connection.
  void serve(std::size_t wanted) {
    const int fd = ::accept(listener, nullptr, nullptr);
    if (fd < 0) return;
    ++connections;
    limit_waits(fd);
    HttpRequestReader reader;
    std::string buffer(10'007, '\0');
    while (requests.size() < wanted) {
      const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      std::vector<HttpRequest> complete;
      const Result<void> fed =
          reader.feed({buffer.data(), static_cast<std::size_t>(got)}, complete);
      if (!fed) {
        problem = to_text(fed.error());
        break;
      }
      if (reader.wants_continue()) {
        ++continues;
        send(fd, write_response({.status = 100, .reason = {}, .headers = {}, .body = {}}));
      }
      for (HttpRequest& request : complete) {
        requests.push_back(std::move(request));
        answer(fd, requests.size() < wanted);
      }
    }
    ::close(fd);
  }

  static void answer(int fd, bool keep_alive) {
    std::string event;
    append_event(event, "ping", "{}");
    HttpResponse response{.status = 200,
                          .reason = {},
                          .headers = {{"Content-Type", "text/event-stream"}},
                          .body = {},
                          .keep_alive = keep_alive};
    if (keep_alive) {
      send(fd, write_chunked_head(response));
      send(fd, write_chunk(event) + write_chunk(event) + std::string(kLastChunk));
    } else {
      response.body = "whole";
      send(fd, write_response(response));
    }
  }
};

TEST(HttpAgainstCurl, SpeaksTheSameLanguage) {
  if (run("command -v curl").second != 0) GTEST_SKIP() << "no curl here";
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / fmt::format("http1-curl-{}", ::getpid()))
          .string();
  std::string body;
  for (int i = 0; i < 400'000; ++i) body += std::to_string(i) + "\r\n";
  std::ofstream(path, std::ios::binary) << body;

  Server server;
  std::thread serving([&] { server.serve(2); });
  const std::string url = fmt::format("http://127.0.0.1:{}/v1/messages?beta=true", server.port);
  const std::string ask =
      fmt::format("-sS -m 60 --http1.1 --noproxy '*' --data-binary '@{}' '{}' -H ", path, url);
  const auto [out, code] = run("curl " + ask + "'Transfer-Encoding: chunked' --next " + ask +
                               "'Expect: 100-continue' 2>&1");
  serving.join();
  std::filesystem::remove(path);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(out, "event: ping\ndata: {}\n\nevent: ping\ndata: {}\n\nwhole");
  EXPECT_EQ(server.problem, "");
  EXPECT_EQ(server.connections, 1);
  EXPECT_GE(server.continues, 1);
  ASSERT_EQ(server.requests.size(), 2u);
  for (const HttpRequest& request : server.requests) {
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path(), "/v1/messages");
    EXPECT_TRUE(request.body == body);
  }
}

}  // namespace
}  // namespace cutline::wire
