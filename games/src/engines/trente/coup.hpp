/// \file
/// One coup settled: fresh stakes, their insurance, and stakes in prison.
///
/// Value of a stake S after k coups of 31-31 in a row, as at the zero of a roulette: taken back
/// now, S / 2^k; set free later, S / 2^(k-1) ("residual"), S / 2^k from k = 2 on ("literal"), or S
/// ("whole").
/// Errors: Errc::arithmetic_range (a stake halved more than 62 times); then nothing has changed.
#pragma once

#include "engines/trente/rules.hpp"
#include "engines/trente/state.hpp"
#include "games/table.hpp"

namespace talla::games::trente {

/// Whether every amount of the coup can be written. Precondition: both rows are complete. Errors:
/// arithmetic_range.
[[nodiscard]] Status check_coup(const Table& table, const TrenteState& state);
/// Both rows are complete: everything the coup decides, into state.settled. The cloth is empty
/// afterwards.
[[nodiscard]] Status settle_coup(const Table& table, TrenteState& state);
/// The stop card came out: the coup is annulled.
[[nodiscard]] Status annul_coup(const Table& table, TrenteState& state);

/// Half of what the stake is still worth comes back, the rest is the house's.
[[nodiscard]] Result<Settlement> half_of(const Table& table, const Imprisoned& stake);

/// The stakes of one seat on one chance; the insurance of them, or nullptr.
[[nodiscard]] Units seat_stakes(const TrenteState& state, Seat seat, std::string_view chance);
[[nodiscard]] const Bet* insurance_of(const Figures& figures, const TrenteState& state, Seat seat,
                                      std::string_view chance);
/// Whether such an insurance may be taken now. Errors: bets_closed, below_minimum, above_maximum.
/// What insuring such a stake costs, rounded as the table rounds.
[[nodiscard]] Units premium_of(const Table& table, Units stake);
[[nodiscard]] Status check_insurance(const Table& table, const TrenteState& state, Seat seat,
                                     std::string_view chance, Units premium);

}  // namespace talla::games::trente
