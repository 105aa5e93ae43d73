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
  for (const auto& [name, codes] : {std::pair("with", &bet.with), std::pair("play", &bet.play)}) {
    if (codes->empty()) continue;
    json::Array all;
    for (const std::string& code : *codes) all.emplace_back(code);
    value[name] = std::move(all);
  }
  const Odds& odds = bet.odds;
  if (!bet.mean_only) {
    value["win"] = odds.win.text();
    value["lose"] = odds.lose.text();
    value["other"] = odds.other.text();
    value["deviation"] = deviation(odds, deviation_places);
    if (const auto run = losing_run(odds)) value["losing_run"] = static_cast<std::int64_t>(*run);
  }
  value["returned"] = odds.returned.text();
  value["staked"] = odds.staked.text();
  value["house_edge"] = odds.house_edge().text();
  value["edge_at_risk"] = odds.edge_at_risk().text();
  if (bet.house_share) value["house_share"] = bet.house_share->text();
  if (bet.jackpot) {
    json::Value jackpot;
    jackpot["hit"] = bet.jackpot->hit.text();
    jackpot["whole"] = bet.jackpot->whole.text();
    jackpot["growth"] = bet.jackpot->growth.text();
    if (bet.jackpot->break_even) jackpot["break_even"] = bet.jackpot->break_even->text();
    if (bet.jackpot->mean) jackpot["mean"] = bet.jackpot->mean->text();
    value["jackpot"] = std::move(jackpot);
  }
  value["method"] = std::string(odds_method_name(bet.method));
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
  // An amount that the text names stands in a currency: the table's, so that it holds.
  if (const GameRules* rules = catalogue->game(config.game)) {
    for (const ParameterRule& rule : rules->parameters)
      if (rule.type == ParameterType::amount) config.currency.code = rule.currency;
  }
  config.min = table_minimum;
  config.params = std::move(params);
  return Table::open(std::move(catalogue), std::move(config));
}

std::string_view odds_method_name(OddsMethod method) {
  return method == OddsMethod::chain ? "chain" : "count";
}

Result<TableOdds> bet_odds(const Table& table, OddsTime time, std::string_view only) {
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
  if (rules.family == "banque") return bank_odds(table);
  if (rules.family == "trente") return row_odds(table);
  if (rules.family == "monte") return layout_odds(table, only);
  if (rules.family == "bingo") return called_odds(table);
  if (rules.family == "blackjack") return box_odds(table, only);
  if (rules.family == "second-bet") return second_bet_odds(table, time, only);
  if (rules.family == "trijoker") return spot_odds(table);
  if (rules.family == "texas-holdem") return stage_odds(table, time);
  if (rules.family == "pai-gow") return set_odds(table, time);
  return fail(Errc::game_not_available,
              rules.id + ": the odds of games of this kind are not worked out");
}

}  // namespace talla::games
