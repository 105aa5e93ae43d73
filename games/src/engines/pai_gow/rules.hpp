/// \file
/// The law of pai gow poker at one table: data blocks of the family "pai-gow"
/// (games/catalogues/docs/families/pai-gow.md lists them).
///
/// Threads: immutable.
#pragma once

#include <memory>
#include <string>

#include "engines/pai_gow/split.hpp"
#include "engines/shared/data_law.hpp"

namespace talla::games::pai_gow {

inline constexpr std::string_view set_action = "componer";
inline constexpr std::string_view take_action = "tomar-banca";
inline constexpr std::string_view pass_action = "pasar-banca";

struct Rules final : Prepared {
  explicit Rules(poker::Ranker ranks) : ranker(ranks) {}
  poker::Ranker ranker;
  std::string bet;           ///< of a player against the bank
  std::string bank_bet;      ///< what a player lays down as bank
  Seat boxes = 0;            ///< in use
  Seat positions = 0;        ///< of the count: all boxes of the cloth and the dealer
  bool clockwise = true;     ///< direction of the count
  bool in_blocks = true;     ///< seven cards at once, or one by one
  bool empty_dealt = false;  ///< empty positions get cards too
  bool whole_foul = true;    ///< who sets his cards wrongly loses both hands, or the high one alone
  bool silent_lose = false;  ///< who does not set his cards loses, or they are set by the house way
  HouseWay way = HouseWay::informative;
  bool player_banks = false;
  Units bank_max = 0;      ///< of a player's bank, in table minimums
  Units dealer_stake = 0;  ///< of the dealer's hand against a player's bank, in table minimums
  Fraction commission;
  /// To whole units in the winner's favour; else the payment is rounded as any other.
  bool commission_down = false;
};

/// Refuses rules that the engine cannot play. Errors: catalogue_malformed.
[[nodiscard]] Status check_rules(const GameRules& rules);
/// Precondition: the rules passed check_rules.
[[nodiscard]] std::shared_ptr<const Rules> read_rules(const Table& table);

}  // namespace talla::games::pai_gow
