/// \file
/// The keys and nonces given last, in memory, until the ledger's index has them. Private to certs.
///
/// Digests come in any order: each would touch a page of the index of its own, and every group
/// would write as many pages as it has keys. So the ledger writes a group's digests down in one
/// block, in the order they came, and brings them into the index later and sorted, when many of
/// them share a page (a log-structured merge tree of two levels; O'Neil and others, Acta
/// Informatica 33, 1996). Two sets: the one that fills, and the full one that is merged, a few keys
/// with each group.
/// Threads: `find` and `between` any, all else the writer's.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "ledger_rows.hpp"

namespace talla::certs {

/// A digest in the order in which SQLite has blobs: byte by byte, the shorter first.
class KeyDigest {
 public:
  static constexpr std::size_t bytes_max = sizeof(ReplyDigest);
  /// Precondition: at most `bytes_max` bytes.
  explicit KeyDigest(ByteView digest);
  [[nodiscard]] ByteView bytes() const { return {bytes_.data(), size_}; }
  auto operator<=>(const KeyDigest&) const = default;

 private:
  std::array<std::uint8_t, bytes_max> bytes_{};  // zeros behind its end
  std::uint8_t size_;
};

struct KnownKey {
  KeyDigest id;
  std::uint64_t at = 0;  ///< a reply's row; of a nonce the length of the log when it was given
};

/// Keys as the bytes of a block: each its length in one byte, its digest, `at` as u64.
[[nodiscard]] Bytes encode_keys(const std::vector<KnownKey>& keys);
/// Errors: ledger_damaged.
[[nodiscard]] Result<std::vector<KnownKey>> decode_keys(ByteView bytes);

class YoungKeys {
 public:
  /// `room`: keys of a full set, at least 1.
  explicit YoungKeys(std::size_t room) : room_(room) {}

  [[nodiscard]] std::optional<std::uint64_t> find(const KeyDigest& id) const;
  /// `at` of all keys between these two, ends included; in no order.
  [[nodiscard]] std::vector<std::uint64_t> between(const KeyDigest& first,
                                                   const KeyDigest& last) const;

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
  using Set = std::map<KeyDigest, std::uint64_t>;
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
