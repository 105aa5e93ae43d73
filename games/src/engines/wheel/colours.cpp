#include "engines/wheel/colours.hpp"

#include <algorithm>
#include <string>

#include "base/check.hpp"
#include "engines/shared/state_json.hpp"
#include "engines/wheel/rules.hpp"
#include "games/bets.hpp"
#include "table/bet_index.hpp"

namespace talla::games::wheel {
namespace {

/// The largest value of one chip: the maximum on one number.
Units most_of(const Table& table, const ColourRule& rule) {
  const auto* bet = table.bet_index().find(rule.bet);
  TALLA_CHECK(bet != nullptr);  // check_rules asked for it
  Units most = table.config().max.value_or(units_max);
  for (const auto& limit : bet->limits) most = std::min(most, limit.floor);
  return most;
}

bool is_value(const Table& table, const ColourRule& rule, Units value) {
  return value >= table.min() && value <= most_of(table, rule) &&
         value % table.currency().chip == 0;
}

Status whole_chips(const Table& table, const WheelState& state, Seat seat, Units amount) {
  const auto own = state.colours.find(seat);
  if (own == state.colours.end() || amount % own->second == 0) return {};
  const auto& rule = table.prepared<Prepared>().colours;
  TALLA_CHECK(rule.has_value());
  return fail(Errc::chip_step, table.rules().rule(rule->cite) + ": the chips of seat " +
                                   std::to_string(seat) + " are worth " +
                                   std::to_string(own->second) + " each");
}

bool has_stakes(const WheelState& state, Seat seat) {
  const auto all = state.book.all();
  return std::any_of(all.begin(), all.end(), [&](const Bet& bet) { return bet.seat == seat; }) ||
         std::any_of(state.prison.begin(), state.prison.end(),
                     [&](const Imprisoned& one) { return one.bet.seat == seat; });
}

}  // namespace

Status choose_colour(const Table& table, WheelState& state, const Act& event) {
  const auto& rule = table.prepared<Prepared>().colours;
  TALLA_CHECK(rule.has_value());  // the catalogue has the action only with its rule
  const auto cite = table.rules().rule(rule->cite);
  if (event.bet || !event.cards.empty() || event.to)
    return fail(Errc::action_refused,
                "'fichas' names a seat and what its chips are worth, nothing else");
  if (!state.bets_open())
    return fail(Errc::action_refused, cite + ": chips are changed while bets are open");
  if (event.seat == 0 || event.seat > seat_max)
    return fail(Errc::seat_invalid, "no such seat: " + std::to_string(event.seat) +
                                        "; seats are 1 to " + std::to_string(seat_max));
  if (has_stakes(state, event.seat)) {
    return fail(Errc::action_refused, cite + ": chips of seat " + std::to_string(event.seat) +
                                          " lie on the cloth: their value stays");
  }
  const auto own = state.colours.find(event.seat);
  if (!event.amount) {
    if (own == state.colours.end())
      return fail(Errc::action_refused,
                  cite + ": the seat has no colour to give back: say what a chip is worth");
    state.colours.erase(own);
  } else {
    if (!is_value(table, *rule, *event.amount)) {
      return fail(Errc::action_refused, cite + ": a chip is worth " + std::to_string(table.min()) +
                                            " to " + std::to_string(most_of(table, *rule)) +
                                            ", in multiples of " +
                                            std::to_string(table.currency().chip));
    }
    const bool full = rule->seats > 0 && state.colours.size() >= rule->seats;
    if (own == state.colours.end() && full)
      return fail(Errc::action_refused,
                  cite + ": all " + std::to_string(rule->seats) + " colours are taken");
    state.colours[event.seat] = *event.amount;
  }
  state.phase = Phase::betting;
  return {};
}

Status check_colour(const Table& table, const WheelState& state, const PlaceBet& event) {
  const auto own = state.colours.find(event.seat);
  if (own == state.colours.end()) return {};
  const auto* rule = table.rules().bet(event.kind);
  if (rule == nullptr || !rule->is_call())
    return whole_chips(table, state, event.seat, event.stake);
  TALLA_TRY(const auto parts, parts_of_call(table, *rule, event));
  for (const auto& part : parts) TALLA_TRY_STATUS(whole_chips(table, state, part.seat, part.stake));
  return {};
}

Status check_colour(const Table& table, const WheelState& state, const WithdrawBet& event) {
  const auto* bet = state.book.find(std::string_view(event.bet));
  if (bet == nullptr || !event.amount) return {};
  return whole_chips(table, state, bet->seat, *event.amount);
}

Status check_colours(const Table& table, const WheelState& state) {
  const auto& rule = table.prepared<Prepared>().colours;
  if (state.colours.empty()) return {};
  if (!rule || (rule->seats > 0 && state.colours.size() > rule->seats))
    return bad_state("more colours than the table has");
  const bool fit = std::all_of(state.colours.begin(), state.colours.end(),
                               [&](const auto& one) { return is_value(table, *rule, one.second); });
  if (!fit) return bad_state("a colour of a value that the table does not give");
  for (const auto& bet : state.book.all()) {
    if (!whole_chips(table, state, bet.seat, bet.stake))
      return bad_state("a stake of parts of chips");
  }
  return {};
}

}  // namespace talla::games::wheel
