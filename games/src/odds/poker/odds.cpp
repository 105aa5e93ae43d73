#include "odds/poker/odds.hpp"

#include <algorithm>
#include <string>

#include "base/check.hpp"
#include "games/errc.hpp"

namespace talla::games::poker {
namespace {

constexpr std::size_t ranks_in_suit = 13;
using SuitMasks = std::array<std::uint32_t, shuffle::suits_count>;  // the ranks of each suit

SuitMasks masks_of(std::span<const Card> cards) {
  SuitMasks masks{};
  for (const Card card : cards)
    masks.at(card.code() / ranks_in_suit) |= 1U << (card.code() % ranks_in_suit);
  return masks;
}

/// In how many ways the suits of a hand can change places and give another hand; 0 for all of them
/// but one.
std::int64_t hands_of_class(std::span<const Card> cards) {
  const SuitMasks masks = masks_of(cards);
  if (!std::is_sorted(masks.rbegin(), masks.rend())) return 0;
  std::int64_t orders = 1;
  std::int64_t equal = 1;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    equal = i > 0 && masks.at(i) == masks.at(i - 1) ? equal + 1 : 1;
    orders = orders * static_cast<std::int64_t>(i + 1) / equal;
  }
  return orders;
}

/// Calls `visit` with every hand that begins with what `hand` holds.
template <class Visit>
void each_hand(const std::vector<Card>& deck, std::size_t begin, std::size_t count,
               std::vector<Card>& hand, Visit& visit) {
  if (hand.size() == count) {
    visit(std::span<const Card>(hand));
    return;
  }
  for (std::size_t i = begin; i < deck.size(); ++i) {
    hand.push_back(deck[i]);
    each_hand(deck, i + 1, count, hand, visit);
    hand.pop_back();
  }
}

tl::unexpected<Error> not_whole(std::string_view bet, std::string_view when) {
  return fail(Errc::catalogue_malformed,
              "odds are computed from whole payments without commission; " + std::string(bet) +
                  " pays " + std::string(when) + " otherwise");
}

template <class ValueOf>
Odds table_bet(std::size_t count, const Ranker& ranker, const PayTable& pays, ValueOf value_of) {
  Odds odds;
  for (const SuitClass& hand : suit_classes(count))
    odds.add(pays.gain(ranker.category(value_of(hand.cards))), 1, hand.deals);
  return odds;
}

}  // namespace

PayTable::PayTable(std::initializer_list<Row> rows) {
  for (const Row& row : rows) pays_.at(static_cast<std::size_t>(row.when)) = row.pays;
}

Result<PayTable> PayTable::from(const BetRule& bet, const Params& params) {
  PayTable table;
  for (const Payout& row : bet.payouts) {
    TALLA_TRY(const Category category, category_from(row.when));
    const Payout& payout = *bet.payout(row.when, params);
    if (!payout.commission.is_zero() || !payout.commission_parameter.empty())
      return not_whole(bet.id, row.when);
    TALLA_TRY_STATUS(table.set(category, payout.pays, bet.id));
  }
  return table;
}

Status PayTable::set(Category category, const Fraction& pays, std::string_view bet) {
  if (!pays.is_integer()) return not_whole(bet, category_name(category));
  pays_.at(static_cast<std::size_t>(category)) = pays.floor();
  return {};
}

std::vector<SuitClass> suit_classes(std::size_t count) {
  std::vector<SuitClass> out;
  std::vector<Card> hand;
  const auto visit = [&](std::span<const Card> cards) {
    const std::int64_t deals = hands_of_class(cards);
    if (deals > 0) out.push_back({{cards.begin(), cards.end()}, deals});
  };
  each_hand(shuffle::DeckSpec::french(1).cards(), 0, count, hand, visit);
  return out;
}

DealtByCategory dealt_hands(const Ranker& ranker, std::size_t cards) {
  constexpr std::size_t three = 3;
  constexpr std::size_t five = 5;
  DealtByCategory out{};
  for (const SuitClass& hand : suit_classes(cards)) {
    const HandValue value = cards == three ? ranker.three(std::span<const Card, three>(hand.cards))
                                           : ranker.five(std::span<const Card, five>(hand.cards));
    DealtHands& one = out.at(static_cast<std::size_t>(ranker.category(value)));
    one.deals += hand.deals;
    one.value = value;
  }
  return out;
}

Odds five_card_bet(const Ranker& ranker, const PayTable& pays) {
  return table_bet(5, ranker, pays, [&](const std::vector<Card>& cards) {
    return ranker.five(std::span<const Card, 5>(cards));
  });
}

Odds three_card_bet(const Ranker& ranker, const PayTable& pays) {
  return table_bet(3, ranker, pays, [&](const std::vector<Card>& cards) {
    return ranker.three(std::span<const Card, 3>(cards));
  });
}

}  // namespace talla::games::poker
