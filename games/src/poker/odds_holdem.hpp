/// \file
/// Hold'em against the house with one decision (es-euskadi-2010 16) under the best play, from all 27,813,810,024,000 deals of two
/// own cards, three common ones, two more common ones and two of the bank.
///
/// Law:     having seen the first three common cards the player gives the ante up or lays down a second bet. The best five of
///          seven count. The bank plays from a least hand on; if not, the ante is paid by its table and the second bet returned.
///          Else the better hand takes both, the player's ante by its table, his second bet 1 to 1; equal hands return both.
/// Method:  for each of 134,459 sets of five common cards that differ in more than suits, its 1,081 pairs of other cards are
///          sorted by value; one sweep gives each of them its lower and equal pairs without a card in common. The gains are
///          summed by own cards and first three common ones, of which 1,286,792 differ in more than suits; then comes the choice.
/// Cost:    two minutes on one core, 100 MiB. Threads: a pure function.
#pragma once

#include "poker/odds.hpp"

namespace talla::games::poker {

struct HoldemLaw {
  HandValue bank_plays_from;
  PayTable ante;                ///< by the player's hand; a category without a payment would lose a won ante
  std::int64_t second_bet = 2;  ///< in antes
};

struct HoldemOdds {
  Odds best;
  std::int64_t decisions = 0;  ///< own and first three common cards that differ in more than suits
};

/// From these common cards (suit_classes(5): all of them).
/// Errors: catalogue_malformed for an order that cannot be looked up (HandTable).
[[nodiscard]] Result<HoldemOdds> holdem_odds(const Ranker& ranker, const HoldemLaw& law,
                                             std::span<const SuitClass> boards);

}  // namespace talla::games::poker
