/// \file
/// How each bet of a dice game lives and dies, read from the catalogue: the forms of es-1977 06 IV.1, with
/// totals, partners and shares as data.
///
/// A bet without position states its form in `covers`; one with a number in the data block "forms". Further
/// blocks: "locked" (value of withdrawable_lines -> bets that must stay), "win_limits" {bets}, "odds_limits"
/// and "place_limits" (bet -> number -> share, or the parameter that holds the share), "payout_choice" (which
/// payout of a bet holds, by parameter).
/// Errors: Errc::catalogue_malformed, naming game and key. Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"

namespace talla::games::dice {

/// line: first throw of a series, then the point. come: the same on any throw, with a point of its own.
/// until: stays until a winning or a losing total. once: the next throw decides. odds: beside a simple bet,
/// on its point. place: on a number, until it or 7.
enum class FormKind : std::uint8_t { line, come, until, once, odds, place };

struct Form {
  FormKind kind = FormKind::once;
  bool right = true;                 ///< with the number and against 7, or the reverse
  std::vector<int> win, lose, null;  ///< totals (line and come: of the first throw)
  bool doubles = false;              ///< until: the winning total only as a double, any other way of it loses
  std::string with;                  ///< odds: the simple bet it accompanies
};

/// 4, 5, 6, 8, 9, 10.
[[nodiscard]] bool is_point(int total);
[[nodiscard]] bool contains(const std::vector<int>& totals, int total);

/// The form of that bet.
[[nodiscard]] Result<Form> form_of(const GameRules& rules, const BetRule& bet);

/// The bets that may not be taken back when withdrawable_lines has that value (from when on: see line_lock).
[[nodiscard]] bool is_locked(const GameRules& rules, const Params& params, std::string_view kind);

/// The share that a limit block ("odds_limits", "place_limits") gives to a bet on a number.
[[nodiscard]] std::optional<Fraction> share_of(const GameRules& rules, const Params& params,
                                               std::string_view block, std::string_view kind, int number);

/// What the bet pays when no number or total of its own names another payout: "win", or what the bet's entry in
/// "payout_choice" says. nullptr: it pays by number only.
[[nodiscard]] const Payout* plain_payout(const GameRules& rules, const Params& params, const BetRule& bet);

/// An optional choice parameter; its value, or `absent` in a catalogue that has no such parameter.
[[nodiscard]] std::string_view choice_or(const Params& params, std::string_view id, std::string_view absent);
/// Whether the possible win of this bet is what "win_limits" bounds.
[[nodiscard]] bool is_win_limited(const GameRules& rules, std::string_view kind);

/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_dice_rules(const GameRules& rules);

}  // namespace talla::games::dice
