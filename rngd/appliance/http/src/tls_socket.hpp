/// \file
/// One TLS connection on a non-blocking socket, as an asynchronous stream for Asio and Beast.
/// OpenSSL reads and writes the socket itself, and gives its buffers back between records: an idle
/// connection costs its keys and certificates, no more. (asio::ssl::stream keeps two pairs of 17 kB
/// buffers for each connection as long as it lives.)
///
/// Threads: as a socket: one operation of each direction at a time, all on the socket's strand.
#pragma once

#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>

namespace talla::http {

class TlsSocket {
 public:
  using executor_type = boost::asio::ip::tcp::socket::executor_type;
  using ErrorCode = boost::system::error_code;

  /// The server's end. OpenSSL keeps what it needs of the context.
  TlsSocket(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& context);
  TlsSocket(const TlsSocket&) = delete;
  TlsSocket& operator=(const TlsSocket&) = delete;
  ~TlsSocket() = default;

  [[nodiscard]] executor_type get_executor() { return socket_.get_executor(); }
  [[nodiscard]] SSL* native_handle() { return ssl_.get(); }
  /// Closes the socket; what is under way ends with an error.
  void abort();

  /// Completes with (error) when there is something to read, or the peer is gone.
  template <class Token>
  auto async_wait_bytes(Token&& token) {
    using Socket = boost::asio::ip::tcp::socket;
    return socket_.async_wait(Socket::wait_read, std::forward<Token>(token));
  }

  /// Each completes with (error, bytes), never from inside the call that begins it. Errors: eof
  /// when the peer said that it ends, asio::ssl::error::stream_truncated when it did not, OpenSSL's
  /// own.
  template <class Token>
  auto async_handshake(Token&& token) {
    return begin([this] { return try_handshake(); }, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_read_some(const Buffers& to, Token&& token) {
    const auto room = first_of<boost::asio::mutable_buffer>(to);
    return begin([this, room] { return try_read(room); }, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& from, Token&& token) {
    const auto text = first_of<boost::asio::const_buffer>(from);
    return begin([this, text] { return try_write(text); }, std::forward<Token>(token));
  }
  /// Tells the peer that this end is over, and waits for the same of it.
  template <class Token>
  auto async_shutdown(Token&& token) {
    return begin([this] { return try_shutdown(); }, std::forward<Token>(token));
  }

 private:
  enum class Now : std::uint8_t { over, wants_read, wants_write };
  struct Tried {
    Now now = Now::over;
    ErrorCode error{};
    std::size_t size = 0;
  };
  struct FreeSsl {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  template <class Buffer, class Buffers>
  static Buffer first_of(const Buffers& buffers) {
    for (auto at = boost::asio::buffer_sequence_begin(buffers);
         at != boost::asio::buffer_sequence_end(buffers); ++at) {
      const Buffer one(*at);
      if (one.size() > 0) return one;
    }
    return {};
  }

  /// Tries until it is over, waiting for the socket in between.
  template <class Try>
  struct Operation {
    TlsSocket& stream;
    Try step;
    bool waited = false;
    bool ended = false;
    Tried last{};

    template <class Self>
    void operator()(Self& self, ErrorCode error = {}) {
      if (ended) return self.complete(last.error, last.size);
      last = error ? Tried{.error = error} : step();
      if (last.now != Now::over) {
        waited = true;
        using Socket = boost::asio::ip::tcp::socket;
        return stream.socket_.async_wait(
            last.now == Now::wants_read ? Socket::wait_read : Socket::wait_write, std::move(self));
      }
      if (waited) return self.complete(last.error, last.size);
      ended = true;
      boost::asio::post(stream.get_executor(), std::move(self));
    }
  };

  template <class Try, class Token>
  auto begin(Try step, Token&& token) {
    return boost::asio::async_compose<Token, void(ErrorCode, std::size_t)>(
        Operation<Try>{.stream = *this, .step = std::move(step)}, token, socket_);
  }

  [[nodiscard]] Tried try_handshake();
  [[nodiscard]] Tried try_read(boost::asio::mutable_buffer to);
  [[nodiscard]] Tried try_write(boost::asio::const_buffer from);
  [[nodiscard]] Tried try_shutdown();
  template <class Call>
  [[nodiscard]] Tried tried(Call call);

  boost::asio::ip::tcp::socket socket_;
  int descriptor_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
};

}  // namespace talla::http
