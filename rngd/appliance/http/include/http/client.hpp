/// \file
/// A blocking HTTP/1.1 client over TLS 1.3 with a client certificate, or plain; one connection,
/// kept alive.
///
/// Errors:  Errc::cannot_connect (address, refused, certificate not trusted), Errc::bad_reply
///          (broken connection), Errc::bad_request (nothing was sent: a control character in
///          method, target or a field). After an error the next call connects again; a request is
///          never sent twice by itself.
/// Threads: one client belongs to one thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "http/message.hpp"
#include "http/server.hpp"

namespace talla::http {

struct ClientOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string server_name = "localhost";  ///< Must be in the server's certificate.
  TlsFiles files;
  unsigned timeout_seconds = 30;
  bool tls = true;  ///< false: plain HTTP, `files` are not looked at.
};

/// What a server answered.
struct ClientReply {
  unsigned status = 0;
  std::string content_type;
  std::string retry_after;
  std::string link;  ///< header Link, as it came
  std::string body;
};

/// A client of one server.
class Client {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Client>> create(ClientOptions options);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;
  /// Sends method, target, body and, if not empty, idempotency key and authorization; waits for the
  /// whole reply.
  [[nodiscard]] virtual Result<ClientReply> send(const Request& request) = 0;
  /// Asks for a reply without an end (server-sent events): gives its head, the body comes by
  /// `more`. With a status other than 200 it is the whole reply. A connection under way is ended
  /// first.
  [[nodiscard]] virtual Result<ClientReply> listen(const Request& request) = 0;
  /// The next piece of what is listened to; empty when none came in that time. Errors: bad_reply,
  /// also at its end.
  [[nodiscard]] virtual Result<std::string> more(std::chrono::milliseconds wait) = 0;

 protected:
  Client() = default;
};

}  // namespace talla::http
