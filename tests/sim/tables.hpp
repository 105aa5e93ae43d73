/// \file
/// Tables of a game: with the defaults of its parameters, or with random values that the catalogue
///                   allows.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "games/table.hpp"
#include "random.hpp"

namespace talla::sim {

using CataloguePtr = std::shared_ptr<const games::Catalogue>;

/// The built-in catalogue of that id, loaded once. Throws Failure.
[[nodiscard]] CataloguePtr catalogue(const std::string& id);

/// One game of one catalogue.
struct GameId {
  std::string catalogue;
  std::string game;
  [[nodiscard]] std::string text() const { return catalogue + "/" + game; }
  friend std::ostream& operator<<(std::ostream& out, const GameId& id) { return out << id.text(); }
};
/// Every game of every built-in catalogue.
[[nodiscard]] std::vector<GameId> all_games();

/// A configuration the catalogue allows: currency, unit, chip, minimum, rounding; `defaults`: each
/// parameter that has a default keeps it.
[[nodiscard]] games::TableConfig random_config(const games::Catalogue& catalogue,
                                               const games::GameRules& rules, Random& random,
                                               bool defaults);
/// The upper bound of a limit at this table.
[[nodiscard]] games::Fraction bound_of(const games::LimitRule& limit, const games::Table& table);

}  // namespace talla::sim
