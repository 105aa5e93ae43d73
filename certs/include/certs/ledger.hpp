/// \file
/// The ledger: durable store of records, sealed secrets and replies; the log and the tiles derive
/// from it.
///
/// One group is one transaction: all of it or nothing, durable when `commit` returns, or in two
/// steps: taken in order by `write`, then written and made durable by a sync. After a crash the
/// ledger ends with one of its groups, never behind a gap. Records are contiguous from 0; a key
/// is given once. Objects (tables, shoes, batches, rounds) are opened, continued and closed
/// by their records; the ledger keeps their last record and refuses a group that breaks a chain.
/// Errors:  group_refused, duplicate_key (nothing written, ledger stays usable);
///          ledger_io (a failed commit: latches), ledger_latched (ever after), not_found,
///          ledger_damaged.
/// Threads: commit, write and the staging reads belong to one thread; sync and reads may run on any
/// thread beside it. Reads see whole groups, and of those that are taken and not durable only what
/// they ask for by name: `size` does not count them yet.
/// Secrecy: sealed bytes come in sealed; documents and replies hold nothing secret.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "certs/document.hpp"
#include "certs/errc.hpp"
#include "format/merkle.hpp"
#include "format/record.hpp"

namespace talla::certs {

struct LedgerRecord {
  std::uint64_t seq = 0;
  Kind kind = Kind::unknown;
  std::string object;                 ///< empty: machine record
  std::optional<std::uint64_t> prev;  ///< the record of the same object before; the ledger's own
  std::string bytes;
  Digest leaf{};  ///< leaf hash of bytes
};

/// One sealed secret of an object; at most one for each (object, seq).
struct SealedSecret {
  std::string object;
  std::uint64_t seq = 0;  ///< of the record that committed to it
  std::string kind;       ///< that record's kind, part of the seal's context
  Bytes sealed;
};

/// What an idempotency key is bound to; compared byte for byte.
struct ReplyKey {
  std::string client;  ///< enrolled id
  std::string method;
  std::string path;
  std::string key;
  auto operator<=>(const ReplyKey&) const = default;
};
struct StoredReply {
  ReplyKey id;
  Digest request{};  ///< request digest
  int status = 200;
  std::string head;                 ///< canonical JSON without the receipts
  std::vector<std::uint64_t> seqs;  ///< records whose receipts the reply carries, in its order
};

/// The bytes of a catalogue under their digest.
struct CatalogueFile {
  Digest digest{};
  std::string text;
};

/// What one transaction writes.
struct Group {
  std::vector<LedgerRecord> records;
  std::vector<SealedSecret> sealed;
  std::vector<StoredReply> replies;
  std::vector<Document> documents;
  std::vector<CatalogueFile> catalogues;  ///< a digest already there is left alone
  /// Objects whose sealed secrets go (SHOE_CLOSE, BATCH_CLOSE), but for what SHOE_CLOSE itself
  /// sealed.
  std::vector<std::string> spent;
  [[nodiscard]] bool empty() const;
};

/// Where an object's chain of records stands.
struct ObjectState {
  std::string id;
  std::uint64_t opened = 0;  ///< seq of its opening record
  std::uint64_t last = 0;    ///< seq of its last record
  bool closed = false;
  std::uint32_t pending = 0;  ///< CALLs without SHOE_MIX, DRAW or VOID: 0 or 1
};

/// Kinds after which an object takes no further record: TABLE_CLOSE, ROUND_END, SHOE_CLOSE,
/// BATCH_CLOSE, METER_CLOSE.
[[nodiscard]] bool kind_closes(Kind kind);

/// The store, as log and prover use it: SQLite or PostgreSQL.
class Ledger {
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  virtual ~Ledger() = default;

  /// Count of durable records; the size of the log.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// One durable transaction. The first record's seq must be the number of records written so far.
  [[nodiscard]] Status commit(Group group) {
    const auto whole = std::make_shared<const Group>(std::move(group));
    TALLA_TRY([[maybe_unused]] const std::uint64_t number, write(whole));
    if (whole->empty()) return {};
    TALLA_TRY_STATUS(sync());
    static_cast<void>(tidy());  // a failure latches, but this group is durable
    return {};
  }
  /// The same without waiting for the database or the disk: checked, behind all groups before it,
  /// durable when a `sync` that began afterwards returned ok. The ledger keeps the group no longer
  /// than until it is durable. Its number, from 1 since the ledger was opened; of an empty group
  /// the last one's.
  [[nodiscard]] virtual Result<std::uint64_t> write(std::shared_ptr<const Group> group) = 0;
  /// Writes and makes durable what was taken before the call. Any thread, several at once. An error
  /// latches: what is on disk of the groups since the last good sync is unknown.
  [[nodiscard]] virtual Status sync() = 0;
  /// Work of the database that no group waits for, done when there is enough of it; for whoever has
  /// just synced. Any thread. An error latches.
  [[nodiscard]] virtual Status tidy() { return {}; }
  /// Number of the last group that is durable.
  [[nodiscard]] virtual std::uint64_t durable_groups() const = 0;
  /// `reply` for the committing thread: the same answer, cheaper when there is none.
  [[nodiscard]] virtual Result<std::optional<StoredReply>> staging_reply(const ReplyKey& id) = 0;
  /// True after a failed commit: nothing is taken or answered as done any more.
  [[nodiscard]] virtual bool latched() const = 0;

  [[nodiscard]] virtual Result<LedgerRecord> record(std::uint64_t seq) const = 0;
  /// Records [from, to) in order; shorter when the ledger ends before. At most 100,000 a call.
  [[nodiscard]] virtual Result<std::vector<LedgerRecord>> records(std::uint64_t from,
                                                                  std::uint64_t to) const = 0;
  /// Leaf hashes [from, to) in order, one call of `sink` each.
  [[nodiscard]] virtual Status leaves(std::uint64_t from, std::uint64_t to,
                                      const std::function<void(const Digest&)>& sink) const = 0;
  /// Sizes of the log after each group, ascending, one call of `sink` each.
  [[nodiscard]] virtual Status group_ends(const std::function<void(std::uint64_t)>& sink) const = 0;
  /// The whole chain of an object, ascending; empty when there is none.
  [[nodiscard]] virtual Result<std::vector<LedgerRecord>> chain(std::string_view object) const = 0;
  [[nodiscard]] virtual Result<std::optional<ObjectState>> object(std::string_view id) const = 0;
  /// Objects without a closing record, in the order they were opened.
  [[nodiscard]] virtual Result<std::vector<ObjectState>> open_objects() const = 0;
  [[nodiscard]] virtual Result<std::vector<SealedSecret>> sealed(std::string_view object) const = 0;
  [[nodiscard]] virtual Result<std::optional<StoredReply>> reply(const ReplyKey& id) const = 0;
  /// Replies of a client by the key alone (`GET /v1/requests/{key}`), oldest first.
  [[nodiscard]] virtual Result<std::vector<StoredReply>> replies(std::string_view client,
                                                                 std::string_view key) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> document(
      const DocumentName& name) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> catalogue(
      const Digest& digest) const = 0;
  /// Size of the log after the group that holds this record: the checkpoint its receipt was given
  /// with.
  [[nodiscard]] virtual Result<std::uint64_t> group_end(std::uint64_t seq) const = 0;
  /// Bytes free on the ledger's disk.
  [[nodiscard]] virtual Result<std::uint64_t> disk_free_bytes() const = 0;
};

}  // namespace talla::certs
