#include "game_odds.hpp"

#include <utility>

#include "games/errc.hpp"
#include "games/odds.hpp"

namespace talla::web {

Result<games::Table> table_to_ask(const std::shared_ptr<const games::Catalogue>& catalogue,
                                  const std::string& game, json::Object params) {
  const auto* rules = catalogue->game(game);
  if (rules == nullptr) return fail(games::Errc::game_unknown, catalogue->id + " has no " + game);
  if (!rules->base.empty()) params["base"] = rules->base;
  return games::odds_table(catalogue, game, json::Value(std::move(params)));
}

Result<json::Value> game_odds(const games::Table& table) {
  TALLA_TRY(const auto odds, games::bet_odds(table));
  json::Array bets;
  json::Object plays;
  for (const auto& bet : odds.bets) {
    bets.push_back(games::to_json(bet));
    for (const std::string& play : bet.play) {
      json::Object words;
      for (const char* language : languages)
        words[language] = std::string(games::play_words(play, language));
      plays[play] = std::move(words);
    }
  }
  json::Array others;
  for (const auto& bet : odds.others) others.push_back(games::to_json(bet));
  return json::Value(json::Object{
      {"bets", std::move(bets)}, {"others", std::move(others)}, {"plays", std::move(plays)}});
}

}  // namespace talla::web
