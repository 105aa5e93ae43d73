/// \file
/// The values of five, six or seven cards by looking them up: for odds, simulation and checks,
/// where hundreds of millions of hands are compared. Gives exactly what the Ranker gives
/// (`Ranker::best`), for any order without a joker.
///
/// Method:  each card is a 64-bit word: a fixed pseudo-random number of its rank in the upper 48
///          bits, a counter of its suit in the lower 16. The sum of a hand's words says at once
///          whether five are of one suit (counters start at 3, so that the fifth sets a bit) and
///          which ranks it holds. Without a flush the upper bits find the value in two steps: 13 of
///          them (with seven cards) choose a row, 16 more plus that row's displacement choose the
///          slot; the displacements are found when the table is built, so that no two sets of ranks
///          share a slot. With a flush the 13 bits of the suit's ranks are the place in a second
///          table. The only branch is "is it a flush", 3 % of hands.
/// Memory:  seven cards: 128 KiB values, 16 KiB displacements, 16 KiB flushes; built in some
///          milliseconds from the Ranker.
/// Levels:  values are numbered from 0 without gaps; the larger one is the better hand.
/// Threads: immutable once built.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "games/poker_hand.hpp"

namespace talla::games::poker {

inline constexpr int ranks_count = 13;
inline constexpr std::size_t deck_cards_count = 52;
inline constexpr std::size_t flush_masks_count = std::size_t{1} << 13;

namespace words {

inline constexpr unsigned suit_counter_bits = 4;
inline constexpr unsigned rank_number_shift = 16;
inline constexpr std::uint64_t counters_start = 0x3333;
inline constexpr std::uint64_t counters_flush = 0x8888;

/// The 48-bit number of a rank (0 ace .. 12 king): the SplitMix64 sequence from its fifth number
/// on, the first place from which the bits used keep all sets of five, six and seven ranks apart
/// (checked again when a table is built).
constexpr std::uint64_t of_rank(std::uint64_t rank) {
  constexpr std::uint64_t first = 5;
  std::uint64_t z = (rank + first) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31U)) << rank_number_shift;
}

/// By the code of a card (13 x suit + rank - 1), so long that no code lies outside; zero for what
/// is no French card.
using ByCode = std::array<std::uint64_t, 256>;
constexpr ByCode sums() {
  ByCode out{};
  for (std::uint64_t code = 0; code < deck_cards_count; ++code) {
    const std::uint64_t suit = code / ranks_count;
    out[code] = of_rank(code % ranks_count) + (std::uint64_t{1} << (suit * suit_counter_bits));
  }
  return out;
}
/// One bit a card, sixteen a suit.
constexpr ByCode bits() {
  ByCode out{};
  for (std::uint64_t code = 0; code < deck_cards_count; ++code) {
    out[code] = std::uint64_t{1} << (code / ranks_count * 16 + code % ranks_count);
  }
  return out;
}
inline constexpr ByCode sum_of = sums();
inline constexpr ByCode bit_of = bits();

/// The ranks (bit 0 ace .. bit 12 king) of the suit whose counter is full.
[[nodiscard]] inline std::size_t flush_ranks(std::uint64_t sum, std::uint64_t bits) {
  const std::uint64_t full = sum & counters_flush;
  const unsigned suit = static_cast<unsigned>(__builtin_ctzll(full)) / suit_counter_bits;
  return (bits >> (suit * 16)) & (flush_masks_count - 1);
}

}  // namespace words

/// Cards taken together one after the other, for loops that share their first cards.
struct CardSum {
  std::uint64_t sum = words::counters_start;
  std::uint64_t bits = 0;
  [[nodiscard]] CardSum with(Card card) const {
    return {.sum = sum + words::sum_of[card.code()], .bits = bits | words::bit_of[card.code()]};
  }
};

/// Five, six or seven cards (N) in the order of one Ranker.
template <std::size_t N>
class HandTable {
  static_assert(N >= 5 && N <= 7);

 public:
  static constexpr unsigned slot_bits = N == 7 ? 16 : N == 6 ? 15 : 13;
  static constexpr unsigned row_bits = N == 7 ? 13 : N == 6 ? 12 : 10;

  /// Errors: catalogue_malformed when the order has a joker, or does not put the flush above pair,
  /// two pair, three, straight, figuras and ace-king (with six and seven cards the two could not be
  /// told from each other by the flush alone).
  [[nodiscard]] static Result<std::unique_ptr<const HandTable>> create(const Ranker& ranker);

  /// N different French cards (anything else gives a meaningless level).
  [[nodiscard]] std::uint16_t level(std::span<const Card, N> cards) const {
    std::uint64_t sum = words::counters_start;
    for (const Card card : cards) sum += words::sum_of[card.code()];
    if ((sum & words::counters_flush) == 0) [[likely]]
      return of_ranks(sum);
    return of_flush(cards, sum);
  }
  /// The same of N cards taken together.
  [[nodiscard]] std::uint16_t level(const CardSum& cards) const {
    if ((cards.sum & words::counters_flush) == 0) [[likely]]
      return of_ranks(cards.sum);
    return flush_[words::flush_ranks(cards.sum, cards.bits)];
  }

  [[nodiscard]] std::size_t levels_count() const { return values_.size(); }
  /// The value that the Ranker gives hands of this level. Precondition: below levels_count().
  [[nodiscard]] HandValue value(std::uint16_t level) const { return values_[level]; }

 private:
  HandTable() = default;
  template <std::size_t M>
  friend class HandTable;

  struct Filling;  // what is known while the table is built
  static std::unique_ptr<const HandTable> build(const Ranker& ranker);
  void place(const Filling& filling);

  [[nodiscard]] std::uint16_t of_ranks(std::uint64_t sum) const {
    const auto shift = displacement_[sum >> (64 - row_bits)];
    return level_[((sum >> words::rank_number_shift) + shift) &
                  ((std::size_t{1} << slot_bits) - 1)];
  }

  /// Out of line: the loops that look hands up stay small, and so does what they hold in registers.
  [[nodiscard, gnu::noinline]] std::uint16_t of_flush(std::span<const Card, N> cards,
                                                      std::uint64_t sum) const {
    std::uint64_t bits = 0;
    for (const Card card : cards) bits |= words::bit_of[card.code()];
    return flush_[words::flush_ranks(sum, bits)];
  }

  std::array<std::uint16_t, std::size_t{1} << slot_bits> level_{};
  std::array<std::uint16_t, std::size_t{1} << row_bits> displacement_{};
  std::array<std::uint16_t, flush_masks_count> flush_{};
  std::vector<HandValue> values_;
};

extern template class HandTable<5>;
extern template class HandTable<6>;
extern template class HandTable<7>;

}  // namespace talla::games::poker
