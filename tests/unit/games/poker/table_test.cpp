// Goal: looking hands up gives what reading them card by card gives, and both give the counts that
//       are published.
// Method: all five-card hands and many random ones compared between the two, every seven-card hand
// counted; in the long run every seven-card hand compared.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "deal.hpp"
#include "engines/poker/hand_table.hpp"
#include "games/errc.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

/// The published tables of five and seven cards of 52.
const Counts five_cards = {{royal_flush, 4},      {straight_flush, 36}, {four, 624},
                           {full, 3'744},         {flush, 5'108},       {straight, 10'200},
                           {trio, 54'912},        {two_pair, 123'552},  {pair, 1'098'240},
                           {high_card, 1'302'540}};
const Counts seven_cards = {{royal_flush, 4'324},   {straight_flush, 37'260}, {four, 224'848},
                            {full, 3'473'184},      {flush, 4'047'644},       {straight, 6'180'020},
                            {trio, 6'461'620},      {two_pair, 31'433'400},   {pair, 58'627'800},
                            {high_card, 23'294'460}};

template <std::size_t N>
auto table(const Ranker& ranker) {
  return std::move(HandTable<N>::create(ranker).value());
}

TEST(PokerTable, all_2598960_hands_of_five_agree_and_have_the_published_counts) {
  const Ranker five = ranker(five_card_order());
  const auto looked_up = table<5>(five);
  Counts counts;
  std::uint64_t differ = 0;
  each_choice<5>(deck("french52x1"), [&](std::span<const Card, 5> hand) {
    const HandValue value = five.five(hand);
    differ += looked_up->value(looked_up->level(hand)) != value;
    ++counts[five.category(value)];
  });
  EXPECT_EQ(differ, 0U);
  EXPECT_EQ(counts, five_cards);
  EXPECT_EQ(looked_up->levels_count(), 7'462U);  // hands that differ in more than suits
}

/// Counts hands of seven by level with every first card from `begin` on, `step` apart.
template <class Visit>
void each_seven(int begin, int step, Visit visit) {
  const auto cards = deck("french52x1");
  constexpr int n = deck_cards_count;
  const auto at = [&](int i) { return cards[static_cast<std::size_t>(i)]; };
  for (int a = begin; a < n; a += step) {
    const CardSum one = CardSum{}.with(at(a));
    for (int b = a + 1; b < n; ++b) {
      const CardSum two = one.with(at(b));
      for (int c = b + 1; c < n; ++c) {
        const CardSum three = two.with(at(c));
        for (int d = c + 1; d < n; ++d) {
          const CardSum four_cards = three.with(at(d));
          for (int e = d + 1; e < n; ++e) {
            const CardSum five = four_cards.with(at(e));
            for (int f = e + 1; f < n; ++f) {
              const CardSum six = five.with(at(f));
              for (int g = f + 1; g < n; ++g) {
                visit(std::array<int, 7>{a, b, c, d, e, f, g}, six.with(at(g)));
              }
            }
          }
        }
      }
    }
  }
}

TEST(PokerTable, all_133784560_hands_of_seven_have_the_published_counts) {
  const Ranker five = ranker(five_card_order());
  const auto looked_up = table<7>(five);
  std::vector<std::uint64_t> levels(looked_up->levels_count());
  each_seven(0, 1, [&](const auto&, const CardSum& hand) { ++levels[looked_up->level(hand)]; });
  Counts counts;
  std::uint64_t seen = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    counts[five.category(looked_up->value(static_cast<std::uint16_t>(level)))] += levels[level];
    if (levels[level] > 0) ++seen;
  }
  EXPECT_EQ(counts, seven_cards);
  EXPECT_EQ(seen, 4'824U);  // the classes that seven cards can make
}

TEST(PokerTable, random_hands_of_six_and_seven_agree_in_every_order) {
  const std::uint64_t hands = 100'000;
  struct Case {
    const char* deck;
    HandOrder order;
  };
  const std::vector<Case> cases = {{"french52x1", five_card_order()},
                                   {"french52x1", ace_king_order()},
                                   {"french52x1", literal(five_card_order())},
                                   {"french52x1", with_figuras(five_card_order())},
                                   {"french52-23456x1", stripped_order(7)},
                                   {"french52-234567x1", stripped_order(8)},
                                   {"french52-234x1", with_figuras(stripped_order(5))}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Ranker order = ranker(cases[i].order);
    const auto six = table<6>(order);
    const auto seven = table<7>(order);
    Dealer dealer(cases[i].deck, 2010 + i);
    std::uint64_t differ = 0;
    for (std::uint64_t n = 0; n < hands; ++n) {
      const auto hand = dealer.deal(7);
      CardSum sum;
      for (const Card card : hand) sum = sum.with(card);
      const HandValue best = order.best(hand);
      if (seven->value(seven->level(std::span<const Card, 7>(hand))) != best) ++differ;
      if (seven->value(seven->level(sum)) != best) ++differ;
      if (six->value(six->level(hand.first<6>())) != order.best(hand.first(6))) ++differ;
    }
    EXPECT_EQ(differ, 0U) << "case " << i;
  }
}

TEST(PokerTable, every_hand_of_seven_agrees_with_the_best_of_its_21_fives) {
  if (!long_run()) GTEST_SKIP() << "TALLA_LONG=1 compares all 133,784,560";
  const Ranker five = ranker(five_card_order());
  const auto looked_up = table<7>(five);
  const auto cards = deck("french52x1");
  const auto count_differing = [&](int begin, std::uint64_t& differ, std::uint64_t& compared) {
    each_seven(begin, 2, [&](const std::array<int, 7>& at, const CardSum& sum) {
      std::array<Card, 7> hand;
      for (std::size_t i = 0; i < hand.size(); ++i)
        hand[i] = cards[static_cast<std::size_t>(at[i])];
      const HandValue best = five.best(hand);
      differ += looked_up->value(looked_up->level(hand)) != best;
      differ += looked_up->value(looked_up->level(sum)) != best;
      ++compared;
    });
  };
  std::array<std::uint64_t, 2> differ{};
  std::array<std::uint64_t, 2> compared{};
  std::thread other([&] { count_differing(1, differ[1], compared[1]); });
  count_differing(0, differ[0], compared[0]);
  other.join();
  EXPECT_EQ(differ[0] + differ[1], 0U);
  EXPECT_EQ(compared[0] + compared[1], 133'784'560U);
}

TEST(PokerTable, orders_that_cannot_be_looked_up_are_refused) {
  const auto refused = [](const HandOrder& order) {
    const auto made = HandTable<7>::create(ranker(order));
    return !made && made.error().is(Errc::catalogue_malformed);
  };
  EXPECT_FALSE(refused(five_card_order()));
  EXPECT_FALSE(refused(with_figuras(stripped_order(7))));
  EXPECT_TRUE(refused(pai_gow_order()));
  EXPECT_TRUE(refused(three_card_order()));
  auto order = five_card_order();
  order.low_to_high.erase(order.low_to_high.begin() + 5);
  EXPECT_TRUE(refused(order));
}

}  // namespace
}  // namespace talla::games::poker
