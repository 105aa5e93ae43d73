#include "engines/dice/engine.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "code.hpp"
#include "engines/dice/limits.hpp"
#include "engines/dice/shooter.hpp"
#include "engines/dice/throw.hpp"
#include "engines/engines.hpp"

namespace talla::games::dice {
namespace {

Status require_open(const DiceState& state) {
  if (state.bets_open()) return {};
  if (state.phase == Phase::finished)
    return fail(Errc::bets_closed, "the last shooter has thrown his last: the session is over");
  return fail(Errc::bets_closed, "bets are closed until this throw is settled");
}

/// Whether a bet of this form may be placed at this moment of the series.
Status check_moment(const Table& table, const DiceState& state, const Form& form, const Bet& bet) {
  const auto cite = [&] { return table.rules().rule(table.rules().bet(bet.kind)->cite); };
  if (form.kind == FormKind::line && state.point != 0) {
    return fail(Errc::bets_closed,
                cite() + ": '" + bet.kind + "' is played on the first throw of a series only");
  }
  if (form.kind == FormKind::come && state.point == 0 &&
      table.prepared<Prepared>().come_needs_point) {
    return fail(Errc::bets_closed,
                cite() + ": '" + bet.kind + "' is played after the first throw of a series only");
  }
  return {};
}

/// What this game asks of a stake that lies on the cloth already.
Status check_placed(const Table& table, const DiceState& state, const Bet& bet) {
  const auto* prepared = prepared_bet(table, bet);
  TALLA_CHECK(prepared != nullptr);  // the book has accepted it
  TALLA_TRY_STATUS(check_moment(table, state, prepared->form, bet));
  TALLA_TRY_STATUS(check_dice_limits(table, state, bet, *prepared));
  return check_multiple(table, state, bet, *prepared);
}

Status place(const Table& table, DiceState& state, const PlaceBet& event) {
  if (!state.bets_open()) TALLA_TRY_STATUS(require_open(state));
  TALLA_TRY_STATUS(state.book.place(table, event));
  const auto bets =
      std::as_const(state.book).all();  // a dice game has no call bets: the last one is this
  TALLA_CHECK(!bets.empty() && same_code(bets.back().id, event.id));
  if (auto status = check_placed(table, state, bets.back()); !status) {
    state.book.remove(event.id);
    return status;
  }
  state.phase = Phase::betting;
  return {};
}

/// Whether the stake must stay until it is decided: by its kind, and where the catalogue says so
/// only once its point or number is known.
bool held(const Table& table, const DiceState& state, const Bet& bet) {
  const auto* prepared = prepared_bet(table, bet);
  if (prepared == nullptr || !prepared->locked) return false;
  return table.prepared<Prepared>().locked_when_placed ||
         number_of(bet, prepared->form, state.point) != 0;
}

Status withdraw(const Table& table, DiceState& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  const auto* found = state.book.find(std::string_view(event.bet));
  if (found == nullptr) return fail(Errc::bet_unknown, "no bet '" + event.bet + "'");
  if (held(table, state, *found)) {
    const auto& cite = table.rules().data.find("locked")->second.cite;
    return fail(Errc::withdrawal_refused,
                table.rules().rule(cite) + ": '" + found->kind + "' stays until decided");
  }
  const Bet reduced = *found;
  auto before = state.book;
  TALLA_TRY_STATUS(state.book.withdraw(table, event));
  auto status = check_companions(table, state, reduced);
  if (const auto* rest = state.book.find(std::string_view(event.bet)); status && rest != nullptr) {
    const auto* known = prepared_bet(table, *rest);
    TALLA_CHECK(known != nullptr);  // it was placed
    status = check_multiple(table, state, *rest, *known);
  }
  if (!status) {
    state.book = std::move(before);
    return status;
  }
  state.phase = Phase::betting;
  return {};
}

Status close(const Table& table, DiceState& state) {
  TALLA_TRY_STATUS(require_open(state));
  TALLA_TRY_STATUS(fix_shooter(table, state));
  state.phase = Phase::closed;
  return {};
}

/// "1" to "6"; 0 for anything else.
int face_of(const std::string& value) {
  return value.size() == 1 && value.front() >= '1' && value.front() <= '6' ? value.front() - '0'
                                                                           : 0;
}

/// What no throw will decide any more.
void give_back(const Table& table, DiceState& state) {
  for (const auto& bet : std::as_const(state.book).all()) {
    const auto* rule = table.rules().bet(bet.kind);
    TALLA_CHECK(rule != nullptr);  // the book has accepted it
    add_settlement(state.settled, table, bet, BetResult::void_, Fraction(bet.stake), rule->cite);
  }
  state.book.clear();
}

Status last_shooter(const Table& table, DiceState& state) {
  if (!table.prepared<Prepared>().counts_last) return {};
  if (state.shooter.last) return fail(Errc::not_due, "the last shooter is announced already");
  state.shooter.last = true;
  if (state.phase == Phase::over) state.phase = Phase::betting;
  return {};
}

Status draw(const Table& table, DiceState& state, const DrawResult& result) {
  if (!state.draw_due()) return fail(Errc::not_due, "the dice are not due: bets are open");
  const bool two = result.kind == DrawKind::dice && result.values.size() == 2;
  const Throw thrown{.first = two ? face_of(result.values.front()) : 0,
                     .second = two ? face_of(result.values.back()) : 0};
  if (thrown.first == 0 || thrown.second == 0)
    return fail(Errc::outcome_invalid, "two dice of 1 to 6 are due");
  const int before = state.point;
  TALLA_TRY_STATUS(settle_throw(table, state, thrown));
  pass_dice(table, state, before, thrown.total());
  if (state.phase == Phase::finished) give_back(table, state);
  return {};
}

Status void_draw(DiceState& state) {
  if (!state.draw_due()) return fail(Errc::not_due, "no throw is due that could be void");
  state.phase = Phase::rethrow;
  return {};
}

}  // namespace

Result<DiceState> DiceEngine::start(const Table& /*table*/) const {
  return DiceState{};
}

Result<DiceState> DiceEngine::continue_from(const Table& table, const json::Value& carried) const {
  TALLA_TRY(auto state, DiceState::from_carried(carried));
  TALLA_TRY_STATUS(check_state(table, state));
  return state;
}

Status DiceEngine::check_state(const Table& table, const DiceState& state) const {
  BetBook as_placed = state.book;
  for (const auto& bet : state.book.all()) {
    const auto* rule = table.rules().bet(bet.kind);
    if (rule == nullptr)
      return fail(Errc::state_malformed, "a stake on a bet the game does not have");
    TALLA_TRY(const auto form, form_of(table.rules(), *rule));
    if (form.kind != FormKind::come || bet.on.empty()) continue;
    if (bet.on.size() != 1 || !is_point(number_of(bet, form, 0))) {
      return fail(Errc::state_malformed, "a moved stake stands on one number");
    }
    as_placed.find(std::string_view(bet.id))->on.clear();
  }
  const auto& shooter = state.shooter;
  if (!asks_shooter(table) &&
      (shooter.seat != 0 || shooter.before != 0 || !shooter.refused.empty()))
    return fail(Errc::state_malformed, "a shooter where the table keeps no account of him");
  if (state.phase == Phase::finished && (!shooter.last || !state.book.empty()))
    return fail(Errc::state_malformed,
                "a session that is over with a shooter to come, or with stakes");
  return as_placed.check(table);
}

Status DiceEngine::on(const Table& table, DiceState& state, const Event& event) const {
  if (const auto* bet = std::get_if<PlaceBet>(&event)) return place(table, state, *bet);
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) return withdraw(table, state, *taken);
  if (std::holds_alternative<CloseBets>(event)) return close(table, state);
  if (const auto* result = std::get_if<DrawResult>(&event)) return draw(table, state, *result);
  if (std::holds_alternative<VoidDraw>(event)) return void_draw(state);
  if (const auto* act = std::get_if<Act>(&event)) return act_on_dice(table, state, *act);
  if (const auto* silent = std::get_if<TimeOut>(&event))
    return time_out_dice(table, state, *silent);
  if (std::holds_alternative<LastRound>(event)) return last_shooter(table, state);
  if (std::holds_alternative<Misdeal>(event))
    return fail(Errc::misdeal_unknown, "dice have no misdeals");
  return fail(Errc::not_due, std::string(event_name(event)) + " has no place at a dice table");
}

Forced DiceEngine::forced_of(const Table& table, const DiceState& state) const {
  Forced out;
  if (!state.draw_due()) return out;
  out.kind = Forced::Kind::draw;
  out.draw = &*table.rules().draw;
  return out;
}

Needs DiceEngine::needs_of(const Table& table, const DiceState& state) const {
  Needs needs;
  if (state.phase == Phase::over || state.phase == Phase::finished) needs.emplace_back(Settled{});
  if (state.bets_open()) needs.emplace_back(BetsOpen{});
  if (auto choices = dice_choices(table, state)) needs.emplace_back(*std::move(choices));
  const auto& equipment = table.rules().draw;
  TALLA_CHECK(equipment.has_value());  // check_rules asked for it
  if (state.draw_due()) needs.emplace_back(*equipment);
  return needs;
}

json::Value DiceEngine::carried_of(const Table& /*table*/, const DiceState& state) const {
  return state.carried();
}

json::Value DiceEngine::view_of(const Table& table, const DiceState& state,
                                const Viewer& /*viewer*/) const {
  json::Value view;
  view["phase"] = phase_name(state.phase);
  view["point"] = state.point;
  view["bets"] = state.book.to_json();
  view["last"] = state.shooter.last;
  if (!asks_shooter(table)) return view;
  if (state.shooter.before != 0) view["before"] = state.shooter.before;
  if (state.shooter.seat != 0) {
    view["shooter"] = state.shooter.seat;
  } else if (const Seat seat = seat_with_dice(state); seat != 0) {
    view["offered"] = seat;
  }
  return view;
}

}  // namespace talla::games::dice

namespace talla::games {

const Engine& dice_engine() {
  static const dice::DiceEngine engine;
  return engine;
}

}  // namespace talla::games
