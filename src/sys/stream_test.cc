// stream_test.cc: connections to listeners of ours, and TLS to openssl's own server.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/process_fixture.h"
#include "sys/scratch.h"
#include "sys/sockets.h"

namespace cutline::sys {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::HasSubstr;

struct Talk {
  bool connected = false;
  std::string received;
  std::optional<Result<void>> end;

  std::string problem() const { return end && !*end ? to_text(end->error()) : "none"; }
  std::string code() const { return end && !*end ? end->error().code : "none"; }
};

/// Says something, if it gets so far, and listens until the other side ends or `until` has come.
Talk talk(Loop& loop, const Endpoint& endpoint, std::string says, const std::string& until = "\n",
          std::chrono::milliseconds timeout = kDeadline) {
  Talk result;
  bool returned = false;
  const auto stream = connect(loop, endpoint, timeout,
                              {.connected = [&] { result.connected = true; },
                               .bytes =
                                   [&](std::string_view bytes) {
                                     result.received += bytes;
                                     if (result.received.find(until) != std::string::npos)
                                       loop.stop();
                                   },
                               .ended =
                                   [&](Result<void> how) {
                                     EXPECT_TRUE(returned) << "called by connect() itself";
                                     EXPECT_FALSE(result.end) << "called twice";
                                     result.end = std::move(how);
                                     loop.stop();
                                   }});
  returned = true;
  stream->write(std::move(says));
  loop.run();
  return result;
}

/// Sends back what comes, and ends when the other side does.
class EchoServer {
 public:
  explicit EchoServer(Loop& loop) : loop_(loop) {
    Fd socket = listen_on_loopback(0).value();
    port_ = port_of(socket);
    listener_.emplace(loop, std::move(socket), [this](Fd fd) {
      writer_.emplace(loop_, duplicate(fd.get()).value());
      reader_.emplace(
          loop_, std::move(fd),
          Reader::Callbacks{.bytes = [this](std::string_view bytes) { answer(std::string(bytes)); },
                            .end = [this] { writer_->close_when_done(); }});
    });
  }
  std::uint16_t port() const { return port_; }

 private:
  void answer(std::string bytes) {
    writer_->write(std::move(bytes));
    if (bye_after_first_) writer_->close_when_done();
  }

  Loop& loop_;
  std::uint16_t port_ = 0;
  std::optional<Listener> listener_;
  std::optional<Reader> reader_;
  std::optional<Writer> writer_;

 public:
  bool bye_after_first_ = false;
};

TEST(Stream, CarriesBytesBothWays) {
  Loop loop;
  EchoServer server(loop);
  const std::string sent = std::string().append(10'000'000, 'x') + "\n";
  const Talk talked = talk(loop, {.host = "127.0.0.1", .port = server.port()}, sent);
  EXPECT_TRUE(talked.connected);
  EXPECT_TRUE(talked.received == sent);
  EXPECT_FALSE(talked.end);
}

TEST(Stream, EndsWithTheOtherSide) {
  Loop loop;
  EchoServer server(loop);
  server.bye_after_first_ = true;
  const Talk talked = talk(loop, {.host = "localhost", .port = server.port()}, "hello", "never");
  EXPECT_EQ(talked.received, "hello");
  EXPECT_EQ(talked.problem(), "none");
  EXPECT_TRUE(talked.end);
}

TEST(Stream, SaysWhyItCannotConnect) {
  Loop loop;
  const std::uint16_t free = port_of(listen_on_loopback(0).value());
  Talk talked = talk(loop, {.host = "127.0.0.1", .port = free}, "x");
  EXPECT_EQ(talked.code(), "sys.connect");
  EXPECT_THAT(talked.problem(), HasSubstr("Connection refused"));
  EXPECT_FALSE(talked.connected);

  // A label of a name has at most 63 characters, so nobody is asked.
  talked = talk(loop, {.host = std::string(70, 'x') + ".invalid", .port = 80}, "x");
  EXPECT_EQ(talked.code(), "sys.connect");
  EXPECT_THAT(talked.problem(), HasSubstr("cannot connect"));

  const Fd silent = listen_on_loopback(0).value();
  talked = talk(loop, {.host = "127.0.0.1", .port = port_of(silent), .tls = true}, "x", "\n", 50ms);
  EXPECT_EQ(talked.code(), "sys.connect");
  EXPECT_THAT(talked.problem(), HasSubstr("no connection within 50 ms"));
}

TEST(Stream, MayBeDestroyedByItsCallbacks) {
  for (const std::string_view at : {"connected", "bytes", "ended", "never"}) {
    Loop loop;
    EchoServer server(loop);
    server.bye_after_first_ = at == "ended";
    std::unique_ptr<Stream> stream;
    const auto destroy_at = [&](std::string_view now) {
      if (now != at) return;
      stream.reset();
      loop.stop();
    };
    stream = connect(loop, {.host = "127.0.0.1", .port = server.port()}, kDeadline,
                     {.connected = [&] { destroy_at("connected"); },
                      .bytes = [&](std::string_view) { destroy_at("bytes"); },
                      .ended = [&](const Result<void>&) { destroy_at("ended"); }});
    stream->write(std::string(at == "ended" ? 1 : 5'000'000, 'x'));
    if (at == "never")
      stream.reset();
    else
      loop.run();
    EXPECT_EQ(stream, nullptr);
  }
}

TEST(Stream, EndsWhenTooMuchWaits) {
  Loop loop;
  const Fd silent = listen_on_loopback(0).value();
  std::optional<Result<void>> end;
  const auto stream = connect(loop, {.host = "127.0.0.1", .port = port_of(silent)}, kDeadline,
                              {.connected = {}, .bytes = {}, .ended = [&](Result<void> how) {
                                 end = std::move(how);
                                 loop.stop();
                               }});
  const std::string piece(kStreamWaitingBytesMax / 4, 'x');
  for (int i = 0; i < 4; ++i) stream->write(piece);
  EXPECT_EQ(stream->waiting(), kStreamWaitingBytesMax);
  stream->write("x");
  EXPECT_FALSE(end) << "not within write()";
  loop.run();
  ASSERT_TRUE(end && !*end);
  EXPECT_EQ(end->error().code, "sys.connect");
  EXPECT_EQ(stream->waiting(), 0u);
}

/// openssl's server for localhost, which sends each line back reversed.
class TlsServer {
 public:
  explicit TlsServer(Loop& loop) : loop_(loop), scratch_(Scratch::make().value()) {
    const Finished made = finish(
        {.argv = {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                  "-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                  "-days", "2", "-keyout", file("key"), "-out", file("cert")},
         .environment = {},
         .directory = {}});
    EXPECT_EQ(made.status.code, 0) << made.err;
    process_ = Process::start(loop,
                              {.argv = {"openssl", "s_server", "-accept", "127.0.0.1:0", "-rev",
                                        "-key", file("key"), "-cert", file("cert")},
                               .environment = {},
                               .directory = {}},
                              {})
                   .value();
    out_.emplace(
        loop, process_->take_stdout(),
        Reader::Callbacks{.bytes = [this](std::string_view bytes) { hear(bytes); }, .end = [] {}});
    Timer deadline(loop);
    deadline.at(loop.now() + kDeadline, [&] { loop.stop(); });
    loop.run();
    EXPECT_NE(port_, 0) << said_;
  }

  std::string file(const std::string& name) const { return scratch_.path() + "/" + name; }
  Endpoint endpoint(std::string host = "localhost") const {
    return {.host = std::move(host), .port = port_, .tls = true, .ca_file = file("cert")};
  }
  void kill() { process_->terminate(0ms, {}); }

 private:
  /// "ACCEPT 127.0.0.1:PORT"
  void hear(std::string_view bytes) {
    said_ += bytes;
    constexpr std::string_view kBefore = "ACCEPT 127.0.0.1:";
    const std::size_t at = said_.find(kBefore);
    if (port_ != 0 || at == said_.npos || said_.find('\n', at) == said_.npos) return;
    port_ = static_cast<std::uint16_t>(std::stoi(said_.substr(at + kBefore.size())));
    loop_.stop();
  }

  Loop& loop_;
  Scratch scratch_;
  std::unique_ptr<Process> process_;
  std::optional<Reader> out_;
  std::string said_;
  std::uint16_t port_ = 0;
};

TEST(TlsStream, TalksToWhomItTrusts) {
  Loop loop;
  const TlsServer server(loop);
  Talk talked = talk(loop, server.endpoint(), "hello\n");
  EXPECT_EQ(talked.problem(), "none");
  EXPECT_EQ(talked.received, "olleh\n");

  ::setenv("SSL_CERT_FILE", server.file("cert").c_str(), 1);
  Endpoint endpoint = server.endpoint();
  endpoint.ca_file.clear();
  talked = talk(loop, endpoint, "store\n");
  ::unsetenv("SSL_CERT_FILE");
  EXPECT_EQ(talked.received, "erots\n") << "the system's store, which this variable names";
}

TEST(TlsStream, TrustsNobodyElse) {
  Loop loop;
  TlsServer server(loop);
  Endpoint unknown = server.endpoint(), no_file = server.endpoint();
  unknown.ca_file.clear();
  no_file.ca_file = "/no/such/file";
  const struct {
    Endpoint endpoint;
    std::string_view text;
  } cases[] = {{server.endpoint("127.0.0.1"), "IP address mismatch"},
               {server.endpoint("localhost.localdomain"), "ostname mismatch"},
               {unknown, "self-signed certificate"},
               {no_file, "/no/such/file"}};
  for (const auto& c : cases) {
    const Talk talked = talk(loop, c.endpoint, "hello\n");
    if (c.endpoint.host == "localhost.localdomain" && talked.code() == "sys.connect")
      continue;  // not every system has this name
    EXPECT_EQ(talked.code(), "sys.tls") << talked.problem();
    EXPECT_THAT(talked.problem(), HasSubstr(c.text));
    EXPECT_FALSE(talked.connected);
    EXPECT_EQ(talked.received, "");
  }
  EchoServer plain(loop);
  Endpoint endpoint = server.endpoint();
  endpoint.port = plain.port();
  EXPECT_EQ(talk(loop, endpoint, "hello\n").code(), "sys.tls") << "no TLS at all";
}

TEST(TlsStream, TellsAnEndFromACut) {
  Loop loop;
  TlsServer server(loop);
  // What makes this server say goodbye.
  Talk talked = talk(loop, server.endpoint(), "CLOSE\n", "never");
  EXPECT_TRUE(talked.end);
  EXPECT_EQ(talked.problem(), "none");

  Talk cut;
  std::unique_ptr<Stream> stream = connect(loop, server.endpoint(), kDeadline,
                                           {.connected = [&] { server.kill(); },
                                            .bytes = [](std::string_view) {},
                                            .ended =
                                                [&](Result<void> how) {
                                                  cut.end = std::move(how);
                                                  loop.stop();
                                                }});
  loop.run();
  EXPECT_THAT(cut.code(), AnyOf("sys.tls", "sys.connect"));
}

}  // namespace
}  // namespace cutline::sys
