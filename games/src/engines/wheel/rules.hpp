/// \file
/// What the wheel engine reads from a game's data, taken apart: which pockets put which bets at the
/// owner's choice, and whether two indices must be neighbours.
///
/// Data blocks (both optional): "zero" {pockets, pockets_when, bets, effect} and, with the effect
/// "choice", {value_parameter, silent_parameter, below_minimum_parameter}; "pairs" {parameter}.
/// Errors: Errc::catalogue_malformed, naming game and key. Threads: plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"
#include "table/bet_index.hpp"

namespace talla::games::wheel {

/// A zero gives half of these bets back, at once, or leaves them to a choice: half back, or the
/// whole stake in prison until the next spin.
struct ZeroRule {
  std::vector<std::string> pockets;
  std::vector<std::string> more_pockets;  ///< zeros as well while `more_when` holds
  std::optional<Condition> more_when;
  std::vector<std::string> bets;
  bool choice = true;  ///< false: half back, no prison
  /// Choice "residual" | "literal" | "whole": what a second zero leaves of a freed stake.
  std::string value_parameter;
  std::string silent_parameter;  ///< choice "prison" | "half": what silence means
  /// Choice "prison" | "prison-first" | "choice": whether a stake must stay whose half is below the
  /// table minimum, from the second zero on, from the first, or never. Empty: never.
  std::string below_minimum_parameter;
  Citation cite;

  [[nodiscard]] bool is_zero(std::string_view pocket, const Params& params) const;
  [[nodiscard]] bool concerns(std::string_view kind) const;
};

/// nullopt when the game has no such rule: its zero simply loses.
[[nodiscard]] Result<std::optional<ZeroRule>> zero_rule(const GameRules& rules);

/// The choice parameter "any" | "neighbours" for bets on two indices; empty when the game leaves it
/// out.
[[nodiscard]] Result<std::string> pairs_parameter(const GameRules& rules);

/// Chips of a seat's own colour, worth what the seat says between the minimum and the maximum of
/// one number (es-1977 02 I.b, es-euskadi-2010 02 V).
struct ColourRule {
  std::string bet;              ///< the bet on one number
  std::string seats_parameter;  ///< how many seats may have a colour; empty: not limited
  std::size_t seats = 0;        ///< its value at a table (Prepared); 0: not limited
  Citation cite;
};
/// nullopt when the game has none.
[[nodiscard]] Result<std::optional<ColourRule>> colour_rule(const GameRules& rules);

/// The same with the parameters of one table, read once.
struct Prepared final : games::Prepared {
  /// What one kind of bet brings.
  struct Prize {
    const Payout* payout = nullptr;  ///< nullptr: a call bet, which never stands itself
    Fraction factor;                 ///< what comes back for each unit staked
    BetResult result = BetResult::win;
    std::string named_rule;  ///< of the payout, as settlements name it
    /// [position x pockets of the wheel + pocket]: whether the pocket is covered.
    std::vector<std::uint8_t> hits;
  };
  struct Pocket {
    CodeKey key;
    const std::string* code = nullptr;
    bool zero = false;  ///< at this table
  };
  std::optional<ZeroRule> zero;
  std::optional<ColourRule> colours;
  std::vector<Pocket> pockets;  ///< of the wheel
  bool neighbours = false;      ///< bets on two indices take two side by side
  std::vector<Prize> prizes;    ///< in the order of the catalogue's bets

  /// The place of that pocket among `pockets`.
  [[nodiscard]] std::optional<std::size_t> find_pocket(std::string_view code) const;
};
[[nodiscard]] std::shared_ptr<const Prepared> prepare_wheel(const Table& table);

/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_wheel_rules(const GameRules& rules);

}  // namespace talla::games::wheel
