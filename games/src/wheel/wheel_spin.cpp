#include "wheel/wheel_spin.hpp"

#include <algorithm>
#include <utility>

namespace talla::games::wheel {
namespace {

/// A restored state may hold anything; rules of the table decide whether it can be played.
Result<const BetRule*> rule_of(const Table& table, const Bet& bet) {
  const auto* rule = table.rules().bet(bet.kind);
  if (rule == nullptr) return fail(Errc::state_malformed, "bet of unknown kind '" + bet.kind + "'");
  return rule;
}

bool covers(const Table& table, const BetRule& rule, const Bet& bet, std::string_view pocket) {
  const auto codes = covered(rule, table.params(), bet);
  return std::find(codes.begin(), codes.end(), pocket) != codes.end();
}

Status settle_fresh(const Table& table, WheelState& state, const Bet& bet, std::string_view pocket) {
  TALLA_TRY(const auto* rule, rule_of(table, bet));
  const auto* payout = rule->payout("win", table.params());
  if (payout == nullptr) return fail(Errc::state_malformed, "a bet that is never paid");
  const auto* own = position_cite(table, bet);
  if (!covers(table, *rule, bet, pocket)) {
    state.settled.push_back(settle_lose(table, bet, own != nullptr ? *own : rule->cite));
    return {};
  }
  auto settled = payout->pays.is_zero()
                     ? settle_returned(table, bet, BetResult::push, Fraction(bet.stake), payout->cite)
                     : settle_win(table, bet, *payout);
  if (own != nullptr) settled.rule = table.rules().rule(*own);
  state.settled.push_back(std::move(settled));
  return {};
}

Result<Fraction> freed_value(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  const auto& reading = table.params().choice(zero.value_parameter);
  if (reading == "whole") return Fraction(stake.bet.stake);
  const std::uint32_t times = reading == "literal" && stake.zeros > 1 ? stake.zeros : stake.zeros - 1;
  return halved(Fraction(stake.bet.stake), times);
}

/// Whether what the stake is still worth is too little to be taken back.
Result<bool> must_stay(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  if (zero.below_minimum_parameter.empty()) return false;
  const auto& reading = table.params().choice(zero.below_minimum_parameter);
  if (reading == "choice" || (reading == "prison" && stake.zeros < 2)) return false;
  TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), stake.zeros));
  return value < Fraction(table.min());
}

/// The stake has just met its zero number stake.zeros.
Status meet_zero(const Table& table, WheelState& state, const ZeroRule& zero, Imprisoned stake) {
  if (!zero.choice || state.last) return settle_half(table, state, zero, stake);
  TALLA_TRY(stake.chosen, must_stay(table, zero, stake));
  state.settled.push_back(settle_returned(table, stake.bet, BetResult::prison, Fraction(), zero.cite));
  state.prison.push_back(std::move(stake));
  return {};
}

Status settle_imprisoned(const Table& table, WheelState& state, const ZeroRule& zero, const Imprisoned& stake,
                         std::string_view pocket) {
  if (zero.is_zero(pocket, table.params())) {
    return meet_zero(table, state, zero, {.bet = stake.bet, .zeros = stake.zeros + 1, .chosen = false});
  }
  TALLA_TRY(const auto* rule, rule_of(table, stake.bet));
  if (!covers(table, *rule, stake.bet, pocket)) {
    state.settled.push_back(settle_lose(table, stake.bet, zero.cite));
    return {};
  }
  TALLA_TRY(const auto value, freed_value(table, zero, stake));
  state.settled.push_back(settle_returned(table, stake.bet, BetResult::freed, value, zero.cite));
  return {};
}

}  // namespace

Status settle_half(const Table& table, WheelState& state, const ZeroRule& zero, const Imprisoned& stake) {
  TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), stake.zeros));
  state.settled.push_back(settle_returned(table, stake.bet, BetResult::half, value, zero.cite));
  return {};
}

Status settle_spin(const Table& table, WheelState& state, std::string_view pocket) {
  TALLA_TRY(const auto zero, zero_rule(table.rules()));
  const auto waiting = std::exchange(state.prison, {});
  for (const auto& stake : waiting) {
    if (!zero || !zero->choice) return fail(Errc::state_malformed, "this game has no prison");
    TALLA_TRY_STATUS(settle_imprisoned(table, state, *zero, stake, pocket));
  }
  for (const auto& bet : state.book.all()) {
    if (zero && zero->is_zero(pocket, table.params()) && zero->concerns(bet.kind)) {
      TALLA_TRY_STATUS(meet_zero(table, state, *zero, {.bet = bet, .zeros = 1, .chosen = false}));
    } else {
      TALLA_TRY_STATUS(settle_fresh(table, state, bet, pocket));
    }
  }
  state.book.clear();
  return {};
}

}  // namespace talla::games::wheel
