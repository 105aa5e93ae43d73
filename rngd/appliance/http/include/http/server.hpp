/// \file
/// The HTTP/1.1 server: TLS 1.3 with certificates on both sides, or plain for the local health
/// listener.
///
/// Library:  Boost.Beast and OpenSSL, inside.
/// Limits:   head 16 KiB, body 1 MiB: beyond them 431, 413. `shares` of places, `idle_seconds`
///           without a request, `stranger_seconds` until a caller is known: beyond them 429, or the
///           connection is cut. 0-RTT is off; sessions are not resumed, so that every connection
///           shows its certificate.
/// Heads:    as RFC 9112 has them and no other way (request_head.hpp): 400 for what two readers
///           could read differently. A Host that is none of `names`: 421.
/// Errors:   `create` says what is wrong with address or key files; a broken connection ends only
///           itself.
/// Threads:  `threads` of its own run all connections; the handler is called on them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
/// The stable name of an error.
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

/// How many places there are, so that nobody keeps the others out (src/places.hpp says who gives
/// way). A client is who shows a certificate, by its key; an address is an IPv4 address, or the
/// first half of an IPv6 one (a network).
struct Shares {
  unsigned connections = 1024;  ///< At one time, of all who are known.
  unsigned connections_per_client = 64;
  unsigned connections_per_address = 768;
  /// Beside them: of those who are not known yet, in their TLS handshake or, where nobody is asked
  /// for a certificate, before their first whole request. A new one puts an older one out.
  unsigned strangers = 512;
  /// TLS handshakes a second that one address may begin and not end with a certificate; ten times
  /// as many at once. Beyond them the connection is cut.
  unsigned handshakes_per_address = 100;
  unsigned streams = 512;  ///< Of the connections: those that stream events.
  unsigned streams_per_client = 8;
  unsigned streams_per_address = 256;
};

/// Of whom a share is.
enum class Share : std::uint8_t { client, address, listener };
inline constexpr std::size_t share_count = 3;
/// "client", "address", "listener".
[[nodiscard]] std::string_view share_name(Share share);

/// What a server counts; by share where that is the reason. Any thread.
struct Traffic {
  using Count = std::atomic<std::uint64_t>;
  using ByShare = std::array<Count, share_count>;
  Count connections{0};         ///< There now, known.
  Count strangers{0};           ///< There now, not known yet.
  Count streams{0};             ///< There now.
  Count arrivals{0};            ///< Connections that ever came.
  Count strangers_cut{0};       ///< For one that came later.
  Count strangers_late{0};      ///< Not known in time.
  Count handshakes_refused{0};  ///< Beyond the rate of their address.
  ByShare cut{};                ///< Known connections that gave way.
  ByShare refused{};            ///< Connections that got 429.
  ByShare streams_cut{};
  ByShare streams_refused{};
  Count misdirected{0};  ///< 421.
  Count malformed{0};    ///< Heads that are not HTTP as it must be: 400.
};

/// Where a server listens, how it shows itself, and how much it takes.
struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: the system chooses; see Server::port.
  bool tls = true;
  TlsFiles files;
  /// What a request may say in Host, without port, beside the names and addresses of the
  /// certificate; over plain TCP, where there are none: empty takes any.
  std::vector<std::string> names;
  unsigned threads = 1;
  Shares shares;
  unsigned stranger_seconds = 10;  ///< Until the end of the TLS handshake, or the first request.
  unsigned idle_seconds = 60;
  std::shared_ptr<Traffic> traffic;  ///< Where it counts; null: nobody looks.
};

/// A server with threads of its own.
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
