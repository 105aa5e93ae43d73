/// \file
/// Reads the files of a log back (C2SP tlog-tiles), as whoever mirrors one does; the appliance
/// itself only writes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace talla::test {

/// Hashes one after another, 32 bytes each; nothing unless they are exactly so many.
[[nodiscard]] inline std::optional<std::vector<Digest>> read_hash_tile(ByteView bytes,
                                                                       std::uint32_t width) {
  constexpr std::size_t hash_bytes = 32;
  if (bytes.size() != width * hash_bytes) return std::nullopt;
  std::vector<Digest> hashes(width);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * hash_bytes), hash_bytes,
                hashes[i].begin());
  }
  return hashes;
}

/// Entries, each behind a 16-bit big-endian length; nothing unless they are exactly so many.
[[nodiscard]] inline std::optional<std::vector<std::string>> read_entry_bundle(
    ByteView bytes, std::uint32_t width) {
  std::vector<std::string> entries;
  while (!bytes.empty()) {
    if (bytes.size() < 2) return std::nullopt;
    const std::size_t length = static_cast<std::size_t>(bytes[0]) << 8 | bytes[1];
    if (bytes.size() - 2 < length) return std::nullopt;
    entries.emplace_back(as_text(bytes.subspan(2, length)));
    bytes = bytes.subspan(2 + length);
  }
  return entries.size() == width ? std::optional(entries) : std::nullopt;
}

}  // namespace talla::test
