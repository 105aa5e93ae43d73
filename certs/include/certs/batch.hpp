/// \file
/// The appliance's side of a batch of draw secrets (PROTOCOL section 5, FORMAT.md section 8).
///
/// `SecretBatch` holds the secrets and the tree and never changes; `BatchProgress` is what the log
/// has said. Each step returns the body of its record and changes nothing; whoever put the record
/// into the log lets the progress take that body. The outcome of a CALL is a pure function of the
/// sealed secret, the core and what its contributors opened.
/// Errors:  wrong_index, secret_malformed, count_refused, FormatErrc::malformed_specification,
///          those of the bits' source.
/// Threads: const calls from any thread; a progress belongs to one. Secrecy: secrets live in secret
///          memory and leave only through draw, voids and close.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "certs/shoe.hpp"
#include "format/body_draw.hpp"
#include "format/merkle.hpp"

namespace talla::certs {

struct BatchProgress {
  std::uint32_t next = 0;  ///< next index
  /// Index -> seq of its CALL, until DRAW or VOID.
  std::map<std::uint32_t, std::uint64_t> calls_open;
  bool closed = false;

  /// A record of the batch is in the log; `seq`: that of the CALL.
  void take(const CallBody& call, std::uint64_t seq);
  void take(const DrawBody& draw);
  /// Of cause `lapsed` only where it opens the next secret.
  void take(const VoidBody& ended);
  void take(const BatchCloseBody& close);

 private:
  void end(std::uint64_t call);
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
  /// Whether this core can stand: of this batch, its root and its next index, before the close.
  /// What it says of the table is the caller's to know.
  [[nodiscard]] Status check_call(const BatchProgress& progress, const CallCore& core) const;
  /// Body of DRAW; the CALL must be open. `openings`: of its `others`, in their order, each checked
  /// against commitment and signature. Errors: count_refused.
  [[nodiscard]] Result<DrawBody> draw(const BatchProgress& progress, std::uint64_t call_seq,
                                      const CallBody& call,
                                      std::vector<CallOpening> openings = {}) const;
  /// Body of VOID by order: opens the secret and says what the outcome would have been, where every
  /// number is known. `openings`: what those of its `others` had opened who did, ascending by id.
  [[nodiscard]] Result<VoidBody> void_by_order(const BatchProgress& progress,
                                               std::uint64_t call_seq, const CallBody& call,
                                               std::vector<std::string> by,
                                               std::vector<OpenedBefore> openings = {}) const;
  /// Body of VOID where contributors did not open in time: `missing`, their ids, ascending, one or
  /// more. Opens the secret; the outcome is known to nobody.
  [[nodiscard]] Result<VoidBody> void_withheld(const BatchProgress& progress,
                                               std::uint64_t call_seq, const CallBody& call,
                                               std::vector<std::string> missing) const;
  /// Body of VOID for a signed core that does not stand any more: opens the secret that it names,
  /// which is the next one, and says what the outcome would have been. Errors: those of
  /// `check_call`.
  [[nodiscard]] Result<VoidBody> void_lapsed(const BatchProgress& progress,
                                             const CallBody& call) const;
  /// Opens every unused secret. Errors: wrong_index (closed already, or a CALL is open).
  [[nodiscard]] Result<BatchCloseBody> close(const BatchProgress& progress,
                                             BatchCloseReason reason) const;

 private:
  SecretBatch(const HashSuite& hashes, std::string batch_id, SecretBytes secrets);
  [[nodiscard]] std::span<const std::uint8_t, 32> secret_at(std::uint32_t index) const;
  [[nodiscard]] SecretOpening opening(std::uint32_t index) const;
  [[nodiscard]] Status check_open(const BatchProgress& progress, std::uint64_t call_seq,
                                  const CallBody& call) const;
  /// `ended` with the secret of the open call and what is known of its outcome.
  [[nodiscard]] Result<VoidBody> void_open(const BatchProgress& progress, std::uint64_t call_seq,
                                           const CallBody& call, VoidBody ended) const;
  /// What would follow from the secret; nothing where not every number of others is known.
  [[nodiscard]] Result<std::optional<Outcome>> outcome_known(
      const CallCore& core, std::span<const OpenedBefore> openings) const;
  const HashSuite* hashes_;
  std::string id_;
  SecretBytes secrets_;
  MerkleTree tree_;
  Digest root_{};
};
/// Body of VOID for a signed core that does not stand any more and names no next secret: what it
/// names is open already, or none.
[[nodiscard]] VoidBody void_lapsed_unopened(const CallBody& call);
/// Body of VOID for a CALL whose secret cannot be unsealed.
[[nodiscard]] VoidBody void_unrecoverable(std::uint64_t call_seq);
/// Bodies of VOID for the open CALL of a mix: nothing is opened, the shoe stays as it is. `by`: the
/// two persons; `openings`: as of a draw; `missing`: who did not open, ids ascending, at least one.
[[nodiscard]] VoidBody void_mix_by_order(std::uint64_t call_seq, std::vector<std::string> by,
                                         std::vector<OpenedBefore> openings = {});
[[nodiscard]] VoidBody void_mix_withheld(std::uint64_t call_seq, std::vector<std::string> missing);

}  // namespace talla::certs
