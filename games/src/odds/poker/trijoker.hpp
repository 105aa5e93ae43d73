/// \file
/// Trijoker under the best play, from all 51,979,200 deals of three own and two common cards: three
/// equal bets, of which the first may be taken back before the common cards and the second between
/// them; each bet left is paid by the five cards.
///
/// Method:  each of 1,755 own hands that differ in more than suits with each pair of the other 49
///          cards.
/// Threads: a pure function.
#pragma once

#include <array>

#include "odds/poker/odds.hpp"

namespace talla::games::poker {

struct TrijokerLaw {
  HandValue pays_from;  ///< the least hand that is paid: a pair of jacks with 4-3-2
  PayTable pays;
};

struct TrijokerOdds {
  Odds all;                   ///< the three bets together, in stakes of one of them
  std::array<Odds, 3> spots;  ///< each by itself; taken back: nothing gained, nothing staked
};
/// Errors: catalogue_malformed for an order that cannot be
/// looked up (HandTable).
[[nodiscard]] Result<TrijokerOdds> trijoker_odds(const Ranker& ranker, const TrijokerLaw& law);

}  // namespace talla::games::poker
