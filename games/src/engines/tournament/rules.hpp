/// \file
/// The figures of one tournament: what its conditions ("bases") announce, read from the table's
/// parameters.
///
/// No text gives blinds, stacks or prizes: each is the casino's, within what the text says of fees
/// and prizes.
/// Errors: catalogue_malformed (check_tournament_rules), parameter_not_allowed (check_figures).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "games/table.hpp"

namespace talla::games::tournament {

inline constexpr std::string_view entry_kind = "inscripcion";
inline constexpr std::string_view rebuy_kind = "recompra";
inline constexpr std::string_view addon_kind = "adicional";
/// Bet id and kind of the line that says what the organiser puts in and keeps.
inline constexpr std::string_view organiser = "organizacion";
/// A share of the prizes is so many parts of this.
inline constexpr std::int64_t share_whole = 1000;

/// What one purchase costs and brings.
struct Purchase {
  Units price = 0;  ///< units of the table's currency
  Units chips = 0;  ///< tournament chips; they are worth nothing outside
};

/// What is put in before the cards of a hand, in chips.
struct Blinds {
  Units small = 0;
  Units big = 0;
  Units ante = 0;
};

struct Figures final : Prepared {
  Purchase entry;
  Purchase rebuy;
  Purchase addon;
  std::uint32_t entries_min = 0;
  std::uint32_t entries_max = 0;
  std::uint32_t late_levels = 0;   ///< entries are taken to its end; 0: until the first hand
  std::uint32_t rebuys_max = 0;    ///< of one seat
  std::uint32_t rebuy_levels = 0;  ///< rebuys are sold to the end of this level
  bool rebuy_short = false;        ///< a rebuy is sold with at most the first stack, too
  std::uint32_t addon_level = 0;   ///< the level in which each may buy one add-on; 0: none
  std::vector<Blinds> levels;
  Fraction kept;                     ///< part of the fees for organisation
  bool kept_of_all = true;           ///< of all fees; false: of entries alone
  Units guaranteed = 0;              ///< the prizes are at least this
  std::vector<std::int64_t> shares;  ///< of the prizes by place, in parts of share_whole
  bool stack_decides = true;         ///< out in one hand: the larger stack at its start is before
  bool even_remainder = false;       ///< what the shares leave goes round; false: to the first
  bool chips_decide = true;  ///< ended early: more chips are before; false: who is left shares
  bool in_range = true;      ///< every amount above can be paid
  Citation play_cite;
  Citation prizes_cite;
  Citation fund_cite;

  /// What that kind of bet costs and brings.
  [[nodiscard]] const Purchase& purchase(std::string_view kind) const;
};

/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_tournament_rules(const GameRules& rules);
/// The figures of a table; its rules were checked when the catalogue was loaded.
[[nodiscard]] std::shared_ptr<const Figures> figures_of(const Table& table);
/// Figures that contradict each other: shares that are not the whole, fewer places than players
/// needed.
[[nodiscard]] Status check_figures(const Figures& figures);

}  // namespace talla::games::tournament
