/// \file
/// Between records and engine events: what a bet, an action, a card or an outcome of a record is to the
/// rules.
#pragma once

#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "games/driver.hpp"
#include "model.hpp"

namespace talla::core {

[[nodiscard]] games::PlaceBet place_event(const certs::Bet& bet);
[[nodiscard]] games::Event action_event(const certs::ActionBody& action);
[[nodiscard]] certs::SettlementResult settlement_result(const games::Settlement& settlement);

/// The draw the rules ask for, as records specify it. Errors: Errc::wrong_state for kinds that are no draw of
/// one
/// result (balls).
[[nodiscard]] Result<certs::DrawSpecification> specification_of(const games::Draw& draw);
/// The outcome as the rules read it. Precondition (checked): the outcome is of that draw's specification.
[[nodiscard]] games::DrawResult draw_event(const games::Draw& draw, const certs::Outcome& outcome);

/// The game of a TABLE_OPEN, opened. Errors: those of games.
[[nodiscard]] Result<games::Table> open_rules(std::shared_ptr<const games::Catalogue> catalogue,
                                              const certs::TableOpenBody& open);

/// The driver of a table as it stands; `shoe` (may be null) is the one in use.
[[nodiscard]] games::Driver driver_of(const Table& table, const Shoe* shoe);
/// Takes the driver's state into the table and what it settled into the round (null between rounds).
void keep_driver(games::Driver driver, Table& table, Round* round);
/// Feeds one event that concerns no shoe.
[[nodiscard]] Status play(Table& table, Round* round, const games::Event& event);

/// Withdrawals, then bets in order: the one order in which a round's bets count.
[[nodiscard]] Status play_draft(Table& table, Round& round, const BetDraft& bets);
/// The same, then the close.
[[nodiscard]] Status play_bets(Table& table, Round& round, const BetDraft& bets);

}  // namespace talla::core
