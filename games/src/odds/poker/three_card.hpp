/// \file
/// Ante and second bet of three-card poker under the best play, from all 407,170,400 deals of two
/// hands.
///
/// Law:     the player retires (the ante is lost) or lays down a second bet like the ante. The bank
///          plays from a least hand on; if not, the ante is paid 1 to 1 and the second bet
///          returned. Else the higher hand takes both 1 to 1, equal hands return both. The bonus
///          pays multiples of the ante whatever the bank has, to players who stay; under one
///          reading not to those whose hand is below the bank's.
/// Method:  each of the player's 1,755 hands that differ in more than suits against each of the
///          bank's 18,424.
/// Threads: a pure function.
#pragma once

#include "odds/poker/odds.hpp"

namespace talla::games::poker {

struct ThreeCardLaw {
  HandValue bank_plays_from;  ///< the least hand with which the bank plays: Q-3-2
  PayTable bonus;
  bool lower_takes_bonus = true;  ///< also with a hand below the bank's
};

struct ThreeCardOdds {
  Odds best;
  AlwaysGoes always = all_go();
};
[[nodiscard]] ThreeCardOdds three_card_odds(const Ranker& ranker, const ThreeCardLaw& law);

}  // namespace talla::games::poker
