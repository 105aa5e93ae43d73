/// \file
/// Exact odds of the poker games against the house: what every deal together wins or loses, as
/// whole numbers of stakes.
///
/// Pays:    whole profit per unit staked ("X to 1"), by category, as the catalogues' tables have
///          them.
/// Range:   pays up to 10^6; sums of stakes stay below 2^63 (Caribbean stud has 2 x 10^13 deals).
/// Errors:  Errc::catalogue_malformed. Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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
  /// Refuses a part of a unit. `bet` names it in the error.
  [[nodiscard]] Status set(Category category, const Fraction& pays, std::string_view bet);
  bool operator==(const PayTable&) const = default;

 private:
  std::array<std::optional<std::int64_t>, categories_count> pays_{};
};

/// Sums over all deals, in first stakes.
struct Odds {
  std::int64_t net = 0;     ///< what the player gains; negative: what the house does
  std::int64_t staked = 0;  ///< all stakes that were laid down
  std::int64_t deals = 0;
  std::int64_t win = 0;   ///< deals that pay more than was laid down
  std::int64_t lose = 0;  ///< deals that give nothing back
  Int128 square = 0;      ///< of each deal's gain

  /// So many deals in which `laid` stakes gain that much.
  void add(std::int64_t gain, std::int64_t laid, std::int64_t count) {
    net += gain * count;
    staked += laid * count;
    deals += count;
    win += gain > 0 ? count : 0;
    lose += gain == -laid ? count : 0;
    square += Int128{gain} * gain * count;
  }
  /// Those of another part of the deals, each counted so many times.
  void add(const Odds& part, std::int64_t times) {
    net += part.net * times;
    staked += part.staked * times;
    deals += part.deals * times;
    win += part.win * times;
    lose += part.lose * times;
    square += part.square * times;
  }
  [[nodiscard]] Fraction house_edge() const { return {-net, deals}; }
  bool operator==(const Odds&) const = default;
};

/// By category: whether the best play goes on with every such hand, whatever it sees.
using AlwaysGoes = std::array<bool, categories_count>;
/// All of them, before a hand is looked at.
[[nodiscard]] constexpr AlwaysGoes all_go() {
  AlwaysGoes out{};
  out.fill(true);
  return out;
}

/// Hands of one category among all of a full deck.
struct DealtHands {
  std::int64_t deals = 0;
  HandValue value{};  ///< of one of them
};
/// By category, of so many cards (3 or 5).
using DealtByCategory = std::array<DealtHands, categories_count>;
[[nodiscard]] DealtByCategory dealt_hands(const Ranker& ranker, std::size_t cards);

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
