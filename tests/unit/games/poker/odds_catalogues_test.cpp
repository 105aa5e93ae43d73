// Goal: the odds follow from the catalogues' own data: order of hands, pay tables, least hands.
// Method: tables opened from the built-in catalogues, their figures handed to the computation, fractions compared.
#include <gtest/gtest.h>

#include "../play_support.hpp"
#include "data_law.hpp"
#include "orders.hpp"
#include "poker/odds_trijoker.hpp"
#include "trijoker/rules.hpp"

namespace talla::games::poker {
namespace {

Table open(std::string_view catalogue, std::string game, json::Value parameters = {}) {
  return Table::open(games::test::catalogue(catalogue),
                     {std::move(game), {"EUR"}, 10, std::nullopt, std::move(parameters)})
      .value();
}

PayTable pays(const Table& table, std::string_view bet) {
  return PayTable::from(DataLaw(table).bet(bet).payouts).value();
}

TEST(PokerOddsOfCatalogues, trijoker_has_the_same_edge_in_aragon_and_euskadi_and_on_each_of_its_bets) {
  for (const char* catalogue : {"es-aragon-2010", "es-euskadi-2010"}) {
    const Table table = open(catalogue, "trijoker");
    const auto& rules = table.prepared<trijoker::Rules>();
    EXPECT_EQ(rules.pair_from, 11);
    const HandValue jacks = test::value(rules.ranker, "JC JD 4H 3S 2C");
    for (const auto bet : trijoker::spot_bets) {
      const auto odds = trijoker_odds(rules.ranker, {.pays_from = jacks, .pays = pays(table, bet)}).value();
      EXPECT_EQ(odds.house_edge(), Fraction(32'653, 216'580)) << catalogue << " " << bet;
    }
  }
}

}  // namespace
}  // namespace talla::games::poker
