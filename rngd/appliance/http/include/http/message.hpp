/// \file
/// One HTTP request and its reply, as the appliance sees them: no socket, no TLS, no library type.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talla::http {

/// Who is at the other end, from the certificate that TLS verified; both empty on a listener
/// without certificates. What stands against a certificate that leads to a trusted root: nothing
/// else is served to one that is over.
enum class Standing : std::uint8_t { good, expired, revoked };

/// Who is at the other end, by its certificate.
struct Peer {
  std::string id;            ///< URI subject alternative name (the enrolled id).
  std::string spki;          ///< Hex SHA-256 of the SubjectPublicKeyInfo.
  std::string public_key{};  ///< That SubjectPublicKeyInfo, DER.
  /// Its certificates in DER, its own first, as they came; null for who shows none.
  std::shared_ptr<const std::vector<std::string>> chain{};
  Standing standing = Standing::good;  ///< when the connection was made
  /// End of the certificate, UTC.
  std::int64_t not_after_us = std::numeric_limits<std::int64_t>::max();
};

/// One request, as it came.
struct Request {
  std::string method;           ///< "GET", "POST", ...
  std::string target;           ///< Path and query, as received.
  std::string idempotency_key;  ///< Header Idempotency-Key; empty when absent.
  std::string accept;
  std::string last_event_id;
  std::string body;
  Peer peer;
  /// Header Content-Type; empty when absent. A client sends application/json where it is empty and
  /// there is a body.
  std::string content_type{};
  std::string accept_language{};  ///< Header Accept-Language; empty when absent.
  std::string host{};             ///< Header Host, as received; the server has checked the name.
  std::string origin{};           ///< Header Origin: the page that a browser asks for.
  /// Headers Sec-Fetch-Site, -Mode and -Dest (W3C Fetch Metadata); empty when absent.
  std::string fetch_site{};
  std::string fetch_mode{};
  std::string fetch_dest{};
  /// Header Authorization, as received; never logged. Empty when absent.
  std::string authorization{};
};

/// Text of server-sent events, asked again and again by the connection that streams them.
class EventFeed {
 public:
  EventFeed() = default;
  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;
  virtual ~EventFeed() = default;
  /// The next events as `id:`/`event:`/`data:` blocks, or an empty text when there is none yet.
  /// Must not block.
  [[nodiscard]] virtual std::string next() = 0;
  /// From now on and until the feed is gone `wake` is called whenever there may be more: from any
  /// thread; it does not block. Called once, before the first `next`.
  virtual void watch(std::function<void()> wake) = 0;
};

/// One reply, or the stream that takes its place.
struct Reply {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  /// Set for a text/event-stream reply: the body is then ignored and the feed is streamed until the
  /// client leaves.
  std::shared_ptr<EventFeed> feed;
};

/// Called once per request, possibly from another thread and later; calls after the first are
/// ignored.
using Respond = std::function<void(Reply)>;
/// Must not throw. May answer at once or keep `respond` and answer from any thread.
using Handler = std::function<void(Request, Respond)>;

}  // namespace talla::http
