#include "engines/dice/limits.hpp"

#include <algorithm>
#include <string>

#include "base/check.hpp"
#include "code.hpp"
#include "engines/dice/rules.hpp"
#include "engines/dice/throw.hpp"

namespace talla::games::dice {
namespace {

/// Stakes on one kind and position: one seat's, or everybody's when limits are the table's.
Units sum_of(const Table& table, const DiceState& state, const Bet& like) {
  const bool all_seats = table.prepared<Prepared>().limits_of_table;
  Units sum = 0;
  for (const auto& bet : state.book.all()) {
    const bool counts = all_seats || bet.seat == like.seat;
    if (counts && same_code(bet.kind, like.kind) && same_list(bet.on, like.on)) sum += bet.stake;
  }
  return sum;
}

Units own_stakes(const DiceState& state, Seat seat, std::string_view kind,
                 const std::vector<std::string>& on) {
  Units sum = 0;
  for (const auto& bet : state.book.all()) {
    if (bet.seat == seat && bet.kind == kind && bet.on == on) sum += bet.stake;
  }
  return sum;
}

Status above(const Table& table, const Bet& bet, std::string_view block, const Fraction& maximum) {
  const auto& cite = table.rules().data.find(block)->second.cite;
  return fail(Errc::above_maximum, table.rules().rule(cite) + ": at most " + maximum.text() +
                                       " on '" + bet.kind + "' here");
}

/// Exact maximum of an associated bet: the share of the simple bet that its number grants.
Result<Fraction> odds_maximum(const Table& table, const DiceState& state, const Bet& bet,
                              const Form& form) {
  const auto share = share_of(table.rules(), table.params(), "odds_limits", bet.kind,
                              number_of(bet, form, state.point));
  if (!share) return fail(Errc::state_malformed, "'" + bet.kind + "' stands on no number");
  return *share * Fraction(own_stakes(state, bet.seat, form.with, bet.on));
}

Status check_odds(const Table& table, const DiceState& state, const Bet& bet, const Form& form) {
  const bool point_known = number_of(bet, form, state.point) != 0;
  if (!point_known || own_stakes(state, bet.seat, form.with, bet.on) == 0) {
    return fail(Errc::bet_not_offered, "'" + bet.kind + "' needs this seat's own '" + form.with +
                                           "' with its point known");
  }
  TALLA_TRY(const auto maximum, odds_maximum(table, state, bet, form));
  if (Fraction(own_stakes(state, bet.seat, bet.kind, bet.on)) > maximum) {
    return above(table, bet, "odds_limits", maximum);
  }
  return {};
}

Status check_place(const Table& table, const DiceState& state, const Bet& bet, const Form& form) {
  const auto share = share_of(table.rules(), table.params(), "place_limits", bet.kind,
                              number_of(bet, form, state.point));
  TALLA_CHECK(share.has_value());
  const auto maximum = *share * table.prepared<Prepared>().simple_maximum;
  if (Fraction(sum_of(table, state, bet)) > maximum)
    return above(table, bet, "place_limits", maximum);
  return {};
}

Status check_win(const Table& table, const DiceState& state, const Bet& bet, Units maximum) {
  Int128 all = 0;  // of the whole cloth
  for (const auto& other : state.book.all()) all += other.stake;
  if (all <= maximum) return {};
  if (sum_of(table, state, bet) > maximum)
    return above(table, bet, "win_limits", Fraction(maximum));
  return {};
}

}  // namespace

Units multiple_maximum(const Fraction& simple_maximum, const Fraction& pays, const Fraction& factor,
                       Units chip) {
  const auto chips = simple_maximum / pays / Fraction(chip);
  return std::max(chips.ceil(), (chips * factor).floor()) * chip;
}

Status check_multiple(const Table& table, const DiceState& state, const Bet& bet,
                      const PreparedBet& known) {
  if (!table.prepared<Prepared>().whole_chips) return {};
  const auto& form = known.form;
  const int number = number_of(bet, form, state.point);
  if ((form.kind != FormKind::odds && form.kind != FormKind::place) || number == 0) return {};
  const auto* payout = known.prize(number, 0).payout;
  const auto* rule = table.rules().bet(bet.kind);
  TALLA_CHECK(payout != nullptr && rule != nullptr);
  const auto chips = payout->pays * Fraction(bet.stake) / Fraction(table.currency().chip);
  if (chips.is_integer()) return {};
  return fail(Errc::chip_step,
              table.rules().rule(rule->cite) + ": '" + bet.kind + "' pays " + payout->pays.text() +
                  " on " + std::to_string(number) +
                  ", the stake must win whole chips: a multiple of " +
                  Fraction(payout->pays.denominator() * table.currency().chip, 1).text());
}

Status check_dice_limits(const Table& table, const DiceState& state, const Bet& bet,
                         const PreparedBet& known) {
  if (known.form.kind == FormKind::odds) return check_odds(table, state, bet, known.form);
  if (known.form.kind == FormKind::place) return check_place(table, state, bet, known.form);
  if (known.win_limited) return check_win(table, state, bet, known.win_maximum);
  return {};
}

Status check_companions(const Table& table, const DiceState& state, const Bet& reduced) {
  for (const auto& bet : state.book.all()) {
    const auto* rule = table.rules().bet(bet.kind);
    const auto* known = prepared_bet(table, bet);
    if (rule == nullptr || known == nullptr || bet.seat != reduced.seat) continue;
    const auto& form = known->form;
    if (form.kind != FormKind::odds || form.with != reduced.kind || bet.on != reduced.on) continue;
    TALLA_TRY(const auto maximum, odds_maximum(table, state, bet, form));
    if (Fraction(own_stakes(state, bet.seat, bet.kind, bet.on)) > maximum) {
      return fail(Errc::withdrawal_refused,
                  table.rules().rule(rule->cite) + ": take '" + bet.id + "' back first");
    }
  }
  return {};
}

}  // namespace talla::games::dice
