// Odds of the three bets of trijoker.
#include "engines/shared/data_law.hpp"
#include "engines/trijoker/rules.hpp"
#include "odds/kinds.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/lowest_pair.hpp"
#include "odds/poker/trijoker.hpp"

namespace talla::games {

Result<TableOdds> spot_odds(const Table& table) {
  const auto& rules = table.prepared<trijoker::Rules>();
  const DataLaw law(table);
  TableOdds out;
  for (std::size_t spot = 0; spot < trijoker::spot_bets.size(); ++spot) {
    const std::string bet(trijoker::spot_bets.at(spot));
    TALLA_TRY(const auto pays, poker::PayTable::from(law.bet(bet), table.params()));
    TALLA_TRY(const auto odds,
              poker::trijoker_odds(
                  rules.ranker,
                  {.pays_from = poker::lowest_pair(rules.ranker, rules.pair_from), .pays = pays}));
    out.bets.push_back(poker::counted(bet, odds.spots.at(spot), {}));
  }
  return out;
}

}  // namespace talla::games
