/// \file
/// Odds of the built-in catalogues' games as the page shows them: at the games' own defaults.
///
/// Memory: what was asked for. Threads: any; the first request for a game works them out (some milliseconds), the others wait.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"

namespace talla::web {

class OddsPages {
 public:
  explicit OddsPages(const HashSuite& hashes) : hashes_(hashes) {}
  /// JSON of `/web/odds/CATALOGUE/GAME.json`: {"bets","others"} as games/odds.hpp gives them. Nothing for any other path, and for
  /// games without odds.
  [[nodiscard]] std::optional<std::string> find(std::string_view path);

 private:
  const HashSuite& hashes_;
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> known_;  // mutex_; by CATALOGUE/GAME
};

}  // namespace talla::web
