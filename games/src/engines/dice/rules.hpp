/// \file
/// How each bet of a dice game lives and dies, read from the catalogue: the forms of es-1977 06
/// IV.1, with totals, partners and shares as data.
///
/// A bet without position states its form in `covers`; one with a number in the data block "forms".
/// Further blocks: "locked" (value of withdrawable_lines -> bets that must stay), "win_limits"
/// {bets}, "odds_limits" and "place_limits" (bet -> number -> share, or the parameter that holds
/// the share).
/// Errors: Errc::catalogue_malformed, naming game and key. Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/bet_list.hpp"
#include "games/rules.hpp"
#include "games/table.hpp"

namespace talla::games::dice {

/// line: first throw of a series, then the point. come: the same on any throw, with a point of its
/// own. until: stays until a winning or a losing total. once: the next throw decides. odds: beside
/// a simple bet, on its point. place: on a number, until it or 7.
enum class FormKind : std::uint8_t { line, come, until, once, odds, place };

/// A set of totals of two dice.
class Totals {
 public:
  /// Precondition: 2 to 12.
  void add(int total) {
    bits_ = static_cast<std::uint16_t>(bits_ | (1U << static_cast<unsigned>(total)));
  }
  [[nodiscard]] bool contains(int total) const {
    return ((bits_ >> static_cast<unsigned>(total)) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }

 private:
  std::uint16_t bits_ = 0;
};

struct Form {
  FormKind kind = FormKind::once;
  bool right = true;       ///< with the number and against 7, or the reverse
  Totals win, lose, null;  ///< line and come: of the first throw
  bool doubles = false;    ///< until: the winning total only as a double, any other way of it loses
  std::string with;        ///< odds: the simple bet it accompanies
};

/// 4, 5, 6, 8, 9, 10.
[[nodiscard]] bool is_point(int total);

/// The form of that bet.
[[nodiscard]] Result<Form> form_of(const GameRules& rules, const BetRule& bet);

/// The bets that may not be taken back when withdrawable_lines has that value (from when on: see
/// line_lock).
[[nodiscard]] bool is_locked(const GameRules& rules, const Params& params, std::string_view kind);

/// The share that a limit block ("odds_limits", "place_limits") gives to a bet on a number.
[[nodiscard]] std::optional<Fraction> share_of(const GameRules& rules, const Params& params,
                                               std::string_view block, std::string_view kind,
                                               int number);

/// An optional choice parameter; its value, or `absent` in a catalogue that has no such parameter.
[[nodiscard]] std::string_view choice_or(const Params& params, std::string_view id,
                                         std::string_view absent);
/// Id of the parameter that holds the bet's own share of "win_limits", where the catalogue has one:
/// "max_win_hard_4"; else max_multiple_win holds that of all.
[[nodiscard]] std::string own_win_limit(std::string_view kind);
/// Whether the possible win of this bet is what "win_limits" bounds.
[[nodiscard]] bool is_win_limited(const GameRules& rules, std::string_view kind);

/// One bet with the parameters of a table.
struct PreparedBet {
  Form form;
  bool locked = false;       ///< is_locked
  bool win_limited = false;  ///< is_win_limited
  Units win_maximum = 0;     ///< with win_limited: the largest sum of stakes
  struct Prize {
    const Payout* payout = nullptr;  ///< nullptr: not paid so
    Fraction factor;                 ///< what comes back for each unit staked
    std::string named_rule;          ///< of the payout, as settlements name it
  };
  std::array<Prize, 13> prizes{};  ///< by number or total; 0: neither
  /// The prize of a bet on that number at that total.
  [[nodiscard]] const Prize& prize(int number, int total) const {
    const bool by_number = form.kind == FormKind::odds || form.kind == FormKind::place;
    return prizes[static_cast<std::size_t>(by_number ? number : total)];
  }
};
/// Rules and parameters of one table, read once.
struct Prepared final : games::Prepared {
  bool null_pushes = false;  ///< 12 on a wrong line frees the stake
  bool come_needs_point = false;
  bool shooter_stakes = false;  ///< closing a first throw asks for a stake on a line
  bool knows_shooter = false;   ///< ... of the shooter himself, who is a seat
  bool counts_last = false;     ///< the session ends with its last shooter
  /// The last shooter throws one series, not until he loses the dice.
  bool ends_with_series = false;
  /// A locked bet stays from the start, not only once its number is known.
  bool locked_when_placed = true;
  bool whole_chips = false;      ///< odds and place bets must win whole chips
  bool limits_of_table = false;  ///< maxima count everybody's stakes
  Fraction simple_maximum;
  std::vector<PreparedBet> bets;  ///< in the order of the catalogue's bets
};
[[nodiscard]] std::shared_ptr<const Prepared> prepare_dice(const Table& table);
/// What a stake is on; nullptr when the game has no such bet.
[[nodiscard]] const PreparedBet* prepared_bet(const Table& table, const Bet& bet);

/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_dice_rules(const GameRules& rules);

}  // namespace talla::games::dice
