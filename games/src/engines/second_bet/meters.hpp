/// \file
/// Jackpots: what feeds them, what hands take out of them. Whole units; what a share leaves below
/// one unit stays in the jackpot, what a contribution leaves goes into the table's next one.
///
/// Order of awards: hands without changed cards before others, then from the highest. With `order =
/// "remainder"` each share is of what the hands before have left; a share of all is split by equal
/// hands in equal parts; equal hands with a smaller share each take it of the initial amount
/// (`equal`). With `order = "start-amount"` every smaller share is of the amount at the start of
/// the hand and comes first, what is left is split by those who take all.
#pragma once

#include <optional>

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

/// The jackpots of a table that opens.
[[nodiscard]] std::vector<MeterState> opening_meters(const Law& law);
/// Bets are closed: what stands on the bet of each jackpot.
void note_stakes(State& state);
/// A round that counts for nothing: no contributions.
void forget_stakes(State& state);

/// Engine::meter_terms: nothing for a jackpot that the table does not offer.
[[nodiscard]] std::optional<json::Value> meter_terms(const Law& law, std::string_view kind);
/// The first jackpot that other tables move too, has a stake on it, and is not read yet in this
/// round; nullptr: none.
[[nodiscard]] MeterState* unread_meter(const Law& law, State& state);
[[nodiscard]] const MeterState* unread_meter(const Law& law, const State& state);

/// A stake on a jackpot's bet that is still alive when the hand is settled.
struct Claim {
  poker::HandValue value{};
  poker::Category category = poker::Category::high_card;
  bool drawn = false;  ///< cards were changed
};
/// What each claim takes out of the jackpot, gross, in their order; the jackpot is fed and paid.
[[nodiscard]] std::vector<Units> settle_meter(const Law& law, MeterState& meter,
                                              const std::vector<Claim>& claims);
/// What of an award the player gets: the rest is the house's deduction.
[[nodiscard]] Fraction after_deduction(const Law& law, std::string_view kind, Units award);

}  // namespace talla::games::second_bet
