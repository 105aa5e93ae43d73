/// \file
/// Bingo: cards are sold, balls are called one by one, line and bingo are announced, the prizes are
///        shared.
///
/// Source: es-1977 10. The balls are a shoe, dealt one at a time to the place "bola". After a ball
/// that completes something nothing goes on until each holder has announced it (`linea`, `bingo`)
/// or his time is over: what is not announced before the next ball is lost. A wrong claim is
/// refused and changes nothing. Prizes are paid at the end, one settlement a card; the price of a
/// card does not come back (only a void game returns it).
/// Errors: no_shoe, bets_closed, bet_*, amount_invalid (another price), above_maximum (the series
/// is sold out), withdrawal_refused, action_*, card_invalid, place_unknown, not_due,
/// misdeal_unknown.
/// Threads: none of its functions keeps anything.
#pragma once

#include "engines/bingo/rules.hpp"
#include "engines/bingo/state.hpp"
#include "games/engine.hpp"

namespace talla::games::bingo {

class BingoEngine final : public TypedEngine<BingoState> {
 public:
  [[nodiscard]] std::string_view family() const override { return "bingo"; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_bingo_rules(rules);
  }

 protected:
  [[nodiscard]] Result<BingoState> start(const Table& table) const override;
  [[nodiscard]] Result<BingoState> continue_from(const Table& table,
                                                 const json::Value& carried) const override;
  [[nodiscard]] Status check_state(const Table& table, const BingoState& state) const override;
  [[nodiscard]] Status on(const Table& table, BingoState& state, const Event& event) const override;
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] std::optional<std::string> unplayable(const Table& table,
                                                      const BetRule& bet) const override;
  [[nodiscard]] Needs needs_of(const Table& table, const BingoState& state) const override;
  [[nodiscard]] json::Value carried_of(const Table& table, const BingoState& state) const override;
  [[nodiscard]] json::Value view_of(const Table& table, const BingoState& state,
                                    const Viewer& viewer) const override;
};

}  // namespace talla::games::bingo
