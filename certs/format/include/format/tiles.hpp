/// \file
/// C2SP tlog-tiles: names and contents of the files of a log; pure functions, no disk.
///
/// A tile at level L, index N holds up to 256 hashes of level 8 * L from index 256 * N on; an entry
/// bundle holds the records themselves, each behind a 16-bit big-endian length.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace talla::certs {

/// Hashes of a whole tile.
inline constexpr std::uint32_t tile_width = 256;

struct Tile {
  bool entries = false;  ///< an entry bundle; level is 0 then
  unsigned level = 0;    ///< 0 to 7
  std::uint64_t index = 0;
  std::uint32_t width = tile_width;  ///< 1 to 256; below 256: partial
  bool operator==(const Tile& other) const = default;
};
/// `tile/0/x001/234.p/17`, `tile/entries/000`.
[[nodiscard]] std::string tile_path(const Tile& tile);
/// All tiles a tree of that size has beyond those of `old_size` (full ones and the partial ones of
/// the right edge).
[[nodiscard]] std::vector<Tile> tiles_between(std::uint64_t old_size, std::uint64_t size);
/// Full or partial: hashes one after another, 32 bytes each.
[[nodiscard]] Bytes encode_hash_tile(std::span<const Digest> hashes);
/// Precondition (checked): each entry is shorter than 65,536 bytes.
[[nodiscard]] Bytes encode_entry_bundle(std::span<const std::string> entries);

}  // namespace talla::certs
