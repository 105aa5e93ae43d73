#include "games/odds.hpp"

#include <utility>

#include "base/check.hpp"
#include "odds/kinds.hpp"

namespace talla::games {

namespace {

/// Odds do not depend on what a unit is worth; a minimum of many units leaves room for all that
/// catalogues ask of stakes.
constexpr Units table_minimum = 1000;
constexpr const char* some_currency = "EUR";

}  // namespace

json::Value to_json(const BetOdds& bet) {
  json::Value value;
  value["bet"] = bet.bet;
  if (!bet.on.empty()) {
    json::Array on;
    for (const auto& position : bet.on) {
      json::Array codes;
      for (const auto& code : position) codes.emplace_back(code);
      on.emplace_back(std::move(codes));
    }
    value["on"] = std::move(on);
  }
  value["win"] = bet.odds.win.text();
  value["lose"] = bet.odds.lose.text();
  value["other"] = bet.odds.other.text();
  value["returned"] = bet.odds.returned.text();
  value["house_edge"] = bet.odds.house_edge().text();
  return value;
}

json::Value to_json(const BetWithoutOdds& bet) {
  json::Value value;
  value["bet"] = bet.bet;
  value["without_odds"] = bet.reason;
  return value;
}

Result<Table> odds_table(std::shared_ptr<const Catalogue> catalogue, std::string game,
                         json::Value params) {
  TableConfig config;
  config.game = std::move(game);
  config.currency.code = some_currency;
  config.min = table_minimum;
  config.params = std::move(params);
  return Table::open(std::move(catalogue), std::move(config));
}

Result<TableOdds> bet_odds(const Table& table) {
  const GameRules& rules = table.rules();
  if (rules.family == "wheel" || rules.family == "dice") {
    TALLA_CHECK(rules.draw.has_value());
    if (rules.family == "wheel") return draw_odds(table, *rules.draw);
    // A bet is worth the same whoever throws: its stake alone is looked at, without a shooter's
    // beside it.
    TALLA_TRY(const auto alone, table.with_parameter("shooter_stake", "no-shooter"));
    return draw_odds(alone, *rules.draw);
  }
  if (rules.family == "baccarat") return coup_odds(table);
  return fail(Errc::game_not_available,
              rules.id + ": odds are worked out for wheels, dice and punto y banca");
}

}  // namespace talla::games
