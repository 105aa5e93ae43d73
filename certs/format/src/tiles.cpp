#include "format/tiles.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "base/check.hpp"
#include "format/errc.hpp"

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

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads "x001/x234/067"; nothing unless it is the one spelling of an index.
std::optional<std::uint64_t> parse_index(std::string_view text) {
  constexpr std::size_t parts_max = 7;
  const std::string_view whole = text;
  std::uint64_t index = 0;
  for (std::size_t part = 0; part < parts_max; ++part) {
    const bool more = text.starts_with('x');
    if (more) text.remove_prefix(1);
    if (text.size() < 3) return std::nullopt;
    const auto digits = number(text.substr(0, 3));
    if (!digits || index > (UINT64_MAX - *digits) / path_base) return std::nullopt;
    index = index * path_base + *digits;
    text.remove_prefix(3);
    if (!more)
      return text.empty() && index_path(index) == whole ? std::optional(index) : std::nullopt;
    if (!text.starts_with('/')) return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
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

Result<Tile> parse_tile_path(std::string_view path) {
  const auto refuse = [] { return fail(FormatErrc::malformed_tile, "tile: malformed path"); };
  const std::string_view whole = path;
  if (!path.starts_with("tile/")) return refuse();
  path.remove_prefix(5);
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return refuse();
  Tile tile;
  tile.entries = path.substr(0, slash) == "entries";
  if (!tile.entries) {
    const auto level = number(path.substr(0, slash));
    if (!level || *level > tile_level_max) return refuse();
    tile.level = static_cast<unsigned>(*level);
  }
  path.remove_prefix(slash + 1);
  if (const std::size_t partial = path.find(".p/"); partial != std::string_view::npos) {
    const auto width = number(path.substr(partial + 3));
    if (!width || *width == 0 || *width >= tile_width) return refuse();
    tile.width = static_cast<std::uint32_t>(*width);
    path = path.substr(0, partial);
  }
  const auto index = parse_index(path);
  if (!index) return refuse();
  tile.index = *index;
  if (tile_path(tile) != whole) return refuse();
  return tile;
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

Result<std::vector<Digest>> parse_hash_tile(ByteView bytes, std::uint32_t width) {
  if (bytes.size() != width * hash_bytes)
    return fail(FormatErrc::malformed_tile, "tile: wrong number of bytes");
  std::vector<Digest> hashes(width);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * hash_bytes), hash_bytes,
                hashes[i].begin());
  }
  return hashes;
}

Bytes encode_entry_bundle(std::span<const std::string> entries) {
  ByteWriter writer;
  for (const std::string& entry : entries) {
    TALLA_CHECK(entry.size() <= UINT16_MAX);
    writer.u16(static_cast<std::uint16_t>(entry.size())).raw(entry);
  }
  return writer.take();
}

Result<std::vector<std::string>> parse_entry_bundle(ByteView bytes, std::uint32_t width) {
  std::vector<std::string> entries;
  while (!bytes.empty()) {
    if (bytes.size() < 2) return fail(FormatErrc::malformed_tile, "entry bundle: cut short");
    const std::size_t length = static_cast<std::size_t>(bytes[0]) << 8 | bytes[1];
    if (bytes.size() - 2 < length)
      return fail(FormatErrc::malformed_tile, "entry bundle: cut short");
    entries.emplace_back(as_text(bytes.subspan(2, length)));
    bytes = bytes.subspan(2 + length);
  }
  if (entries.size() != width)
    return fail(FormatErrc::malformed_tile, "entry bundle: wrong number of entries");
  return entries;
}

}  // namespace talla::certs
