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

json::Value positions_json(const std::vector<std::vector<std::string>>& on) {
  json::Array out;
  for (const auto& position : on) {
    json::Array codes;
    for (const auto& code : position) codes.emplace_back(code);
    out.emplace_back(std::move(codes));
  }
  return json::Value(std::move(out));
}

json::Value to_json(const BetOdds& bet) {
  json::Value value;
  value["bet"] = bet.bet;
  if (!bet.on.empty()) value["on"] = positions_json(bet.on);
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

std::string positions_text(const std::vector<std::vector<std::string>>& on, std::size_t most) {
  std::string out;
  for (const auto& position : on) {
    const auto at = static_cast<std::size_t>(&position - on.data());
    if (at == most) return out + ", +" + std::to_string(on.size() - most);
    out += at == 0 ? "" : ", ";
    for (const std::string& code : position) out += (&code == position.data() ? "" : "-") + code;
  }
  return out;
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

Result<TableOdds> next_odds(const Table& table, std::span<const shuffle::Card> gone,
                            std::string_view only) {
  const std::string& family = table.rules().family;
  if (family == "baccarat") return coup_odds(table, gone);
  if (family == "blackjack") return box_odds(table, only, gone);
  return fail(Errc::game_not_available,
              table.rules().id +
                  ": what cards seen change is worked out of punto y banca and "
                  "black jack alone");
}

Result<TableOdds> bet_odds(const Table& table, OddsTime time, std::string_view only) {
  const GameRules& rules = table.rules();
  if (rules.family == "wheel" || rules.family == "dice") {
    TALLA_CHECK(rules.draw.has_value());
    return draw_odds(table, *rules.draw);
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
