// Odds of bets on a coup of punto y banca, from every coup counted.
#include "base/check.hpp"
#include "engines/baccarat/census.hpp"
#include "engines/baccarat/rules.hpp"
#include "games/engine.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_laws.hpp"

namespace talla::games {

namespace {

using baccarat::Census;
using baccarat::Hand;

const std::array<std::uint64_t, 10>& totals(const Census& census, Hand winner) {
  return winner == Hand::punto ? census.punto : winner == Hand::banca ? census.banca : census.tie;
}

/// A tie gives the stakes on either hand back.
Odds odds_of_bet(const Census& census, const baccarat::BetPrizes& bet) {
  const auto draws = static_cast<Int128>(census.draws());
  Odds out;
  const auto gain = [&](const Fraction& probability, const Fraction& won) {
    out.square += probability * won * won;
  };
  for (const Hand winner : {Hand::punto, Hand::banca, Hand::tie}) {
    for (std::size_t total = 0; total < bet.by_total.size(); ++total) {
      const Fraction probability(static_cast<Int128>(totals(census, winner)[total]), draws);
      if (winner == bet.on) {
        out.win += probability;
        out.returned += probability * bet.by_total[total].factor;
        gain(probability, bet.by_total[total].factor - Fraction(1));
      } else if (winner == Hand::tie) {
        out.other += probability;
        out.returned += probability;
      } else {
        out.lose += probability;
        gain(probability, -1);
      }
    }
  }
  return out;
}

}  // namespace

Result<TableOdds> coup_odds(const Table& table, std::span<const shuffle::Card> gone) {
  const auto& prepared = table.prepared<baccarat::Prepared>();
  TALLA_TRY(const auto census, census_behind(table, gone));
  TableOdds all;
  for (std::size_t i = 0; i < prepared.bets.size(); ++i)
    all.bets.push_back({.bet = table.rules().bets[i].id,
                        .on = {},
                        .odds = odds_of_bet(census, prepared.bets[i]),
                        .method = OddsMethod::count});
  return all;
}

}  // namespace talla::games
