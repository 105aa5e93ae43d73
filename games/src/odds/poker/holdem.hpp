/// \file
/// Hold'em against the house under the best play, all cards counted: two own cards, five common
/// ones, two of the bank; the best five of seven count.
///
/// One decision (es-euskadi-2010 16): having seen three common cards the player gives the ante up
///          or lays down a second bet. The bank plays from a least hand on; if not, the ante is
///          paid by its table and the second bet returned. Else the better hand takes both, the
///          player's ante by its table, his second bet 1 to 1; equal hands return both.
/// Three decisions (es-aragon-2010 10.1.E, 10.1.F): with his two cards the player gives the ante up
///          or bets on; with three common cards, and again with four, he may bet once more or pass.
///          The bank always plays. The better hand takes all bets, 1 to 1; the ante of a player who
///          wins is paid by its table, and returned where the table has nothing.
/// Method:  board_sweep.hpp for 134,459 sets of five common cards that differ in more than suits.
///          The gains are summed by what the player knows at each decision (169 pairs of own cards,
///          1,286,792 with three common cards and 13,960,050 with four that differ in more than
///          suits; common_rows.hpp); then comes the choice. Further bets add up, so each is chosen
///          by itself. Then all is played once more by these choices, for how far the results lie
///          apart.
/// Cost:    nine seconds on one core and 60 MiB; with three decisions sixteen and 420 MiB.
/// Threads: pure functions.
#pragma once

#include "odds/poker/common_rows.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games::poker {

struct HoldemLaw {
  HandValue bank_plays_from;
  PayTable ante;  ///< by the player's hand; a category without a payment would lose a won ante
  std::int64_t second_bet = 2;  ///< in antes
};

struct HoldemOdds {
  Odds best;  ///< deals: own cards, first three common ones, the two others, the bank's
  std::int64_t decisions = 0;  ///< own and first three common cards that differ in more than suits
};

/// From this deck (four suits one after the other; fewer ranks in tests) and these common cards
/// (board_classes: all of them).
/// Errors: catalogue_malformed for an order that cannot be looked up (HandTable).
[[nodiscard]] Result<HoldemOdds> holdem_odds(const Ranker& ranker, std::span<const Card> deck,
                                             const HoldemLaw& law,
                                             std::span<const SuitClass> boards);
/// Five common cards of a deck, one set of all that differ only by suits: 134,459 of 52 cards.
[[nodiscard]] std::vector<SuitClass> board_classes(std::span<const Card> deck);

struct HoldemBetsLaw {
  PayTable ante;                ///< profit on the ante of a player who wins, by his hand
  std::int64_t before = 2;      ///< bets in antes: with two own cards,
  std::int64_t with_three = 1;  ///< with three common cards
  std::int64_t with_four = 1;   ///< and with four
};

struct HoldemBetsOdds {
  Odds best;  ///< deals: as above, and the fourth and fifth common card in their order
  std::int64_t three_decisions = 0;  ///< situations with three common cards,
  std::int64_t four_decisions = 0;   ///< and with four, that differ in more than suits
};

/// The same with three decisions.
[[nodiscard]] Result<HoldemBetsOdds> holdem_bets_odds(const Ranker& ranker,
                                                      std::span<const Card> deck,
                                                      const HoldemBetsLaw& law,
                                                      std::span<const SuitClass> boards);

/// How hold'em is played best, decision by decision. Own cards by CardSets::number of their places
/// in the deck, common cards by their places, ascending.
struct HoldemPlay {
  CommonRows three;
};
[[nodiscard]] Result<HoldemPlay> holdem_play(const Ranker& ranker, std::span<const Card> deck,
                                             const HoldemLaw& law,
                                             std::span<const SuitClass> boards);
struct HoldemBetsPlay {
  std::vector<bool> before;  ///< by own cards
  CommonRows three;
  CommonRows four;
};
[[nodiscard]] Result<HoldemBetsPlay> holdem_bets_play(const Ranker& ranker,
                                                      std::span<const Card> deck,
                                                      const HoldemBetsLaw& law,
                                                      std::span<const SuitClass> boards);

}  // namespace talla::games::poker
