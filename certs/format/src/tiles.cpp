#include "format/tiles.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::certs {
namespace {
constexpr unsigned tile_height = 8;
constexpr unsigned tile_level_max = 7;
constexpr std::uint64_t path_base = 1000;
constexpr std::size_t hash_bytes = 32;

std::string three_digits(std::uint64_t value) {
  std::string text = std::to_string(value);
  return std::string(3 - text.size(), '0') + text;
}

std::string index_path(std::uint64_t index) {
  std::string path = three_digits(index % path_base);
  for (index /= path_base; index > 0; index /= path_base)
    path = "x" + three_digits(index % path_base) + "/" + path;
  return path;
}

void add_tiles(std::vector<Tile>& tiles, const Tile& like, std::uint64_t old_count,
               std::uint64_t count) {
  if (count == old_count) return;
  for (std::uint64_t index = old_count / tile_width; index * tile_width < count; ++index) {
    Tile tile = like;
    tile.index = index;
    tile.width =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(tile_width, count - index * tile_width));
    tiles.push_back(tile);
  }
}
}  // namespace

std::string tile_path(const Tile& tile) {
  TALLA_CHECK(tile.width >= 1);
  TALLA_CHECK(tile.width <= tile_width);
  std::string path = tile.entries ? "tile/entries/" : "tile/" + std::to_string(tile.level) + "/";
  path += index_path(tile.index);
  if (tile.width < tile_width) path += ".p/" + std::to_string(tile.width);
  return path;
}

std::vector<Tile> tiles_between(std::uint64_t old_size, std::uint64_t size) {
  TALLA_CHECK(old_size <= size);
  std::vector<Tile> tiles;
  add_tiles(tiles, Tile{.entries = true}, old_size, size);
  for (unsigned level = 0; level <= tile_level_max; ++level) {
    const unsigned shift = level * tile_height;
    if ((size >> shift) == 0) break;
    add_tiles(tiles, Tile{.level = level}, old_size >> shift, size >> shift);
  }
  return tiles;
}

Bytes encode_hash_tile(std::span<const Digest> hashes) {
  Bytes bytes;
  bytes.reserve(hashes.size() * hash_bytes);
  for (const Digest& hash : hashes) bytes.insert(bytes.end(), hash.begin(), hash.end());
  return bytes;
}

Bytes encode_entry_bundle(std::span<const std::string> entries) {
  ByteWriter writer;
  for (const std::string& entry : entries) {
    TALLA_CHECK(entry.size() <= UINT16_MAX);
    writer.u16(static_cast<std::uint16_t>(entry.size())).raw(entry);
  }
  return writer.take();
}

}  // namespace talla::certs
