/// \file
/// All-in equities of poker among players: what part of the pot hands win on average when nobody
/// bets any more. Every way in which the cards that lack may come is counted; no sampling.
///
/// Errors:  game_not_available (another game), card_invalid (a card that is not of the deck, or
///          twice; too many cards; more ways than are counted). Threads: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "games/event.hpp"
#include "games/ratio.hpp"
#include "games/table.hpp"

namespace talla::games {

/// What is known. A player's cards that lack are dealt from the rest, and so are common ones; of a
/// game with an exchange these are the cards behind it.
struct EquityCards {
  std::vector<std::vector<Card>> hands;  ///< two players at least
  std::vector<Card> common;
  std::vector<Card> second;  ///< of the second row of common cards
  std::vector<Card> dead;    ///< seen, and nobody's
};
/// Of one hand.
struct Equity {
  Ratio share;  ///< part of the pot, the fee of the house not taken off
  Ratio all;    ///< chance of the whole pot
  Ratio none;   ///< chance of nothing
  bool operator==(const Equity&) const = default;
};
/// The most ways that are counted: hold'em with two hands before the first common card has
/// 1,712,304.
inline constexpr std::uint64_t equity_ways_max = 20'000'000;

/// In the order of the hands; the shares add up to 1.
[[nodiscard]] Result<std::vector<Equity>> all_in_equities(const Table& table,
                                                          const EquityCards& cards);

}  // namespace talla::games
