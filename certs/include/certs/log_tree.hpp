/// \file
/// The tree of a log (RFC 6962 section 2.1) of any length in little memory.
///
/// Leaves lie in blocks of 256, the width of a tile. In memory are one node a block with all above
/// it (a quarter of a byte a record), and every node of the blocks added last. Nodes inside an
/// older block come from the ledger: the tree's owner reads the block, has it compared, and hands
/// it in where nodes are asked for.
/// Errors:  index_out_of_range (beyond the tree, or inside an older block that was not handed in),
///          ledger_damaged.
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "format/merkle.hpp"

namespace talla::certs {

/// All nodes over 256 leaves.
using LogBlock = std::shared_ptr<const MerkleTree>;

/// Older blocks read for a proof.
class LogBlocks {
 public:
  [[nodiscard]] const MerkleTree* find(std::uint64_t block) const;
  void add(std::uint64_t block, LogBlock nodes) { blocks_.emplace_back(block, std::move(nodes)); }

 private:
  std::vector<std::pair<std::uint64_t, LogBlock>> blocks_;  // a proof needs two at most
};

/// Older blocks that were asked for last.
class LogBlockCache {
 public:
  /// Null when it is not kept.
  [[nodiscard]] LogBlock find(std::uint64_t block);
  void keep(std::uint64_t block, LogBlock nodes);

 private:
  std::deque<std::pair<std::uint64_t, LogBlock>> entries_;  // the last one used comes first
};

/// The tree over all records; reads blocks again where it does not hold them.
class LogTree {
 public:
  static constexpr std::uint64_t block_leaves = 256;
  /// The block that a leaf lies in.
  [[nodiscard]] static std::uint64_t block_of(std::uint64_t leaf) { return leaf / block_leaves; }

  /// One more leaf, given as its hash; how many there are; the root over all.
  void append(const HashSuite& hashes, const Digest& leaf);
  [[nodiscard]] std::uint64_t size() const {
    return upper_.size() * block_leaves + growing_.size();
  }
  [[nodiscard]] Digest root(const HashSuite& hashes) const;
  /// Whether nodes of this block are to be read from the ledger: it is whole, and not among the
  /// last ones.
  [[nodiscard]] bool is_old(std::uint64_t block) const;
  /// Errors: ledger_damaged unless these are the 256 leaves that were added as this block.
  [[nodiscard]] Status compare(const HashSuite& hashes, std::uint64_t block,
                               const MerkleTree& nodes) const;
  /// Hash of the leaves [index << level, (index + 1) << level).
  [[nodiscard]] Result<Digest> node(unsigned level, std::uint64_t index,
                                    const LogBlocks& old = {}) const;

 private:
  /// Null when it is beyond the tree, or old and not handed in.
  [[nodiscard]] const MerkleTree* block(std::uint64_t number, const LogBlocks& old) const;

  MerkleTree upper_;             // its leaves are the blocks
  std::deque<LogBlock> recent_;  // whole ones, the newest last
  MerkleTree growing_;           // fewer than 256 leaves
};

}  // namespace talla::certs
