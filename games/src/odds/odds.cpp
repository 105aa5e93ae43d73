#include "games/odds.hpp"

#include "odds/kinds.hpp"

namespace talla::games {

Result<TableOdds> bet_odds(const Table& table) {
  const GameRules& rules = table.rules();
  if (rules.draw) return draw_odds(table, *rules.draw);
  if (rules.family == "baccarat") return coup_odds(table);
  return fail(Errc::game_not_available,
              rules.id + ": odds are worked out for wheels, dice and punto y banca");
}

}  // namespace talla::games
