// Goal: names and contents of tiles are those of C2SP tlog-tiles.
// Method: the public logs of 15 and 300 entries rebuilt from their entries; paths are
//         those of the specification.
#include "format/tiles.hpp"

#include <gtest/gtest.h>

#include "format/checkpoint.hpp"
#include "format/merkle.hpp"
#include "shared.hpp"
#include "support/tile_reader.hpp"

namespace talla::certs {
namespace {

Bytes tile_vector(const std::string& path) {
  const std::string text = tlog_vector("tiles/" + path);
  return {text.begin(), text.end()};
}

TEST(TlogTiles, paths_are_written_in_groups_of_three_digits) {
  EXPECT_EQ(tile_path({.level = 0, .index = 0}), "tile/0/000");
  EXPECT_EQ(tile_path({.level = 3, .index = 1234067, .width = 17}), "tile/3/x001/x234/067.p/17");
  EXPECT_EQ(tile_path({.entries = true, .index = 1000}), "tile/entries/x001/000");
}

TEST(TlogTiles, a_public_log_of_15_entries_is_rebuilt_from_its_entry_bundle) {
  const std::string log = "tessera-15/";
  const Bytes bundle = tile_vector(log + "tile/entries/000.p/15");
  const auto entries = test::read_entry_bundle(bundle, 15);
  ASSERT_TRUE(entries);
  EXPECT_EQ(encode_entry_bundle(*entries), bundle);
  std::vector<Digest> leaves;
  for (const auto& entry : *entries) leaves.push_back(leaf_hash(hashes, as_bytes(entry)));
  EXPECT_EQ(encode_hash_tile(leaves), tile_vector(log + "tile/0/000.p/15"));
  const Bytes note = tile_vector(log + "checkpoint.15");
  EXPECT_EQ(MerkleTree(hashes, leaves).root(hashes),
            parse_checkpoint(as_text(note))->checkpoint.root);
}

TEST(TlogTiles, a_public_log_of_300_entries_has_its_tiles_and_root) {
  const std::string log = "sunlight-300/";
  std::vector<Digest> leaves;
  for (const Tile& tile : {Tile{.index = 0}, Tile{.index = 1, .width = 44}}) {
    const auto part = test::read_hash_tile(tile_vector(log + tile_path(tile)), tile.width);
    ASSERT_TRUE(part);
    leaves.insert(leaves.end(), part->begin(), part->end());
  }
  const MerkleTree tree(hashes, leaves);
  EXPECT_EQ(encode_hash_tile(std::vector{*tree.node(8, 0)}),
            tile_vector(log + tile_path({.level = 1, .width = 1})));
  const Bytes mirror = tile_vector(log + "checkpoint.mirror");
  const auto note = parse_note(as_text(mirror));
  ASSERT_TRUE(note);
  EXPECT_EQ(parse_checkpoint_text(note->text)->root, tree.root(hashes));
  const Bytes other = tile_vector(log + "checkpoint.log");
  EXPECT_NE(parse_checkpoint_text(parse_note(as_text(other))->text)->root, tree.root(hashes));
}

TEST(TlogTiles, growing_names_each_changed_tile_once) {
  const auto tiles = tiles_between(250, 300);
  const std::vector<Tile> expected = {{.entries = true, .index = 0},
                                      {.entries = true, .index = 1, .width = 44},
                                      {.index = 0},
                                      {.index = 1, .width = 44},
                                      {.level = 1, .width = 1}};
  EXPECT_EQ(tiles, expected);
  EXPECT_TRUE(tiles_between(300, 300).empty());
  EXPECT_EQ(tiles_between(0, 256).back(), (Tile{.level = 1, .width = 1}));
}

TEST(TlogTiles, an_entry_stands_behind_its_length) {
  EXPECT_EQ(to_hex(encode_entry_bundle(std::vector<std::string>{"a", "bc"})), "00016100026263");
}

}  // namespace
}  // namespace talla::certs
