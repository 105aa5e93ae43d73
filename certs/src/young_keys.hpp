/// \file
/// The keys given last, in memory, until the ledger's index has them. Private to certs.
///
/// Digests come in any order: each would touch a page of the index of its own, and every group
/// would write as many pages as it has keys. So the ledger writes a group's digests down in one
/// block, in the order they came, and brings them into the index later and sorted, when many of
/// them share a page (a log-structured merge tree of two levels; O'Neil and others, Acta
/// Informatica 33, 1996). Two sets: the one that fills, and the full one that is merged, a few keys
/// with each group.
/// Threads: `find` and `between` any, all else the writer's.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "ledger_rows.hpp"

namespace talla::certs {

struct KnownKey {
  ReplyDigest id{};      ///< SQLite orders blobs of one length as std::array does
  std::uint64_t at = 0;  ///< the reply's row
};

/// Keys as the bytes of a block: each its digest and `at` as u64.
[[nodiscard]] Bytes encode_keys(const std::vector<KnownKey>& keys);
/// Errors: ledger_damaged.
[[nodiscard]] Result<std::vector<KnownKey>> decode_keys(ByteView bytes);

class YoungKeys {
 public:
  /// `room`: keys of a full set, at least 1.
  explicit YoungKeys(std::size_t room) : room_(room) {}

  [[nodiscard]] std::optional<std::uint64_t> find(const ReplyDigest& id) const;
  /// `at` of all keys between these two, ends included; in no order.
  [[nodiscard]] std::vector<std::uint64_t> between(const ReplyDigest& first,
                                                   const ReplyDigest& last) const;

  /// Keys of a block that is written. Blocks come in ascending order. Errors: ledger_damaged where
  /// the set has one of them already.
  [[nodiscard]] Status add(const std::vector<KnownKey>& keys, std::uint64_t block);
  /// The next keys to be merged, ascending; none while the first set fills.
  [[nodiscard]] std::vector<KnownKey> due(std::size_t count) const;
  /// The first so many of those due are in the index.
  void merged(std::size_t count);
  /// The index has all keys of the blocks up to this one; 0: of none.
  [[nodiscard]] std::uint64_t merged_to() const { return merged_to_; }

 private:
  using Set = std::map<ReplyDigest, std::uint64_t>;
  void turn_over();

  std::size_t room_;
  mutable std::mutex mutex_;
  Set filling_;  // mutex_
  Set merging_;  // mutex_
  std::uint64_t last_block_ = 0;
  std::uint64_t merging_block_ = 0;  // the last one in merging_
  std::uint64_t merged_to_ = 0;
};

}  // namespace talla::certs
