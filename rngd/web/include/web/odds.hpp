/// \file
/// Odds of the built-in catalogues' games as the page shows them: at the games' own defaults.
///
/// Memory: what was asked for. Threads: any; the first request for a game works them out (up to
///         some seconds, one game at a time); what is known is answered meanwhile.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/hash.hpp"

namespace talla::web {

class OddsPages {
 public:
  explicit OddsPages(const HashSuite& hashes) : hashes_(hashes) {}
  /// JSON of `/web/odds/CATALOGUE/GAME.json`: {"bets","others"} as games/odds.hpp gives them,
  /// {"plays"}: the words of their plays by language.
  /// Nothing for any other path, and for games without odds.
  [[nodiscard]] std::optional<std::string> find(std::string_view path);

 private:
  /// Whether there is such a game: a catalogue is read once to know its games, however often
  /// somebody asks for others.
  [[nodiscard]] bool is_game(const std::string& catalogue, const std::string& game);

  const HashSuite& hashes_;
  std::mutex work_;   ///< held while odds are worked out, taken before mutex_
  std::mutex mutex_;  ///< never held for long
  std::map<std::string, std::set<std::string>> games_;  // mutex_; of the catalogues asked about
  std::map<std::string, std::optional<std::string>, std::less<>> known_;  // mutex_; by path
};

}  // namespace talla::web
