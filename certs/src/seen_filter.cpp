#include "seen_filter.hpp"

#include "base/check.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t first_words = std::size_t{1} << 14;  // 128 KiB: 65,536 entries
constexpr std::size_t entries_per_word = 4;                // 16 bits each
constexpr int probes = 4;

struct Walk {
  std::uint64_t at;
  std::uint64_t step;
};

Walk walk(ByteView digest) {
  TALLA_CHECK(digest.size() >= 16);
  return {load_be64(digest.data()), load_be64(digest.data() + 8) | 1U};
}

}  // namespace

SeenFilter::SeenFilter() {
  grow(first_words);
}

void SeenFilter::grow(std::size_t words) {
  tables_.push_back({std::vector<std::uint64_t>(words), words * entries_per_word});
}

void SeenFilter::add(ByteView digest) {
  if (tables_.back().room == 0) grow(tables_.back().words.size() * 2);
  Table& table = tables_.back();
  --table.room;
  Walk at = walk(digest);
  for (int i = 0; i < probes; ++i, at.at += at.step) {
    table.words[(at.at >> 6U) & (table.words.size() - 1)] |= std::uint64_t{1} << (at.at & 63U);
  }
}

bool SeenFilter::maybe(ByteView digest) const {
  for (const Table& table : tables_) {
    Walk at = walk(digest);
    int found = 0;
    for (; found < probes; ++found, at.at += at.step) {
      const std::uint64_t word = table.words[(at.at >> 6U) & (table.words.size() - 1)];
      if ((word >> (at.at & 63U) & 1U) == 0) break;
    }
    if (found == probes) return true;
  }
  return false;
}

}  // namespace talla::certs
