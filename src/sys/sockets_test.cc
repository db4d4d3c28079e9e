// sockets_test.cc: real sockets, both sides in this process.
#include "sys/sockets.h"

#include <algorithm>
#include <array>
#include <vector>

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/scratch.h"

namespace cutline::sys {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Fd client_of(const Fd& listener) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_of(listener));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.reset();
  return fd;
}

TEST(Listen, IsOnLoopbackAlone) {
  const Fd listener = listen_on_loopback(0).value();
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  EXPECT_EQ(address.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
  EXPECT_EQ(ntohs(address.sin_port), port_of(listener));
  EXPECT_NE(::fcntl(listener.get(), F_GETFD) & FD_CLOEXEC, 0);

  const Result<Fd> again = listen_on_loopback(port_of(listener));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, "sys.listen");
  EXPECT_THAT(to_text(again.error()), HasSubstr("Address already in use"));
  EXPECT_THAT(again.error().hint, HasSubstr("another program has this port"));
}

TEST(Listen, IsOnPathsThatAreFree) {
  const Scratch scratch = Scratch::make().value();
  const std::string path = scratch.path() + "/socket";
  EXPECT_EQ(connect_to_path(path).error().code, "sys.connect");
  const Fd listener = listen_on_path(path).value();
  EXPECT_EQ(port_of(listener), 0);
  EXPECT_TRUE(connect_to_path(path));
  for (const std::string& wrong : {path, scratch.path() + "/no/socket",
                                   scratch.path() + "/" + std::string(108, 'x'), std::string()})
    EXPECT_EQ(listen_on_path(wrong).error().code, "sys.listen") << wrong;
  const Problem too_long = listen_on_path("/tmp/" + std::string(200, 'x')).error();
  EXPECT_THAT(too_long.message, HasSubstr("File name too long"));
  EXPECT_THAT(too_long.hint, HasSubstr("at most 107 bytes, this one has 205; TMPDIR can name"));
}

TEST(Listener, AcceptsThemAll) {
  constexpr std::size_t kClients = 300;  // more than it accepts in one turn
  Loop loop;
  Fd socket = listen_on_loopback(0).value();
  std::vector<Fd> clients, accepted;
  for (std::size_t i = 0; i < kClients; ++i) clients.push_back(client_of(socket));
  Listener listener(loop, std::move(socket), [&](Fd fd) {
    EXPECT_NE(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_NE(::fcntl(fd.get(), F_GETFL) & O_NONBLOCK, 0);
    int no_delay = 0;
    socklen_t size = sizeof no_delay;
    ::getsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &size);
    EXPECT_EQ(no_delay, 1);
    accepted.push_back(std::move(fd));
    if (accepted.size() == kClients) loop.stop();
  });
  loop.run();
  EXPECT_EQ(accepted.size(), kClients);
}

TEST(Listener, MayBeDestroyedByItsCallback) {
  Loop loop;
  Fd socket = listen_on_loopback(0).value();
  const Fd one = client_of(socket), two = client_of(socket);
  std::unique_ptr<Listener> listener;
  int calls = 0;
  listener = std::make_unique<Listener>(loop, std::move(socket), [&](Fd) {
    ++calls;
    listener.reset();
  });
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(Listener, SurvivesThatThereAreNoDescriptors) {
  constexpr std::size_t kClients = 10, kAtOnce = 3;
  Loop loop;
  Fd socket = listen_on_loopback(0).value();
  std::vector<Fd> clients, accepted;
  for (std::size_t i = 0; i < kClients; ++i) clients.push_back(client_of(socket));
  Listener listener(loop, std::move(socket), [&](Fd fd) { accepted.push_back(std::move(fd)); });

  const int next = Fd(::dup(STDERR_FILENO)).get();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next) + kAtOnce;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::size_t served = 0, most = 0;
  Timer free(loop);
  const std::function<void()> serve = [&] {
    served += accepted.size();
    most = std::max(most, accepted.size());
    accepted.clear();
    if (served == kClients) return loop.stop();
    free.at(loop.now() + 1ms, serve);
  };
  free.at(loop.now() + 1ms, serve);
  Timer deadline(loop);
  deadline.at(loop.now() + 60s, [&] { loop.stop(); });
  loop.run();
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(served, kClients);
  EXPECT_LE(most, kAtOnce);
}

TEST(Descriptors, AreAllowedUpToTheLimitOfTheSystem) {
  rlimit before{}, after{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 100;
  ::setrlimit(RLIMIT_NOFILE, &few);
  allow_descriptors(120);
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, std::min<rlim_t>(120, before.rlim_max));
  allow_descriptors(110);
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, 120u) << "it is never made lower";
  allow_descriptors(SIZE_MAX);
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

/// A server's end of one connection: a reader and a writer of the same socket.
struct Connection {
  Connection(Loop& loop, Fd fd, Reader::Callbacks callbacks)
      : writer(loop, duplicate(fd.get()).value()),
        reader(loop, std::move(fd), std::move(callbacks)) {}
  Writer writer;
  Reader reader;
};

std::array<Fd, 2> connected_pair() {
  const Fd listener = listen_on_loopback(0).value();
  Fd client = client_of(listener);
  Fd server(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  set_nonblocking(client);
  return {std::move(client), std::move(server)};
}

TEST(HalfClosed, TheServerAnswersAfterTheClientsEnd) {
  constexpr std::size_t kSize = 5'000'000;
  Loop loop;
  auto [client_fd, server_fd] = connected_pair();
  std::string got, answer;
  std::optional<Connection> server, client;
  server.emplace(loop, std::move(server_fd),
                 Reader::Callbacks{.bytes = [&](std::string_view bytes) { got += bytes; },
                                   .end =
                                       [&] {
                                         EXPECT_EQ(got.size(), kSize);
                                         server->writer.write(std::string(kSize, 'a'));
                                         server->writer.close_when_done();
                                       }});
  client.emplace(loop, std::move(client_fd),
                 Reader::Callbacks{.bytes = [&](std::string_view bytes) { answer += bytes; },
                                   .end = [&] { loop.stop(); }});
  client->writer.write(std::string(kSize, 'q'));
  client->writer.close_when_done();
  loop.run();
  EXPECT_EQ(answer, std::string(kSize, 'a'));
}

TEST(HalfClosed, TheServerReadsAfterItsOwnEnd) {
  Loop loop;
  auto [client_fd, server_fd] = connected_pair();
  std::string got;
  std::optional<Connection> server, client;
  server.emplace(loop, std::move(server_fd),
                 Reader::Callbacks{.bytes = [&](std::string_view bytes) { got += bytes; },
                                   .end = [&] { loop.stop(); }});
  client.emplace(loop, std::move(client_fd),
                 Reader::Callbacks{.bytes = [](std::string_view) { FAIL(); },
                                   .end =
                                       [&] {
                                         client->writer.write("still here");
                                         client->writer.close_when_done();
                                       }});
  server->writer.close_when_done();
  loop.run();
  EXPECT_EQ(got, "still here");
}

}  // namespace
}  // namespace cutline::sys
