/// \file
/// The statement that binds a log's Ed25519 key to an X.509 chain (FORMAT.md section 5).
///
/// Errors: FormatErrc::malformed_statement. Signature and chain are checked by the verifier, not
///         here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace talla::certs {

struct LogKeyStatement {
  std::string origin;
  Digest public_key{};  ///< Ed25519
  bool development = false;
  /// The key of this log before it, which must have announced this one in the log; none: the log's
  /// first.
  std::optional<Digest> previous{};
  bool operator==(const LogKeyStatement& other) const = default;
};
/// Canonical JSON text; what is signed is `log_key_message(text)`.
[[nodiscard]] std::string format_statement(const LogKeyStatement& statement);
[[nodiscard]] Result<LogKeyStatement> parse_statement(std::string_view text);
/// D("log-key") || statement.
[[nodiscard]] Bytes log_key_message(std::string_view statement);

/// A log's key as evidence carries it: statement, signature over it, certificates.
struct LogKey {
  std::string statement;     ///< text
  Bytes signature;           ///< DER ECDSA P-256 with SHA-256
  std::vector<Bytes> chain;  ///< DER certificates, the statement's signer first, root left out
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<LogKey> from_json(const json::Value& value);
  bool operator==(const LogKey& other) const = default;
};

}  // namespace talla::certs
