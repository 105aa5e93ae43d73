/// \file
/// First and second bet of Caribbean stud (póquer sin descarte) from all 19,933,230,517,200 deals: five cards of the player,
/// five of the bank, one of these shown before the player speaks.
///
/// Law:     the player passes (the first bet is lost) or lays down a second bet of twice the first. The bank plays from a
///          least hand on (A-K-4-3-2); if not, the first bet is paid 1 to 1 and the second returned. Else the higher hand
///          takes both, the player's first bet 1 to 1, his second by its table; equal hands return both.
/// Method:  the bank's hands are added to counters from the lowest value to the highest: for every set of up to three cards
///          and one more card, how many hands hold all of them. At each value the player's 134,459 hands that differ in more
///          than suits stand against what was added, by inclusion and exclusion over the player's own five cards, for each of
///          47 cards shown. Nothing is sampled; about a second on one core.
/// Without: the card that may be bought in some catalogues.
/// Threads: a pure function.
#pragma once

#include <vector>

#include "poker/hand_table.hpp"
#include "poker/odds.hpp"

namespace talla::games::poker {

struct CaribbeanLaw {
  HandValue bank_plays_from;  ///< the least hand with which the bank plays
  PayTable second_bet;
};

struct CaribbeanOdds {
  Odds best;  ///< the second bet whenever it loses less than passing, the card shown known
  std::vector<Odds>
      from;  ///< the second bet with each hand of at least the value asked for, whatever is shown
};

/// Errors: catalogue_malformed for an order that cannot be looked up (HandTable).
[[nodiscard]] Result<CaribbeanOdds> caribbean_odds(const Ranker& ranker, const CaribbeanLaw& law,
                                                   std::span<const HandValue> from = {});

}  // namespace talla::games::poker
