#include "wheel/wheel_spin.hpp"

#include <algorithm>
#include <utility>

#include "bet_index.hpp"

namespace talla::games::wheel {
namespace {

/// Where a stake stands. A restored state may hold anything; rules of the table decide whether it can be played.
struct Standing {
  const BetRule* rule = nullptr;
  const IndexedPosition* position = nullptr;
};
Result<Standing> standing_of(const Table& table, const Bet& bet) {
  const auto* indexed = table.bet_index().find(bet.kind);
  if (indexed == nullptr) return fail(Errc::state_malformed, "bet of unknown kind '" + bet.kind + "'");
  const auto* position = indexed->find(bet.on);
  if (position == nullptr) return fail(Errc::state_malformed, "bet on no position of '" + bet.kind + "'");
  return Standing{indexed->rule, position};
}

bool covers(const IndexedPosition& position, std::string_view pocket) {
  const CodeKey key(pocket);
  if (!key.whole())
    return std::find(position.covers.begin(), position.covers.end(), pocket) != position.covers.end();
  return std::find(position.keys.begin(), position.keys.end(), key) != position.keys.end();
}

Status settle_fresh(const Table& table, WheelState& state, const Bet& bet, std::string_view pocket) {
  TALLA_TRY(const auto standing, standing_of(table, bet));
  const auto& prize = table.prepared<Prepared>().prize(*standing.rule);
  if (prize.payout == nullptr) return fail(Errc::state_malformed, "a bet that is never paid");
  const auto* own = standing.position->cite;
  if (!covers(*standing.position, pocket)) {
    add_settlement(state.settled, table, bet, BetResult::lose, Fraction(0),
                   own != nullptr ? *own : standing.rule->cite);
    return {};
  }
  const auto& cite = own != nullptr ? *own : prize.payout->cite;
  const auto result = prize.payout->pays.is_zero() ? BetResult::push : BetResult::win;
  add_settlement(state.settled, table, bet, result, Fraction(bet.stake) * prize.factor, cite);
  return {};
}

Result<Fraction> freed_value(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  const auto& reading = table.params().choice(zero.value_parameter);
  if (reading == "whole") return Fraction(stake.bet.stake);
  const std::uint32_t times = reading == "literal" && stake.zeros > 1 ? stake.zeros : stake.zeros - 1;
  return halved(Fraction(stake.bet.stake), times);
}

/// Whether what the stake is still worth is too little to be taken back.
bool must_stay(const Table& table, const ZeroRule& zero, const Imprisoned& stake) {
  if (zero.below_minimum_parameter.empty()) return false;
  const auto& reading = table.params().choice(zero.below_minimum_parameter);
  if (reading == "choice" || (reading == "prison" && stake.zeros < 2)) return false;
  const auto value = halved(Fraction(stake.bet.stake), stake.zeros);
  return !value ||
         *value < Fraction(table.min());  // halved beyond what can be written: less than any minimum
}

/// The stake has just met its zero number stake.zeros.
Status meet_zero(const Table& table, WheelState& state, const ZeroRule& zero, Imprisoned stake) {
  if (!zero.choice || state.last) return settle_half(table, state, zero, stake);
  stake.chosen = must_stay(table, zero, stake);
  add_settlement(state.settled, table, stake.bet, BetResult::prison, Fraction(), zero.cite);
  state.prison.push_back(std::move(stake));
  return {};
}

Status settle_imprisoned(const Table& table, WheelState& state, const ZeroRule& zero, const Imprisoned& stake,
                         std::string_view pocket) {
  if (zero.is_zero(pocket, table.params())) {
    return meet_zero(table, state, zero, {.bet = stake.bet, .zeros = stake.zeros + 1, .chosen = false});
  }
  TALLA_TRY(const auto standing, standing_of(table, stake.bet));
  if (!covers(*standing.position, pocket)) {
    state.settled.push_back(settle_lose(table, stake.bet, zero.cite));
    return {};
  }
  TALLA_TRY(const auto value, freed_value(table, zero, stake));
  add_settlement(state.settled, table, stake.bet, BetResult::freed, value, zero.cite);
  return {};
}

Status settle_all(const Table& table, WheelState& state, std::string_view pocket) {
  const auto& prepared = table.prepared<Prepared>();
  const auto& zero = prepared.zero;
  const bool zero_came =
      std::find(prepared.zeros.begin(), prepared.zeros.end(), pocket) != prepared.zeros.end();
  const auto waiting = std::exchange(state.prison, {});
  state.settled.reserve(waiting.size() + state.book.all().size());
  for (const auto& stake : waiting) {
    if (!zero || !zero->choice) return fail(Errc::state_malformed, "this game has no prison");
    TALLA_TRY_STATUS(settle_imprisoned(table, state, *zero, stake, pocket));
  }
  for (const auto& bet : state.book.all()) {
    if (zero_came && zero->concerns(bet.kind)) {
      TALLA_TRY_STATUS(meet_zero(table, state, *zero, {.bet = bet, .zeros = 1, .chosen = false}));
    } else {
      TALLA_TRY_STATUS(settle_fresh(table, state, bet, pocket));
    }
  }
  return {};
}

}  // namespace

Status settle_half(const Table& table, WheelState& state, const ZeroRule& zero, const Imprisoned& stake) {
  TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), stake.zeros));
  add_settlement(state.settled, table, stake.bet, BetResult::half, value, zero.cite);
  return {};
}

Status settle_spin(const Table& table, WheelState& state, std::string_view pocket) {
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
