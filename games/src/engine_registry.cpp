#include "games/engine_registry.hpp"

#include <array>

#include "engines/engines.hpp"

namespace talla::games {
namespace {

/// The one list of engines.
const auto& engines() {
  static const std::array all = {
      &baccarat_engine(), &banque_engine(),     &wheel_engine(),      &dice_engine(),
      &monte_engine(),    &blackjack_engine(),  &trente_engine(),     &bingo_engine(),
      &trijoker_engine(), &texas_engine(),      &second_bet_engine(), &circle_engine(),
      &pai_gow_engine(),  &tournament_engine(),
  };
  return all;
}

}  // namespace

const Engine* find_engine(std::string_view family) {
  for (const auto* engine : engines()) {
    if (engine->family() == family) return engine;
  }
  return nullptr;
}

}  // namespace talla::games
