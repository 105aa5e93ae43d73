/// \file
/// Tables and their rules: the driver over a table's state. What a record is to the rules stands in
/// format/game_events.hpp.
#pragma once

#include "format/game_events.hpp"
#include "games/driver.hpp"
#include "model.hpp"

namespace talla::core {

/// Bets of one request: as many as a table holds (games).
inline constexpr std::size_t bets_max = 4096;
/// Withdrawals of one request: the last part of a BETS_CLOSED names them all.
inline constexpr std::size_t withdrawn_max = 1000;

/// The game of a TABLE_OPEN, opened. Errors: those of games.
[[nodiscard]] Result<games::Table> open_rules(std::shared_ptr<const games::Catalogue> catalogue,
                                              const certs::TableOpenBody& open);

/// The count of a shoe's cards, and where its stop card stands.
[[nodiscard]] games::ShoeAccount account_of(const Shoe& shoe);

/// The driver of a table as it stands; `shoe` (may be null) is the one in use.
[[nodiscard]] games::Driver driver_of(const Table& table, const Shoe* shoe);
/// Takes the driver's state into the table and what it settled into the round (null between
/// rounds).
void keep_driver(games::Driver driver, Table& table, Round* round);
/// Feeds one event that concerns no shoe.
[[nodiscard]] Status play(Table& table, Round* round, const games::Event& event);

/// Withdrawals, then bets in order: the one order in which a round's bets count. Changes nothing.
[[nodiscard]] Result<PlayedBets> play_draft(const Table& table, const BetDraft& bets);
/// The same, unless the round has them played already, then the close.
[[nodiscard]] Status play_bets(Table& table, Round& round, const BetDraft& bets);

/// The shoe can go now: no round is open, and the rules, where there are some, ask for no more of
///                      it or let it go.
[[nodiscard]] bool shoe_may_go(const Table& table, const Shoe& shoe);

}  // namespace talla::core
