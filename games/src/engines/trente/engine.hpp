/// \file
/// Trente et quarante: two rows of cards, the one nearer to 31 wins; 31-31 puts the stakes at their
///                     owners' choice.
///
/// Source: es-1977 05, es-valencia-2003 05, es-euskadi-2010 05 (figures and readings come from the
/// catalogue). A seat's stakes on one chance may be insured against 31-31 when they are placed: a
/// bet of the catalogue's insurance kind on that chance, of exactly the premium; while it stands,
/// those stakes can neither grow nor be taken back. Between two coups bets and the choice about
/// stakes in prison are open together; closing answers for the silent. The stop card annuls the
/// coup it appears in and ends the shoe; stakes in prison wait for the next one.
/// Errors: bets_closed, bet_*, below_minimum, above_maximum, withdrawal_refused, action_unknown,
/// action_refused, not_due, place_unknown, card_invalid, arithmetic_range. Threads: none of its
/// functions keeps anything.
#pragma once

#include "engines/trente/rules.hpp"
#include "engines/trente/state.hpp"
#include "games/engine.hpp"

namespace talla::games::trente {

class TrenteEngine final : public TypedEngine<TrenteState> {
 public:
  [[nodiscard]] std::string_view family() const override { return "trente"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_trente_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const games::Prepared> prepare(const Table& table) const override {
    return prepare_trente(table);
  }

 protected:
  [[nodiscard]] Result<TrenteState> start(const Table& table) const override;
  [[nodiscard]] Result<TrenteState> continue_from(const Table& table,
                                                  const json::Value& carried) const override;
  [[nodiscard]] Status check_state(const Table& table, const TrenteState& state) const override;
  [[nodiscard]] Status on(const Table& table, TrenteState& state,
                          const Event& event) const override;
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] bool complete(const Table& table, const TrenteState& state) const override;
  void conclude(const Table& table, TrenteState& state) const override;
  [[nodiscard]] Needs needs_of(const Table& table, const TrenteState& state) const override;
  [[nodiscard]] json::Value carried_of(const Table& table, const TrenteState& state) const override;
  [[nodiscard]] json::Value view_of(const Table& table, const TrenteState& state,
                                    const Viewer& viewer) const override;
};

}  // namespace talla::games::trente
