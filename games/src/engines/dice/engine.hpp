/// \file
/// Craps: two dice, a point, and bets that live for one throw or for many.
///
/// Source: es-1977 06, es-valencia-2003 09, es-euskadi-2010 06 (figures and readings come from the
/// catalogue). A round is one throw; point and undecided stakes carry on. Bets on a line open a
/// series, come bets need a point (parameter come_open), associated bets need their simple bet;
/// everything else is open before any throw. The shooter is a seat (shooter.hpp). LastRound
/// announces the last shooter: who has the dice, or takes them next; the session is over when he
/// loses them (parameter last_shooter).
/// Errors:  bets_closed, bet_*, below_minimum, above_maximum, withdrawal_refused, action_*,
///          not_due, outcome_invalid.
/// Threads: none of its functions keeps anything.
#pragma once

#include "engines/dice/rules.hpp"
#include "engines/dice/state.hpp"
#include "games/engine.hpp"

namespace talla::games::dice {

class DiceEngine final : public TypedEngine<DiceState> {
 public:
  [[nodiscard]] std::string_view family() const override { return "dice"; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_dice_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const games::Prepared> prepare(const Table& table) const override {
    return prepare_dice(table);
  }

 protected:
  [[nodiscard]] Result<DiceState> start(const Table& table) const override;
  [[nodiscard]] Result<DiceState> continue_from(const Table& table,
                                                const json::Value& carried) const override;
  [[nodiscard]] Status check_state(const Table& table, const DiceState& state) const override;
  [[nodiscard]] Status on(const Table& table, DiceState& state, const Event& event) const override;
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] Forced forced_of(const Table& table, const DiceState& state) const override;
  [[nodiscard]] Needs needs_of(const Table& table, const DiceState& state) const override;
  [[nodiscard]] json::Value carried_of(const Table& table, const DiceState& state) const override;
  [[nodiscard]] json::Value view_of(const Table& table, const DiceState& state,
                                    const Viewer& viewer) const override;
};

}  // namespace talla::games::dice
