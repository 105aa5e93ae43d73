/// \file
/// What the simulator cannot judge by the catalogue's bet list alone, game by game. Everything not
/// named here is held to the plain rules; a new line needs its reason beside it.
#pragma once

#include <optional>
#include <string_view>

#include "games/event.hpp"
#include "games/table.hpp"

namespace talla::sim {

/// Wins that are no plain payout of the bet's list (deductions, meters, shares of a fund):
/// scenarios and unit tests check their amounts.
[[nodiscard]] bool pays_computed(const games::GameRules& rules, std::string_view bet);
/// Tickets at a price of their own: one is no stake that a house maximum could bound, and two alike
/// are two.
[[nodiscard]] bool has_price(const games::GameRules& rules);
/// Bets that move or wait over rounds, so that their stakes do not count with new ones on the same
/// position.
[[nodiscard]] bool carries_over(const games::GameRules& rules, std::string_view bet);
/// The stake that an action made out of this one: its id is the bet's, a point and more (split
/// hands, insurance).
[[nodiscard]] bool made_by_action(const games::GameRules& rules, std::string_view id,
                                  std::string_view origin);
/// A prize on another stake that has none of its own: its id is that stake's, a point and the
/// prize's kind.
[[nodiscard]] bool without_stake(const games::GameRules& rules, std::string_view kind);
/// One seat's action may change stakes of others (doubled and split hands that several have
/// backed).
[[nodiscard]] bool acts_for_others(const games::GameRules& rules);
/// The one amount that the bet takes at this table, where there is only one.
[[nodiscard]] std::optional<games::Units> fixed_stake(const games::Table& table,
                                                      const games::BetRule& rule);
/// Stakes of which perhaps only a part plays: what the bank does not cover, and the half of a stake
/// on the line, comes back whatever the result.
[[nodiscard]] bool part_plays(const games::GameRules& rules);
/// Settlements that answer no bet: a player's bank, his associates' shares, what leaves the bank or
/// the garage.
[[nodiscard]] bool of_the_bank(const games::GameRules& rules, std::string_view kind);
/// Bets that are announced by an action when betting is over ("banco seguido").
[[nodiscard]] bool announced_late(const games::GameRules& rules, std::string_view kind);
/// Least number of players that a table needs; 0: one will do.
[[nodiscard]] games::Seat players_needed(const games::Table& table);
/// Games in which the house may set no maximum stake.
[[nodiscard]] bool without_maximum(const games::GameRules& rules);
/// Games in which every player may leave between two rounds: chosen as often as anything else,
/// nobody would stay.
[[nodiscard]] bool leaves_often(const games::GameRules& rules);
/// Games whose rounds pass through so many choices that random players hardly ever come to the end
/// together, and what takes them out of the betting before it.
[[nodiscard]] bool gives_up(const games::GameRules& rules);
[[nodiscard]] bool gives_up(const games::GameRules& rules, std::string_view action);
/// How many rounds of another game one round of this counts for in the stated figures.
[[nodiscard]] std::size_t rounds_worth(const games::GameRules& rules);
/// Bets that random play need not reach.
[[nodiscard]] bool rarely_settled(const games::GameRules& rules, std::string_view bet);
/// Actions that random play need not reach: what follows an error that few rounds come to.
[[nodiscard]] bool rarely_chosen(const games::GameRules& rules, std::string_view action);
/// Actions that a seat may take though no need asks it: the dice, when nobody has a stake on the
/// cloth.
[[nodiscard]] bool taken_unasked(const games::GameRules& rules);
/// A stake without which the bets cannot be closed, by the view of the table: seat and kind (the
/// shooter's on a line).
[[nodiscard]] std::optional<games::PlaceBet> owed_stake(const games::GameRules& rules,
                                                        const json::Value& view);
/// Places that random play need not reach: the far seats of large tables.
[[nodiscard]] bool rarely_dealt(const games::GameRules& rules, std::string_view place);
/// Bets whose amount follows from another stake, so that chips and minimum do not bind it.
[[nodiscard]] bool follows_a_stake(const games::GameRules& rules, std::string_view bet);

}  // namespace talla::sim
