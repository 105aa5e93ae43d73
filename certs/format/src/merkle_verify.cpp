// Verifies inclusion and consistency proofs of the RFC 6962 tree.
#include <bit>

#include "base/secret.hpp"
#include "format/errc.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {
bool equal(const Digest& a, const Digest& b) {
  return equal_constant_time(a, b);
}

/// RFC 9162 section 2.1.4.2 keeps two counters: the node on the way from the old edge, and the last
/// of the level.
struct ConsistencyWalk {
  std::uint64_t node;
  std::uint64_t last;
  void up() {
    node >>= 1;
    last >>= 1;
  }
};
}  // namespace

Result<Digest> root_from_path(const HashSuite& hashes, LeafPosition at, const Digest& leaf,
                              std::span<const Digest> path) {
  if (at.index >= at.size)
    return fail(FormatErrc::index_out_of_range, "inclusion: the index is outside the tree");
  // Levels at which leaf and right edge part take one hash each; above, one for each left neighbour
  // of the edge.
  const auto inner = static_cast<unsigned>(std::bit_width(at.index ^ (at.size - 1)));
  const std::uint64_t above = inner >= 64 ? 0 : at.index >> inner;
  if (path.size() != inner + static_cast<unsigned>(std::popcount(above))) {
    return fail(FormatErrc::proof_length, "inclusion: the path has the wrong number of hashes");
  }
  Digest hash = leaf;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool right = i >= inner || ((at.index >> i) & 1) != 0;
    hash = right ? node_hash(hashes, path[i], hash) : node_hash(hashes, hash, path[i]);
  }
  return hash;
}

Status verify_inclusion(const HashSuite& hashes, LeafPosition at, const Digest& leaf,
                        std::span<const Digest> path, const Digest& root) {
  TALLA_TRY(const Digest found, root_from_path(hashes, at, leaf, path));
  if (!equal(found, root))
    return fail(FormatErrc::wrong_root, "inclusion: the path leads to another root");
  return {};
}

Status verify_consistency(const HashSuite& hashes, const TreeHead& old_head,
                          const TreeHead& new_head, std::span<const Digest> proof) {
  if (old_head.size == 0 || old_head.size > new_head.size) {
    return fail(FormatErrc::index_out_of_range,
                "consistency: the sizes do not grow from at least 1");
  }
  if (old_head.size == new_head.size) {
    if (!proof.empty())
      return fail(FormatErrc::proof_length, "consistency: equal sizes take no hashes");
    if (!equal(old_head.root, new_head.root))
      return fail(FormatErrc::wrong_root, "consistency: the roots differ");
    return {};
  }
  // A power of two is a subtree of the new tree: its root opens the walk and is not in the proof.
  const bool complete = std::has_single_bit(old_head.size);
  if (proof.empty()) return fail(FormatErrc::proof_length, "consistency: the proof is empty");
  ConsistencyWalk walk{old_head.size - 1, new_head.size - 1};
  while ((walk.node & 1) != 0) walk.up();
  const Digest seed = complete ? old_head.root : proof.front();
  Digest old_hash = seed;
  Digest new_hash = seed;
  for (const Digest& step : proof.subspan(complete ? 0 : 1)) {
    if (walk.last == 0)
      return fail(FormatErrc::proof_length, "consistency: the proof has too many hashes");
    if ((walk.node & 1) != 0 || walk.node == walk.last) {
      old_hash = node_hash(hashes, step, old_hash);
      new_hash = node_hash(hashes, step, new_hash);
      while ((walk.node & 1) == 0 && walk.node != 0) walk.up();
    } else {
      new_hash = node_hash(hashes, new_hash, step);
    }
    walk.up();
  }
  if (walk.last != 0)
    return fail(FormatErrc::proof_length, "consistency: the proof has too few hashes");
  if (!equal(old_hash, old_head.root))
    return fail(FormatErrc::wrong_root, "consistency: another old root");
  if (!equal(new_hash, new_head.root))
    return fail(FormatErrc::wrong_root, "consistency: another new root");
  return {};
}

}  // namespace talla::certs
