/// \file
/// Five common cards, and every pair of the other ones of a deck against every other pair: how many
/// of the bank's pairs lose to it, tie with it, or leave the bank out. Private to games.
///
/// Method:  the pairs (1,081 of 52 cards) are sorted by the value of their best five of seven; one
///          sweep from the lowest to the highest keeps how many pairs were passed, in all and with
///          each card, so that those that share a card are taken off again.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

class BoardSweep {
 public:
  struct Against {
    std::uint16_t level = 0;       ///< of the own hand
    std::int32_t not_playing = 0;  ///< the bank's pairs below the level from which it plays
    std::int32_t lower = 0;        ///< those with which it plays and loses
    std::int32_t higher = 0;
  };
  /// `deck`: four suits one after the other, the same ranks in each (all, or fewer in tests).
  /// `plays_from`: the lowest level with which the bank plays (0: always). The table must outlive
  /// it.
  BoardSweep(const HandTable<7>& table, std::span<const Card> deck, std::uint16_t plays_from);

  /// The bank's pairs against two own cards: 990 of 52 cards.
  [[nodiscard]] std::int64_t bank_pairs() const { return bank_pairs_; }

  /// Works out all pairs beside this board. Precondition: five different cards.
  void sweep(std::span<const Card> board);
  /// The board's places, ascending.
  [[nodiscard]] const std::array<Place, 5>& common() const { return common_; }
  /// Own cards by their number among all pairs of the deck, ascending, and what each does.
  [[nodiscard]] std::span<const std::uint16_t> pairs() const { return pairs_; }
  [[nodiscard]] std::span<const Against> against() const { return against_; }

 private:
  static constexpr std::size_t others_most = deck_cards_count - 5;
  /// By the places of the cards among the others.
  struct Pair {
    std::uint16_t level = 0;
    std::uint16_t at = 0;  ///< among the pairs
    std::uint8_t a = 0;
    std::uint8_t b = 0;
  };
  using Pairs = std::vector<Pair>;
  struct Tally {
    std::int32_t all = 0;
    std::array<std::int32_t, others_most> with{};
    void add(const Pair& pair) {
      ++all;
      ++with[pair.a];
      ++with[pair.b];
    }
    /// Without either card of this pair; `itself`: the pair was added too.
    [[nodiscard]] std::int32_t apart_from(const Pair& pair, bool itself) const {
      return all - with[pair.a] - with[pair.b] + (itself ? 1 : 0);
    }
  };

  void rank_pairs();
  void sort_pairs();

  const HandTable<7>* table_;
  std::uint16_t plays_from_;
  std::vector<Card> deck_;
  std::int64_t bank_pairs_ = 0;
  std::array<Place, 5> common_{};
  Pairs sorted_;
  Pairs half_sorted_;
  std::vector<std::uint16_t> pairs_;
  std::vector<Against> against_;
};

}  // namespace talla::games::poker
