/// \file
/// The connection of a client, plain or TLS. Each kind is compiled in a source of its own, and what
/// waits for a step is of one type for all steps: Asio's templates are compiled once for each.
///
/// Threads: that of the client, which runs the io_context until a step has ended.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace talla::http {

class ClientStream {
 public:
  using ErrorCode = boost::system::error_code;
  /// Called once, from the io_context.
  using Done = std::function<void(ErrorCode, std::size_t)>;

  ClientStream() = default;
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;
  virtual ~ClientStream() = default;
  /// The TCP connection below; its time limit holds for every step.
  [[nodiscard]] virtual boost::beast::tcp_stream& tcp() = 0;
  /// Over TLS: the server that is asked for, and no other is taken. False when the name cannot be
  ///           sent.
  [[nodiscard]] virtual bool expect(const std::string& server_name) = 0;
  /// The handshake; done at once on a plain stream.
  virtual void secure(Done done) = 0;
  virtual void read_some(boost::asio::mutable_buffer to, Done done) = 0;
  /// All of it.
  virtual void write(boost::asio::const_buffer from, Done done) = 0;
};

[[nodiscard]] std::unique_ptr<ClientStream> make_plain_stream(boost::asio::io_context& context);
[[nodiscard]] std::unique_ptr<ClientStream> make_tls_stream(boost::asio::io_context& context,
                                                            boost::asio::ssl::context& tls);
/// Tries one after the other.
void connect(boost::beast::tcp_stream& tcp,
             const boost::asio::ip::tcp::resolver::results_type& endpoints,
             ClientStream::Done done);

}  // namespace talla::http
