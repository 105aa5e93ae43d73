// Goal: every category holds as many hands as can be counted by hand, in every deck and order of
//       the catalogues.
// Method: all hands of the deck enumerated and compared with published counts, or with formulas
//         over ranks and suits.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "deal.hpp"
#include "games/poker_hand.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

Counts five_card_counts(const Ranker& ranker, std::span<const Card> deck) {
  Counts counts;
  each_choice<5>(
      deck, [&](std::span<const Card, 5> hand) { ++counts[ranker.category(ranker.five(hand))]; });
  return counts;
}

std::uint64_t total(const Counts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [category, count] : counts) sum += count;
  return sum;
}

/// Hands of five from `ranks` ranks of four suits each, the ace above and below: ranks - 3
/// straights.
Counts by_formula(std::uint64_t ranks) {
  constexpr std::uint64_t suited_ways = 4;
  constexpr std::uint64_t ways = 4 * 4 * 4 * 4 * 4;
  const std::uint64_t runs = ranks - 3;
  return {{royal_flush, suited_ways},
          {straight_flush, suited_ways * (runs - 1)},
          {four, ranks * (ranks - 1) * 4},
          {full, ranks * 4 * (ranks - 1) * 6},
          {flush, suited_ways * (choose(ranks, 5) - runs)},
          {straight, runs * (ways - suited_ways)},
          {trio, ranks * 4 * choose(ranks - 1, 2) * 4 * 4},
          {two_pair, choose(ranks, 2) * 6 * 6 * (ranks - 2) * 4},
          {pair, ranks * 6 * choose(ranks - 1, 3) * 4 * 4 * 4},
          {high_card, (choose(ranks, 5) - runs) * (ways - suited_ways)}};
}

TEST(PokerCounts_es_aragon_10_1_D, three_cards_have_48_52_720_1096_3744_and_16440_hands) {
  const Ranker three = ranker(three_card_order());
  Counts counts;
  each_choice<3>(deck("french52x1"), [&](std::span<const Card, 3> hand) {
    ++counts[three.category(three.three(hand))];
  });
  EXPECT_EQ(counts, (Counts{{royal_flush, 4},
                            {straight_flush, 44},
                            {trio, 52},
                            {straight, 720},
                            {flush, 1'096},
                            {pair, 3'744},
                            {high_card, 16'440}}));
}

TEST(PokerCounts_es_aragon_A64, decks_of_28_to_52_cards_have_the_counts_of_the_formula) {
  struct Stripped {
    const char* deck;
    int lowest_rank;
  };
  const std::vector<Stripped> decks = {{"french52x1", 2},       {"french52-2x1", 3},
                                       {"french52-23x1", 4},    {"french52-234x1", 5},
                                       {"french52-2345x1", 6},  {"french52-23456x1", 7},
                                       {"french52-234567x1", 8}};
  for (const auto& each : decks) {
    const auto cards = deck(each.deck);
    const auto counts = five_card_counts(ranker(stripped_order(each.lowest_rank)), cards);
    EXPECT_EQ(counts, by_formula(cards.size() / 4)) << each.deck;
    EXPECT_EQ(total(counts), choose(cards.size(), 5)) << each.deck;
  }
}

TEST(PokerCounts_es_aragon_L1227, figuras_are_3264_hands_taken_from_pairs_and_two_pairs) {
  // Sixteen cards of four ranks: a pair and one card of each other rank, or two pairs and one card
  // of two ranks.
  constexpr std::uint64_t of_pairs = 4 * 6 * 4 * 4 * 4;
  constexpr std::uint64_t of_two_pairs = 6 * 6 * 6 * 2 * 4;
  static_assert(of_pairs + of_two_pairs == 3'264);
  for (const auto& [text, lowest_rank] :
       {std::pair{"french52x1", 2}, std::pair{"french52-23456x1", 7}}) {
    const auto cards = deck(text);
    auto expected = by_formula(cards.size() / 4);
    expected[pair] -= of_pairs;
    expected[two_pair] -= of_two_pairs;
    expected[figuras] = of_pairs + of_two_pairs;
    EXPECT_EQ(five_card_counts(ranker(with_figuras(stripped_order(lowest_rank))), cards), expected)
        << text;
  }
}

TEST(PokerCounts_es_aragon_10_1_A, ace_and_king_without_more_are_167280_hands) {
  // Ace, king and three other ranks: not Q-J-T, not all of one suit.
  constexpr std::uint64_t expected = (choose(11, 3) - 1) * (4 * 4 * 4 * 4 * 4 - 4);
  static_assert(expected == 167'280);
  const auto counts = five_card_counts(ranker(ace_king_order()), deck("french52x1"));
  EXPECT_EQ(counts.at(ace_king), expected);
  EXPECT_EQ(counts.at(high_card), 1'302'540 - expected);
}

TEST(PokerCounts_A25, without_the_low_ace_there_are_nine_straights) {
  auto order = five_card_order();
  order.ace_low_straight = false;
  const auto counts = five_card_counts(ranker(order), deck("french52x1"));
  EXPECT_EQ(counts.at(straight), 9U * 1'020);
  EXPECT_EQ(counts.at(straight_flush), 8U * 4);
  EXPECT_EQ(counts.at(flush), 5'108U + 4);
  EXPECT_EQ(counts.at(high_card), 1'302'540U + 1'020);
}

/// Four cards and the joker, by what the four are. A straight misses one card when the four lie in
/// one of ten runs of five: four in a row (11 sets), or a run without one of its three inner ranks
/// (30).
Counts with_joker_by_formula() {
  constexpr std::uint64_t four_ways = 4 * 4 * 4 * 4 - 4;  // suits of four ranks, not all the same
  constexpr std::uint64_t in_a_run = 11 + 30;
  constexpr std::uint64_t in_the_highest = 5;
  constexpr std::uint64_t in_a_run_with_ace = 4 + 4;
  return {{five_aces, 1},
          {royal_flush, 4 * in_the_highest},
          {straight_flush, 4 * (in_a_run - in_the_highest)},
          {four, 12 + 4 * 48},              // xxxx and an ace, AAA and another
          {full, 12 * 4 * 4 + 6 * 12 * 6},  // xxx A, AA xx
          {flush, 4 * (choose(13, 4) - in_a_run)},
          {straight, in_a_run * four_ways},
          {trio, 6 * choose(12, 2) * 4 * 4 + 12 * 4 * 44},      // AA x y, xxx y
          {two_pair, choose(12, 2) * 6 * 6 + 4 * 12 * 6 * 44},  // xx yy, A xx y
          {pair, 12 * 6 * choose(11, 2) * 4 * 4 +
                     (choose(12, 3) - in_a_run_with_ace) * four_ways},  // xx y z, A x y z
          {high_card, (choose(12, 4) - (in_a_run - in_a_run_with_ace)) * four_ways}};
}

TEST(PokerCounts_es_euskadi_14, the_53_cards_of_pai_gow_have_the_counts_of_the_formula) {
  const auto counts = five_card_counts(ranker(pai_gow_order()), deck("french52+1jx1"));
  auto expected = by_formula(13);
  for (const auto& [category, count] : with_joker_by_formula()) expected[category] += count;
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(total(counts), 2'869'685U);
  EXPECT_EQ(counts, (Counts{{five_aces, 1},
                            {royal_flush, 24},
                            {straight_flush, 180},
                            {four, 828},
                            {full, 4'368},
                            {flush, 7'804},
                            {straight, 20'532},
                            {trio, 63'360},
                            {two_pair, 138'600},
                            {pair, 1'215'024},
                            {high_card, 1'418'964}}));
}

TEST(PokerCounts_A29, a_joker_read_as_an_ace_only_is_the_best_ace_that_is_not_in_the_hand) {
  const Ranker joker = ranker(pai_gow_order(JokerMode::ace_only));
  auto order = pai_gow_order(JokerMode::none);
  const Ranker natural = ranker(order);
  const auto aces = cards("AC AD AH AS");
  std::uint64_t differ = 0;
  each_choice<4>(deck("french52x1"), [&](std::span<const Card, 4> hand) {
    std::array<Card, 5> five{hand[0], hand[1], hand[2], hand[3], Card::joker()};
    const HandValue value = joker.five(five);
    HandValue best;
    bool any = false;
    for (const Card ace : aces) {
      if (std::find(hand.begin(), hand.end(), ace) != hand.end()) continue;
      five[4] = ace;
      best = std::max(best, natural.five(five));
      any = true;
    }
    differ += any ? value != best : joker.category(value) != five_aces;
  });
  EXPECT_EQ(differ, 0U);
}

/// How many different values each category has.
std::map<Category, std::size_t> classes(const Ranker& ranker) {
  std::map<Category, std::set<std::uint32_t>> values;
  each_choice<5>(deck("french52x1"), [&](std::span<const Card, 5> hand) {
    const HandValue value = ranker.five(hand);
    values[ranker.category(value)].insert(value.key);
  });
  std::map<Category, std::size_t> out;
  for (const auto& [category, keys] : values) out[category] = keys.size();
  return out;
}

TEST(PokerCounts_HC5, five_cards_have_7462_different_values_in_the_published_classes) {
  using Classes = std::map<Category, std::size_t>;
  EXPECT_EQ(classes(ranker(five_card_order())), (Classes{{royal_flush, 1},
                                                         {straight_flush, 9},
                                                         {four, 156},
                                                         {full, 156},
                                                         {flush, 1'277},
                                                         {straight, 10},
                                                         {trio, 858},
                                                         {two_pair, 858},
                                                         {pair, 2'860},
                                                         {high_card, 1'277}}));
  // Only the cards that the lists name: rank; three; top card 7 to ace; three; both pairs and the
  // fifth; pair and the highest of three others.
  EXPECT_EQ(classes(ranker(literal(five_card_order()))), (Classes{{royal_flush, 1},
                                                                  {straight_flush, 9},
                                                                  {four, 13},
                                                                  {full, 13},
                                                                  {flush, 8},
                                                                  {straight, 10},
                                                                  {trio, 13},
                                                                  {two_pair, 858},
                                                                  {pair, 13 * 10},
                                                                  {high_card, 1'277}}));
}

}  // namespace
}  // namespace talla::games::poker
