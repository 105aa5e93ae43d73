/// \file
/// RFC 6962 section 2.1: tree hash, inclusion and consistency proofs, with SHA-256. The log, shoes
/// and batches use it.
///
/// Sizes:   leaf indices and tree sizes are u64; a proof has at most 64 hashes.
/// Errors:  FormatErrc::index_out_of_range, proof_length, wrong_root; a proof is exact: no hash too
/// few or too many. Threads: no shared state; a tree belongs to one thread while it grows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"

namespace talla::certs {

/// Of one proof: a tree has at most 64 levels above its leaves.
inline constexpr std::size_t path_hashes_max = 64;

/// H(0x00 || data).
[[nodiscard]] Digest leaf_hash(const HashSuite& hashes, ByteView data);
/// H(0x01 || left || right).
[[nodiscard]] Digest node_hash(const HashSuite& hashes, const Digest& left, const Digest& right);
/// H("").
[[nodiscard]] Digest empty_root(const HashSuite& hashes);

/// The right edge of a growing tree: one hash per set bit of the size. Append and root cost O(log
/// size).
class CompactRange {
 public:
  void append(const HashSuite& hashes, const Digest& leaf);
  /// `on_node(level, index, hash)` is called for the leaf (level 0) and each subtree that it
  /// completes.
  using NodeSink = std::function<void(unsigned level, std::uint64_t index, const Digest& hash)>;
  void append(const HashSuite& hashes, const Digest& leaf, const NodeSink& on_node);
  [[nodiscard]] Digest root(const HashSuite& hashes) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Subtree hashes, largest first.
  [[nodiscard]] const std::vector<Digest>& nodes() const { return nodes_; }
  /// Takes up a stored edge. Errors: proof_length when the count of hashes is not the number of set
  /// bits.
  [[nodiscard]] static Result<CompactRange> from_nodes(std::uint64_t size,
                                                       std::vector<Digest> nodes);

 private:
  std::uint64_t size_ = 0;
  std::vector<Digest> nodes_;
};

/// A tree with all nodes in memory, for shoes (312 to 416 leaves), batches and tests.
class MerkleTree {
 public:
  MerkleTree() = default;
  MerkleTree(const HashSuite& hashes, std::vector<Digest> leaf_hashes);
  void append(const HashSuite& hashes, const Digest& leaf);
  [[nodiscard]] std::uint64_t size() const { return levels_.empty() ? 0 : levels_.front().size(); }
  [[nodiscard]] Digest root(const HashSuite& hashes) const;
  /// Precondition (checked): index < size().
  [[nodiscard]] std::vector<Digest> inclusion_path(const HashSuite& hashes,
                                                   std::uint64_t index) const;
  [[nodiscard]] Result<Digest> node(unsigned level, std::uint64_t index) const;

 private:
  std::vector<std::vector<Digest>> levels_;  // complete subtrees only
};

/// Where complete subtrees come from (a tree in memory, tiles, a ledger): hash of leaves
/// [index << level, (index + 1) << level).
using NodeSource = std::function<Result<Digest>(unsigned level, std::uint64_t index)>;

/// Root of the first `size` leaves.
[[nodiscard]] Result<Digest> root_at(const HashSuite& hashes, const NodeSource& nodes,
                                     std::uint64_t size);
/// RFC 6962 section 2.1.1. Errors: index_out_of_range unless index < size, or the source's.
[[nodiscard]] Result<std::vector<Digest>> inclusion_path(const HashSuite& hashes,
                                                         const NodeSource& nodes,
                                                         std::uint64_t index, std::uint64_t size);
/// RFC 6962 section 2.1.2. Errors: index_out_of_range unless 0 < old_size <= size; equal sizes give
/// no hashes.
[[nodiscard]] Result<std::vector<Digest>> consistency_path(const HashSuite& hashes,
                                                           const NodeSource& nodes,
                                                           std::uint64_t old_size,
                                                           std::uint64_t size);

/// Which leaf, in a tree of how many.
struct LeafPosition {
  std::uint64_t index;
  std::uint64_t size;  ///< leaves
};
/// The root a path leads to. Errors: index_out_of_range, proof_length.
[[nodiscard]] Result<Digest> root_from_path(const HashSuite& hashes, LeafPosition at,
                                            const Digest& leaf, std::span<const Digest> path);
[[nodiscard]] Status verify_inclusion(const HashSuite& hashes, LeafPosition at, const Digest& leaf,
                                      std::span<const Digest> path, const Digest& root);

/// Size and root of a tree.
struct TreeHead {
  std::uint64_t size;  ///< leaves
  Digest root;
};
/// Refuses size 0 on either side and a smaller new tree; equal sizes need equal roots and no
/// hashes.
[[nodiscard]] Status verify_consistency(const HashSuite& hashes, const TreeHead& old_head,
                                        const TreeHead& new_head, std::span<const Digest> proof);

}  // namespace talla::certs
