// Goal: the odds follow from the catalogues' own data: order of hands, pay tables, least hands.
// Method: tables opened from the built-in catalogues, their figures handed to the computation,
//         fractions compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "../play_support.hpp"
#include "deal.hpp"
#include "engines/second_bet/rules.hpp"
#include "engines/shared/data_law.hpp"
#include "engines/texas/rules.hpp"
#include "engines/trijoker/rules.hpp"
#include "games/odds.hpp"
#include "odds/poker/caribbean.hpp"
#include "odds/poker/three_card.hpp"
#include "odds/poker/trijoker.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

Table open(std::string_view catalogue, std::string game, json::Value parameters = {}) {
  return Table::open(games::test::catalogue(catalogue),
                     {std::move(game), {"EUR"}, 10, std::nullopt, std::move(parameters)})
      .value();
}

PayTable pays(const Table& table, std::string_view bet) {
  return PayTable::from(DataLaw(table).bet(bet), table.params()).value();
}

TEST(PokerOddsOfCatalogues,
     trijoker_has_the_same_edge_in_aragon_and_euskadi_and_on_each_of_its_bets) {
  for (const char* catalogue : {"es-aragon-2010", "es-euskadi-2010"}) {
    const Table table = open(catalogue, "trijoker");
    const auto& rules = table.prepared<trijoker::Rules>();
    EXPECT_EQ(rules.pair_from, 11);
    const HandValue jacks = test::value(rules.ranker, "JC JD 4H 3S 2C");
    for (const auto bet : trijoker::spot_bets) {
      const auto odds =
          trijoker_odds(rules.ranker, {.pays_from = jacks, .pays = pays(table, bet)}).value();
      EXPECT_EQ(odds.all.house_edge(), Fraction(32'653, 216'580)) << catalogue << " " << bet;
    }
  }
}

TEST(PokerOddsOfCatalogues, three_card_poker_has_the_published_edge_in_aragon_and_euskadi) {
  for (const char* catalogue : {"es-aragon-2010", "es-euskadi-2010"}) {
    const Table table = open(catalogue, "three-card-poker");
    const auto& rules = table.prepared<second_bet::Rules>();
    const Odds odds = three_card_odds(rules.ranker, {.bank_plays_from = rules.minimum,
                                                     .bonus = pays(table, "bonus")})
                          .best;
    EXPECT_EQ(odds.net, -13'733'780) << catalogue;
    EXPECT_EQ(odds.deals, 407'170'400) << catalogue;
  }
}

TEST(PokerOddsOfCatalogues, pair_plus_has_the_edge_of_each_of_its_tables) {
  const auto edge = [](const char* catalogue, const std::string& parameters) {
    const Table table = open(catalogue, "three-card-poker", json::parse(parameters).value());
    return three_card_bet(table.prepared<second_bet::Rules>().ranker, pays(table, "pareja-plus"))
        .house_edge();
  };
  EXPECT_EQ(edge("es-aragon-2010", R"({"pair_plus_table":"A"})"), Fraction(392, 5'525));
  EXPECT_EQ(edge("es-aragon-2010", R"({"pair_plus_table":"B"})"), Fraction(128, 5'525));
  EXPECT_EQ(edge("es-aragon-2010", R"({"pair_plus_table":"C"})"), Fraction(149, 5'525));
  EXPECT_EQ(edge("es-euskadi-2010", "{}"), Fraction(392, 5'525));
}

TEST(PokerOddsOfCatalogues, holdem_in_euskadi_has_the_table_whose_odds_are_counted) {
  const Table table = open("es-euskadi-2010", "texas-holdem-house");
  using enum Category;
  EXPECT_EQ(table.prepared<texas::Rules>().bank_pair_from, 4);
  EXPECT_EQ(pays(table, "ante"), (PayTable{{high_card, 1},
                                           {pair, 1},
                                           {two_pair, 1},
                                           {trio, 1},
                                           {straight, 1},
                                           {flush, 2},
                                           {full, 3},
                                           {four, 10},
                                           {straight_flush, 20},
                                           {royal_flush, 100}}));
}

TEST(PokerOddsOfCatalogues, the_texas_bonus_of_euskadi_keeps_6_4023_percent) {
  const Table table = open("es-euskadi-2010", "texas-holdem-house");
  const auto& rules = table.prepared<texas::Rules>();
  EXPECT_EQ(rules.first_five_pair, 14);
  // Who wins it never gives his hand up, so that the bet stands alone; of all pairs only the 84,480
  // of aces win.
  const Odds with_all_pairs = five_card_bet(rules.ranker, pays(table, "txb"));
  EXPECT_EQ(with_all_pairs.net - (1'098'240 - 84'480) * (7 + 1), -166'392);
}

TEST(PokerOddsOfCatalogues, the_bonus_of_aragon_keeps_13873_of_162435) {
  const Table table = open("es-aragon-2010", "texas-holdem-bonus");
  const auto& bonus = DataLaw(table).bet("bonus");
  const auto cards = test::deck("french52x1");
  Fraction net;
  std::int64_t deals = 0;
  std::map<std::string, std::int64_t> wins;
  test::each_choice<2>(cards, [&](std::span<const Card, 2> own) {
    test::each_choice<2>(cards, [&](std::span<const Card, 2> bank) {
      if (std::find_first_of(own.begin(), own.end(), bank.begin(), bank.end()) != own.end()) return;
      ++deals;
      ++wins[std::string(texas::own_two_payout(own, bank))];
    });
  });
  for (const auto& [when, count] : wins) {
    const auto* payout = bonus.payout(when, table.params());
    net += Fraction(count) * (payout == nullptr ? Fraction(-1) : payout->pays);
  }
  EXPECT_EQ(deals, 1'326 * 1'225);
  EXPECT_EQ(-net / Fraction(deals), Fraction(13'873, 162'435));
}

/// The odds of the table as it stands; all deals of one catalogue take a second.
Fraction caribbean_edge(const Table& table) {
  const auto& rules = table.prepared<second_bet::Rules>();
  const CaribbeanLaw law{.bank_plays_from = rules.minimum, .second_bet = pays(table, "segunda")};
  return caribbean_odds(rules.ranker, law, suit_classes(5)).value().best.house_edge();
}

TEST(PokerOddsOfCatalogues, caribbean_stud_has_the_same_edge_in_valencia_aragon_and_euskadi) {
  for (const char* catalogue : {"es-valencia-2003", "es-aragon-2010", "es-euskadi-2010"}) {
    EXPECT_EQ(caribbean_edge(open(catalogue, "caribbean-stud")),
              Fraction(262'304'849'593, 4'983'307'629'300))
        << catalogue;
  }
}

TEST(PokerOddsOfCatalogues, the_insurance_and_the_least_carrousel_keep_more_than_half) {
  const auto edge = [](const char* catalogue, std::string_view bet) {
    const Table table = open(catalogue, "caribbean-stud");
    return five_card_bet(table.prepared<second_bet::Rules>().ranker, pays(table, bet)).house_edge();
  };
  EXPECT_EQ(edge("es-aragon-2010", "seguro"), Fraction(11'839, 15'470));
  EXPECT_EQ(edge("es-euskadi-2010", "seguro"), Fraction(11'839, 15'470));
  EXPECT_EQ(edge("es-valencia-2003", "carrusel"), Fraction(18'321, 30'940));
}

/// What `talla odds` says of that bet; nullptr: it has no odds by itself.
const BetOdds* find_bet(const TableOdds& all, std::string_view bet) {
  const auto found = std::ranges::find(all.bets, bet, &BetOdds::bet);
  return found == all.bets.end() ? nullptr : &*found;
}
std::string reason_of(const TableOdds& all, std::string_view bet) {
  const auto found = std::ranges::find(all.others, bet, &BetWithoutOdds::bet);
  return found == all.others.end() ? "" : found->reason;
}

TEST(PokerOddsOfTables, a_hand_has_its_further_bets_in_its_odds) {
  const Table table = open("es-euskadi-2010", "three-card-poker");
  const TableOdds all = bet_odds(table).value();
  const BetOdds* ante = find_bet(all, "ante");
  ASSERT_NE(ante, nullptr);
  EXPECT_EQ(ante->odds.house_edge(), Fraction(13'733'780, 407'170'400));
  EXPECT_EQ(ante->odds.win + ante->odds.lose + ante->odds.other, Fraction(1));
  EXPECT_GT(ante->odds.staked, Fraction(167, 100));
  EXPECT_EQ(ante->with, (std::vector<std::string>{"segunda", "bonus"}));
  for (const char* further : {"segunda", "bonus"})
    EXPECT_EQ(reason_of(all, further), "its odds are in those of ante");
  EXPECT_EQ(all.bets.size() + all.others.size(), table.rules().bets.size());
}

TEST(PokerOddsOfTables, a_bet_that_a_pass_loses_stands_alone_where_its_hands_are_never_passed) {
  const TableOdds lost = bet_odds(open("es-euskadi-2010", "three-card-poker")).value();
  ASSERT_NE(find_bet(lost, "pareja-plus"), nullptr);
  EXPECT_EQ(find_bet(lost, "pareja-plus")->odds.house_edge(), Fraction(392, 5'525));
  // Under the reading that a lower hand loses all, it depends on the bank.
  const TableOdds all = bet_odds(open("es-euskadi-2010", "three-card-poker",
                                      json::Object{{"lower_hand_loses", "all"}}))
                            .value();
  EXPECT_EQ(find_bet(all, "pareja-plus"), nullptr);
  EXPECT_NE(reason_of(all, "pareja-plus"), "");
  EXPECT_GT(find_bet(all, "ante")->odds.house_edge(), find_bet(lost, "ante")->odds.house_edge());
}

TEST(PokerOddsOfTables, what_takes_minutes_is_named_and_left_to_who_waits) {
  const TableOdds stored = bet_odds(open("es-aragon-2010", "pai-gow-poker")).value();
  ASSERT_NE(find_bet(stored, "apuesta"), nullptr);
  // The best way depends on the commission; that of 3.5 % nobody has counted.
  const TableOdds all =
      bet_odds(open("es-aragon-2010", "pai-gow-poker", json::Object{{"commission", "7/200"}}))
          .value();
  EXPECT_NE(reason_of(all, "apuesta").find("--count"), std::string::npos);
}

TEST(PokerOddsOfTables, holdem_with_three_decisions_has_the_published_edge_of_2_04_percent) {
  const TableOdds all = bet_odds(open("es-aragon-2010", "texas-holdem-bonus")).value();
  ASSERT_NE(find_bet(all, "ante"), nullptr) << reason_of(all, "ante");
  EXPECT_EQ(find_bet(all, "ante")->odds.house_edge(), Fraction(578'107'733, 28'381'438'800));
  ASSERT_NE(find_bet(all, "bonus"), nullptr);
  EXPECT_EQ(find_bet(all, "bonus")->odds.house_edge(), Fraction(13'873, 162'435));
}

TEST(PokerOddsOfTables, draw_poker_in_euskadi_has_the_edge_that_was_counted) {
  const TableOdds all = bet_odds(open("es-euskadi-2010", "draw-poker-house")).value();
  ASSERT_NE(find_bet(all, "apuesta-inicial"), nullptr) << reason_of(all, "apuesta-inicial");
  EXPECT_EQ(find_bet(all, "apuesta-inicial")->odds.house_edge(),
            Fraction(340'106'068'757'087, 10'883'543'862'391'200));
}

TEST(PokerOddsOfTables, a_bought_card_is_in_the_odds_of_the_bet_that_buys_it) {
  const Table table =
      open("es-aragon-2010", "caribbean-stud", json::Object{{"card_purchase", true}});
  const TableOdds all = bet_odds(table).value();
  ASSERT_NE(find_bet(all, "apuesta-inicial"), nullptr) << reason_of(all, "apuesta-inicial");
  EXPECT_EQ(reason_of(all, "compra"), "its odds are in those of apuesta-inicial");
}

TEST(PokerOddsOfTables, the_bet_on_the_first_five_cards_of_euskadi_keeps_6_4023_percent) {
  const TableOdds all = bet_odds(open("es-euskadi-2010", "texas-holdem-house")).value();
  ASSERT_NE(find_bet(all, "txb"), nullptr);
  EXPECT_EQ(find_bet(all, "txb")->odds.house_edge(), Fraction(166'392, 2'598'960));
}

TEST(PokerOddsOfTables, the_insurance_and_a_jackpot_of_caribbean_stud) {
  const Table table = open("es-euskadi-2010", "caribbean-stud",
                           json::Object{{"insurance", true}, {"jackpot", true}});
  const TableOdds all = bet_odds(table).value();
  ASSERT_NE(find_bet(all, "seguro"), nullptr);
  EXPECT_EQ(find_bet(all, "seguro")->odds.house_edge(), Fraction(11'839, 15'470));
  ASSERT_NE(find_bet(all, "jackpot"), nullptr);
  EXPECT_TRUE(find_bet(all, "jackpot")->jackpot.has_value());
}

TEST(PokerOddsOfTables, the_bets_of_trijoker_have_odds_of_their_own) {
  const TableOdds all = bet_odds(open("es-aragon-2010", "trijoker")).value();
  ASSERT_EQ(all.bets.size(), 3U);
  Ratio edge;
  for (const BetOdds& bet : all.bets) edge += bet.odds.house_edge();
  EXPECT_EQ(edge, Fraction(32'653, 216'580));
  EXPECT_LT(all.bets[0].odds.staked, all.bets[1].odds.staked);
  EXPECT_EQ(all.bets[2].odds.staked, Fraction(1));
}

}  // namespace
}  // namespace talla::games::poker
