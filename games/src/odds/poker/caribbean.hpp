/// \file
/// First and second bet of Caribbean stud (póquer sin descarte) from all 19,933,230,517,200 deals:
/// five cards of the player, five of the bank, one of these shown before the player speaks.
///
/// Law:     the player passes (the first bet is lost) or lays down a second bet of twice the first.
///          The bank plays from a least hand on (A-K-4-3-2); if not, the first bet is paid 1 to 1
///          and the second returned. Else the higher hand takes both, the player's first bet 1 to
///          1, his second by its table; equal hands return both.
/// Method:  the bank's hands are added to counters (bank_counts.hpp) from the lowest value to the
///          highest. At each value the player's 134,459 hands that differ in more than suits stand
///          against what was added, for each of 47 cards shown. Nothing is sampled; two seconds on
///          one core.
/// Bought:  where the player may give one card up and buy another for the price of the first bet
///          before he speaks (the price is the bank's whatever follows), the bank's hands stand
///          against his five and the card given up: most of a minute on one core.
/// Threads: a pure function.
#pragma once

#include <vector>

#include "engines/poker/hand_table.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games::poker {

struct CaribbeanLaw {
  HandValue bank_plays_from;  ///< the least hand with which the bank plays
  PayTable second_bet;
};

struct CaribbeanOdds {
  Odds best;  ///< the second bet whenever it loses less than passing, the card shown known
  AlwaysGoes always = all_go();
  /// The second bet with each hand of at least the value asked for, whatever is shown.
  std::vector<Odds> from;
};
/// From these hands of the player (suit_classes(5): all of them).
/// Errors: catalogue_malformed for an order that cannot be looked up (HandTable).
[[nodiscard]] Result<CaribbeanOdds> caribbean_odds(const Ranker& ranker, const CaribbeanLaw& law,
                                                   std::span<const SuitClass> players,
                                                   std::span<const HandValue> from = {});

struct PurchaseOdds {
  Odds best;  ///< a card bought whenever that loses less; deals: with 42 next cards for each deal
  std::int64_t bought = 0;  ///< deals in which a card is bought
};
/// The same with the card that may be bought.
[[nodiscard]] Result<PurchaseOdds> caribbean_odds_with_purchase(const Ranker& ranker,
                                                                const CaribbeanLaw& law,
                                                                std::span<const SuitClass> players);

}  // namespace talla::games::poker
