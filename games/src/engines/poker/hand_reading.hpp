/// \file
/// One hand read card by card: how often each rank lies in it, whether it is of one suit, whether
/// it runs, and from these its category and key. The plain form of the evaluator, which the tables
/// are built from and checked against.
///
/// Key:     place of the category in the game's list in bits 20 to 23, then up to five ranks of
///          four bits, the first one compared highest; a straight has one, its top card (15 ace
///          high, 14 the low ace's straight under `wheel_second`).
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "games/poker_hand.hpp"

namespace talla::games::poker {

inline constexpr int rank_ace = 14;
inline constexpr int rank_king = 13;
inline constexpr int rank_jack = 11;
inline constexpr unsigned category_shift = 20;
inline constexpr std::size_t hand_cards_max = 5;

/// Rank 2 to 14. Precondition: a French card, no joker.
[[nodiscard]] int french_rank_of(Card card);

/// A card as the reading sees it; a joker that stands for an ace of no suit has suit -1.
struct ReadCard {
  int rank = 0;
  int suit = -1;
};

class HandReading {
 public:
  /// `runs`: straights and flushes count (hands of three and five). At most five cards.
  HandReading(const Ranker& ranker, std::span<const Card> cards, bool runs);
  [[nodiscard]] HandValue value();

 private:
  [[nodiscard]] std::uint32_t key_with(ReadCard joker);
  [[nodiscard]] std::uint32_t key();
  void put(ReadCard card);
  void take_back();
  [[nodiscard]] bool holds(ReadCard card) const;
  [[nodiscard]] bool one_suit() const;
  [[nodiscard]] int straight_strength() const;
  void order_ranks();
  [[nodiscard]] Category category(int strength) const;
  [[nodiscard]] bool has(Category category, int strength) const;
  [[nodiscard]] std::uint32_t ranks_compared(Category category, int strength) const;

  const Ranker& ranker_;
  bool runs_;
  bool joker_ = false;
  std::size_t cards_count_ = 0;
  std::array<ReadCard, hand_cards_max> cards_{};
  std::array<int, rank_ace + 1> copies_{};  // of each rank
  // The ranks by number of copies, then from high to low, as `key` last saw them; 0 behind the last
  // one.
  std::array<int, hand_cards_max> ordered_{};
};

}  // namespace talla::games::poker
