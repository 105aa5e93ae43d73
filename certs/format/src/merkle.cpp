#include "format/merkle.hpp"

#include <bit>

#include "base/check.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

constexpr std::uint8_t leaf_prefix = 0x00;
constexpr std::uint8_t node_prefix = 0x01;

/// A range of leaves that is one complete subtree, or the whole right edge.
struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// The largest power of two below the size; precondition: size > 1.
std::uint64_t split_point(std::uint64_t size) {
  return std::bit_floor(size - 1);
}

Result<Digest> range_hash(const HashSuite& hashes, const NodeSource& nodes, Range range) {
  if (std::has_single_bit(range.size())) {
    const auto level = static_cast<unsigned>(std::countr_zero(range.size()));
    return nodes(level, range.begin >> level);
  }
  const std::uint64_t middle = range.begin + split_point(range.size());
  TALLA_TRY(const Digest left, range_hash(hashes, nodes, {range.begin, middle}));
  TALLA_TRY(const Digest right, range_hash(hashes, nodes, {middle, range.end}));
  return node_hash(hashes, left, right);
}

}  // namespace

Digest leaf_hash(const HashSuite& hashes, ByteView data) {
  return hashes.sha256({ByteView(&leaf_prefix, 1), data});
}

Digest node_hash(const HashSuite& hashes, const Digest& left, const Digest& right) {
  return hashes.sha256({ByteView(&node_prefix, 1), left, right});
}

Digest empty_root(const HashSuite& hashes) {
  return hashes.sha256({});
}

void CompactRange::append(const HashSuite& hashes, const Digest& leaf) {
  append(hashes, leaf, NodeSink{});
}

void CompactRange::append(const HashSuite& hashes, const Digest& leaf, const NodeSink& on_node) {
  Digest hash = leaf;
  unsigned level = 0;
  if (on_node) on_node(level, size_, hash);
  for (std::uint64_t bits = size_; (bits & 1) != 0; bits >>= 1) {
    hash = node_hash(hashes, nodes_.back(), hash);
    nodes_.pop_back();
    ++level;
    if (on_node) on_node(level, size_ >> level, hash);
  }
  nodes_.push_back(hash);
  ++size_;
}

Digest CompactRange::root(const HashSuite& hashes) const {
  if (nodes_.empty()) return empty_root(hashes);
  Digest hash = nodes_.back();
  for (std::size_t i = nodes_.size() - 1; i > 0; --i) hash = node_hash(hashes, nodes_[i - 1], hash);
  return hash;
}

Result<CompactRange> CompactRange::from_nodes(std::uint64_t size, std::vector<Digest> nodes) {
  if (nodes.size() != static_cast<std::size_t>(std::popcount(size))) {
    return fail(FormatErrc::proof_length,
                "compact range: the count of hashes does not fit the size");
  }
  CompactRange range;
  range.size_ = size;
  range.nodes_ = std::move(nodes);
  return range;
}

MerkleTree::MerkleTree(const HashSuite& hashes, std::vector<Digest> leaf_hashes) {
  if (leaf_hashes.empty()) return;
  levels_.push_back(std::move(leaf_hashes));
  while (levels_.back().size() > 1) {
    const std::vector<Digest>& below = levels_.back();
    std::vector<Digest> level(below.size() / 2);
    for (std::size_t i = 0; i < level.size(); ++i)
      level[i] = node_hash(hashes, below[2 * i], below[2 * i + 1]);
    levels_.push_back(std::move(level));
  }
}

void MerkleTree::append(const HashSuite& hashes, const Digest& leaf) {
  Digest hash = leaf;
  for (std::size_t level = 0;; ++level) {
    if (level == levels_.size()) levels_.emplace_back();
    levels_[level].push_back(hash);
    if (levels_[level].size() % 2 != 0) return;
    const auto& nodes = levels_[level];
    hash = node_hash(hashes, nodes[nodes.size() - 2], nodes.back());
  }
}

Result<Digest> MerkleTree::node(unsigned level, std::uint64_t index) const {
  if (level >= levels_.size() || index >= levels_[level].size()) {
    return fail(FormatErrc::index_out_of_range, "tree: no such node");
  }
  return levels_[level][index];
}

Digest MerkleTree::root(const HashSuite& hashes) const {
  auto found = root_at(
      hashes, [this](unsigned level, std::uint64_t index) { return node(level, index); }, size());
  TALLA_CHECK(found.has_value());
  return *found;
}

std::vector<Digest> MerkleTree::inclusion_path(const HashSuite& hashes, std::uint64_t index) const {
  TALLA_CHECK(index < size());
  auto path = certs::inclusion_path(
      hashes, [this](unsigned level, std::uint64_t at) { return node(level, at); }, index, size());
  TALLA_CHECK(path.has_value());
  return std::move(*path);
}

Result<Digest> root_at(const HashSuite& hashes, const NodeSource& nodes, std::uint64_t size) {
  if (size == 0) return empty_root(hashes);
  return range_hash(hashes, nodes, {0, size});
}

Result<std::vector<Digest>> inclusion_path(const HashSuite& hashes, const NodeSource& nodes,
                                           std::uint64_t index, std::uint64_t size) {
  if (index >= size)
    return fail(FormatErrc::index_out_of_range, "inclusion: the index is outside the tree");
  std::vector<Digest> path;
  Range range{0, size};
  while (range.size() > 1) {
    const std::uint64_t middle = range.begin + split_point(range.size());
    const bool left = index < middle;
    TALLA_TRY(
        const Digest sibling,
        range_hash(hashes, nodes, left ? Range{middle, range.end} : Range{range.begin, middle}));
    path.push_back(sibling);
    range = left ? Range{range.begin, middle} : Range{middle, range.end};
  }
  return std::vector<Digest>(path.rbegin(), path.rend());
}

Result<std::vector<Digest>> consistency_path(const HashSuite& hashes, const NodeSource& nodes,
                                             std::uint64_t old_size, std::uint64_t size) {
  if (old_size == 0 || old_size > size) {
    return fail(FormatErrc::index_out_of_range, "consistency: the old size is outside the tree");
  }
  std::vector<Digest> path;
  Range range{0, size};
  bool whole = true;  // the old tree is all of `range` only while `range` starts at 0
  while (range.end != old_size) {
    const std::uint64_t middle = range.begin + split_point(range.size());
    const bool left = old_size <= middle;
    TALLA_TRY(
        const Digest sibling,
        range_hash(hashes, nodes, left ? Range{middle, range.end} : Range{range.begin, middle}));
    path.push_back(sibling);
    whole = whole && left;
    range = left ? Range{range.begin, middle} : Range{middle, range.end};
  }
  if (!whole) {
    TALLA_TRY(const Digest own, range_hash(hashes, nodes, range));
    path.push_back(own);
  }
  return std::vector<Digest>(path.rbegin(), path.rend());
}

}  // namespace talla::certs
