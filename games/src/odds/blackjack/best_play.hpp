/// \file
/// The best play of the first hand of a shoe of blackjack, exactly: every hand that a player may
/// come to, against every hand that the dealer may, each with its number of deals. Private to
/// games.
///
/// Whoever decides knows his own cards and the dealer's first one, nothing of other boxes. What is
/// best for a hand is found with the removal of exactly its cards. A pair is split where that
/// returns more, and again whenever it may be; a split hand is played as the same cards are when
/// they were not split, and what it returns is exact for the removal of the cards of all hands:
/// their order does not matter, so that the hands of a split have the same chances, whoever was
/// served first.
/// Source:  Griffin, The Theory of Blackjack, 1979, for the recursion.
/// Threads: pure functions.
#pragma once

#include <functional>

#include "odds/blackjack/hand_law.hpp"

namespace talla::games::blackjack {

enum class Action : std::uint8_t { stand, hit, twice, split, surrender, even_money };

/// A first stake of 1 on the first hand of a full shoe.
struct Played {
  Ratio returned;
  Ratio staked;
  // Of a play that never splits also:
  Ratio win;
  Ratio lose;
  Ratio square;
};
struct BestPlay {
  Played best;         ///< `win`, `lose` and `square` are not worked out
  Played never_split;  ///< the best without splitting
  /// By the points of the two first cards (the first no higher) and the dealer's first one.
  std::array<std::array<std::array<Action, classes_count>, classes_count>, classes_count> first{};
};
[[nodiscard]] BestPlay best_play(const HandLaw& law);

/// What a blackjack gains on average against that first card, nothing done with it.
[[nodiscard]] Ratio blackjack_gain(const HandLaw& law, std::size_t dealer);

/// How somebody plays who does not look for the best. Nothing that is not open to a hand.
struct Told {
  /// Of two first cards (the first no higher) against the dealer's first one.
  std::function<Action(std::size_t a, std::size_t b, std::size_t dealer)> first;
  /// Of any cards that were not split, and of two cards of a split hand: hit, stand or twice.
  std::function<Action(const Counts& own, std::size_t cards, std::size_t dealer)> later;
};
/// `win`, `lose` and `square` are not worked out.
[[nodiscard]] Played told_play(const HandLaw& law, const Told& told);

}  // namespace talla::games::blackjack
