/// \file
/// Tournaments on games of the casino: entries, chips bought again, levels of blinds, stacks, the
/// order of going out, prizes.
///
/// Source: es-euskadi-2010 art. 2 bis, es-aragon-2010 art. 3.2. The hands themselves are played at
/// tables of the game that the tournament is of (its rules hold, 2 bis 1.a); here a round is what
/// one hand, or all hands reported together, did to the stacks. Closing begins it; who lost says so
/// (`recuento` with what is left, `sin-fichas`), then who won; `fin-mano` ends it when every chip
/// has its owner again. Who is not named keeps his chips. Prizes are paid when one has all chips
/// and nobody may buy again, or after the last hand of the session.
/// Errors: bets_closed, bet_*, above_maximum, amount_invalid, seat_invalid, withdrawal_refused,
/// action_*, not_due, misdeal_unknown, parameter_not_allowed (initial).
/// Threads: none of its functions keeps anything.
#pragma once

#include "engines/tournament/rules.hpp"
#include "engines/tournament/state.hpp"
#include "games/engine.hpp"

namespace talla::games::tournament {

class TournamentEngine final : public TypedEngine<TournamentState> {
 public:
  [[nodiscard]] std::string_view family() const override { return "tournament"; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_tournament_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return figures_of(table);
  }

 protected:
  [[nodiscard]] Result<TournamentState> start(const Table& table) const override;
  [[nodiscard]] Result<TournamentState> continue_from(const Table& table,
                                                      const json::Value& carried) const override;
  [[nodiscard]] Status check_state(const Table& table, const TournamentState& state) const override;
  [[nodiscard]] Status on(const Table& table, TournamentState& state,
                          const Event& event) const override;
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] Needs needs_of(const Table& table, const TournamentState& state) const override;
  [[nodiscard]] json::Value carried_of(const Table& table,
                                       const TournamentState& state) const override;
  [[nodiscard]] json::Value view_of(const Table& table, const TournamentState& state,
                                    const Viewer& viewer) const override;
};

}  // namespace talla::games::tournament
