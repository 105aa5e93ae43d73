/// \file
/// The law of trijoker at one table: data blocks of the family "trijoker"
/// (games/catalogues/docs/families/trijoker.md lists them).
///
/// Threads: immutable.
#pragma once

#include <array>
#include <string_view>

#include "games/poker_hand.hpp"
#include "games/table.hpp"

namespace talla::games::trijoker {

/// The spots of a player: two bets that may be taken back and one that stays.
inline constexpr std::array<std::string_view, 3> spot_bets = {"apuesta-1", "apuesta-2",
                                                              "apuesta-3"};
inline constexpr std::array<std::string_view, 2> withdrawals = {"retirar-1", "retirar-2"};
inline constexpr std::string_view stay = "dejar";
inline constexpr std::size_t own_cards = 3;

struct Rules final : Prepared {
  explicit Rules(poker::Ranker ranks) : ranker(ranks) {}
  poker::Ranker ranker;
  Seat seats = 0;     ///< places in use
  int pair_from = 0;  ///< rank of the lowest pair that is paid (ace 14)
  int void_from = 0;  ///< an exposed common card of this rank or higher annuls the hand (ace 14)
  bool second_voids = true;  ///< a second exposed card annuls the hand, whatever it is
  Citation exposure_cite;
};

/// Refuses rules that the engine cannot play. Errors: catalogue_malformed.
[[nodiscard]] Status check_rules(const GameRules& rules);
/// Precondition (checked): the rules passed check_rules.
[[nodiscard]] std::shared_ptr<const Rules> read_rules(const Table& table);

}  // namespace talla::games::trijoker
