/// \file
/// The appliance's log: gives records their number, time and chain, commits groups, signs
/// checkpoints, proves.
///
/// Life: `append` stages records, `group()` takes what belongs to the same transaction, `commit`
/// makes all of it durable and signs one checkpoint over the new size. Nothing may be answered
/// before `commit` returned ok. In steps, so that the next group is staged while the disk works:
/// `write`, then `sync` on any thread, then `settle`, which brings what is durable into the tree;
/// nothing may be answered before `settle`.
/// Tree: kept by the prover; rebuilt at open from the ledger's leaf hashes, and a number of the
/// last records (all by option) is hashed again and compared.
/// Errors:  ledger_shorter, ledger_different (against the anchor), ledger_damaged, record_refused,
///          not_found, FormatErrc of the record, the ledger's and the signer's.
/// Threads: one thread (the sequencer), but for `origin`, `size`, `ledger`, `sync`, `tidy` and the
///          prover.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "certs/anchor.hpp"
#include "certs/ledger.hpp"
#include "certs/log_anchors.hpp"
#include "certs/log_stage.hpp"
#include "certs/prover.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

/// A group that is written and perhaps not durable yet.
struct Written {
  std::uint64_t number = 0;  ///< of the group, as the ledger counts them
  std::uint64_t records = 0;
};

/// A group that is durable.
struct Committed {
  std::uint64_t size_before = 0;  ///< records
  std::uint64_t size = 0;         ///< records
  std::string checkpoint;         ///< signed note over `size`; empty when the group held no record
};

/// The log of one appliance.
class Log {
 public:
  struct Effects {
    const HashSuite& hashes;
    Ledger& ledger;
    Ed25519Signer& signer;
    Clock& clock;
    Anchor* anchor = nullptr;      ///< none: `rollback_protection` is not given at all; tests only
    OuterAnchor* outer = nullptr;  ///< beside `anchor`; none: `rollback_protection` is `local`
  };
  struct Options {
    std::string origin;
    std::uint64_t recheck_records = 1000;  ///< the last so many are hashed again at open
    bool recheck_all = false;
    /// Takes a ledger whose anchor is gone for good; without it a missing anchor is refused
    /// (anchor_malformed).
    bool adopt_anchor = false;
  };
  /// Rebuilds the tree and compares ledger and anchor. The boot counter is one above the last
  /// record's and the anchor's.
  [[nodiscard]] static Result<std::unique_ptr<Log>> open(const Effects& effects, Options options);

  [[nodiscard]] const std::string& origin() const { return options_.origin; }
  [[nodiscard]] std::uint64_t boot() const { return boot_; }
  /// Committed records: durable, in the tree.
  [[nodiscard]] std::uint64_t size() const { return prover_.size(); }
  /// The seq the next append gets: an opening record's object id is made of it.
  [[nodiscard]] std::uint64_t next_seq() const { return written_size_ + stage_.count(); }
  /// Last record of an object, staged ones included.
  [[nodiscard]] Result<std::optional<std::uint64_t>> last_of(const std::string& object) const {
    return stage_.last_of(object);
  }

  /// Stages one record. An error leaves the stage as it was.
  [[nodiscard]] Result<Appended> append(RecordDraft draft);
  /// The reply stored under a key, of committed groups.
  [[nodiscard]] Result<std::optional<StoredReply>> stored_reply(const ReplyKey& id) {
    return ledger_.staging_reply(id);
  }
  /// The staged group, for secrets, replies, documents and catalogues of the same transaction.
  [[nodiscard]] Group& group() { return stage_.group(); }
  /// Undo of one command's part of a group: `undo(mark())` drops what was staged after the mark.
  using Mark = LogStage::Mark;
  [[nodiscard]] Mark mark() const { return stage_.mark(); }
  void undo(const Mark& mark) { stage_.undo(mark); }
  /// Commits the staged group. After an error the log is latched together with its ledger, but for
  /// duplicate_key and group_refused: these drop the whole group and change nothing.
  [[nodiscard]] Result<Committed> commit();
  /// Hands the staged group to the ledger; a refusal as of `commit`.
  [[nodiscard]] Result<Written> write();
  /// Makes durable what was written before the call (Ledger::sync). Any thread.
  [[nodiscard]] Status sync() { return ledger_.sync(); }
  /// Ledger::tidy. Any thread.
  [[nodiscard]] Status tidy() { return ledger_.tidy(); }
  /// Groups up to this number are durable (the caller knows): they enter the tree, each with its
  /// signed checkpoint. The last one's; empty when there was none. An error latches the log.
  [[nodiscard]] Result<std::string> settle(std::uint64_t number);
  /// Signature of the checkpoint that the staged group will have (Prover::sign_ahead). Precondition
  /// (checked): every group written is settled.
  [[nodiscard]] Result<Signature64> sign_ahead();
  [[nodiscard]] bool latched() const { return unsigned_ || ledger_.latched(); }

  /// Proofs over what is committed: this, `origin`, `size` and `ledger` may be used from any
  /// thread.
  [[nodiscard]] Prover& prover() { return prover_; }
  [[nodiscard]] const Prover& prover() const { return prover_; }

  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// Writes size, root and boot to the anchors now and waits for it. Called at open too.
  [[nodiscard]] Status write_anchor();
  /// The same while the log is in use: the outer anchor is written by its own thread.
  [[nodiscard]] Status post_anchor();
  /// Records committed since the anchor (the outer one, where there is one) was written.
  [[nodiscard]] std::uint64_t anchor_lag() const { return anchors_.lag(size()); }

 private:
  Log(const Effects& effects, Options options);
  [[nodiscard]] Status rebuild();
  [[nodiscard]] Status recheck() const;
  struct WrittenGroup {
    std::uint64_t number = 0;
    std::shared_ptr<Group> group;  ///< the ledger's too until it is durable
  };

  const HashSuite& hashes_;
  Ledger& ledger_;
  LogAnchors anchors_;
  Options options_;
  Prover prover_;                     // what is committed
  LogStage stage_;                    // what is staged
  std::deque<WrittenGroup> written_;  // not settled yet
  std::uint64_t written_size_ = 0;    // records of groups written
  bool unsigned_ = false;             // a checkpoint could not be signed
  std::uint64_t boot_ = 1;
};

}  // namespace talla::certs
