/// \file
/// One open table: a game of a catalogue with everything that was left open now fixed. Immutable; what changes
/// while people play is the engine's State.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "games/rules.hpp"

namespace talla::games {

/// What TABLE_OPEN carries and a scenario's "table" gives.
struct TableConfig {
  std::string game;
  Currency currency;
  Units min = 0;             ///< table minimum, units; at least 1
  std::optional<Units> max;  ///< house maximum of one bet, below what the catalogue allows
  json::Value params;        ///< object: parameter id -> value; missing ones take their default
};

/// Reads {"currency","unit","chip"?,"min","max"?,"rounding"?,"params"?}; `game` is given beside it.
[[nodiscard]] Result<TableConfig> table_config_from_json(std::string game, const json::Value& value);
[[nodiscard]] json::Value to_json(const TableConfig& config);

class Engine;

class Table {
 public:
  /// Errors: game_unknown, game_not_available, table_invalid, parameter_*.
  [[nodiscard]] static Result<Table> open(std::shared_ptr<const Catalogue> catalogue, TableConfig config);

  [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }
  [[nodiscard]] const GameRules& rules() const { return *rules_; }
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const TableConfig& config() const { return config_; }
  [[nodiscard]] const Currency& currency() const { return config_.currency; }
  [[nodiscard]] Units min() const { return config_.min; }
  [[nodiscard]] const Engine& engine() const { return *engine_; }
  /// Rounds an exact amount by the table's one parameter.
  [[nodiscard]] Rounded round(const Fraction& exact) const {
    return games::round(exact, config_.currency.rounding);
  }

 private:
  Table() = default;
  std::shared_ptr<const Catalogue> catalogue_;
  const GameRules* rules_ = nullptr;  // inside catalogue_
  const Engine* engine_ = nullptr;    // static storage
  TableConfig config_;
  Params params_;
};

}  // namespace talla::games
