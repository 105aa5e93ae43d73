#include "engines/wheel/spin.hpp"

#include <utility>

#include "engines/shared/payments.hpp"
#include "table/bet_index.hpp"

namespace talla::games::wheel {
namespace {

/// Where a stake stands, and whether the pocket that came is covered there.
struct Standing {
  const IndexedBet* bet = nullptr;
  const IndexedPosition* position = nullptr;
  const Prepared::Prize* prize = nullptr;
  bool hit = false;
};
/// `bet` is nullptr when the table has no such bet, position or payout.
Standing standing_of(const Table& table, const Bet& bet, std::size_t pocket) {
  Standing out;
  const auto* indexed = table.bet_index().bet_of(bet);
  if (indexed == nullptr) return out;
  const auto& prepared = table.prepared<Prepared>();
  out.position = indexed->position_of(bet);
  out.prize = &prepared.prizes[indexed->number];
  if (out.position == nullptr || out.prize->payout == nullptr) return out;
  const auto row = static_cast<std::size_t>(out.position - indexed->positions.data());
  out.hit = out.prize->hits[row * prepared.pockets.size() + pocket] != 0;
  out.bet = indexed;
  return out;
}
/// A restored state may hold anything; rules of the table decide whether it can be played.
tl::unexpected<Error> stands_nowhere(const Bet& bet) {
  return fail(Errc::state_malformed, "a stake on '" + bet.kind + "' that this table cannot settle");
}

Status settle_fresh(const Table& table, WheelState& state, const Bet& bet, std::size_t pocket) {
  const auto standing = standing_of(table, bet, pocket);
  if (standing.bet == nullptr) return stands_nowhere(bet);
  const bool own = !standing.position->named_rule.empty();
  if (!standing.hit) {
    add_settlement(state.settled, table, bet, BetResult::lose, Fraction(),
                   own ? standing.position->named_rule : standing.bet->named_rule);
    return {};
  }
  const auto& prize = *standing.prize;
  add_settlement(state.settled, table, bet, prize.result, Fraction(bet.stake) * prize.factor,
                 own ? standing.position->named_rule : prize.named_rule);
  return {};
}

Result<Fraction> freed_value(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  const auto& reading = table.params().choice(zero.value_parameter);
  if (reading == "whole") return Fraction(stake.bet.stake);
  const std::uint32_t times =
      reading == "literal" && stake.times > 1 ? stake.times : stake.times - 1;
  return halved(Fraction(stake.bet.stake), times);
}

/// Whether what the stake is still worth is too little to be taken back.
bool must_stay(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  if (zero.below_minimum_parameter.empty()) return false;
  const auto& reading = table.params().choice(zero.below_minimum_parameter);
  if (reading == "choice" || (reading == "prison" && stake.times < 2)) return false;
  const auto value = halved(Fraction(stake.bet.stake), stake.times);
  return !value ||
         *value <
             Fraction(table.min());  // halved beyond what can be written: less than any minimum
}

/// The stake has just met its zero number stake.times.
Status meet_zero(const Table& table, WheelState& state, const ZeroRule& zero, Imprisoned stake) {
  if (!zero.choice || state.last) return settle_half(table, state, zero, stake);
  stake.chosen = must_stay(table, zero, stake);
  add_settlement(state.settled, table, stake.bet, BetResult::prison, Fraction(), zero.cite);
  state.prison.push_back(std::move(stake));
  return {};
}

Status settle_imprisoned(const Table& table, WheelState& state, const ZeroRule& zero,
                         const Imprisoned& stake, std::size_t pocket) {
  if (table.prepared<Prepared>().pockets[pocket].zero) {
    return meet_zero(table, state, zero,
                     {.bet = stake.bet, .times = stake.times + 1, .chosen = false});
  }
  const auto standing = standing_of(table, stake.bet, pocket);
  if (standing.bet == nullptr) return stands_nowhere(stake.bet);
  if (!standing.hit) {
    state.settled.push_back(settle_lose(table, stake.bet, zero.cite));
    return {};
  }
  TALLA_TRY(const auto value, freed_value(table, zero, stake));
  add_settlement(state.settled, table, stake.bet, BetResult::freed, value, zero.cite);
  return {};
}

Status settle_all(const Table& table, WheelState& state, std::size_t pocket) {
  const auto& prepared = table.prepared<Prepared>();
  const auto& zero = prepared.zero;
  const bool zero_came = prepared.pockets[pocket].zero;
  const auto waiting = std::exchange(state.prison, {});
  state.settled.reserve(waiting.size() + state.book.all().size());
  for (const auto& stake : waiting) {
    if (!zero || !zero->choice) return fail(Errc::state_malformed, "this game has no prison");
    TALLA_TRY_STATUS(settle_imprisoned(table, state, *zero, stake, pocket));
  }
  for (const auto& bet : state.book.all()) {
    if (zero_came && zero->concerns(bet.kind)) {
      TALLA_TRY_STATUS(meet_zero(table, state, *zero, {.bet = bet, .times = 1, .chosen = false}));
    } else {
      TALLA_TRY_STATUS(settle_fresh(table, state, bet, pocket));
    }
  }
  put_in_payment_order(table.rules(), state.settled);
  return {};
}

}  // namespace

Status settle_half(const Table& table, WheelState& state, const ZeroRule& zero,
                   const Imprisoned& stake) {
  TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), stake.times));
  add_settlement(state.settled, table, stake.bet, BetResult::half, value, zero.cite);
  return {};
}

Status settle_spin(const Table& table, WheelState& state, std::size_t pocket) {
  auto before = state.prison;
  auto status = settle_all(table, state, pocket);
  if (status) {
    state.book.clear();
  } else {
    state.prison = std::move(before);
  }
  return status;
}

}  // namespace talla::games::wheel
