#include "web/odds.hpp"

#include <algorithm>
#include <utility>

#include "base/json.hpp"
#include "game_odds.hpp"
#include "games/advice.hpp"
#include "games/catalogue.hpp"

namespace talla::web {

namespace {

constexpr std::string_view odds_prefix = "/web/odds/";
constexpr std::string_view suffix = ".json";

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

std::optional<std::string> work_out(const HashSuite& hashes, const std::string& catalogue,
                                    const std::string& game) {
  const auto loaded = games::load_embedded(catalogue, hashes);
  if (!loaded) return std::nullopt;
  const auto table = table_to_ask(*loaded, game);
  if (!table) return std::nullopt;
  auto odds = game_odds(*table);
  if (!odds) return std::nullopt;
  if (auto chart = chart_of(*table)) (*odds)["chart"] = std::move(*chart);
  return json::canonical(*odds);
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
