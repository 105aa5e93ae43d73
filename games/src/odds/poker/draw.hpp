/// \file
/// Draw poker against the house at its best, all cards counted (es-euskadi-2010 12): five cards
/// each, the player passes (the first bet is lost) or lays down a second one and changes up to two
/// cards; then the bank changes cards by its fixed rule.
///
/// Law:     the bank plays from a least hand on; if not, the first bet is paid 1 to 1 and the
///          second returned. Else the higher hand takes both, the player's first bet 1 to 1, his
///          second by its table; equal hands return both.
/// Method:  the bank's courses (bank_draws.hpp) are added to counters from its lowest hand to its
///          highest: for every set of up to seven cards, how many courses hold them all. At each
///          value the player's final hands stand against what was added; that the bank has neither
///          their cards nor those that he gave up is inclusion and exclusion over the counters.
///          What differs only by suits is counted once. What each final hand gains is then summed
///          by the hand dealt and the cards given up; then comes the choice.
/// Cost:    three minutes on one core, 850 MiB. Threads: pure functions.
#pragma once

#include <vector>

#include "games/odds.hpp"
#include "odds/poker/bank_draws.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games::poker {

struct DrawLaw {
  HandValue bank_plays_from;
  PayTable second_bet;
  std::int64_t multiple = 2;  ///< the second bet, in first ones
  std::size_t most = 2;       ///< cards that a player may change, two at most
  ChangeRule bank;
};

/// Sums over all deals, wider than those of Odds.
struct DrawSums {
  Int128 net = 0;
  Int128 staked = 0;
  Int128 deals = 0;
  Int128 win = 0;
  Int128 lose = 0;
  Int128 square = 0;
  /// As fractions of one deal.
  [[nodiscard]] games::Odds odds() const;
};

/// What may be done with five cards, and what it gains.
struct DrawChoice {
  std::vector<Place> given_up;
  Ratio gain;  ///< expected, in first stakes
};
struct DrawOdds {
  DrawSums best;
  std::int64_t goes = 0;  ///< of the player's hands, how many do not pass
  /// With the hands asked for, the best way to go on first.
  std::vector<std::vector<DrawChoice>> choices;
};
/// From this deck of four suits (52 cards, fewer in tests). `asked`: places ascending.
[[nodiscard]] DrawOdds draw_odds(const Ranker& ranker, std::span<const Card> deck,
                                 const DrawLaw& law,
                                 std::span<const std::array<Place, five_cards>> asked = {});

}  // namespace talla::games::poker
