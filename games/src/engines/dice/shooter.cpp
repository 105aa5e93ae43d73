#include "engines/dice/shooter.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "engines/dice/rules.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::dice {
namespace {

constexpr std::string_view take = "tomar-dados";
constexpr std::string_view pass_on = "pasar-dados";
constexpr int losing_seven = 7;

/// The section that obliges the shooter.
std::string shooter_rule(const Table& table) {
  const auto* parameter = table.rules().parameter("shooter_stake");
  TALLA_CHECK(parameter != nullptr);  // check_rules asked for it
  return table.rules().rule(parameter->cite);
}

/// How far the dice go clockwise from who had them.
Seat distance(Seat before, Seat seat) {
  return seat > before ? seat - before : std::numeric_limits<Seat>::max() - before + seat;
}

/// The next at the table behind the last shooter, of those who have not refused or of all; 0:
/// nobody.
Seat next_of(const DiceState& state, bool all) {
  const auto& shooter = state.shooter;
  Seat next = 0;
  for (const auto& bet : state.book.all()) {
    const bool refused =
        std::binary_search(shooter.refused.begin(), shooter.refused.end(), bet.seat);
    if (refused && !all) continue;
    if (next == 0 || distance(shooter.before, bet.seat) < distance(shooter.before, next))
      next = bet.seat;
  }
  return next;
}

/// When all have refused the dice go round once more.
Seat next_offered(const DiceState& state) {
  const Seat next = next_of(state, false);
  return next != 0 ? next : next_of(state, true);
}

/// Of that seat; 0: of anybody.
bool has_line_stake(const Table& table, const DiceState& state, Seat seat) {
  const auto bets = state.book.all();
  return std::any_of(bets.begin(), bets.end(), [&](const Bet& bet) {
    const auto* prepared = prepared_bet(table, bet);
    return (seat == 0 || bet.seat == seat) && prepared != nullptr &&
           prepared->form.kind == FormKind::line;
  });
}

void take_dice(DiceState& state, Seat seat) {
  state.shooter.seat = seat;
  state.shooter.refused.clear();
}

/// The dice leave that seat.
void leave_dice(DiceState& state, Seat seat) {
  auto& shooter = state.shooter;
  if (shooter.seat == seat) shooter.before = seat;
  shooter.seat = 0;
  const auto at = std::lower_bound(shooter.refused.begin(), shooter.refused.end(), seat);
  if (at == shooter.refused.end() || *at != seat) shooter.refused.insert(at, seat);
  if (!state.book.empty() && next_of(state, false) == 0) shooter.refused.clear();
}

/// Who may speak about the dice at this moment.
Status check_turn(const Table& table, const DiceState& state, Seat seat) {
  if (!state.bets_open())
    return fail(Errc::action_refused, "the dice change hands while bets are open");
  if (seat == 0 || seat > seat_max)
    return fail(Errc::seat_invalid, "no such seat: " + std::to_string(seat) + "; seats are 1 to " +
                                        std::to_string(seat_max));
  const Seat due = seat_with_dice(state);
  if (due == seat || due == 0) return {};  // with no stake on the cloth whoever is there may speak
  const std::string whose = state.shooter.seat == due
                                ? "seat " + std::to_string(due) + " has them"
                                : "they are offered to seat " + std::to_string(due);
  return fail(Errc::action_refused, shooter_rule(table) + ": the dice are not seat " +
                                        std::to_string(seat) + "'s: " + whose);
}

}  // namespace

bool asks_shooter(const Table& table) {
  return table.prepared<Prepared>().knows_shooter;
}

Seat seat_with_dice(const DiceState& state) {
  return state.shooter.seat != 0 ? state.shooter.seat : next_offered(state);
}

std::optional<Decide> dice_choices(const Table& table, const DiceState& state) {
  if (!asks_shooter(table) || !state.bets_open()) return std::nullopt;
  const Seat seat = seat_with_dice(state);
  if (seat == 0) return std::nullopt;
  Decide out{seat, {}, false};
  if (state.shooter.seat == 0) out.choices.push_back({.action = std::string(take), .bet = {}});
  out.choices.push_back({.action = std::string(pass_on), .bet = {}});
  return out;
}

Status act_on_dice(const Table& table, DiceState& state, const Act& event) {
  const auto& actions = table.rules().actions;
  const bool known = std::any_of(actions.begin(), actions.end(),
                                 [&](const Named& one) { return one.id == event.action; });
  if (!known) return fail(Errc::action_unknown, "no action '" + event.action + "' in this game");
  if (event.bet || event.amount || !event.cards.empty() || event.to)
    return fail(Errc::action_refused, "'" + event.action + "' names a seat and nothing else");
  if (!asks_shooter(table))
    return fail(Errc::action_refused, "this table keeps no account of its shooter (shooter_stake)");
  TALLA_TRY_STATUS(check_turn(table, state, event.seat));
  if (event.action == take && state.shooter.seat == event.seat)
    return fail(Errc::action_refused,
                "seat " + std::to_string(event.seat) + " has the dice already");
  if (event.action == take) {
    take_dice(state, event.seat);
  } else {
    leave_dice(state, event.seat);
  }
  state.phase = Phase::betting;
  return {};
}

Status time_out_dice(const Table& table, DiceState& state, const TimeOut& event) {
  const auto choices = dice_choices(table, state);
  if (!choices || choices->seat != event.seat)
    return fail(Errc::not_due, "seat " + std::to_string(event.seat) + " has no choice now");
  leave_dice(state, event.seat);
  state.phase = Phase::betting;
  return {};
}

Status fix_shooter(const Table& table, DiceState& state) {
  if (!asks_shooter(
          table)) {  // a catalogue without the shooter's actions does not know which seat he is
    if (!table.prepared<Prepared>().shooter_stakes || state.point != 0 ||
        has_line_stake(table, state, 0))
      return {};
    return fail(Errc::not_due, shooter_rule(table) + ": the shooter has no stake on the line");
  }
  const Seat seat = seat_with_dice(state);
  if (state.point == 0 && seat == 0) {
    return fail(
        Errc::not_due,
        shooter_rule(table) + ": nobody has the dice: who throws first stakes on win or dont-win");
  }
  if (state.point == 0 && !has_line_stake(table, state, seat)) {
    return fail(
        Errc::not_due,
        shooter_rule(table) + ": seat " + std::to_string(seat) +
            " throws and has no stake on win or dont-win: it stakes there, or passes the dice on "
            "('pasar-dados')");
  }
  if (seat != 0) take_dice(state, seat);  // in the middle of a series nobody need be left to throw
  return {};
}

void pass_dice(const Table& table, DiceState& state, int point_before, int total) {
  const bool passes = point_before != 0 && total == losing_seven;
  auto& shooter = state.shooter;
  if (passes && shooter.seat != 0) {
    shooter.before = shooter.seat;
    shooter.seat = 0;
  }
  const bool ends = passes || (state.point == 0 && table.prepared<Prepared>().ends_with_series);
  state.phase = shooter.last && ends ? Phase::finished : Phase::over;
}

}  // namespace talla::games::dice
