/// \file
/// The log that this one follows (talla restore): read-only, kept so that every reply it gave is
/// given again.
///
/// Place:   <data>/predecessor (a backup) and <data>/predecessor.json, which says where its log key
/// is. A start is refused when the log names a predecessor that is not there or is another one, and
/// when one is there that the log does not name: talla restore was interrupted.
/// Threads: `reply` and `lost_reply` from any thread. Memory: 64 bytes a record of the old log,
///          where its key is there.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/hash.hpp"
#include "certs/backup.hpp"
#include "certs/prover.hpp"
#include "config/config.hpp"
#include "core/request.hpp"

namespace talla::rngd {

enum class PredecessorErrc : std::uint16_t {
  predecessor_refused = 835,  ///< missing, another one, or not named by the log
};
[[nodiscard]] std::string_view errc_name(PredecessorErrc errc);

class Predecessor {
 public:
  /// Null when the log follows no other. `own` is this log's ledger.
  [[nodiscard]] static Result<std::unique_ptr<Predecessor>> open(const Config& config,
                                                                 const HashSuite& hashes,
                                                                 const certs::Ledger& own);
  /// The answer to a request whose key the old log has: its reply, byte for byte; a refusal when
  /// the key belonged to another request, or when the old log's key is not here to prove the reply.
  /// Nothing for a key that is not there: it is new.
  [[nodiscard]] std::optional<core::Reply> reply(const core::Request& request) const;
  /// For `GET /v1/requests/{key}`.
  [[nodiscard]] std::optional<core::Reply> lost_reply(const core::Request& request) const;
  [[nodiscard]] const certs::BackupManifest& manifest() const { return manifest_; }
  [[nodiscard]] bool proves() const { return prover_ != nullptr; }

 private:
  Predecessor(const HashSuite& hashes, certs::BackupManifest manifest)
      : hashes_(hashes), manifest_(std::move(manifest)) {}
  [[nodiscard]] Status load(const Config& config, const std::string& folder);
  [[nodiscard]] core::Reply stored(const certs::StoredReply& reply) const;

  const HashSuite& hashes_;
  certs::BackupManifest manifest_;
  std::unique_ptr<certs::Ledger> ledger_;
  std::unique_ptr<certs::Ed25519Signer> signer_;
  std::unique_ptr<certs::Prover> prover_;  // null: without the old key nothing is proven
};

}  // namespace talla::rngd
