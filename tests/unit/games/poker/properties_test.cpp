// Goal: what the cards are worth depends on nothing but the cards, and every choice of five among
//       more is weighed.
// Method: random deals against brute force over all subsets, written apart from the evaluator;
// permuted cards and suits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "deal.hpp"
#include "engines/poker/hand_table.hpp"
#include "games/poker_hand.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

std::vector<Card> dealt(std::string_view deck_text, std::size_t count) {
  Dealer dealer(deck_text, *rc::gen::arbitrary<std::uint64_t>());
  const auto cards = dealer.deal(count);
  return {cards.begin(), cards.end()};
}

std::vector<Card> with_other_suits(std::vector<Card> cards, unsigned turn) {
  for (Card& card : cards) {
    if (card.is_joker()) continue;
    card =
        Card::of(card.rank(),
                 static_cast<shuffle::Suit>((static_cast<unsigned>(card.suit()) * 3 + turn) % 4));
  }
  return cards;
}

RC_GTEST_PROP(PokerProperties, order_and_suits_of_the_cards_do_not_matter, ()) {
  struct Case {
    const char* deck = "";
    HandOrder order;
    std::size_t cards = 0;
  };
  const std::vector<Case> cases = {{"french52x1", with_figuras(ace_king_order()), 5},
                                   {"french52x1", five_card_order(), 7},
                                   {"french52-23456x1", with_figuras(stripped_order(7)), 5},
                                   {"french52-234567x1", stripped_order(8), 6},
                                   {"french52+1jx1", pai_gow_order(), 7},
                                   {"french52+1jx1", pai_gow_order(JokerMode::ace_only), 5},
                                   {"french52x1", three_card_order(), 3},
                                   {"french52+1jx1", pai_gow_order(), 2}};
  const Case& each = cases.at(*rc::gen::inRange<std::size_t>(0, cases.size()));
  const Ranker order = ranker(each.order);
  const auto worth = [&](const std::vector<Card>& hand) {
    if (hand.size() == 2) return order.two(std::span<const Card, 2>(hand));
    return hand.size() == 3 ? order.three(std::span<const Card, 3>(hand)) : order.best(hand);
  };
  auto hand = dealt(each.deck, each.cards);
  const HandValue value = worth(hand);
  RC_ASSERT(worth(with_other_suits(hand, *rc::gen::inRange(0U, 4U))) == value);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  std::shuffle(hand.begin(), hand.end(), random);
  RC_ASSERT(worth(hand) == value);
}

RC_GTEST_PROP(PokerProperties, the_best_of_seven_is_the_best_of_its_21_fives_with_a_joker_too, ()) {
  const bool joker = *rc::gen::arbitrary<bool>();
  const Ranker order = ranker(joker ? pai_gow_order() : five_card_order());
  auto hand = dealt("french52x1", 7);
  if (joker) hand[*rc::gen::inRange<std::size_t>(0, 7)] = Card::joker();
  HandValue best;
  each_choice<5>(hand,
                 [&](std::span<const Card, 5> five) { best = std::max(best, order.five(five)); });
  RC_ASSERT(order.best(hand) == best);
  const auto chosen = order.cards_of_best(hand);
  RC_ASSERT(chosen.size() == 5U);
  RC_ASSERT(order.five(std::span<const Card, 5>(chosen)) == best);
}

RC_GTEST_PROP(PokerProperties, a_further_card_never_makes_a_hand_worse, ()) {
  const Ranker order = ranker(five_card_order());
  const auto hand = dealt("french52x1", 7);
  const std::span<const Card> all(hand);
  RC_ASSERT(order.best(all) >= order.best(all.first(6)));
  RC_ASSERT(order.best(all.first(6)) >= order.best(all.first(5)));
}

/// Calls `visit` with every five of own and common cards of which exactly two are own: all subsets
/// of all the cards, those with another number thrown away.
template <class Visit>
void brute_two_three(const std::vector<Card>& own, const std::vector<Card>& common, Visit visit) {
  std::vector<Card> all = own;
  all.insert(all.end(), common.begin(), common.end());
  const std::uint32_t own_mask = (1U << own.size()) - 1;
  for (std::uint32_t mask = 0; mask < 1U << all.size(); ++mask) {
    if (std::popcount(mask) != 5 || std::popcount(mask & own_mask) != 2) continue;
    std::vector<Card> five;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((mask >> i & 1U) != 0) five.push_back(all[i]);
    }
    visit(five);
  }
}

TEST(PokerProperties, omaha_and_synthetic_agree_with_brute_force_on_random_deals) {
  struct Case {
    const char* deck = "";
    HandOrder order;
    std::size_t own = 0;
  };
  for (const Case& each :
       {Case{"french52x1", five_card_order(), 4}, Case{"french52x1", five_card_order(), 5},
        Case{"french52-234567x1", stripped_order(8), 2}}) {
    const Ranker order = ranker(each.order);
    const auto looked_up = std::move(HandTable<5>::create(order).value());
    Dealer dealer(each.deck, 1623);
    for (int n = 0; n < 20'000; ++n) {
      const auto cards = dealer.deal(each.own + 5);
      const std::vector<Card> own(cards.begin(),
                                  cards.begin() + static_cast<std::ptrdiff_t>(each.own));
      const std::vector<Card> common(cards.begin() + static_cast<std::ptrdiff_t>(each.own),
                                     cards.end());
      std::uint16_t best = 0;
      brute_two_three(own, common, [&](const std::vector<Card>& five) {
        best = std::max(best, looked_up->level(std::span<const Card, 5>(five)));
      });
      ASSERT_EQ(order.best_two_three(own, common), looked_up->value(best)) << n;
      const auto chosen = order.cards_of_best_two_three(own, common);
      ASSERT_EQ(order.five(std::span<const Card, 5>(chosen)), looked_up->value(best));
      ASSERT_EQ(std::count_if(chosen.begin(), chosen.end(),
                              [&](Card card) {
                                return std::find(own.begin(), own.end(), card) != own.end();
                              }),
                2);
    }
  }
}

/// Ranks from high to low, the ace as 1, when five different ones are eight or lower.
std::optional<std::vector<int>> low_ranks(const std::vector<Card>& five) {
  std::vector<int> ranks;
  ranks.reserve(five.size());
  for (const Card card : five) ranks.push_back(card.rank());
  std::sort(ranks.rbegin(), ranks.rend());
  if (ranks.front() > 8 || std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end())
    return std::nullopt;
  return ranks;
}

TEST(PokerProperties_euskadi_49, the_low_hand_agrees_with_brute_force_on_random_deals) {
  struct Seen {
    std::vector<int> ranks;
    HandValue value;
  };
  std::vector<Seen> seen;
  int qualified = 0;
  Dealer dealer("french52x1", 12'124);
  constexpr int deals = 40'000;
  for (int n = 0; n < deals; ++n) {
    const auto cards = dealer.deal(9);
    const std::vector<Card> own(cards.begin(), cards.begin() + 4);
    const std::vector<Card> common(cards.begin() + 4, cards.end());
    std::optional<std::vector<int>> best;
    brute_two_three(own, common, [&](const std::vector<Card>& five) {
      const auto ranks = low_ranks(five);
      if (ranks && (!best || *ranks < *best)) best = ranks;
    });
    const auto value = low_of_two_three(own, common);
    ASSERT_EQ(value.has_value(), best.has_value()) << n;
    if (!best) continue;
    ++qualified;
    if (seen.size() < 300) seen.push_back({*best, *value});
  }
  EXPECT_GT(qualified, deals / 5);
  for (const Seen& a : seen) {
    for (const Seen& b : seen) {
      ASSERT_EQ(a.value < b.value, a.ranks < b.ranks);
      ASSERT_EQ(a.value == b.value, a.ranks == b.ranks);
    }
  }
}

}  // namespace
}  // namespace talla::games::poker
