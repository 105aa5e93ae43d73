/// \file
/// The end of a log: what the root says of it when its key is compromised or it is closed
/// (FORMAT.md section 5, "End of a log"), and the file of proofs that ties older checkpoints to its
/// last one.
///
/// Errors: FormatErrc::malformed_statement, malformed_proof. Only form is judged here; certs/verify
///         judges truth (log_end.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

enum class EndReason : std::uint8_t { compromised, closed, replaced };
/// The word of a statement for it.
[[nodiscard]] std::string_view end_reason_name(EndReason reason);
/// Nothing for another word.
[[nodiscard]] std::optional<EndReason> end_reason_from(std::string_view name);

/// What a root says of a log that has ended: the last head that counts, and why.
struct LogEndStatement {
  std::string origin;
  /// Signed note, perhaps cosigned: the last of that log that counts, of at least one record.
  std::string checkpoint;
  /// Ed25519, 1 to 64, each once: of the log that it is about; one of them signed `checkpoint`.
  std::vector<Digest> keys;
  EndReason reason = EndReason::closed;
  std::int64_t known_us = 0;  ///< from when it is known
  /// When the statement was made, not before `known_us`; its certificates are judged then.
  std::int64_t made_us = 0;
  struct Successor {
    std::string origin;
    Digest key{};  ///< Ed25519
    bool operator==(const Successor& other) const = default;
  };
  std::optional<Successor> successor{};
  bool operator==(const LogEndStatement& other) const = default;
};
/// Canonical JSON text; what is signed is `log_end_message(text)`.
[[nodiscard]] std::string format_end_statement(const LogEndStatement& statement);
[[nodiscard]] Result<LogEndStatement> parse_end_statement(std::string_view text);
/// D("log-end") || statement.
[[nodiscard]] Bytes log_end_message(std::string_view statement);

/// The file: `statement`, `signature`, `chain`.
struct LogEnd {
  std::string statement;     ///< text
  Bytes signature;           ///< DER ECDSA P-256 with SHA-256
  std::vector<Bytes> chain;  ///< DER certificates, the statement's signer first, root left out
};
[[nodiscard]] std::string format_log_end(const LogEnd& end);
[[nodiscard]] Result<LogEnd> parse_log_end(std::string_view text);

/// Proofs that checkpoints of a log are what a later one has as its beginning. Nobody signs it: the
/// hashes prove themselves.
struct ConsistencyFile {
  Checkpoint head;  ///< of the later one
  struct Proof {
    std::uint64_t size = 0;  ///< records
    Digest root{};
    std::vector<Digest> path;  ///< RFC 6962 section 2.1.2, from this size to that of `head`
  };
  std::vector<Proof> proofs;  ///< 1 to 10,000, ascending by size, below that of `head`
};
[[nodiscard]] std::string format_consistency(const ConsistencyFile& file);
[[nodiscard]] Result<ConsistencyFile> parse_consistency(std::string_view text);

}  // namespace talla::certs
