// stream.cc: connections that we make. The one translation unit that pays for Asio's TLS.
//
// Host names are checked by OpenSSL itself, as it can say what is wrong, where Asio's verifier (RFC
// 2818) only says no.

// clang-format off: how Asio is compiled must be said before the rest of it
#include "sys/asio.h"
// clang-format on

#include <array>
#include <deque>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "sys/sockets.h"

namespace cutline::sys {
namespace {

namespace asio = boost::asio;
using Error = boost::system::error_code;
using Tcp = asio::ip::tcp;
using Tls = asio::ssl::stream<Tcp::socket&>;

constexpr std::size_t kChunkBytes = 16 << 10;  // a TLS record has no more
/// For our answer to the other side's goodbye.
constexpr std::chrono::seconds kGoodbyeMax{1};

bool is_address(const std::string& host) {
  Error error;
  asio::ip::make_address(host, error);
  return !error;
}

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& loop, Endpoint endpoint, Stream::Callbacks callbacks)
      : endpoint_(std::move(endpoint)),
        callbacks_(std::move(callbacks)),
        loop_(loop),
        deadline_(loop),
        resolver_(context_of(loop)),
        socket_(context_of(loop)) {}

  void start(std::chrono::milliseconds timeout) {
    deadline_.at(loop_.now() + timeout, [this, timeout] {
      end(broken(fmt::format("no connection within {} ms", timeout.count())));
    });
    resolver_.async_resolve(
        endpoint_.host, fmt::format("{}", endpoint_.port), Tcp::resolver::numeric_service,
        [self = shared_from_this()](const Error& error, const Tcp::resolver::results_type& found) {
          if (!self->over_) self->resolved(error, found);
        });
  }

  void write(std::string bytes) {
    if (over_ || bytes.empty()) return;
    waiting_ += bytes.size();
    queue_.push_back(std::move(bytes));
    if (waiting_ > kStreamWaitingBytesMax) {
      over_ = true;  // to the caller it ends later, not within his write()
      close();
      asio::post(socket_.get_executor(), [self = shared_from_this()] {
        self->tell(self->broken("the other side takes too little of what is sent"));
      });
    } else if (connected_ && !writing_) {
      write_first();
    }
  }

  std::size_t waiting() const { return waiting_; }

  void abandon() {
    over_ = told_ = true;
    close();
  }

 private:
  // --- Getting there

  void resolved(const Error& error, const Tcp::resolver::results_type& found) {
    if (error) return end(broken(error.message()));
    asio::async_connect(socket_, found,
                        [self = shared_from_this()](const Error& refused, const Tcp::endpoint&) {
                          if (!self->over_) self->reached(refused);
                        });
  }

  void reached(const Error& error) {
    if (error) return end(broken(error.message()));
    Error ignored;
    socket_.set_option(Tcp::no_delay(true), ignored);
    if (!endpoint_.tls) return ready();
    if (Result<void> prepared = prepare_tls(); !prepared) return end(std::move(prepared));
    tls_->async_handshake(Tls::client, [self = shared_from_this()](const Error& failed) {
      if (self->over_) return;
      if (failed) return self->end(self->distrusted(failed));
      self->ready();
    });
  }

  Result<void> prepare_tls() try {
    context_.emplace(asio::ssl::context::tls_client);
    context_->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
    context_->set_verify_mode(asio::ssl::verify_peer);
    if (endpoint_.ca_file.empty())
      context_->set_default_verify_paths();
    else
      context_->load_verify_file(endpoint_.ca_file);
    tls_.emplace(socket_, *context_);
    SSL* const ssl = tls_->native_handle();
    const char* const host = endpoint_.host.c_str();
    ::SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    const bool named = is_address(endpoint_.host)
                           ? ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), host) == 1
                           : ::SSL_set1_host(ssl, host) == 1 &&
                                 ::SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                                            TLSEXT_NAMETYPE_host_name, endpoint_.host.data()) == 1;
    if (!named) return tls_problem("this host name cannot be in a certificate", {});
    return {};
  } catch (const std::exception& error) {
    const bool own_store = !endpoint_.ca_file.empty();
    return tls_problem(error.what(),
                       own_store ? "whom to trust was to stand in " + endpoint_.ca_file : "");
  }

  void ready() {
    deadline_.cancel();
    connected_ = true;
    if (callbacks_.connected) callbacks_.connected();
    if (over_) return;
    if (!queue_.empty() && !writing_) write_first();
    read();
  }

  // --- Being there

  template <class Use>
  void with_channel(Use use) {
    if (tls_)
      use(*tls_);
    else
      use(socket_);
  }

  void read() {
    with_channel([this](auto& channel) {
      channel.async_read_some(asio::buffer(chunk_),
                              [self = shared_from_this()](const Error& error, std::size_t size) {
                                if (!self->over_) self->came(error, size);
                              });
    });
  }

  void came(const Error& error, std::size_t size) {
    if (size > 0) callbacks_.bytes(std::string_view(chunk_.data(), size));
    if (over_) return;
    if (!error) return read();
    if (error == asio::error::eof) return tls_ ? say_goodbye() : end({});
    if (error == asio::ssl::error::stream_truncated)
      return end(tls_problem("the other side ended the connection without saying so", {}));
    end(broken(error.message()));
  }

  void write_first() {
    writing_ = true;
    with_channel([this](auto& channel) {
      asio::async_write(channel, asio::buffer(queue_.front()),
                        [self = shared_from_this()](const Error& error, std::size_t) {
                          if (!self->over_) self->written(error);
                        });
    });
  }

  void written(const Error& error) {
    writing_ = false;
    // What the other side said before it closed is still to be read, and then its end.
    if (error) return drop_queue();
    waiting_ -= queue_.front().size();
    queue_.pop_front();
    if (!queue_.empty()) write_first();
  }

  void drop_queue() {
    queue_.clear();
    waiting_ = 0;
  }

  // --- The end

  /// Answers close_notify, which the other side may wait for.
  void say_goodbye() {
    if (writing_) return end({});
    deadline_.at(loop_.now() + kGoodbyeMax, [this] { end({}); });
    writing_ = true;
    tls_->async_shutdown([self = shared_from_this()](const Error&) {
      if (!self->over_) self->end({});
    });
  }

  void end(Result<void> how) {
    over_ = true;
    close();
    tell(std::move(how));
  }

  void tell(Result<void> how) {
    if (told_) return;
    told_ = true;
    const auto self = shared_from_this();  // the callback may destroy us
    callbacks_.ended(std::move(how));
  }

  void close() {
    deadline_.cancel();
    resolver_.cancel();
    Error ignored;
    socket_.close(ignored);
    if (!writing_) drop_queue();  // else Asio still looks at it, until it says that it is cancelled
  }

  Result<void> problem(std::string_view code, std::string message, std::string hint) const {
    return fail({.code = std::string(code),
                 .message = std::move(message),
                 .place = fmt::format("{}:{}", endpoint_.host, endpoint_.port),
                 .hint = std::move(hint),
                 .blame = Blame::kMissing});
  }
  Result<void> broken(std::string_view why) const {
    return problem("sys.connect",
                   connected_ ? fmt::format("the connection broke: {}", why)
                              : fmt::format("cannot connect: {}", why),
                   {});
  }
  Result<void> tls_problem(std::string_view why, std::string hint) const {
    return problem("sys.tls", fmt::format("TLS: {}", why), std::move(hint));
  }
  Result<void> distrusted(const Error& error) {
    const long verdict = ::SSL_get_verify_result(tls_->native_handle());
    if (verdict == X509_V_OK) return tls_problem(error.message(), {});
    return tls_problem(fmt::format("the certificate does not verify: {}",
                                   ::X509_verify_cert_error_string(verdict)),
                       {});
  }

  Endpoint endpoint_;
  Stream::Callbacks callbacks_;
  Loop& loop_;
  Timer deadline_;
  Tcp::resolver resolver_;
  Tcp::socket socket_;
  std::optional<asio::ssl::context> context_;
  std::optional<Tls> tls_;
  std::array<char, kChunkBytes> chunk_{};
  std::deque<std::string> queue_;
  std::size_t waiting_ = 0;
  bool connected_ = false, writing_ = false, over_ = false, told_ = false;
};

class ConnectedStream : public Stream {
 public:
  explicit ConnectedStream(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}
  ConnectedStream(const ConnectedStream&) = delete;
  ConnectedStream& operator=(const ConnectedStream&) = delete;
  ~ConnectedStream() override { connection_->abandon(); }
  void write(std::string bytes) override { connection_->write(std::move(bytes)); }
  std::size_t waiting() const override { return connection_->waiting(); }

 private:
  std::shared_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<Stream> connect(Loop& loop, const Endpoint& endpoint,
                                std::chrono::milliseconds timeout, Stream::Callbacks callbacks) {
  auto connection = std::make_shared<Connection>(loop, endpoint, std::move(callbacks));
  connection->start(timeout);
  return std::make_unique<ConnectedStream>(std::move(connection));
}

}  // namespace cutline::sys
