// gateway_fixture.h: for the tests of the gateway: one in a loop, what it keeps, and clients that
// send bytes as they stand.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "run/gateway.h"
#include "sys/loop.h"
#include "sys/sockets.h"

namespace cutline::run {

/// A connection whose sending waits and whose receiving is the loop's.
class RawClient {
 public:
  RawClient(sys::Loop& loop, std::uint16_t port, std::function<void()> changed)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    reader_ = std::make_unique<sys::Reader>(
        loop, sys::duplicate(fd_.get()).value(),
        sys::Reader::Callbacks{.bytes =
                                   [this, changed](std::string_view bytes) {
                                     text += bytes;
                                     changed();
                                   },
                               .end =
                                   [this, changed] {
                                     ended = true;
                                     changed();
                                   }});
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ASSERT_GT(put, 0);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  void finish_sending() { ::shutdown(fd_.get(), SHUT_WR); }
  void vanish() {
    reader_.reset();
    fd_.reset();
  }
  /// Whether bytes have arrived that the loop has not read yet.
  bool has_unread() const {
    char byte = 0;
    return ::recv(fd_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  }

  std::string text;
  bool ended = false;

 private:
  sys::Fd fd_;
  std::unique_ptr<sys::Reader> reader_;
};

class GatewayTest : public testing::Test {
 protected:
  static constexpr std::chrono::seconds kLimit{20};

  /// Starts one; `name` distinguishes several in one loop.
  struct Started {
    std::uint16_t port = 0;
    std::vector<store::Request> kept;
    std::map<std::size_t, std::string> answers;
    std::vector<Seen> seen;
    std::vector<NotForwarded> not_forwarded;
    std::vector<std::string> failures;
    std::function<Result<void>()> keeping;  // asked before requests are kept
    std::unique_ptr<Gateway> gateway;
  };
  std::unique_ptr<Started> start(GatewayOptions options = {}) {
    auto started = std::make_unique<Started>();
    Started* const it = started.get();
    sys::Fd listener = sys::listen_on_loopback(0).value();
    it->port = sys::port_of(listener);
    it->gateway = std::make_unique<Gateway>(
        loop_, std::move(listener), std::move(options),
        Gateway::Hooks{
            .keep = [this, it](const std::vector<store::Request>& records,
                               const Gateway::Hooks::Answers& answers) -> Result<void> {
              if (it->keeping && !records.empty()) {
                CUTLINE_TRY(it->keeping());
              }
              it->kept.insert(it->kept.end(), records.begin(), records.end());
              for (const auto& [sequence, answer] : answers) it->answers[sequence] = answer;
              look();
              return {};
            },
            .seen = [it](Seen seen) { it->seen.push_back(std::move(seen)); },
            .not_forwarded =
                [it](NotForwarded failed) { it->not_forwarded.push_back(std::move(failed)); },
            .failed =
                [this, it](const Problem& problem) {
                  it->failures.push_back(problem.code);
                  look();
                }});
    return started;
  }
  /// Answers are kept with the next request or at the end.
  static void stop(Started& started) { started.gateway.reset(); }

  std::unique_ptr<RawClient> connect(std::uint16_t port) {
    return std::make_unique<RawClient>(loop_, port, [this] { look(); });
  }

  [[nodiscard]] bool run_until(std::function<bool()> wanted) {
    if (wanted()) return true;
    wanted_ = std::move(wanted);
    sys::Timer limit(loop_);
    bool late = false;
    limit.at(loop_.now() + kLimit, [&] {
      late = true;
      loop_.stop();
    });
    loop_.run();
    wanted_ = nullptr;
    return !late;
  }

  /// All that comes back until the connection ends.
  std::string ask(std::uint16_t port, std::string_view bytes) {
    const auto one = connect(port);
    one->send(bytes);
    EXPECT_TRUE(run_until([&] { return one->ended; })) << "no end after: " << one->text;
    return one->text;
  }
  std::string ask(const Started& started, std::string_view bytes) {
    return ask(started.port, bytes);
  }

  static std::string request(std::string_view method, std::string_view target,
                             std::string_view body = {}, std::string_view headers = {},
                             bool last = true) {
    return fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\n{}{}Content-Length: {}\r\n\r\n{}",
                       method, target, headers, last ? "Connection: close\r\n" : "", body.size(),
                       body);
  }
  static std::string post(std::string_view body, std::string_view headers = {}, bool last = true) {
    return request("POST", "/v1/messages", body, headers, last);
  }
  static std::string_view body_of(std::string_view response) {
    const std::size_t end = response.find("\r\n\r\n");
    return end == response.npos ? std::string_view() : response.substr(end + 4);
  }

  sys::Loop loop_;

 private:
  void look() {
    if (wanted_ && wanted_()) loop_.stop();
  }

  std::function<bool()> wanted_;
};

}  // namespace cutline::run
