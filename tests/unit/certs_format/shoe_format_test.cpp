// Goal: the hashes of a sealed shoe are those of FORMAT.md section 7.
// Method: frozen values computed by the Python verifier; a whole tree against its leaves.
#include "format/shoe_format.hpp"

#include <gtest/gtest.h>

#include "format/errc.hpp"
#include "shared.hpp"
#include "support/wiped.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view shoe = "shoe-17";

TEST(ShoeFormat, salts_leaves_and_commitments_have_their_frozen_values) {
  const ShoeKey key(hashes, filled(1), shoe);
  EXPECT_EQ(to_hex(key.salt(0)),
            "32a5a2e3024252db597838de205f0d2c68d20dc67868c1a9163cc114c8e8ca89");
  EXPECT_EQ(to_hex(key.salt(5)),
            "9adc66ea01f1445f3423d66682e1293f1a37eed49526b5c7acf3d99778f8e09a");
  EXPECT_EQ(to_hex(shoe_leaf_hash(hashes, {shoe, 416, 5, 51}, key.salt(5))),
            "1a9ac9b8a9e5fbcc176286f24e5fca4e93720a10971ab01c4c8879c6f37fd756");
  Bytes tape;
  for (std::uint8_t i = 0; i < 16; ++i) tape.push_back(i);
  EXPECT_EQ(to_hex(key.tape_mac(tape)),
            "c59de836ad78744b2cba375067fc5c2cca8a516c04954f2f8df2899002fb3191");
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

TEST(ShoeFormat, the_tree_leaves_neither_card_nor_salt_behind) {
  const ShoeKey key(hashes, filled(1), shoe);
  const Bytes order{51, 0, 13, 26, 39};
  EXPECT_EQ(test::wiped_by([&] { static_cast<void>(shoe_tree(hashes, key, shoe, order)); }), 128U)
      << "the leaf that was written last, in its place";
}

}  // namespace
}  // namespace talla::certs
