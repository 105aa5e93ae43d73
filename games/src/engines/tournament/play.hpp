/// \file
/// Who may do what in a tournament, and what a hand does to its chips.
///
/// Chips are reported by staff, not dealt: a seat that has lost says so first, what nobody has
/// claimed yet is `loose`, and nobody can claim more than his own chips and those. So no report can
/// make chips or lose them.
/// Errors: bets_closed, bet_*, above_maximum, amount_invalid, seat_invalid, action_*. Threads: pure
/// functions.
#pragma once

#include "engines/tournament/rules.hpp"
#include "engines/tournament/state.hpp"

namespace talla::games::tournament {

[[nodiscard]] Player* find_player(TournamentState& state, Seat seat);
[[nodiscard]] const Player* find_player(const TournamentState& state, Seat seat);
[[nodiscard]] std::size_t players_with_chips(const TournamentState& state);
/// All chips that were ever sold in this tournament.
[[nodiscard]] Units chips_sold(const Figures& figures, const BetBook& bets);
/// Chips lost in this hand that nobody has claimed yet.
[[nodiscard]] Units loose_chips(const TournamentState& state);
/// Somebody who lost his last chips in the last hand may still buy again before the next one.
[[nodiscard]] bool somebody_may_return(const Figures& figures, const TournamentState& state);
/// Whether staff may say that the next level of blinds begins.
[[nodiscard]] bool level_may_rise(const Figures& figures, const TournamentState& state);

/// Why that purchase cannot be made now; the amount is looked at, too.
[[nodiscard]] Status check_purchase(const Table& table, const Figures& figures,
                                    const TournamentState& state, const PlaceBet& event);
/// The purchase is made: its chips lie before the seat. Precondition: check_purchase, and its bet
/// is in the book.
void take_purchase(const Figures& figures, TournamentState& state, const PlaceBet& event);

/// A hand begins. Precondition: two players have chips.
void begin_hand(TournamentState& state);
/// It ends as reported; who has nothing left goes out with it. Precondition: no chip is loose.
void end_hand(TournamentState& state);

/// Whether a restored state is one that play can lead to. Errors: state_malformed.
[[nodiscard]] Status check_tournament(const Table& table, const Figures& figures,
                                      const TournamentState& state);

}  // namespace talla::games::tournament
