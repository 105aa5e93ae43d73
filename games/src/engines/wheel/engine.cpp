#include "engines/wheel/engine.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/wheel/colours.hpp"
#include "engines/wheel/spin.hpp"

namespace talla::games::wheel {
namespace {

std::optional<int> index_of(const std::string& code) {
  int value = 0;
  const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), value);
  if (error != std::errc() || end != code.data() + code.size()) return std::nullopt;
  return value;
}

/// Two indices side by side, where the table asks for it.
Status check_neighbours(const Table& table, const PlaceBet& bet) {
  const auto* rule = table.rules().bet(bet.kind);
  if (rule == nullptr || rule->on != OnForm::pair || bet.on.size() != 2) return {};
  const auto first = index_of(bet.on.front());
  const auto second = index_of(bet.on.back());
  if (!first || !second || *first - *second == 1 || *second - *first == 1) return {};
  return fail(Errc::bet_position,
              table.rules().rule(rule->cite) + ": '" + bet.kind + "' takes two neighbours here");
}

const Draw& equipment(const Table& table) {
  const auto& wheel = table.rules().draw;
  TALLA_CHECK(wheel.has_value());  // check_rules asked for it
  return *wheel;
}

Status require_open(const WheelState& state) {
  if (state.bets_open()) return {};
  if (state.phase == Phase::finished) return fail(Errc::bets_closed, "the session is over");
  return fail(Errc::bets_closed, "bets are closed until this spin is settled");
}

Status place(const Table& table, WheelState& state, const PlaceBet& bet) {
  if (!state.bets_open()) TALLA_TRY_STATUS(require_open(state));
  if (!state.prison.empty() && find_imprisoned(state.prison, bet.id) != nullptr)
    return fail(Errc::bet_duplicate, "bet '" + bet.id + "' is in prison");
  if (table.prepared<Prepared>().neighbours) TALLA_TRY_STATUS(check_neighbours(table, bet));
  if (!state.colours.empty()) TALLA_TRY_STATUS(check_colour(table, state, bet));
  TALLA_TRY_STATUS(state.book.place(table, bet));
  state.phase = Phase::betting;
  return {};
}

Status withdraw(const Table& table, WheelState& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  if (find_imprisoned(state.prison, event.bet) != nullptr) {
    return fail(Errc::withdrawal_refused,
                "bet '" + event.bet + "' is in prison: choose half or prison");
  }
  TALLA_TRY_STATUS(check_colour(table, state, event));
  TALLA_TRY_STATUS(state.book.withdraw(table, event));
  state.phase = Phase::betting;
  return {};
}

/// Carries out a choice; `half` ends the stake.
Status choose(const Table& table, WheelState& state, const ZeroRule& zero, std::size_t index,
              bool half) {
  auto& stake = state.prison.at(index);
  if (!half) {
    stake.chosen = true;
    return {};
  }
  TALLA_TRY_STATUS(settle_half(table, state, zero, stake));
  state.prison.erase(state.prison.begin() + static_cast<std::ptrdiff_t>(index));
  return {};
}

/// Silence of one seat (or of all: no seat given) about the stakes still open to a choice.
Result<bool> answer_silence(const Table& table, WheelState& state, std::optional<Seat> seat) {
  const auto& zero = table.prepared<Prepared>().zero;
  if (!zero || !zero->choice || state.prison.empty()) return false;
  const bool half = table.params().choice(zero->silent_parameter) == "half";
  auto before = state.prison;
  bool any = false;
  for (std::size_t index = state.prison.size(); index-- > 0;) {
    const auto& stake = state.prison.at(index);
    if (stake.chosen || (seat && stake.bet.seat != *seat)) continue;
    any = true;
    if (auto status = choose(table, state, *zero, index, half); !status) {
      state.prison = std::move(before);
      return pass(std::move(status));
    }
  }
  std::reverse(state.settled.begin(), state.settled.end());
  return any;
}

Status act(const Table& table, WheelState& state, const Act& event) {
  const auto& actions = table.rules().actions;
  if (std::none_of(actions.begin(), actions.end(),
                   [&](const Named& one) { return one.id == event.action; })) {
    return fail(Errc::action_unknown, "no action '" + event.action + "' in this game");
  }
  if (event.action == colour_action) return choose_colour(table, state, event);
  if (!event.bet || event.amount || !event.cards.empty() || event.to) {
    return fail(Errc::action_refused, "'" + event.action + "' names a bet and nothing else");
  }
  auto* stake = find_imprisoned(state.prison, *event.bet);
  if (stake == nullptr && state.book.find(*event.bet) == nullptr) {
    return fail(Errc::bet_unknown, "no bet '" + *event.bet + "'");
  }
  if (stake != nullptr && stake->bet.seat == event.seat && stake->chosen &&
      event.action == "half") {
    const auto half = halved(Fraction(stake->bet.stake), stake->times);
    const bool own_choice = half && *half >= Fraction(table.min());
    return fail(Errc::action_refused,
                "bet '" + *event.bet + "' stays in prison: " +
                    (own_choice ? "its owner chose so" : "its half is below the table minimum"));
  }
  if (stake == nullptr || stake->chosen || stake->bet.seat != event.seat || !state.bets_open()) {
    return fail(Errc::action_refused, "seat has no choice about bet '" + *event.bet + "' now");
  }
  const auto& zero = table.prepared<Prepared>().zero;
  TALLA_CHECK(zero.has_value());
  const auto index = static_cast<std::size_t>(stake - state.prison.data());
  TALLA_TRY_STATUS(choose(table, state, *zero, index, event.action == "half"));
  state.phase = Phase::betting;
  return {};
}

/// Each pocket once, in the order of the wheel.
std::string pockets_named(const GameRules& rules) {
  std::vector<std::string> out;
  for (const auto& pocket : rules.draw->pockets) {
    if (std::find(out.begin(), out.end(), pocket) == out.end()) out.push_back(pocket);
  }
  std::string text;
  for (const auto& pocket : out) text += (text.empty() ? "" : " ") + pocket;
  return text;
}

Status draw(const Table& table, WheelState& state, const DrawResult& result) {
  if (!state.draw_due())
    return fail(Errc::not_due, state.phase == Phase::finished
                                   ? "the ball is not due: the session is over"
                                   : "the ball is not due: bets are open");
  const auto pocket = result.values.size() == 1
                          ? table.prepared<Prepared>().find_pocket(result.values.front())
                          : std::nullopt;
  if (result.kind != DrawKind::wheel || !pocket) {
    return fail(Errc::outcome_invalid,
                "one pocket of this wheel is due: " + pockets_named(table.rules()));
  }
  TALLA_TRY_STATUS(settle_spin(table, state, *pocket));
  state.phase = state.last ? Phase::finished : Phase::over;
  return {};
}

Status close(const Table& table, WheelState& state) {
  TALLA_TRY_STATUS(require_open(state));
  TALLA_TRY(const auto answered, answer_silence(table, state, std::nullopt));
  static_cast<void>(answered);
  state.phase = Phase::closed;
  return {};
}

Status time_out(const Table& table, WheelState& state, const TimeOut& event) {
  if (!state.bets_open()) return fail(Errc::not_due, "nobody has a choice now");
  TALLA_TRY(const auto answered, answer_silence(table, state, event.seat));
  if (!answered) return fail(Errc::not_due, "this seat has no choice now");
  state.phase = Phase::betting;
  return {};
}

Status void_draw(WheelState& state) {
  if (!state.draw_due()) return fail(Errc::not_due, "no spin is due that could be void");
  state.phase = Phase::rethrow;
  return {};
}

Status last_round(WheelState& state) {
  if (state.last) return fail(Errc::not_due, "the last spin is announced already");
  state.last = true;
  if (state.phase == Phase::over) state.phase = Phase::betting;
  return {};
}

}  // namespace

Result<WheelState> WheelEngine::start(const Table& /*table*/) const {
  return WheelState{};
}

Result<WheelState> WheelEngine::continue_from(const Table& table,
                                              const json::Value& carried) const {
  TALLA_TRY(auto state, WheelState::from_carried(carried));
  TALLA_TRY_STATUS(check_state(table, state));
  return state;
}

Status WheelEngine::check_state(const Table& table, const WheelState& state) const {
  const auto& zero = table.prepared<Prepared>().zero;
  for (const auto& stake : state.prison) {
    if (!zero || !zero->choice || !zero->concerns(stake.bet.kind)) {
      return fail(Errc::state_malformed, "a bet in prison that no zero puts there");
    }
  }
  TALLA_TRY_STATUS(check_colours(table, state));
  TALLA_TRY(const auto book, with_prison(state.book, state.prison));
  return book.check(table);
}

Status WheelEngine::on(const Table& table, WheelState& state, const Event& event) const {
  if (const auto* bet = std::get_if<PlaceBet>(&event)) return place(table, state, *bet);
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) return withdraw(table, state, *taken);
  if (std::holds_alternative<CloseBets>(event)) return close(table, state);
  if (const auto* result = std::get_if<DrawResult>(&event)) return draw(table, state, *result);
  if (const auto* choice = std::get_if<Act>(&event)) return act(table, state, *choice);
  if (const auto* silent = std::get_if<TimeOut>(&event)) return time_out(table, state, *silent);
  if (std::holds_alternative<VoidDraw>(event)) return void_draw(state);
  if (std::holds_alternative<LastRound>(event)) return last_round(state);
  if (std::holds_alternative<Misdeal>(event))
    return fail(Errc::misdeal_unknown, "a wheel has no misdeals");
  return fail(Errc::not_due, std::string(event_name(event)) + " has no place at a wheel");
}

Forced WheelEngine::forced_of(const Table& table, const WheelState& state) const {
  Forced out;
  if (!state.draw_due()) return out;
  out.kind = Forced::Kind::draw;
  out.draw = &equipment(table);
  return out;
}

Needs WheelEngine::needs_of(const Table& table, const WheelState& state) const {
  Needs needs;
  if (state.phase == Phase::over || state.phase == Phase::finished) needs.emplace_back(Settled{});
  if (state.bets_open()) {
    needs.emplace_back(BetsOpen{});
    add_prison_choices(state.prison, needs);
  }
  if (state.draw_due()) needs.emplace_back(equipment(table));
  return needs;
}

json::Value WheelEngine::carried_of(const Table& /*table*/, const WheelState& state) const {
  return state.carried();
}

json::Value WheelEngine::view_of(const Table& /*table*/, const WheelState& state,
                                 const Viewer& /*viewer*/) const {
  json::Value view;
  view["phase"] = phase_name(state.phase);
  view["bets"] = state.book.to_json();
  view["prison"] = prison_json(state.prison, prison_count);
  view["last"] = state.last;
  put_colours(view, state.colours);
  return view;
}

}  // namespace talla::games::wheel

namespace talla::games {

const Engine& wheel_engine() {
  static const wheel::WheelEngine engine;
  return engine;
}

}  // namespace talla::games
