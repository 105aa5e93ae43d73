/// \file
/// One command or question to the appliance and its answer, free of HTTP: what the service takes
/// and gives.
///
/// The body of a POST is JSON; every POST that makes a record carries an idempotency key (1 to 64
/// characters of `A-Z a-z 0-9 . _ -`). Answers are JSON; refusals are problem documents (RFC 9457)
/// with the extension members `code` (stable), `retry` (`same`, `after`, `never`) and, for a
/// position that has moved on, the current one.
/// Threads: plain data. Secrecy: nothing secret is ever in a Reply.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "core/roles.hpp"

namespace talla::core {

/// By what a client without a certificate may contribute at one table (PROTOCOL section 5b).
struct Invitation {
  std::string table;      ///< id
  std::int64_t seat = 0;  ///< it contributes as `seat-N`
  Digest token{};         ///< SHA-256 of what the table gave to the seat
};

/// Who asks, as TLS and the list of enrolled certificates say.
struct Client {
  std::string id;  ///< Enrolled id (URI subject alternative name).
  /// Hex SHA-256 of the certificate's SubjectPublicKeyInfo; 64 characters, or empty in a test.
  std::string spki;
  RoleSet roles;  ///< What the enrolled id may do; empty: nothing but the open pages.
  /// SubjectPublicKeyInfo (DER) of that certificate; empty in tests without one.
  std::string public_key{};
  /// Certificates in DER, its own first, as they came; null in tests without one.
  std::shared_ptr<const std::vector<std::string>> chain{};
  /// Instead of a certificate: it opens the operations of a contributor, at that table alone.
  std::optional<Invitation> invitation{};
};

/// One request, its sender known.
struct Request {
  std::string method;  ///< "GET" or "POST".
  std::string path;    ///< With the query, as received: "/v1/events?after=17".
  std::string body;    ///< As received: the request digest of a record is computed over it.
  Client client;
  std::string idempotency_key;  ///< Empty when the header is absent.
};

/// What is answered.
struct Reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::optional<unsigned> retry_after_s;  ///< Header Retry-After, when a later try can succeed.
};

/// Called exactly once per submitted request, on the sequencer's thread; must not throw and must
/// not block.
using Answer = std::function<void(Reply)>;

/// Media type of a refusal.
inline constexpr const char* problem_type = "application/problem+json";

}  // namespace talla::core
