// The engine of the family "monte".
#include <algorithm>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/monte/deal.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace monte {
namespace {

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

Status require_open(const State& state) {
  if (state.bets_open()) return {};
  if (state.phase == Phase::finished) return fail(Errc::bets_closed, "the session is over");
  return fail(Errc::bets_closed,
              "bets are open when four cards are placed, and again before Segundas");
}

/// Cards of a side that can still decide this bet.
std::size_t live_in(const Rules& rules, const State& state, const Sides& sides, bool chosen) {
  std::size_t count = 0;
  for (const auto place : chosen ? sides.chosen : sides.against) {
    for (const auto relation : live_cards(rules, state, place)) {
      if (!annulled_in_cartas(rules, state, sides, place, relation)) ++count;
    }
  }
  return count;
}

/// Whether the bet has its place in this round and on this layout.
Status check_bet(const Table& table, const State& state, const Bet& bet) {
  const auto& rules = table.prepared<Rules>();
  const auto& form = rules.form(bet.kind);
  const bool second = state.phase == Phase::segundas_open;
  const bool offered = second
                           ? form.segundas || (form.kind == FormKind::vista && rules.vista_in_both)
                           : form.primeras;
  const auto where = table.rules().rule(table.rules().bet(bet.kind)->cite) + ": '" + bet.kind + "'";
  if (!offered) return fail(Errc::bets_closed, where + " is not played in this round");
  for (const auto& code : bet.on) {
    const auto place = static_cast<std::size_t>(code.front() - '1');
    if (!state.in_play(place))
      return fail(Errc::bet_position, where + ": card " + code + " is out of play");
    if (form.kind != FormKind::vista && form.kind != FormKind::exact) continue;
    const auto live = live_cards(rules, state, place);
    if (!rules.accept_unreachable &&
        std::find(live.begin(), live.end(), form.relation) == live.end()) {
      return fail(Errc::bet_not_offered, where + ": that card lies on the table already");
    }
  }
  if (!form.cartas() || !rules.refuse_dead_side) return {};
  const auto sides = sides_of(form, bet.on);
  if (live_in(rules, state, sides, true) > 0 && live_in(rules, state, sides, false) > 0) return {};
  return fail(Errc::bet_not_offered, where + ": one side has no card left that could win");
}

Status place(const Table& table, State& state, const PlaceBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  TALLA_TRY_STATUS(state.bets.place(table, event));
  const auto* bet = state.bets.find(std::string_view(event.id));
  TALLA_CHECK(bet != nullptr);
  TALLA_TRY_STATUS(check_bet(table, state, *bet));
  state.round_over = false;
  return {};
}

Status withdraw(const Table& table, State& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  if (std::find(state.held.begin(), state.held.end(), event.bet) != state.held.end()) {
    return fail(Errc::withdrawal_refused, table.rules().rule(table.prepared<Rules>().rounds_cite) +
                                              ": a bet of Primeras that goes on stays");
  }
  TALLA_TRY_STATUS(state.bets.withdraw(table, event));
  state.round_over = false;
  return {};
}

Status close(State& state) {
  TALLA_TRY_STATUS(require_open(state));
  state.phase = state.phase == Phase::primeras_open ? Phase::primeras : Phase::segundas;
  state.round_over = false;
  return {};
}

Status open_shoe(const Table& table, State& state, const ShoeOpened& event) {
  if (state.phase != Phase::idle && state.phase != Phase::over) return not_due("a shoe");
  if (event.cards_count != table.prepared<Rules>().shoe.cards_count) {
    return fail(
        Errc::card_invalid,
        "the deck has " + std::to_string(table.prepared<Rules>().shoe.cards_count) + " cards");
  }
  const bool last = state.last;
  state = State();
  state.last = last;
  state.phase = Phase::layout;
  return {};
}

/// Between deals, or instead of a deal on which nobody has staked.
Status close_shoe(State& state) {
  if (state.turning() || state.phase == Phase::finished) return not_due("closing the shoe");
  if (!state.bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
  const bool last = state.last;
  state = State();
  state.last = last;
  return {};
}

Status last_round(State& state) {
  if (state.last) return fail(Errc::not_due, "the last deal is announced already");
  if (state.phase == Phase::over) state = State();
  state.last = true;
  return {};
}

std::string next_place(const State& state) {
  return state.turning() ? "descubierta" : "carta-" + std::to_string(state.layout.size() + 1);
}

Status card(const Table& table, State& state, const CardDealt& event) {
  const bool turning = state.turning() && !round_complete(table.prepared<Rules>(), state);
  if (state.phase != Phase::layout && !turning) return not_due("a card");
  const auto due = next_place(state);
  if (event.place != due || event.face != Face::open) {
    return fail(Errc::place_unknown, "the next card goes to " + due + ", open");
  }
  const auto deck = shuffle::DeckSpec::parse(table.prepared<Rules>().shoe.deck);
  TALLA_CHECK(deck.has_value());
  if (!event.card || deck->copies_of(*event.card) == 0) {
    return fail(Errc::card_invalid,
                "a card of the deck " + table.prepared<Rules>().shoe.deck + " is due");
  }
  const auto out = state.out();
  if (std::find(out.begin(), out.end(), *event.card) != out.end()) {
    return fail(Errc::card_invalid, event.card->text() + " is out already");
  }
  if (state.turning()) {
    turn_card(table, state, *event.card);
  } else {
    place_card(table, state, *event.card);
  }
  return {};
}

class MonteEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "monte"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    auto status = check_monte_rules(rules);
    if (!status && status.error().number < 300) {
      return fail(Errc::catalogue_malformed, rules.id + ": " + status.error().detail);
    }
    return status;
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return read_monte_rules(table.rules(), table.params());
  }

 protected:
  [[nodiscard]] Result<State> start(const Table& /*table*/) const override { return State(); }
  [[nodiscard]] Result<State> continue_from(const Table& table,
                                            const json::Value& carried) const override {
    TALLA_TRY(auto state, State::from_carried(carried));
    TALLA_TRY_STATUS(check_state(table, state));
    return state;
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    TALLA_TRY_STATUS(check_layout(state, table.prepared<Rules>().shoe.deck));
    TALLA_TRY_STATUS(state.bets.check(table));
    const bool second = state.phase == Phase::segundas_open || state.phase == Phase::segundas;
    const auto& rules = table.prepared<Rules>();
    for (const auto& bet : state.bets.all()) {
      const auto& form = rules.form(bet.kind);
      const bool fits =
          second ? form.cartas() || form.segundas || form.kind == FormKind::vista : form.primeras;
      if (!fits) return fail(Errc::state_malformed, "a bet of another round");
    }
    return {};
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    if (const auto* bet = std::get_if<PlaceBet>(&event)) return place(table, state, *bet);
    if (const auto* taken = std::get_if<WithdrawBet>(&event)) return withdraw(table, state, *taken);
    if (std::holds_alternative<CloseBets>(event)) return close(state);
    if (const auto* shoe = std::get_if<ShoeOpened>(&event)) return open_shoe(table, state, *shoe);
    if (const auto* dealt = std::get_if<CardDealt>(&event)) return card(table, state, *dealt);
    if (std::holds_alternative<ShoeClosed>(event)) return close_shoe(state);
    if (std::holds_alternative<LastRound>(event)) return last_round(state);
    if (std::holds_alternative<Act>(event)) {
      return fail(Errc::action_unknown, "no decision exists in this game: every card is forced");
    }
    if (std::holds_alternative<Misdeal>(event))
      return fail(Errc::misdeal_unknown, "the text names no errors");
    return not_due(event_name(event));
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return round_complete(table.prepared<Rules>(), state);
  }
  void conclude(const Table& table, State& state) const override { settle_round(table, state); }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    Needs out;
    if (state.phase == Phase::idle || state.phase == Phase::over)
      out.emplace_back(table.prepared<Rules>().shoe);
    if (state.phase == Phase::layout || (state.turning() && !complete(table, state))) {
      Deal deal{{DealPlace{next_place(state), Face::open}}};
      if (state.phase == Phase::layout && state.layout.empty())
        deal.cards.push_back({"carta-2", Face::open});
      out.emplace_back(std::move(deal));
    }
    if (state.round_over || state.phase == Phase::over || state.phase == Phase::finished)
      out.emplace_back(Settled{});
    if (state.bets_open()) out.emplace_back(BetsOpen{});
    return out;
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return state.carried();
  }
  /// Every card of this game lies open, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& /*table*/, const State& state,
                                    const Viewer& /*viewer*/) const override {
    return state.to_json();
  }
};

}  // namespace
}  // namespace monte

const Engine& monte_engine() {
  static const monte::MonteEngine engine;
  return engine;
}

}  // namespace talla::games
