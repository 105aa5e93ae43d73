/// \file
/// Proofs over the committed records: tree, group ends, signed checkpoints, receipts, stored
/// replies.
///
/// Memory:  a quarter of a byte a record for the tree (log_tree.hpp), 8 bytes a group for its end,
///          and some megabytes for what was added or asked for last.
/// Errors:  not_found (beyond the committed size), ledger_damaged, the ledger's and the signer's.
/// Threads: all members from any thread; one lock is held for microseconds, never over a sync or a
///          reading of the ledger's leaves.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "certs/ledger.hpp"
#include "certs/log_tree.hpp"
#include "format/bundle.hpp"
#include "format/checkpoint.hpp"
#include "format/proof.hpp"

namespace talla::certs {

/// Signed checkpoints by size; the one that was not asked for the longest leaves first.
class CheckpointCache {
 public:
  /// Null when it is not kept; valid until the next call.
  [[nodiscard]] const std::string* find(std::uint64_t size);
  void keep(std::uint64_t size, std::string note);

 private:
  using Entry = std::pair<std::uint64_t, std::string>;
  std::list<Entry> entries_;  // the last one used comes first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> places_;
};

/// Sizes of the log at which its groups end, ascending.
class GroupEnds {
 public:
  void add(std::uint64_t end) { ends_.push_back(end); }
  [[nodiscard]] std::uint64_t count() const { return ends_.size(); }
  [[nodiscard]] std::uint64_t last() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] std::uint64_t operator[](std::uint64_t group) const { return ends_[group]; }
  /// The group that ends at this size. Errors: not_found.
  [[nodiscard]] Result<std::uint64_t> group_ending(std::uint64_t size) const;
  /// Where the group of that record ends. Errors: not_found.
  [[nodiscard]] Result<std::uint64_t> end_of(std::uint64_t seq) const;

 private:
  std::vector<std::uint64_t> ends_;
};

/// The keys that have signed the log, one after the other; the last one signs now.
class LogSigners {
 public:
  explicit LogSigners(Ed25519Signer& signer) : signer_(&signer) {}
  /// A key before the present one; it has signed sizes up to `end`. In order.
  void add_past(std::uint64_t end, const Digest& public_key) { past_.push_back({end, public_key}); }
  /// The present key has signed its last checkpoint, of this size.
  void retire_present(std::uint64_t end) { add_past(end, signer_->public_key()); }
  void sign_with(std::shared_ptr<Ed25519Signer> next);
  [[nodiscard]] Ed25519Signer& present() const { return *signer_; }
  /// The key before the present one that signed this size; null: the present key does.
  [[nodiscard]] const Digest* past_key_of(std::uint64_t size) const;
  /// All of them, the present one last.
  [[nodiscard]] std::vector<Digest> public_keys() const;

 private:
  struct Past {
    std::uint64_t end = 0;
    Digest public_key{};
  };
  Ed25519Signer* signer_;
  std::shared_ptr<Ed25519Signer> rotated_;  ///< owns signer_ after a rotation
  std::vector<Past> past_;                  ///< ascending by end
};

/// Proves what is committed, beside the thread that writes.
class Prover {
 public:
  struct Effects {
    const HashSuite& hashes;
    const Ledger& ledger;
    Ed25519Signer& signer;
  };
  Prover(const Effects& effects, std::string origin);
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  /// Leaf hashes, group ends and keys before the present one (key_history.hpp) of everything the
  /// ledger holds. Once, before the first use. Errors: wrong_log_key when the key was rotated and
  /// the signer's is not the newest.
  [[nodiscard]] Status load();
  /// The records of the group that the ledger has just made durable.
  void add_group(std::vector<LedgerRecord> records);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The root over the first `size` records.
  [[nodiscard]] Result<Digest> root(std::uint64_t size) const;
  /// Subtree hash for tiles: leaves [index << level, (index + 1) << level).
  [[nodiscard]] Result<Digest> node(unsigned level, std::uint64_t index) const;
  /// Signed checkpoint of any past size; the same bytes for ever. size 0 has the empty root. Under
  /// a key before the present one only ends of groups have a checkpoint (not_found).
  [[nodiscard]] Result<std::string> checkpoint(std::uint64_t size);
  [[nodiscard]] Result<std::vector<Digest>> inclusion(std::uint64_t seq, std::uint64_t size) const;
  [[nodiscard]] Result<std::vector<Digest>> consistency(std::uint64_t old_size,
                                                        std::uint64_t size) const;

  /// A committed record: of the last ones from memory, of the others from the ledger. Errors:
  /// not_found.
  [[nodiscard]] Result<LedgerRecord> record(std::uint64_t seq) const;
  /// The receipt of a record, proven at the end of its group: the same bytes for ever.
  [[nodiscard]] Result<Receipt> receipt(std::uint64_t seq);
  /// The same for a record that the caller has read from this ledger already.
  [[nodiscard]] Result<Receipt> receipt_of(LedgerRecord record);
  // Rotation of the log key (key_history.hpp).
  /// Committed groups.
  [[nodiscard]] std::uint64_t groups() const;
  /// Signatures of the ends of groups [from, to), by the present key or as they are stored.
  [[nodiscard]] Result<std::vector<Signature64>> signatures(std::uint64_t from, std::uint64_t to);
  /// What the present key signs when `next` is the next group. Precondition: no other group is on
  /// its way.
  [[nodiscard]] Result<Signature64> sign_ahead(std::span<const LedgerRecord> next);
  /// The present key has signed its last checkpoint, of the present size, and the ledger holds that
  /// signature and all before: from now on `next` signs. Errors: ledger_damaged when it does not.
  [[nodiscard]] Status change_key(std::shared_ptr<Ed25519Signer> next);
  /// Every key of the log so far, the present one last.
  [[nodiscard]] std::vector<Digest> public_keys() const;

  /// A stored reply's body: head with the member `receipts` in canonical JSON, byte for byte as
  /// first given.
  [[nodiscard]] Result<std::string> reply_body(const StoredReply& reply);

 private:
  using Lock = std::unique_lock<std::mutex>;
  /// Old blocks around these leaves, as far as they lie in the tree. Gives the lock up while it
  /// reads.
  [[nodiscard]] Result<LogBlocks> blocks_at(Lock& lock,
                                            std::initializer_list<std::uint64_t> leaves) const;
  [[nodiscard]] Result<LogBlock> read_block(std::uint64_t block) const;
  /// With the old blocks that the tree of this size ends in, and those around `leaf`. Precondition:
  /// both lie in the tree.
  [[nodiscard]] Result<Digest> root_locked(std::uint64_t size, const LogBlocks& old) const;
  [[nodiscard]] Result<std::vector<Digest>> inclusion_locked(std::uint64_t seq, std::uint64_t size,
                                                             const LogBlocks& old) const;
  [[nodiscard]] NodeSource nodes_locked(const LogBlocks& old) const;
  [[nodiscard]] Status in_tree_locked(std::uint64_t size) const;
  /// Of any size in the tree.
  [[nodiscard]] Result<std::string> checkpoint_locked(Lock& lock, std::uint64_t size);
  /// Of a size that this past key signed: made of its stored signature. Only ends of groups have
  /// one.
  [[nodiscard]] Result<std::string> past_checkpoint_locked(const Checkpoint& head,
                                                           const Digest& public_key) const;
  /// Without asking the ledger; nothing when it is older.
  [[nodiscard]] std::optional<LedgerRecord> recent_record(std::uint64_t seq) const;

  const HashSuite& hashes_;
  const Ledger& ledger_;
  const std::string origin_;
  std::atomic<std::uint64_t> size_{0};

  mutable std::mutex mutex_;
  LogSigners keys_;                   // mutex_
  LogTree tree_;                      // mutex_
  mutable LogBlockCache old_blocks_;  // mutex_
  GroupEnds group_ends_;              // mutex_
  std::deque<LedgerRecord> recent_;   // mutex_; the last group and some before it
  CheckpointCache checkpoints_;       // mutex_
};

}  // namespace talla::certs
