/// \file
/// What engines of games with a TableRound have in common: events of the deck and the session, and
/// the frame of needs.
///
/// Threads: as Engine.
#pragma once

#include <utility>

#include "engines/poker/table_round.hpp"

namespace talla::games::poker {

/// Base of a game's event handler: derive, say `using RoundHandler::operator();` and add the game's
/// own events. What a game does not handle is not due.
struct RoundHandler {
  const Table& table;
  TableRound& round;

  Status operator()(const ShoeOpened& event) { return round.open_shoe(*table.rules().shoe, event); }
  Status operator()(const ShoeClosed& /*event*/) { return round.close_shoe(); }
  Status operator()(const LastRound& /*event*/) { return round.announce_last(); }
  template <class Other>
  Status operator()(const Other& event) {
    return not_due(event_name(Event(event)));
  }
  /// The line of the catalogue's error table, while a hand is played. Errors: misdeal_unknown,
  /// not_due.
  [[nodiscard]] Result<const ErrorRule*> error_of(const Misdeal& event) const {
    const auto* error = table.rules().error(event.code);
    if (error == nullptr)
      return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
    if (round.stage != Stage::playing) return not_due("an error of the deal");
    return error;
  }
};

/// Base of an engine whose state S has a TableRound `round`, and outlives a round in it alone.
template <class S>
class RoundEngine : public TypedEngine<S> {
 protected:
  [[nodiscard]] Result<S> start(const Table& /*table*/) const override { return S(); }
  [[nodiscard]] Result<S> continue_from(const Table& /*table*/,
                                        const json::Value& carried) const override {
    S out;
    TALLA_TRY(out.round, TableRound::from_carried(carried));
    return out;
  }
  [[nodiscard]] Needs needs_of(const Table& table, const S& state) const override {
    Needs out;
    if (state.round.stage == Stage::playing) {
      put_due(table, state, out);
    } else {
      put_between(table, state, out);
    }
    return out;
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const S& state) const override {
    return state.round.carried();
  }
  /// The state holds no card that lies covered, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& /*table*/, const S& state,
                                    const Viewer& /*viewer*/) const override {
    return state.to_json();
  }
  /// What the hand waits for.
  virtual void put_due(const Table& table, const S& state, Needs& out) const = 0;
  virtual void put_between(const Table& table, const S& state, Needs& out) const {
    state.round.put_needs(table, out, !state.round.bets.empty());
  }
};

}  // namespace talla::games::poker
