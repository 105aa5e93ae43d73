/// \file
/// The appliance's side of a batch of draw secrets (PROTOCOL section 5, FORMAT.md section 8).
///
/// `SecretBatch` holds the secrets and the tree and never changes; `BatchProgress` is what the log
/// has said. Each step returns the body of its record and changes nothing; whoever put the record
/// into the log lets the progress take that body. The outcome of an INTENT is a pure function of
/// the sealed secret and the INTENT's body.
/// Errors:  wrong_index, nonce_length, secret_malformed, count_refused,
///          FormatErrc::malformed_specification, those of the bits' source.
/// Threads: const calls from any thread; a progress belongs to one. Secrecy: secrets live in secret
///          memory and leave only through draw, void and close.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "certs/shoe.hpp"
#include "format/body_draw.hpp"
#include "format/merkle.hpp"

namespace talla::certs {

struct BatchProgress {
  std::uint32_t next = 0;  ///< next index
  /// Index -> seq of its INTENT, until DRAW or VOID.
  std::map<std::uint32_t, std::uint64_t> intents_open;
  bool closed = false;

  /// A record of the batch is in the log; `seq`: that of the INTENT.
  void take(const IntentBody& intent, std::uint64_t seq);
  void take(const DrawBody& draw);
  void take(const VoidBody& ended);
  void take(const BatchCloseBody& close);

 private:
  void end(std::uint64_t intent);
};

/// What a client asks of a batch.
struct DrawRequest {
  std::string origin;
  std::string client;  ///< client id
  std::string round = "0";
  std::uint32_t index = 0;  ///< must be the next (wrong_index)
  Bytes nonce;              ///< 16 to 64 bytes
  Digest root{};            ///< the batch root the client named (wrong_index when another)
  DrawSpecification specification;
  Digest bets{};
};

/// The secrets of one batch with their tree; never changes.
class SecretBatch {
 public:
  /// `count` 1 to 256 secrets; `batch_id` is `batch-<seq of its BATCH_COMMIT>`.
  [[nodiscard]] static Result<SecretBatch> make(const HashSuite& hashes, std::string batch_id,
                                                std::uint32_t count, const FullEntropyBits& bits);
  [[nodiscard]] static Result<SecretBatch> restore(const HashSuite& hashes,
                                                   const std::string& batch_id,
                                                   const SecretBytes& secret, const Digest& root);
  /// What is to be sealed: the secrets one after another.
  [[nodiscard]] const SecretBytes& secret() const { return secrets_; }
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Digest& root() const { return root_; }
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(secrets_.size() / 32);
  }

  /// The body of BATCH_COMMIT. `expires_us`: UTC microseconds.
  [[nodiscard]] BatchCommitBody commit_body(std::string table, std::int64_t expires_us,
                                            Context context) const;
  /// Body of INTENT for the next index.
  [[nodiscard]] Result<IntentBody> intent(const BatchProgress& progress,
                                          const BatchCommitBody& commit,
                                          const DrawRequest& request) const;
  /// Body of DRAW; the INTENT must be open.
  [[nodiscard]] Result<DrawBody> draw(const BatchProgress& progress, std::uint64_t intent_seq,
                                      const IntentBody& intent) const;
  /// Body of VOID by order: opens the secret and says what the outcome would have been.
  [[nodiscard]] Result<VoidBody> void_by_order(const BatchProgress& progress,
                                               std::uint64_t intent_seq, const IntentBody& intent,
                                               std::vector<std::string> by) const;
  /// Opens every unused secret; open INTENTs are not touched and may still be completed.
  [[nodiscard]] Result<BatchCloseBody> close(const BatchProgress& progress,
                                             BatchCloseReason reason) const;

 private:
  SecretBatch(const HashSuite& hashes, std::string batch_id, SecretBytes secrets);
  [[nodiscard]] std::span<const std::uint8_t, 32> secret_at(std::uint32_t index) const;
  [[nodiscard]] SecretOpening opening(std::uint32_t index) const;
  [[nodiscard]] Status check_intent(const BatchProgress& progress, std::uint64_t intent_seq,
                                    const IntentBody& intent) const;

  const HashSuite* hashes_;
  std::string id_;
  SecretBytes secrets_;
  MerkleTree tree_;
  Digest root_{};
};
/// Body of VOID for an INTENT whose secret cannot be unsealed.
[[nodiscard]] VoidBody void_unrecoverable(std::uint64_t intent_seq, std::vector<std::string> by);

}  // namespace talla::certs
