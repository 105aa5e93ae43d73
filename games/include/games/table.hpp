/// \file
/// One open table: a game of a catalogue with everything that was left open now fixed. Immutable;
/// what changes while people play is the engine's State.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// When a complete hand of cards is settled: `last-card`, or `confirmation` by staff
/// (Table::confirms).
inline constexpr std::string_view settle_parameter = "settle_on";

/// What TABLE_OPEN carries and a scenario's "table" gives.
struct TableConfig {
  std::string game;
  Currency currency;
  Units min = 0;             ///< table minimum, units; at least 1
  std::optional<Units> max;  ///< house maximum of one bet, one of those that the text allows
  json::Value params;        ///< object: parameter id -> value; missing ones take their default
  /// Meters that other tables feed and win from too, ascending, each once (Engine::meter_terms).
  std::vector<std::string> shared_meters{};
  std::optional<Units> authorised_min{};  ///< of the authorisation: no table's minimum is below it
};

/// Reads {"currency","unit","chip"?,"min","max"?,"rounding"?,"params"?,"shared_meters"?,
/// "authorised_min"?}; `game` is given beside it.
[[nodiscard]] Result<TableConfig> table_config_from_json(std::string game,
                                                         const json::Value& value);
[[nodiscard]] json::Value to_json(const TableConfig& config);

class Engine;
class BetIndex;

/// Base of what an engine reads of a table's rules once, when the table opens (Engine::prepare).
struct Prepared {
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  virtual ~Prepared() = default;
};

/// The table.
class Table {
 public:
  /// Errors: game_unknown, game_not_available, table_invalid, parameter_*.
  [[nodiscard]] static Result<Table> open(std::shared_ptr<const Catalogue> catalogue,
                                          TableConfig config);

  /// The same table with that parameter at another value. Errors: parameter_*, table_invalid.
  [[nodiscard]] Result<Table> with_parameter(std::string_view id, json::Value value) const;

  [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }
  [[nodiscard]] const GameRules& rules() const { return *rules_; }
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const TableConfig& config() const { return config_; }
  [[nodiscard]] const Currency& currency() const { return config_.currency; }
  [[nodiscard]] Units min() const { return config_.min; }
  [[nodiscard]] const Engine& engine() const { return *engine_; }
  /// Whether this meter is shared with other tables: the rounds read it before they move it
  /// (ReadMeter).
  [[nodiscard]] bool shares(std::string_view meter) const;
  /// Whether a complete hand waits for staff to confirm it before it is settled (parameter
  /// `settle_on`).
  [[nodiscard]] bool confirms() const { return confirms_; }
  /// What this table's engine prepared, of the engine's own type. Precondition (checked): it
  /// prepared something.
  template <class T>
  [[nodiscard]] const T& prepared() const {
    TALLA_CHECK(prepared_ != nullptr);
    return static_cast<const T&>(*prepared_);
  }
  /// Bets and limits with the parameters applied, for finding them fast (inside games only).
  [[nodiscard]] const BetIndex& bet_index() const { return *bet_index_; }
  /// What whoever opens this table should know: bets that it offers and on which no stake fits,
  /// each with the reason.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Rounds an exact amount by the table's one parameter.
  [[nodiscard]] Rounded round(const Fraction& exact) const {
    return games::round(exact, config_.currency.rounding);
  }
  /// A stake that a text fixes as a part of another amount ("half"), in chips: rounded by the same
  /// parameter, but never beyond `most`. 0: the part is less than a chip, and nobody can make this
  /// stake.
  [[nodiscard]] Units whole_stake(const Fraction& exact, const Fraction& most) const;

 private:
  Table() = default;
  std::shared_ptr<const Catalogue> catalogue_;
  const GameRules* rules_ = nullptr;  // inside catalogue_
  const Engine* engine_ = nullptr;    // static storage
  TableConfig config_;
  Params params_;
  bool confirms_ = false;
  std::shared_ptr<const BetIndex> bet_index_;
  std::shared_ptr<const Prepared> prepared_;
};

}  // namespace talla::games
