// gateway_load.cc: POSTs requests to a model's API on loopback, as fast as they are answered.
//
//   gateway_load PORT PATH SECONDS CONNECTIONS BODY_BYTES [HEADER: VALUE]…
//
// Each connection asks again as soon as it has been answered. Prints how many requests a second
// were answered with 200; any other answer, or the end of a connection, is an error. It reads no
// more of an answer than it needs to see where it ends, so that it costs less than any server.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kAnswerBytesMax = 1 << 20;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "gateway_load: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

struct Connection {
  int fd = -1;
  std::size_t sent = 0;
  std::string answer;
};

std::string request_of(const std::string& port, const std::string& path, std::size_t bytes,
                       const std::vector<std::string>& headers) {
  std::string body =
      R"({"model":"claude-opus-4-5","max_tokens":64,"stream":false,"messages":[{"role":"user",)"
      R"("content":")";
  constexpr std::string_view kEnd = R"("}]})";
  const std::string_view words = "What is the last marker that you can see? ";
  while (body.size() + kEnd.size() < bytes)
    body += words.substr(0, std::min(words.size(), bytes - body.size() - kEnd.size()));
  body += kEnd;
  std::string head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                     "\r\nContent-Type: application/json\r\nanthropic-version: 2023-06-01\r\n"
                     "x-api-key: sk-none\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n";
  for (const std::string& header : headers) head += header + "\r\n";
  return head + "\r\n" + body;
}

int open_connection(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    give_up("cannot connect");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

/// Whether the answer is whole: by its length, or by its last chunk.
bool whole(std::string_view answer) {
  const std::size_t head = answer.find("\r\n\r\n");
  if (head == answer.npos) return false;
  for (const std::string_view name : {"content-length: ", "Content-Length: "})
    if (const std::size_t at = answer.substr(0, head).find(name); at != answer.npos)
      return answer.size() >=
             head + 4 + std::strtoul(answer.data() + at + name.size(), nullptr, 10);
  return answer.ends_with("0\r\n\r\n");
}

class Load {
 public:
  Load(std::uint16_t port, std::string request, std::size_t connections)
      : request_(std::move(request)), poll_(::epoll_create1(0)), connections_(connections) {
    for (Connection& connection : connections_) {
      connection.fd = open_connection(port);
      epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.ptr = &connection}};
      if (::epoll_ctl(poll_, EPOLL_CTL_ADD, connection.fd, &event) != 0) give_up("cannot wait");
    }
  }

  void run(Clock::time_point until) {
    std::vector<epoll_event> events(256);
    while (Clock::now() < until) {
      const int ready = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), 100);
      for (int i = 0; i < ready; ++i)
        go_on(*static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr));
    }
  }

  std::size_t answered = 0, errors = 0;

 private:
  void go_on(Connection& connection) {
    if (connection.fd < 0) return;
    send_rest(connection);
    char bytes[16 << 10];
    while (connection.fd >= 0) {
      const ssize_t got = ::recv(connection.fd, bytes, sizeof bytes, MSG_DONTWAIT);
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0 || connection.answer.size() > kAnswerBytesMax) return lose(connection);
      connection.answer.append(bytes, static_cast<std::size_t>(got));
      if (!whole(connection.answer)) continue;
      const bool fine = connection.answer.compare(0, 13, "HTTP/1.1 200 ") == 0;
      ++(fine ? answered : errors);
      connection.answer.clear();
      connection.sent = 0;
      send_rest(connection);
      if (static_cast<std::size_t>(got) < sizeof bytes) return;
    }
  }

  void send_rest(Connection& connection) {
    while (connection.sent < request_.size()) {
      const ssize_t put = ::send(connection.fd, request_.data() + connection.sent,
                                 request_.size() - connection.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (put < 0) return;  // full: we are told when it takes more; broken: recv() says so
      connection.sent += static_cast<std::size_t>(put);
    }
  }

  void lose(Connection& connection) {
    ++errors;
    ::close(std::exchange(connection.fd, -1));
  }

  std::string request_;
  int poll_;
  std::vector<Connection> connections_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 5) {
    std::fputs("usage: gateway_load PORT PATH SECONDS CONNECTIONS BODY_BYTES [HEADER]...\n",
               stderr);
    return 2;
  }
  const double seconds = std::strtod(words[2].c_str(), nullptr);
  const std::size_t connections = std::strtoul(words[3].c_str(), nullptr, 10);
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &descriptors);

  Load load(static_cast<std::uint16_t>(std::strtoul(words[0].c_str(), nullptr, 10)),
            request_of(words[0], words[1], std::strtoul(words[4].c_str(), nullptr, 10),
                       {words.begin() + 5, words.end()}),
            connections);
  const Clock::time_point began = Clock::now();
  load.run(began +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  const std::chrono::duration<double> took = Clock::now() - began;
  std::printf("%.0f requests/s, %zu answered, %zu errors\n",
              static_cast<double>(load.answered) / took.count(), load.answered, load.errors);
  return load.errors == 0 && load.answered > 0 ? 0 : 1;
}
