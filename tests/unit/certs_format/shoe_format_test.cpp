// Goal: the hashes of a sealed shoe are those of FORMAT.md section 7.
// Method: frozen values computed by the Python verifier; a whole tree against its leaves.
#include "format/shoe_format.hpp"

#include <gtest/gtest.h>

#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view shoe = "shoe-17";

TEST(ShoeFormat, salts_leaves_and_commitments_have_their_frozen_values) {
  const ShoeKey key(hashes, filled(1), shoe);
  EXPECT_EQ(to_hex(key.salt(0)),
            "3e6d5491840aef18869c097472c5232ff741b8e43e853acc85e83febe4fa7b75");
  EXPECT_EQ(to_hex(key.salt(5)),
            "06e9d6cd7b20d5f6dc2a36e32dddfcd0535f918a02c35e57adcc22b1845ad030");
  EXPECT_EQ(to_hex(shoe_leaf_hash(hashes, {shoe, 416, 5, 51}, key.salt(5))),
            "66373bfe79f5e44aba75dd543409b29f6d2b3d6eb73c28d812e0ef8d0a019c75");
  Bytes tape;
  for (std::uint8_t i = 0; i < 16; ++i) tape.push_back(i);
  EXPECT_EQ(to_hex(key.tape_mac(tape)),
            "2a26d8e28380abed3e6d03b1ce1b01cbd060475a1dbd7cc7e775a3b5591aa287");
}

TEST(ShoeFormat, the_tree_is_that_of_its_leaves) {
  const ShoeKey key(hashes, filled(1), shoe);
  const Bytes order{51, 0, 13, 26, 39};
  const MerkleTree tree = shoe_tree(hashes, key, shoe, order);
  ASSERT_EQ(tree.size(), order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(*tree.node(0, i), shoe_leaf_hash(hashes, {shoe, 5, i, order[i]}, key.salt(i)));
  }
}

}  // namespace
}  // namespace talla::certs
