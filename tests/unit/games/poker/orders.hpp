// Orders of hands as the texts give them, and short ways to write cards, for the tests of the poker
// evaluator.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "games/poker_hand.hpp"

namespace talla::games::poker::test {

using enum Category;
/// Hands by category.
using Counts = std::map<Category, std::uint64_t>;

/// es-aragon-2010 HC5, es-euskadi-2010 11, 12, 13, 16: 52 cards, five of them.
inline HandOrder five_card_order() {
  return {.low_to_high = {high_card, pair, two_pair, trio, straight, flush, full, four,
                          straight_flush, royal_flush}};
}
/// es-aragon-2010 10.1.A, es-euskadi-2010 11: the same with ace and king between pair and nothing.
inline HandOrder ace_king_order() {
  auto order = five_card_order();
  order.low_to_high.insert(order.low_to_high.begin() + 1, ace_king);
  return order;
}
/// Circle games with fewer than 52 cards (es-aragon-2010 10.2 L1224, es-euskadi-2010 17,
/// es-valencia-2003 12): the flush above the full house.
inline HandOrder stripped_order(int lowest_rank) {
  return {.low_to_high = {high_card, pair, two_pair, trio, straight, full, flush, four,
                          straight_flush, royal_flush},
          .lowest_rank = lowest_rank};
}
/// Covered five-card draw: figuras between two pair and three (es-aragon-2010 L1227,
/// es-euskadi-2010 17.1).
inline HandOrder with_figuras(HandOrder order) {
  order.low_to_high.insert(order.low_to_high.begin() + 3, figuras);
  return order;
}
/// es-aragon-2010 10.1.D L737-751, es-euskadi-2010 15: three above straight above flush.
inline HandOrder three_card_order() {
  return {.low_to_high = {high_card, pair, flush, straight, trio, straight_flush, royal_flush}};
}
/// es-aragon-2010 10.1.C L604-614, es-euskadi-2010 14.
inline HandOrder pai_gow_order(JokerMode joker = JokerMode::ace_or_completer) {
  auto order = five_card_order();
  order.low_to_high.push_back(five_aces);
  order.wheel_second = true;
  order.joker = joker;
  return order;
}
inline HandOrder literal(HandOrder order) {
  order.full_kickers = false;
  return order;
}

inline Ranker ranker(const HandOrder& order) {
  return Ranker::create(order).value();
}

/// "AS KS 2D" as cards.
inline std::vector<Card> cards(const std::string& text) {
  std::vector<Card> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) out.push_back(Card::parse(word).value());
  return out;
}

/// The value of two to seven cards in the way that their number asks for: two, three, best of five
/// and more.
inline HandValue value(const Ranker& ranker, const std::string& text) {
  const auto hand = cards(text);
  if (hand.size() == 2) return ranker.two(std::span<const Card, 2>(hand));
  if (hand.size() == 3) return ranker.three(std::span<const Card, 3>(hand));
  return ranker.best(hand);
}
inline Category is(const Ranker& ranker, const std::string& text) {
  return ranker.category(value(ranker, text));
}

/// Each hand beats the one after it and loses to the one before.
inline void expect_descending(const Ranker& ranker, const std::vector<std::string>& hands) {
  for (std::size_t i = 0; i < hands.size(); ++i) {
    for (std::size_t j = 0; j < hands.size(); ++j) {
      EXPECT_EQ(value(ranker, hands[i]) > value(ranker, hands[j]), i < j)
          << hands[i] << " and " << hands[j];
    }
  }
}
inline void expect_equal(const Ranker& ranker, const std::vector<std::string>& hands) {
  for (const auto& hand : hands)
    EXPECT_EQ(value(ranker, hand), value(ranker, hands.front())) << hand;
}

}  // namespace talla::games::poker::test
