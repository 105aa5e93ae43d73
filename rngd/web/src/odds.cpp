#include "web/odds.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.hpp"
#include "games/advice.hpp"
#include "games/catalogue.hpp"
#include "games/odds.hpp"

namespace talla::web {

namespace {

constexpr std::string_view odds_prefix = "/web/odds/";
constexpr std::string_view suffix = ".json";

constexpr std::array languages = {"en", "es"};

/// The chart of a blackjack table with its letters in both languages; nothing for other games.
std::optional<json::Value> chart_of(const games::Table& table) {
  const auto chart = games::play_chart(table);
  if (!chart) return std::nullopt;
  json::Value out = games::to_json(*chart);
  const auto add_letters = [](json::Value& to, const games::ChartCell& cell) {
    for (const char* language : languages)
      to[language] = std::string(games::chart_letters(cell, language));
  };
  for (const auto& [part, rows] : {std::pair("hard", &chart->hard), std::pair("soft", &chart->soft),
                                   std::pair("pairs", &chart->pairs)})
    for (std::size_t i = 0; i < rows->size(); ++i)
      for (std::size_t k = 0; k < (*rows)[i].against.size(); ++k)
        add_letters(out[part].array()[i]["against"].array()[k], (*rows)[i].against[k]);
  for (std::size_t i = 0; i < chart->exceptions.size(); ++i)
    add_letters(out["exceptions"].array()[i], {chart->exceptions[i].action, "hit"});
  for (const char* language : languages) {
    json::Array legend;
    for (const games::ChartWord& one : games::chart_legend(language))
      legend.emplace_back(
          json::Object{{"letters", std::string(one.letters)}, {"words", std::string(one.words)}});
    out["legend"][language] = std::move(legend);
  }
  return out;
}

/// A game on a borrowed base is shown with the base that its catalogue names.
std::optional<std::string> work_out(const HashSuite& hashes, const std::string& catalogue,
                                    const std::string& game) {
  const auto loaded = games::load_embedded(catalogue, hashes);
  if (!loaded) return std::nullopt;
  const auto* rules = (*loaded)->game(game);
  if (rules == nullptr) return std::nullopt;
  json::Value params = json::Object{};
  if (!rules->base.empty()) params["base"] = rules->base;
  const auto table = games::odds_table(*loaded, game, std::move(params));
  if (!table) return std::nullopt;
  const auto odds = games::bet_odds(*table);
  if (!odds) return std::nullopt;
  json::Array bets;
  json::Object plays;
  for (const auto& bet : odds->bets) {
    bets.push_back(games::to_json(bet));
    for (const std::string& play : bet.play) {
      json::Object words;
      for (const char* language : languages)
        words[language] = std::string(games::play_words(play, language));
      plays[play] = std::move(words);
    }
  }
  json::Array others;
  for (const auto& bet : odds->others) others.push_back(games::to_json(bet));
  json::Value out(json::Object{
      {"bets", std::move(bets)}, {"others", std::move(others)}, {"plays", std::move(plays)}});
  if (auto chart = chart_of(*table)) out["chart"] = std::move(*chart);
  return json::canonical(out);
}

}  // namespace

std::optional<std::string> OddsPages::find(std::string_view path) {
  if (!path.starts_with(odds_prefix) || !path.ends_with(suffix) ||
      path.size() <= odds_prefix.size() + suffix.size())
    return std::nullopt;
  const auto name =
      path.substr(odds_prefix.size(), path.size() - odds_prefix.size() - suffix.size());
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string catalogue(name.substr(0, slash));
  const std::string game(name.substr(slash + 1));
  {
    const std::scoped_lock lock(mutex_);
    if (!is_game(catalogue, game)) return std::nullopt;
    if (const auto known = known_.find(path); known != known_.end()) return known->second;
  }
  const std::scoped_lock work(work_);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = known_.find(path); known != known_.end()) return known->second;
  }
  auto odds = work_out(hashes_, catalogue, game);
  const std::scoped_lock lock(mutex_);
  return known_.try_emplace(std::string(path), std::move(odds)).first->second;
}

bool OddsPages::is_game(const std::string& catalogue, const std::string& game) {
  const auto& embedded = games::embedded_catalogues();
  if (std::ranges::find(embedded, catalogue, &games::EmbeddedCatalogue::id) == embedded.end())
    return false;
  const auto [games, fresh] = games_.try_emplace(catalogue);
  if (fresh) {
    if (const auto loaded = games::load_embedded(catalogue, hashes_)) {
      for (const games::GameRules& one : (*loaded)->games) games->second.insert(one.id);
    }
  }
  return games->second.contains(game);
}

}  // namespace talla::web
