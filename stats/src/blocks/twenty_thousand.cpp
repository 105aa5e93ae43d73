#include "stats/blocks/twenty_thousand.hpp"

#include <bit>
#include <cstring>

#include "wide.hpp"

namespace talla::stats::blocks {
namespace {

constexpr std::size_t words_count = (block_bits + 63) / 64;  // the last one holds 32 bits
/// One word of zeros before the block and two behind it: no run passes its ends.
struct Words {
  std::array<std::uint64_t, words_count + 3> padded{};
};

/// Blocks of fewer lanes' worth of words: what the bits of one kind say about runs.
struct Runs {
  std::array<std::uint64_t, 6> at_least{};  // [length - 1]: runs of that length or longer
  std::uint64_t of_26 = 0, of_34 = 0;       // not zero: there is one
};

TALLA_STATS_COUNTING void load(Block block, Words& ones, Words& zeros) {
  for (std::size_t i = 0; i + 1 < words_count; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, block.data() + i * 8, sizeof word);
    ones.padded[i + 1] = __builtin_bswap64(word);
  }
  std::uint32_t last = 0;
  std::memcpy(&last, block.data() + (words_count - 1) * 8, sizeof last);
  ones.padded[words_count] = std::uint64_t{__builtin_bswap32(last)} << 32U;
  for (std::size_t i = 1; i <= words_count; ++i) zeros.padded[i] = ~ones.padded[i];
  zeros.padded[words_count] &= ~std::uint64_t{0} << 32U;
}

/// Runs of set bits: a run of at least k begins where a bit is set, the one before is not, and the
///                   next k - 1 are.
TALLA_STATS_COUNTING void count_runs(const Words& bits, Runs& runs) {
  const std::uint64_t* word = bits.padded.data() + 1;
  std::array<std::uint64_t, words_count + 2> all{};  // a bit: it and the next five are set
  std::uint64_t c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0;
  for (std::size_t i = 0; i < words_count; ++i) {
    const std::uint64_t here = word[i], next = word[i + 1];
    const std::uint64_t begins = here & ~(here >> 1U | *(word + i - 1) << 63U);
    const std::uint64_t two = here << 1U | next >> 63U;
    const std::uint64_t three = two & (here << 2U | next >> 62U);
    const std::uint64_t four = three & (here << 3U | next >> 61U);
    const std::uint64_t five = four & (here << 4U | next >> 60U);
    const std::uint64_t six = five & (here << 5U | next >> 59U);
    c1 += static_cast<std::uint64_t>(__builtin_popcountll(begins));
    c2 += static_cast<std::uint64_t>(__builtin_popcountll(begins & two));
    c3 += static_cast<std::uint64_t>(__builtin_popcountll(begins & three));
    c4 += static_cast<std::uint64_t>(__builtin_popcountll(begins & four));
    c5 += static_cast<std::uint64_t>(__builtin_popcountll(begins & five));
    c6 += static_cast<std::uint64_t>(__builtin_popcountll(begins & six));
    all[i] = here & six;
  }
  runs.at_least = {c1, c2, c3, c4, c5, c6};
  // From six on: 12, 24, 26 and 34 in a row.
  for (std::size_t i = 0; i < words_count; ++i) all[i] &= all[i] << 6U | all[i + 1] >> 58U;
  for (std::size_t i = 0; i < words_count; ++i) all[i] &= all[i] << 12U | all[i + 1] >> 52U;
  for (std::size_t i = 0; i < words_count; ++i) {
    all[i] &= all[i] << 2U | all[i + 1] >> 62U;
    runs.of_26 |= all[i];
  }
  for (std::size_t i = 0; i < words_count; ++i)
    runs.of_34 |= all[i] & (all[i] << 8U | all[i + 1] >> 56U);
}

TALLA_STATS_COUNTING std::uint32_t count_ones(const Words& ones) {
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i <= words_count; ++i)
    sum += static_cast<std::uint64_t>(__builtin_popcountll(ones.padded[i]));
  return static_cast<std::uint32_t>(sum);
}

TALLA_STATS_COUNTING std::uint32_t nibble_squares(Block block) {
  // Four tables: equal bytes in a row need not wait for each other.
  std::array<std::array<std::uint16_t, 256>, 4> bytes{};
  for (std::size_t i = 0; i < block_bytes; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++bytes[k][block[i + k]];
  }
  std::array<std::uint32_t, 16> high{}, low{};
  for (std::size_t value = 0; value < 256; ++value) {
    const auto times = static_cast<std::uint32_t>(bytes[0][value] + bytes[1][value] +
                                                  bytes[2][value] + bytes[3][value]);
    high[value / 16] += times;
    low[value % 16] += times;
  }
  std::uint32_t squares = 0;
  for (std::size_t i = 0; i < 16; ++i) squares += (high[i] + low[i]) * (high[i] + low[i]);
  return squares;
}

// 2.16 < X < 46.17 means 1,563,175 < sum < 1,576,928.1; 1.03 < X < 57.4 means 1,562,821.9 < sum <
// 1,580,437.5.
constexpr Limits fips_140_2 = {
    9726,
    10274,
    1'563'176,
    1'576'928,
    {{{2315, 2685}, {1114, 1386}, {527, 723}, {240, 384}, {103, 209}, {103, 209}}},
    26};
constexpr Limits fips_140_1 = {
    9655,
    10345,
    1'562'822,
    1'580'437,
    {{{2267, 2733}, {1079, 1421}, {502, 748}, {223, 402}, {90, 223}, {90, 223}}},
    34};

}  // namespace

Counts count(Block block) {
  Words ones, zeros;
  load(block, ones, zeros);
  Counts counts;
  counts.ones = count_ones(ones);
  counts.nibble_squares = nibble_squares(block);
  for (std::size_t bit = 0; bit < 2; ++bit) {
    Runs runs;
    count_runs(bit == 1 ? ones : zeros, runs);
    for (std::size_t k = 0; k < 6; ++k)
      counts.runs[bit][k] =
          static_cast<std::uint32_t>(runs.at_least[k] - (k < 5 ? runs.at_least[k + 1] : 0));
    counts.run_of_26 = counts.run_of_26 || runs.of_26 != 0;
    counts.run_of_34 = counts.run_of_34 || runs.of_34 != 0;
  }
  return counts;
}

const Limits& limits(Bounds bounds) {
  return bounds == Bounds::fips_140_2 ? fips_140_2 : fips_140_1;
}

Failures judge(const Counts& counts, Bounds bounds) {
  const Limits& accepted = limits(bounds);
  Failures failures;
  failures.monobit = counts.ones < accepted.ones_least || counts.ones > accepted.ones_most;
  failures.poker = counts.nibble_squares < accepted.nibble_squares_least ||
                   counts.nibble_squares > accepted.nibble_squares_most;
  for (const auto& runs : counts.runs) {
    for (std::size_t k = 0; k < 6; ++k)
      failures.runs =
          failures.runs || runs[k] < accepted.runs[k][0] || runs[k] > accepted.runs[k][1];
  }
  failures.long_run = accepted.long_run == 26 ? counts.run_of_26 : counts.run_of_34;
  return failures;
}

}  // namespace talla::stats::blocks
