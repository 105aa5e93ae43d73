/// \file
/// The compile-time plan of a shuffle: which consecutive bounds share a word, and their thresholds.
///
/// A shuffle of n cards draws below 2, 3, 4, ..., n. Batches are greedy from 2 upwards: the next
/// bound joins while the product stays below 2^ProductBits. So one table serves every n: n cards
/// use its first batches, the last one cut at bound n (a shorter batch has its own threshold).
/// Source: the mapping `talla-map-v1` (shuffle/MAPPING.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shuffle/uniform.hpp"

namespace talla::shuffle {

/// The largest number of cards that can be shuffled.
inline constexpr std::size_t cards_count_max = 1024;
/// No batch has more digits than this: 2 x 3 x ... x 19 > 2^56.
inline constexpr std::size_t batch_digits_max = 18;

/// The plan for words of L bits, for up to `Max` cards.
template <unsigned L = word_bits, unsigned ProductBits = product_bits,
          std::size_t Max = cards_count_max>
struct ConsecutivePlan {
  static_assert(ProductBits <= L);
  /// Bounds `first` .. `first + count - 1` share a word.
  struct Batch {
    std::uint16_t first = 0;  ///< a bound, from 2
    std::uint16_t count = 0;  ///< of bounds, 1 or more
  };
  std::array<Batch, Max> batches{};
  std::size_t batches_count = 0;
  /// By bound b: 2^L mod (product of b's batch up to and including b). The threshold of a batch
  /// that ends at b.
  std::array<std::uint64_t, Max + 1> threshold_at{};

  constexpr ConsecutivePlan() {
    Wide product = 1;
    for (std::size_t bound = 2; bound <= Max; ++bound) {
      if (bound == 2 || product * bound >= (Wide{1} << ProductBits)) {
        batches[batches_count++] = {static_cast<std::uint16_t>(bound), 0};
        product = 1;
      }
      product *= bound;
      ++batches[batches_count - 1].count;
      threshold_at[bound] = rejection_threshold<L>(product);
    }
  }

  /// The number of words a shuffle of n cards takes when none is rejected.
  [[nodiscard]] constexpr std::size_t words_count(std::size_t n) const {
    std::size_t words = 0;
    while (words < batches_count && batches[words].first <= n) ++words;
    return words;
  }
};

/// The plan of `talla-map-v1`.
inline constexpr ConsecutivePlan<> shuffle_plan;

/// Words and bytes of tape for n cards without rejection, n in [0, 1024]: 59 words, 472 bytes for
/// 416 cards.
[[nodiscard]] constexpr std::size_t shuffle_words(std::size_t cards_count) {
  return shuffle_plan.words_count(cards_count);
}
[[nodiscard]] constexpr std::size_t shuffle_bytes(std::size_t cards_count) {
  return shuffle_words(cards_count) * sizeof(std::uint64_t);
}

}  // namespace talla::shuffle
