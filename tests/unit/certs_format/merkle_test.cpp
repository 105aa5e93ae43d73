// Goal: the tree is RFC 6962's, and a proof proves its own place and nothing else.
// Method: every size up to 40 with every index and old size against the recursive definition;
//         flipped bits.
#include "format/merkle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

constexpr std::uint64_t size_max = 40;

std::vector<Digest> leaves(std::uint64_t count) {
  std::vector<Digest> list;
  for (std::uint64_t i = 0; i < count; ++i)
    list.push_back(leaf_hash(hashes, as_bytes("leaf " + std::to_string(i))));
  return list;
}

/// MTH of RFC 6962 section 2.1, word for word.
Digest defined_root(std::span<const Digest> list) {
  if (list.empty()) return hashes.sha256({});
  if (list.size() == 1) return list.front();
  std::size_t k = 1;
  while (k * 2 < list.size()) k *= 2;
  const std::uint8_t one = 1;
  return hashes.sha256(
      {ByteView(&one, 1), defined_root(list.first(k)), defined_root(list.subspan(k))});
}

NodeSource nodes_of(const MerkleTree& tree) {
  return [&tree](unsigned level, std::uint64_t index) { return tree.node(level, index); };
}

TEST(Rfc6962_2_1, roots_of_all_ways_to_build_agree_with_the_definition) {
  const auto list = leaves(size_max);
  MerkleTree grown;
  CompactRange range;
  for (std::uint64_t size = 0; size <= size_max; ++size) {
    const Digest expected = defined_root(std::span(list).first(size));
    EXPECT_EQ(MerkleTree(hashes, {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size)})
                  .root(hashes),
              expected);
    EXPECT_EQ(grown.root(hashes), expected);
    EXPECT_EQ(range.root(hashes), expected);
    EXPECT_EQ(CompactRange::from_nodes(size, range.nodes())->root(hashes), expected);
    if (size == size_max) break;
    grown.append(hashes, list[size]);
    range.append(hashes, list[size]);
  }
}

TEST(Rfc6962_2_1_1, every_inclusion_proof_of_small_trees_verifies_at_its_place_only) {
  const auto list = leaves(size_max);
  for (std::uint64_t size = 1; size <= size_max; ++size) {
    const MerkleTree tree(hashes, {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size)});
    const Digest root = tree.root(hashes);
    for (std::uint64_t index = 0; index < size; ++index) {
      const auto path = tree.inclusion_path(hashes, index);
      EXPECT_TRUE(verify_inclusion(hashes, {index, size}, list[index], path, root));
      for (std::uint64_t other = 0; other <= size; ++other) {
        if (other == index) continue;
        EXPECT_FALSE(verify_inclusion(hashes, {other, size}, list[index], path, root));
      }
    }
  }
}

TEST(Rfc6962_2_1_2, every_consistency_proof_of_small_trees_verifies_for_its_sizes_only) {
  const auto list = leaves(size_max);
  const MerkleTree tree(hashes, list);
  std::vector<Digest> roots;
  for (std::uint64_t size = 0; size <= size_max; ++size)
    roots.push_back(defined_root(std::span(list).first(size)));
  for (std::uint64_t size = 1; size <= size_max; ++size) {
    for (std::uint64_t old_size = 1; old_size <= size; ++old_size) {
      const auto proof = consistency_path(hashes, nodes_of(tree), old_size, size);
      ASSERT_TRUE(proof);
      EXPECT_TRUE(
          verify_consistency(hashes, {old_size, roots[old_size]}, {size, roots[size]}, *proof));
      EXPECT_FALSE(
          verify_consistency(hashes, {old_size, roots[old_size - 1]}, {size, roots[size]}, *proof));
      EXPECT_FALSE(
          verify_consistency(hashes, {old_size, roots[old_size]}, {size, roots[size - 1]}, *proof));
      auto longer = *proof;
      longer.push_back(roots[1]);
      EXPECT_FALSE(
          verify_consistency(hashes, {old_size, roots[old_size]}, {size, roots[size]}, longer));
    }
  }
}

TEST(Rfc6962_2_1_2, sizes_that_do_not_grow_from_one_are_refused) {
  const auto list = leaves(8);
  const MerkleTree tree(hashes, list);
  EXPECT_FALSE(consistency_path(hashes, nodes_of(tree), 0, 8));
  EXPECT_FALSE(consistency_path(hashes, nodes_of(tree), 9, 8));
  EXPECT_FALSE(inclusion_path(hashes, nodes_of(tree), 8, 8));
  EXPECT_FALSE(verify_consistency(hashes, {0, empty_root(hashes)}, {8, tree.root(hashes)}, {}));
  EXPECT_FALSE(verify_consistency(hashes, {8, tree.root(hashes)}, {7, tree.root(hashes)}, {}));
}

TEST(CompactRange, reports_each_completed_subtree_once) {
  const auto list = leaves(11);
  const MerkleTree tree(hashes, list);
  CompactRange range;
  std::size_t reported = 0;
  for (const Digest& leaf : list) {
    range.append(hashes, leaf, [&](unsigned level, std::uint64_t index, const Digest& hash) {
      EXPECT_EQ(*tree.node(level, index), hash);
      ++reported;
    });
  }
  EXPECT_EQ(reported, 11U + 5U + 2U + 1U);
  EXPECT_TRUE(CompactRange::from_nodes(11, {}).error().is(FormatErrc::proof_length));
}

RC_GTEST_PROP(Rfc6962_2_1_1, any_flipped_bit_of_leaf_path_or_root_is_refused, ()) {
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 300);
  const auto index = *rc::gen::inRange<std::uint64_t>(0, size);
  const auto list = leaves(size);
  const MerkleTree tree(hashes, list);
  auto path = tree.inclusion_path(hashes, index);
  Digest leaf = list[index];
  Digest root = tree.root(hashes);
  RC_ASSERT(verify_inclusion(hashes, {index, size}, leaf, path, root).has_value());
  const auto which = *rc::gen::inRange<std::size_t>(0, path.size() + 2);
  Digest& target = which < path.size() ? path[which] : which == path.size() ? leaf : root;
  target[*rc::gen::inRange<std::size_t>(0, 32)] ^=
      static_cast<std::uint8_t>(1U << *rc::gen::inRange(0, 8));
  RC_ASSERT(!verify_inclusion(hashes, {index, size}, leaf, path, root).has_value());
}

RC_GTEST_PROP(Rfc6962_2_1_2, any_flipped_bit_of_a_consistency_proof_is_refused, ()) {
  const auto size = *rc::gen::inRange<std::uint64_t>(2, 300);
  const auto old_size = *rc::gen::inRange<std::uint64_t>(1, size);
  const auto list = leaves(size);
  const MerkleTree tree(hashes, list);
  auto proof = *consistency_path(hashes, nodes_of(tree), old_size, size);
  const TreeHead old_head{old_size, defined_root(std::span(list).first(old_size))};
  const TreeHead new_head{size, tree.root(hashes)};
  RC_ASSERT(verify_consistency(hashes, old_head, new_head, proof).has_value());
  const auto which = *rc::gen::inRange<std::size_t>(0, proof.size());
  proof[which][*rc::gen::inRange<std::size_t>(0, 32)] ^=
      static_cast<std::uint8_t>(1U << *rc::gen::inRange(0, 8));
  RC_ASSERT(!verify_consistency(hashes, old_head, new_head, proof).has_value());
}

}  // namespace
}  // namespace talla::certs
