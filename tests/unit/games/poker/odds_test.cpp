// Goal: the exact odds of three-card poker and Caribbean stud are the published integers, and those
// of each catalogue's tables stand as fractions.
// Method: all deals counted; published totals from the field's literature; single bets once more
// from the counts of hands.
#include "odds/poker/odds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "deal.hpp"
#include "odds/poker/caribbean.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/three_card.hpp"
#include "odds/poker/trijoker.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

constexpr std::int64_t three_card_deals = 407'170'400;
constexpr std::int64_t caribbean_deals = 19'933'230'517'200;

TEST(PokerOdds, hands_that_differ_in_more_than_suits_are_1755_of_three_and_134459_of_five_cards) {
  for (const auto& [count, classes] :
       {std::pair<std::size_t, std::size_t>{3, 1'755}, {5, 134'459}}) {
    const auto hands = suit_classes(count);
    EXPECT_EQ(hands.size(), classes);
    EXPECT_EQ(
        std::accumulate(hands.begin(), hands.end(), std::int64_t{0},
                        [](std::int64_t sum, const SuitClass& hand) { return sum + hand.deals; }),
        static_cast<std::int64_t>(choose(52, count)));
  }
}

TEST(PokerOdds_three_card,
     ante_and_second_bet_lose_13733780_of_407170400_under_the_published_bonus) {
  const Ranker three = ranker(three_card_order());
  const auto [odds, always] = three_card_odds(
      three, {.bank_plays_from = value(three, "QC 3D 2H"),
              .bonus = {{straight, 1}, {trio, 4}, {straight_flush, 5}, {royal_flush, 5}}});
  EXPECT_EQ(odds.deals, three_card_deals);
  EXPECT_EQ(odds.net, -13'733'780);
  EXPECT_FALSE(always.at(static_cast<std::size_t>(high_card))) << "from Q-6-4 on";
  EXPECT_TRUE(always.at(static_cast<std::size_t>(pair)));
  // Published: 67.42 % of the hands stay, so that 1.6742 antes are laid down; deviation 1.64.
  EXPECT_EQ(odds.staked * 10'000 / odds.deals, 16'742);
  EXPECT_EQ(deviation(counted("ante", odds, {}).odds, 3), "1.639");
}

TEST(PokerOdds_three_card, pair_plus_has_the_published_odds_under_three_tables) {
  const Ranker three = ranker(three_card_order());
  const PayTable with_flush_4{{pair, 1},  {flush, 4},           {straight, 6},
                              {trio, 30}, {straight_flush, 40}, {royal_flush, 40}};
  const PayTable with_flush_3{{pair, 1},  {flush, 3},           {straight, 6},
                              {trio, 30}, {straight_flush, 40}, {royal_flush, 40}};
  const Odds four_to_one = three_card_bet(three, with_flush_4);
  const Odds three_to_one = three_card_bet(three, with_flush_3);
  EXPECT_EQ(four_to_one, (Odds{.net = -512,  // 2.316742 %
                               .staked = 22'100,
                               .deals = 22'100,
                               .win = 5'660,
                               .lose = 16'440,
                               .square = 187'240}));
  EXPECT_EQ(three_to_one, (Odds{.net = -1'608,  // 7.276018 %
                                .staked = 22'100,
                                .deals = 22'100,
                                .win = 5'660,
                                .lose = 16'440,
                                .square = 179'568}));
}

TEST(PokerOdds_trijoker, the_game_it_descends_from_has_its_published_edge_of_3_5057_percent) {
  const Ranker five = ranker(five_card_order());
  const PayTable pays{{royal_flush, 1'000},
                      {straight_flush, 200},
                      {four, 50},
                      {full, 11},
                      {flush, 8},
                      {straight, 5},
                      {trio, 3},
                      {two_pair, 2},
                      {pair, 1}};
  const TrijokerOdds odds =
      trijoker_odds(five, {.pays_from = value(five, "TC TD 4H 3S 2C"), .pays = pays}).value();
  EXPECT_EQ(odds.all.deals, 22'100 * 49 * 48);
  EXPECT_EQ(odds.all.house_edge(), Fraction(37'963, 1'082'900));  // 3.5057 %
  // The three bets together are the three by themselves.
  EXPECT_EQ(odds.spots[0].net + odds.spots[1].net + odds.spots[2].net, odds.all.net);
  EXPECT_EQ(odds.spots[0].staked + odds.spots[1].staked + odds.spots[2].staked, odds.all.staked);
  EXPECT_EQ(odds.spots[2].staked, odds.all.deals) << "the third is never taken back";
  // The third bet alone: what every five cards are paid.
  const auto third = five_card_bet(five, pays);
  constexpr std::int64_t pairs_below_tens = 8 * 84'480;
  EXPECT_EQ(Fraction(odds.spots[2].net, odds.spots[2].deals),
            Fraction(third.net - 2 * pairs_below_tens, third.deals));
}

/// es-valencia-2003 11, es-aragon-2010 10.1.A L241-263, es-euskadi-2010 11 6926-6971.
const PayTable catalogue_table{{royal_flush, 100}, {straight_flush, 25}, {four, 20},
                               {full, 7},          {flush, 5},           {straight, 4},
                               {trio, 3},          {two_pair, 2},        {pair, 1},
                               {ace_king, 1},      {high_card, 1}};

class Caribbean : public testing::Test {
 protected:
  CaribbeanLaw law(const PayTable& second_bet) const {
    return {.bank_plays_from = value(order_, "AC KD 4H 3S 2C"), .second_bet = second_bet};
  }
  const Ranker order_ = ranker(ace_king_order());
};

TEST_F(Caribbean, the_best_play_loses_1041372912372_of_all_deals_under_the_published_table) {
  const PayTable published{{royal_flush, 100}, {straight_flush, 50}, {four, 20},    {full, 7},
                           {flush, 5},         {straight, 4},        {trio, 3},     {two_pair, 2},
                           {pair, 1},          {ace_king, 1},        {high_card, 1}};
  std::vector<HandValue> from;
  for (const char* hand : {"AC KD JH 8S 3C", "2C 2D 5H 4S 3C", "AC KD 4H 3S 2C", "7C 5D 4H 3S 2C"})
    from.push_back(value(order_, hand));
  const auto found = caribbean_odds(order_, law(published), suit_classes(5), from).value();
  EXPECT_EQ(found.best.deals, caribbean_deals);
  EXPECT_EQ(found.best.net, -1'041'372'912'372);
  EXPECT_EQ(found.best.staked, 40'753'679'602'680);  // element of risk 2.555 %
  EXPECT_EQ(deviation(counted("ante", found.best, {}).odds, 2), "2.24") << "published: 2.24";
  EXPECT_TRUE(found.always.at(static_cast<std::size_t>(pair)));
  EXPECT_FALSE(found.always.at(static_cast<std::size_t>(ace_king)));
  EXPECT_EQ(found.from.at(0).net, -1'059'715'400'580);  // from A-K-J-8-3 on
  EXPECT_EQ(found.from.at(1).net, -1'090'272'101'460);  // any pair
  EXPECT_EQ(found.from.at(2).net, -1'132'600'203'540);  // any ace and king
  EXPECT_EQ(found.from.at(3).net, -3'310'360'338'060);  // always
  EXPECT_EQ(found.from.at(3).staked, 3 * caribbean_deals);
}

/// The bank's hidden cards one by one: what the second bet gains over all of them; passing loses 1
/// each.
struct Stand {
  std::int64_t gain = 0;
  std::int64_t deals = 0;
  [[nodiscard]] std::int64_t best() const { return std::max(gain, -deals); }
};

class CaribbeanByHand : public Caribbean {
 protected:
  /// `hand` stands, `seen` are all cards that lie elsewhere.
  Stand stand(const std::vector<Card>& hand, Card shown, const std::vector<Card>& seen) const {
    const auto own = table_->level(std::span<const Card, 5>(hand));
    const std::int64_t win = 1 + 2 * catalogue_table.gain(order_.category(table_->value(own)));
    Stand out;
    each_choice<4>(without(seen), [&](std::span<const Card, 4> hidden) {
      CardSum bank = CardSum{}.with(shown);
      for (const Card card : hidden) bank = bank.with(card);
      const auto level = table_->level(bank);
      ++out.deals;
      out.gain += table_->value(level) < plays_from_ ? 1 : own > level ? win : own < level ? -3 : 0;
    });
    return out;
  }
  static std::vector<Card> without(const std::vector<Card>& seen) {
    std::vector<Card> left;
    for (const Card card : deck("french52x1")) {
      if (std::find(seen.begin(), seen.end(), card) == seen.end()) left.push_back(card);
    }
    return left;
  }
  /// A hand as suit_classes has them, in the order of the deck.
  static std::vector<Card> sorted(std::vector<Card> hand) {
    std::sort(hand.begin(), hand.end());
    return hand;
  }

  const std::unique_ptr<const HandTable<5>> table_ =
      std::move(HandTable<5>::create(order_).value());
  const HandValue plays_from_ = law(catalogue_table).bank_plays_from;
};

TEST_F(CaribbeanByHand, single_hands_agree_with_all_banks_dealt_one_by_one) {
  std::vector<SuitClass> players;
  std::int64_t net = 0;
  for (const char* text :
       {"AC KD JH 8S 3C", "2C 2D 5H 4S 3C", "AC KC QC JC TC", "7C 5D 4H 3S 2C", "KC KD KH 9S 9C"}) {
    // Weights that keep the hands apart in the sum.
    players.push_back({sorted(cards(text)), static_cast<std::int64_t>(7 * players.size() + 1)});
    for (const Card shown : without(players.back().cards)) {
      auto seen = players.back().cards;
      seen.push_back(shown);
      net += players.back().deals * stand(players.back().cards, shown, seen).best();
    }
  }
  EXPECT_EQ(caribbean_odds(order_, law(catalogue_table), players).value().best.net, net);
}

TEST_F(CaribbeanByHand, a_bought_card_agrees_with_all_banks_dealt_one_by_one) {
  if (!long_run()) GTEST_SKIP() << "TALLA_LONG=1: 1,600 million hands for each hand of the player";
  for (const char* text : {"9C 8C 7C 6C 2D", "AC KD 7H 6S 2C"}) {
    const auto hand = sorted(cards(text));
    std::int64_t net = 0;
    for (const Card shown : without(hand)) {
      auto seen = hand;
      seen.push_back(shown);
      std::int64_t best = 42 * stand(hand, shown, seen).best();
      for (std::size_t given_up = 0; given_up < hand.size(); ++given_up) {
        std::int64_t way = 0;
        for (const Card bought : without(seen)) {
          auto now = hand;
          now[given_up] = bought;
          auto all_seen = seen;
          all_seen.push_back(bought);
          const Stand made = stand(now, shown, all_seen);
          way += made.best() - made.deals;
        }
        best = std::max(best, way);
      }
      net += best;
    }
    const std::vector<SuitClass> player{{hand, 1}};
    EXPECT_EQ(caribbean_odds_with_purchase(order_, law(catalogue_table), player).value().best.net,
              net)
        << text;
  }
}

TEST_F(Caribbean, the_table_of_the_three_catalogues_has_an_edge_of_5_2637_percent) {
  const auto found = caribbean_odds(order_, law(catalogue_table), suit_classes(5)).value();
  EXPECT_EQ(found.best.net, -1'049'219'398'372);
  EXPECT_EQ(found.best.house_edge(), Fraction(262'304'849'593, 4'983'307'629'300));
}

TEST_F(Caribbean, with_the_card_that_aragon_and_euskadi_sell_the_edge_is_1_2172_percent) {
  if (!long_run()) GTEST_SKIP() << "TALLA_LONG=1: most of a minute";
  const auto found =
      caribbean_odds_with_purchase(order_, law(catalogue_table), suit_classes(5)).value();
  EXPECT_EQ(found.best.deals, 42 * caribbean_deals);
  EXPECT_EQ(found.best.net, -10'190'736'799'524);
  EXPECT_EQ(found.best.house_edge(), Fraction(283'076'022'209, 23'255'435'603'400));
  EXPECT_EQ(found.bought, 70'195'407'642'360);
}

TEST(PokerOdds_es_aragon_L361, the_insurance_keeps_11839_of_15470) {
  const PayTable pays{{full, 100}, {four, 300}, {straight_flush, 1'000}, {royal_flush, 2'000}};
  EXPECT_EQ(five_card_bet(ranker(five_card_order()), pays).house_edge(), Fraction(11'839, 15'470));
}

TEST(PokerOdds_es_valencia_2631, the_least_table_of_the_carrousel_keeps_18321_of_30940) {
  const PayTable pays{
      {flush, 60}, {full, 100}, {four, 400}, {straight_flush, 2'000}, {royal_flush, 12'000}};
  EXPECT_EQ(five_card_bet(ranker(five_card_order()), pays).house_edge(), Fraction(18'321, 30'940));
}

TEST(PokerOdds_es_aragon_L773, pair_plus_keeps_392_128_or_149_of_5525_under_tables_a_b_and_c) {
  const Ranker three = ranker(three_card_order());
  const auto edge = [&](const PayTable& pays) { return three_card_bet(three, pays).house_edge(); };
  EXPECT_EQ(edge({{pair, 1},
                  {flush, 3},
                  {straight, 6},
                  {trio, 30},
                  {straight_flush, 40},
                  {royal_flush, 50}}),
            Fraction(392, 5'525));  // Euskadi's table too (15, 9925-9994)
  EXPECT_EQ(edge({{pair, 1},
                  {flush, 4},
                  {straight, 6},
                  {trio, 30},
                  {straight_flush, 40},
                  {royal_flush, 40}}),
            Fraction(128, 5'525));
  EXPECT_EQ(edge({{pair, 1},
                  {flush, 4},
                  {straight, 6},
                  {trio, 33},
                  {straight_flush, 35},
                  {royal_flush, 35}}),
            Fraction(149, 5'525));
}

TEST(PokerOdds_es_aragon_10_1_B, trijoker_from_jacks_on_has_an_edge_of_15_08_percent) {
  auto order = five_card_order();
  const PayTable pays{{royal_flush, 500}, {straight_flush, 200}, {four, 50}, {full, 11},
                      {flush, 8},         {straight, 5},         {trio, 3},  {two_pair, 2},
                      {pair, 1}};
  const auto edge = [&] {
    const Ranker five = ranker(order);
    return trijoker_odds(five, {.pays_from = value(five, "JC JD 4H 3S 2C"), .pays = pays})
        .value()
        .all.house_edge();
  };
  EXPECT_EQ(edge(), Fraction(32'653, 216'580));
  order.ace_low_straight = false;  // A25, the other reading
  EXPECT_EQ(edge(), Fraction(6'661, 43'316));
}

TEST(PokerOdds, pay_tables_are_read_from_a_bet_of_a_catalogue_and_parts_of_units_are_refused) {
  const auto params = Params::resolve(GameRules{}, {}, "EUR").value();
  const auto read = [&](std::string when, Fraction pays, Fraction commission = {}) {
    BetRule bet;
    bet.payouts = {{.when = "royal-flush", .pays = 50, .commission = {}, .cite = {}},
                   {.when = std::move(when), .pays = pays, .commission = commission, .cite = {}}};
    return PayTable::from(bet, params);
  };
  const auto table = read("pair", 1).value();
  EXPECT_EQ(table, (PayTable{{pair, 1}, {royal_flush, 50}}));
  EXPECT_EQ(table.gain(pair), 1);
  EXPECT_EQ(table.gain(straight), -1);
  EXPECT_EQ(table.bonus(straight), 0);
  EXPECT_FALSE(read("pairs", 1));
  EXPECT_FALSE(read("pair", {3, 2}));
  EXPECT_FALSE(read("pair", 1, {1, 20}));
}

}  // namespace
}  // namespace talla::games::poker
