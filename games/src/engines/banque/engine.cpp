// The engine of the family "banque": chemin de fer and both kinds of banque.
#include <set>

#include "base/check.hpp"
#include "engines/banque/needs.hpp"
#include "engines/engines.hpp"

namespace talla::games {
namespace banque {
namespace {

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

bool in_hand(const State& state) {
  return state.phase == Phase::hand || state.phase == Phase::claim ||
         state.phase == Phase::banco_lot || state.phase == Phase::stakes_lot;
}

struct Handler {
  const Table& table;
  const Law& law;
  State& state;
  Play p{table, law, state};

  Status operator()(const PlaceBet& event) {
    if (!bets_open(state)) return closed();
    state.round_over = false;
    state.proposal.reset();
    return place_stake(p, event);
  }
  Status operator()(const WithdrawBet& event) {
    if (!bets_open(state)) return closed();
    return withdraw_stake(p, event);
  }
  Status operator()(const CloseBets& /*event*/) {
    if (!bets_open(state)) return closed();
    if (state.bets.empty()) return fail(Errc::not_due, "nobody stakes against the bank");
    if (state.discards > 0) return not_due("closing before the card is laid aside");
    if (!enough_players(table, law, state)) {
      return fail(Errc::not_due, "too few players (" + table.rules().rule(law.players_cite) + ")");
    }
    state.round_over = false;
    close_stakes(p);
    return {};
  }
  Status operator()(const ShoeOpened& event) {
    if (in_hand(state) || state.shoe == ShoeState::in_play || session_over(state))
      return not_due("a shoe");
    if (event.cards_count != table.rules().shoe->cards_count) {
      return fail(Errc::card_invalid,
                  "the shoe holds " + std::to_string(table.rules().shoe->cards_count) + " cards");
    }
    state.shoe = ShoeState::in_play;
    state.fresh_shoe = !event.in_play;
    state.left_winning.clear();
    for (auto& player : state.players) player.must_pass = false;
    return {};
  }
  Status operator()(const CardDealt& event) {
    if (state.phase == Phase::hand) return deal_card(p, event);
    if (state.discards == 0 || in_hand(state)) return not_due("a card");
    if (event.place != discard_place || event.face != Face::unseen || event.card) {
      return fail(Errc::place_unknown, "the next card is laid aside unseen");
    }
    --state.discards;
    return {};
  }
  Status operator()(const CardRevealed& event) {
    return state.phase == Phase::hand ? reveal_card(p, event) : not_due("turning a card");
  }
  Status operator()(const StopCard& /*event*/) {
    if (state.phase != Phase::hand) {
      if (state.discards == 0 || state.shoe != ShoeState::in_play) return not_due("the stop card");
      state.discards = 0;
      state.shoe = ShoeState::last_hand;
      if (!state.bets.empty()) {
        void_hand(p, law.stop_cite);
      } else {
        state.shoe = ShoeState::over;
      }
      return {};
    }
    if (state.shoe != ShoeState::in_play || hand_due(table, law, state).kind != Due::Kind::deal)
      return not_due("the stop card");
    state.shoe = ShoeState::last_hand;
    const bool first = state.hand->cloth[0].dealt == 0;
    if (first && p.choice(p_stop_card_first) == "shoe-over") void_hand(p, law.stop_cite);
    return {};
  }
  Status operator()(const ShoeClosed& /*event*/) {
    if (in_hand(state) || state.shoe == ShoeState::none || session_over(state))
      return not_due("closing the shoe");
    if (!state.bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
    state.shoe = ShoeState::none;
    state.discards = 0;
    return {};
  }
  Status operator()(const DrawResult& event) {
    if (!lot_due() || event.kind != DrawKind::lots) return not_due("a draw");
    const std::size_t count = state.phase == Phase::lot ? tied(state).size() : 2;
    std::size_t index = 0;
    while (index < count &&
           (event.values.size() != 1 || event.values.front() != std::to_string(index + 1)))
      ++index;
    if (index == count)
      return fail(Errc::outcome_invalid, "one lot from 1 to " + std::to_string(count));
    if (state.phase == Phase::lot) {
      award_lot(p, index);
    } else {
      accept_by_lot(p, index);
    }
    return {};
  }
  Status operator()(const Act& event) {
    if (session_over(state)) return fail(Errc::action_refused, "the session is over");
    const auto& actions = table.rules().actions;
    if (std::none_of(actions.begin(), actions.end(),
                     [&](const Named& one) { return one.id == event.action; })) {
      return fail(Errc::action_unknown,
                  table.rules().id + " has no action " + event.action.substr(0, 48));
    }
    if (state.phase == Phase::hand) return hand_act(p, event);
    if (state.phase == Phase::claim) return claim(event);
    state.round_over = false;
    if (event.action == "tomar-banca") return take_bank(p, event);
    if (event.action == "pasar-turno") return decline_bank(p, event.seat);
    if (event.action == "pujar") return bid(p, event);
    if (event.action == "sentarse" || event.action == "levantarse") return seat(event);
    static const std::set<std::string_view> of_bank = {"reponer",  "abandonar",  "asociarse",
                                                       "aumentar", "garage",     "todo-va",
                                                       "aceptar",  "pasar-mano", "rechazar"};
    if (!of_bank.contains(event.action)) return fail(Errc::action_refused, "no hand is played now");
    return bank_act(p, event);
  }
  Status operator()(const TimeOut& event) {
    if (session_over(state)) return not_due("a time-out");
    switch (state.phase) {
      case Phase::hand:
        return hand_time_out(p, event.seat);
      case Phase::claim:
        return claim(Act{event.seat, "pasar-turno", {}, {}, {}, {}});
      case Phase::offer:
      case Phase::forced:
      case Phase::auction:
        state.round_over = false;
        return decline_bank(p, event.seat);
      case Phase::broken:
        state.round_over = false;
        return bank_act(p, Act{event.seat, "abandonar", {}, {}, {}, {}});
      default:
        return silence(event.seat);
    }
  }
  Status operator()(const Misdeal& event) { return misdeal(p, event); }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last hand is announced already");
    state.round_over = false;  // announced between two coups it is the next that is the last
    state.closing = true;
    return {};
  }
  /// The lot is drawn again.
  Status operator()(const VoidDraw& /*event*/) {
    return lot_due() ? Status() : not_due("a void draw");
  }
  Status operator()(const MeterRead& /*event*/) { return not_due("a meter"); }
  Status operator()(const Shuffled& /*event*/) { return not_due("a shuffle"); }
  Status operator()(const ConfirmHand& /*event*/) { return not_due("a confirmation"); }

 private:
  [[nodiscard]] bool lot_due() const {
    return state.phase == Phase::lot || state.phase == Phase::banco_lot ||
           state.phase == Phase::stakes_lot;
  }
  [[nodiscard]] Status closed() const {
    if (in_hand(state))
      return fail(Errc::bets_closed, "bets are closed until this hand is settled");
    if (session_over(state)) return fail(Errc::bets_closed, "the session is over");
    if (state.phase != Phase::betting) return fail(Errc::bets_closed, "there is no bank yet");
    if (state.shoe == ShoeState::over)
      return fail(Errc::shoe_finished, "the stop card is out and the last hand played");
    return fail(Errc::no_shoe, "a shoe must be open before bets");
  }
  /// Between hands nobody must choose: silence leaves everything as it is.
  [[nodiscard]] Status silence(Seat seat) const {
    for (const auto& need : banque::needs_of(table, law, state)) {
      const auto* decide = std::get_if<Decide>(&need);
      if (decide != nullptr && decide->seat == seat) return {};
    }
    return fail(Errc::not_due, "nobody waits for this seat");
  }
  Status seat(const Act& event) {
    if (state.phase != Phase::betting && state.phase != Phase::vacant) {
      return fail(Errc::action_refused, "places change while stakes are open");
    }
    return event.action == "sentarse" ? sit(p, event.seat) : stand_up(p, event.seat);
  }
  /// Banco seguido after "no va más": the cards are not in anybody's hand.
  Status claim(const Act& event) {
    if (event.seat != state.rights.suivi)
      return fail(Errc::action_refused, "seat " + std::to_string(state.rights.suivi) +
                                            ", who made banco and lost, speaks now (" +
                                            table.rules().rule(law.stakes_cite) + ")");
    if (event.action == "banco-seguido") {
      std::vector<std::string> all;
      for (const auto& bet : state.bets.all()) all.push_back(bet.id);
      for (const auto& id : all) free_stake(p, id, BetResult::void_, law.stakes_cite);
      const PlaceBet bet{event.bet.value_or("banco-seguido"),
                         event.seat,
                         {},
                         "banco-seguido",
                         {},
                         banco_stake(table, state)};
      state.phase = Phase::betting;
      TALLA_TRY_STATUS(place_stake(p, bet));
    } else if (event.action != "pasar-turno") {
      return fail(Errc::action_refused,
                  "seat " + std::to_string(state.rights.suivi) +
                      ", who made banco and lost, says banco-seguido or pasar-turno");
    }
    accept_stakes(p);
    return {};
  }
};

Status check_hand(const Table& table, const Law& law, const State& state) {
  for (const auto& one : state.played) {
    const auto* bet = state.bets.find(one.bet);
    if (bet == nullptr || one.units[0] > bet->stake || one.units[1] > bet->stake - one.units[0]) {
      return fail(Errc::state_malformed, "what plays is more than its stake");
    }
  }
  if (!state.hand) return {};
  const auto& hand = *state.hand;
  if (state.played.empty()) return fail(Errc::state_malformed, "nothing plays");
  if (law.cloths == 1 && (hand.cloth[1] != Cards{} || hand.holder[1] != 0))
    return fail(Errc::state_malformed, "one cloth only");
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    if (hand.holder.at(cloth) == 0) return fail(Errc::state_malformed, "nobody has the cards");
    if (hand.cloth.at(cloth).dealt + 1 < hand.bank.dealt ||
        hand.cloth.at(cloth).thirds.size() > 2) {
      return fail(Errc::state_malformed, "the hands do not follow the order of dealing");
    }
  }
  if (hand.decided != Decided::none && table.rules().error(hand.decided_by) == nullptr) {
    return fail(Errc::state_malformed, "decided by an unknown error");
  }
  // Its first cards are dealt to their end all the same.
  if (hand_ended(law, hand) && hand_due(table, law, state).kind == Due::Kind::settle)
    return fail(Errc::state_malformed, "a hand that an error has ended is settled");
  if (hand.behind > (state.shoe == ShoeState::last_hand ? law.reserve : 0))
    return fail(Errc::state_malformed, "more cards behind the stop card than there are");
  if (out_of_cards(table, law, state))
    return fail(Errc::state_malformed, "no card is left for this hand");
  return {};
}

class BanqueEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "banque"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return banque::check_rules(rules);
  }

  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    auto law = read_law(table.rules(), &table.params());
    TALLA_CHECK(law.has_value());  // check_rules accepted it when the catalogue was loaded
    auto out = std::make_shared<PreparedLaw>();
    out->law = *std::move(law);
    return out;
  }

 protected:
  [[nodiscard]] Result<State> start(const Table& table) const override {
    const Law& law = law_of(table);
    if (law.open_bank && table.config().max) {
      return fail(Errc::table_invalid,
                  "an open bank has no maximum stake (" + table.rules().rule(law.award_cite) + ")");
    }
    State state;
    for (Seat seat = 1; seat <= places(table, law); ++seat) state.join(seat);
    Play p{table, law, state};
    start_award(p);
    return state;
  }
  [[nodiscard]] Result<State> continue_from(const Table& table,
                                            const json::Value& carried) const override {
    TALLA_TRY(auto state, state_from_carried(carried));
    TALLA_TRY_STATUS(check_state(table, state));
    if (in_hand(state)) return fail(Errc::state_malformed, "between rounds no hand is played");
    return state;
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    TALLA_TRY_STATUS(state.bets.check(table));
    const Law& law = law_of(table);
    constexpr Units most = units_max / 8;
    Units sum = 0;
    for (const auto& part : state.parts) {
      if (part.bank > 2 * bank_plays_max || part.garage > most)
        return fail(Errc::state_malformed, "a bank beyond what can be paid");
      sum += part.bank + part.garage;
    }
    if (sum > most) return fail(Errc::state_malformed, "a bank beyond what can be paid");
    if (law.cloths == 2 && (state.parts.size() > 1 || state.phase == Phase::forced)) {
      return fail(Errc::state_malformed, "two cloths have one banker");
    }
    for (const auto& part : state.parts) {
      if (state.player(part.seat) == nullptr)
        return fail(Errc::state_malformed, "a banker who is not at the table");
    }
    if (state.phase == Phase::auction && next_bidder(state) == 0)
      return fail(Errc::state_malformed, "the auction is over");
    if (state.phase == Phase::lot && tied(state).size() < 2)
      return fail(Errc::state_malformed, "no bids tie");
    return check_hand(table, law, state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    const Law& law = law_of(table);
    return std::visit(Handler{table, law, state}, event);
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return hand_complete(table, law_of(table), state);
  }
  void conclude(const Table& table, State& state) const override {
    Play p{table, law_of(table), state};
    settle_hand(p);
  }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    return banque::needs_of(table, law_of(table), state);
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return carried_json(state);
  }
  /// The state holds no card that lies covered, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    const Law& law = law_of(table);
    if (!state.parts.empty()) {
      out["banker"] = state.banker();
      out["bank_total"] = state.bank();
    }
    if (!state.hand) return out;
    json::Object totals;
    for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
      const auto& cards = state.hand->cloth.at(cloth);
      if (cards.known()) totals["cloth_" + std::to_string(cloth + 1)] = cloth_total(law, cards);
    }
    if (state.hand->bank.known()) totals["bank"] = bank_total(law, state.hand->bank);
    if (!totals.empty()) out["totals"] = std::move(totals);
    return out;
  }
};

}  // namespace
}  // namespace banque

const Engine& banque_engine() {
  static const banque::BanqueEngine engine;
  return engine;
}

}  // namespace talla::games
