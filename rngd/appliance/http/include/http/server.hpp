/// \file
/// The HTTP/1.1 server: TLS 1.3 with certificates on both sides, or plain for the local health
/// listener.
///
/// Library:  Boost.Beast and OpenSSL, inside.
/// Limits:   head 16 KiB, body 1 MiB, `connections_max` connections, `idle_seconds` without a
///           request; beyond them the connection gets 431, 413, is refused or is closed. 0-RTT is
///           off; sessions are not resumed, so that every connection shows its certificate.
/// Errors:   `create` says what is wrong with address or key files; a broken connection ends only
///           itself.
/// Threads:  `threads` of its own run all connections; the handler is called on them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "http/message.hpp"

namespace talla::http {

enum class Errc : std::uint16_t {
  bad_address = 800,
  bad_tls_files = 801,
  cannot_listen = 802,
  cannot_connect = 803,
  bad_reply = 804,
  bad_request = 805
};
[[nodiscard]] std::string_view errc_name(Errc errc);

/// Certificate files of one side, PEM. For the server `trusted` are the roots of client
/// certificates; empty: clients need none. For a client `certificate` and `key` may be empty: it
/// shows none.
struct TlsFiles {
  std::string certificate;  ///< Own certificate, followed by its issuers.
  std::string key;          ///< Own private key.
  std::string trusted;      ///< Root certificates the other side must lead to.
  /// For the server: lists of revoked certificates (RFC 5280), one of each root; empty: nobody
  /// asks. A list past its due date still counts: an old list is better than none, and a root that
  /// is offline must not stop a casino.
  std::string revoked = {};
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: the system chooses; see Server::port.
  bool tls = true;
  TlsFiles files;
  unsigned threads = 1;
  unsigned connections_max = 1024;
  unsigned idle_seconds = 60;
};

class Server {
 public:
  /// Listens and serves from then on.
  [[nodiscard]] static Result<std::unique_ptr<Server>> create(ServerOptions options,
                                                              Handler handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;
  /// The port in use.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// Reads the TLS files again: a renewed certificate, another list of revoked ones. Connections
  /// made from then on are judged by them; open ones end, those with a request behind its reply.
  /// Errors: bad_tls_files, and all stays as it was. Any thread.
  [[nodiscard]] virtual Status renew_tls() = 0;
  /// Stops listening, ends all connections, joins the threads. Replies that come later go nowhere.
  virtual void stop() = 0;

 protected:
  Server() = default;
};

}  // namespace talla::http
