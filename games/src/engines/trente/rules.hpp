/// \file
/// What the trente et quarante engine reads from a game's data, taken apart once for each table.
///
/// Data blocks, all required: "values" {ranks}, "rows" {reach}, "tie" {result}, "refait" {total,
/// value_parameter, silent_parameter, below_minimum_parameter?, null_parameter}, "insurance" {bet,
/// rate, threshold_parameter, premium_parameter}.
/// Errors: Errc::catalogue_malformed, naming game and key. Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "games/rules.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"
#include "shuffle/card.hpp"

namespace talla::games::trente {

using shuffle::Card;

/// The four chances, and the accompanying insurance.
enum class Chance : std::uint8_t { rojo, negro, color, inverso };
[[nodiscard]] std::optional<Chance> chance_from(std::string_view name);

/// How a coup ended, as far as the premium of an insurance is concerned.
enum class CoupEnd : std::uint8_t { decided, refait, tie, annulled };

/// Figures and the names of parameters, from the data blocks.
struct Figures {
  std::array<int, 13> values{};  ///< points of ace .. king
  int reach = 0;                 ///< a row ends on reaching or passing this total
  int refait = 0;  ///< equal totals of this many points put the stakes at the owners' choice
  BetResult tie = BetResult::void_;
  std::string value_parameter;          ///< residual | literal | whole: what a later win sets free
  std::string silent_parameter;         ///< prison | half
  std::string below_minimum_parameter;  ///< prison | prison-first | choice; empty: choice
  /// stays | freed: a stake in prison when the coup counts for nothing.
  std::string null_parameter;
  std::string insurance_bet;
  Fraction rate;                    ///< premium, of the stake
  std::string threshold_parameter;  ///< smallest stake that may be insured
  std::string premium_parameter;    ///< what becomes of the premium
  Citation rows_cite;
  Citation tie_cite;
  Citation refait_cite;
  Citation insurance_cite;
  Citation stop_cite;  ///< of the stop card: the coup is annulled
};
[[nodiscard]] Result<Figures> read_figures(const GameRules& rules);
/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_trente_rules(const GameRules& rules);

/// Figures with the parameters of one table.
struct Prepared final : games::Prepared {
  Figures figures;
  enum class Value : std::uint8_t { residual, literal, whole } value = Value::residual;
  enum class Below : std::uint8_t { choice, prison, prison_first } below_minimum = Below::choice;
  bool silence_is_half = false;
  bool null_frees = false;
  std::array<bool, 4> premium_kept{};  ///< by CoupEnd
  Fraction threshold;
};
[[nodiscard]] std::shared_ptr<const Prepared> prepare_trente(const Table& table);

/// Points of a row, without any reduction.
[[nodiscard]] int row_total(const Figures& figures, std::span<const Card> row);
[[nodiscard]] inline bool row_complete(const Figures& figures, std::span<const Card> row) {
  return row_total(figures, row) >= figures.reach;
}
/// Hearts and diamonds.
[[nodiscard]] inline bool is_red(Card card) {
  return card.suit() == shuffle::Suit::hearts || card.suit() == shuffle::Suit::diamonds;
}
/// Whether the chance wins a coup that the row `red_wins` takes; `first_is_red`: the first card of
/// the black row.
[[nodiscard]] bool wins(Chance chance, bool red_wins, bool first_is_red);

}  // namespace talla::games::trente
