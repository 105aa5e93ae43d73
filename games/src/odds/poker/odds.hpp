/// \file
/// Exact odds of the poker games against the house: what every deal together wins or loses, as
/// whole numbers of stakes.
///
/// Pays:    whole profit per unit staked ("X to 1"), by category, as the catalogues' tables have
///          them.
/// Range:   pays up to 10^6; sums stay below 2^63 (Caribbean stud has 2 x 10^13 deals).
/// Errors:  Errc::catalogue_malformed. Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "games/money.hpp"
#include "games/poker_hand.hpp"
#include "games/rules.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::poker {

/// Profit per unit staked by category; a category without one loses the stake.
class PayTable {
 public:
  struct Row {
    Category when;
    std::int64_t pays;
  };
  PayTable() = default;
  PayTable(std::initializer_list<Row> rows);
  /// The rows of a bet at a table with these parameters. Refuses a `when` that is no category, a
  /// part of a unit, and a commission.
  [[nodiscard]] static Result<PayTable> from(const BetRule& bet, const Params& params);

  /// The player's gain on a stake of one: the profit, or -1.
  [[nodiscard]] std::int64_t gain(Category category) const {
    return pays_[static_cast<std::size_t>(category)].value_or(-1);
  }
  /// The profit, or 0: for payments without a stake of their own.
  [[nodiscard]] std::int64_t bonus(Category category) const {
    return pays_[static_cast<std::size_t>(category)].value_or(0);
  }
  bool operator==(const PayTable&) const = default;

 private:
  std::array<std::optional<std::int64_t>, categories_count> pays_{};
};

/// Sums over all deals, in first stakes.
struct Odds {
  std::int64_t net = 0;     ///< what the player gains; negative: what the house does
  std::int64_t staked = 0;  ///< all stakes that were laid down
  std::int64_t deals = 0;

  [[nodiscard]] Fraction house_edge() const { return {-net, deals}; }
  bool operator==(const Odds&) const = default;
};

/// A bet of one stake on the first five, or the first three, cards of a full deck.
[[nodiscard]] Odds five_card_bet(const Ranker& ranker, const PayTable& pays);
[[nodiscard]] Odds three_card_bet(const Ranker& ranker, const PayTable& pays);

/// One hand of all that differ only by suits: `deals` of them.
struct SuitClass {
  std::vector<Card> cards;
  std::int64_t deals = 0;
};
/// Every hand of `count` cards of a full deck but for its suits: 1,755 of three cards, 134,459 of
/// five.
[[nodiscard]] std::vector<SuitClass> suit_classes(std::size_t count);

}  // namespace talla::games::poker
