/// \file
/// Roulettes and other wheels: stakes on pockets, one pocket drawn, every stake decided but those
/// the zero imprisons.
///
/// Source: es-1977 01 (figures and readings come from the catalogue; other wheels bring their own).
/// Between two spins bets and the choice about imprisoned stakes are open together; closing answers
/// for the silent. An imprisoned stake is no stake of the coming spin: it keeps its chance, needs
/// no minimum and fills no maximum.
/// Errors: bets_closed, bet_*, below_minimum, above_maximum, withdrawal_refused (prison),
/// action_unknown, action_refused, not_due, outcome_invalid, arithmetic_range (a stake halved more
/// than 62 times).
/// Threads: none of its functions keeps anything.
#pragma once

#include "engines/wheel/rules.hpp"
#include "engines/wheel/state.hpp"
#include "games/engine.hpp"

namespace talla::games::wheel {

class WheelEngine final : public TypedEngine<WheelState> {
 public:
  [[nodiscard]] std::string_view family() const override { return "wheel"; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_wheel_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const games::Prepared> prepare(const Table& table) const override {
    return prepare_wheel(table);
  }

 protected:
  [[nodiscard]] Result<WheelState> start(const Table& table) const override;
  [[nodiscard]] Result<WheelState> continue_from(const Table& table,
                                                 const json::Value& carried) const override;
  [[nodiscard]] Status check_state(const Table& table, const WheelState& state) const override;
  [[nodiscard]] Status on(const Table& table, WheelState& state, const Event& event) const override;
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] Forced forced_of(const Table& table, const WheelState& state) const override;
  [[nodiscard]] Needs needs_of(const Table& table, const WheelState& state) const override;
  [[nodiscard]] json::Value carried_of(const Table& table, const WheelState& state) const override;
  [[nodiscard]] json::Value view_of(const Table& table, const WheelState& state,
                                    const Viewer& viewer) const override;
};

}  // namespace talla::games::wheel
