/// \file
/// Bets on the first cards of a box (sevens and whatever else the authorisation lists), and the
/// jackpots they feed.
///
/// Decided after the dealer's (first) hand. Only the highest prize counts. A jackpot grows by the
/// stated share of the stakes before it is paid; it is whole units, what a share leaves below one
/// unit goes into the next. Several winners of one coup: combinations.winners, and fixed_winners
/// where nothing feeds the jackpot.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

/// Names of combinations that a catalogue may use.
[[nodiscard]] bool is_combination(std::string_view name);
/// Whether the first cards of a box hold the combination. `all_different`: three sevens need three
/// suits.
[[nodiscard]] bool holds_combination(std::string_view name, std::span<const Card> cards,
                                     const Law& law);
/// Whether every fixed prize of such a stake is an amount (below 2^53).
[[nodiscard]] bool prizes_fit(const Law& law, std::string_view kind, Units stake);
/// What goes back of such a stake, by these first cards, when its jackpot holds that much.
[[nodiscard]] Fraction combination_paid(const Law& law, std::string_view kind, Units stake,
                                        std::span<const Card> cards, const Fraction& meter);
/// Whether any prize of the bet is above nothing at this table.
[[nodiscard]] bool has_prize(const Law& law, std::string_view kind);
/// The jackpots of a table that opens.
[[nodiscard]] std::vector<Jackpot> opening_meters(const Law& law);
/// Engine::meter_terms: nothing for a jackpot that the table does not offer.
[[nodiscard]] std::optional<json::Value> meter_terms(const Law& law, std::string_view kind);
/// The shared jackpot that is to be read before its bets are settled, with the dealer's first hand;
/// nothing: none.
[[nodiscard]] std::optional<std::string> unread_meter(const Law& law, const State& state);
/// `due`: what unread_meter says.
void read_meter(State& state, const std::string& due, Units value);
/// Contributions in, prizes out, from right to left.
void settle_combinations(const Law& law, State& state);

}  // namespace talla::games::blackjack
