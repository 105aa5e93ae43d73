/// The engine of the family "blackjack": events to the parts, needs and views from them.
#include "base/check.hpp"
#include "engines/blackjack/boxes.hpp"
#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/decisions.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/round.hpp"
#include "engines/blackjack/state_check.hpp"
#include "engines/engines.hpp"

namespace talla::games {
namespace blackjack {
namespace {

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

struct Handler {
  const Law& law;
  State& state;

  Status operator()(const PlaceBet& event) { return place_bet(law, state, event); }
  Status operator()(const WithdrawBet& event) { return withdraw_bet(law, state, event); }
  Status operator()(const CloseBets& /*event*/) { return close_bets(law, state); }
  Status operator()(const CardDealt& event) { return card_dealt(law, state, event); }
  Status operator()(const Act& event) { return act(law, state, event); }
  Status operator()(const TimeOut& event) { return time_out(law, state, event.seat); }
  Status operator()(const ShoeOpened& event) {
    if (state.in_round() || state.shoe_live()) return not_due("a shoe");
    const auto& equipment = law.rules().shoe;
    TALLA_CHECK(equipment.has_value());  // check_law asked for it
    const auto count = equipment->cards_count;
    if (event.cards_count != count) {
      return fail(Errc::card_invalid, "the shoe holds " + std::to_string(count) + " cards");
    }
    begin_shoe(event.in_play ? 0 : law.opening_burns());
    return {};
  }
  /// The machine has the cards of the round back.
  Status operator()(const Shuffled& event) {
    if (!state.waits_for_shuffle()) return not_due("a shuffle");
    if (event.places != cards_to_shuffle(law, state).places)
      return fail(Errc::place_unknown, "the cards of the round go back, no others");
    begin_shoe(law.burns_each_round() ? law.number("shoe", "burn") : 0);
    return {};
  }
  /// The round in progress is the last of the shoe; one without a card may not begin.
  Status operator()(const StopCard& /*event*/) {
    const bool burning = state.shoe == ShoeState::burning;
    if (!burning && (state.shoe != ShoeState::in_play || !state.in_round()))
      return not_due("the stop card");
    const bool first =
        state.dealer.empty() && !state.hands.empty() && state.hands.front().cards.empty();
    state.shoe = ShoeState::last_hand;
    state.burns_left = 0;
    if (!burning && !(first && law.is("shoe", "stop_first", "shoe-over"))) return {};
    void_round(law, state, law.cite("shoe"));
    return {};
  }
  Status operator()(const ShoeClosed& /*event*/) {
    if (state.in_round() || state.shoe == ShoeState::none) return not_due("closing the shoe");
    if (!state.bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
    state.shoe = ShoeState::none;
    state.burns_left = 0;
    state.cards_out = 0;
    return {};
  }
  Status operator()(const MeterRead& event) { return meter_read(law, state, event); }
  Status operator()(const Misdeal& event) {
    const auto* rule = law.rules().error(event.code);
    if (rule == nullptr)
      return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
    if (!state.in_round() || state.concluded) return not_due("an error of the deal");
    if (rule->effect == "void-round") {
      void_round(law, state, rule->cite);
      return {};
    }
    if (state.removing || state.shoe == ShoeState::burning || !due_card(law, state))
      return not_due("a card to remove");
    state.removing = true;
    return {};
  }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last hand is announced already");
    begin_round(state);  // announced between two rounds it is the next that is the last
    state.closing = true;
    return {};
  }
  template <class Other>
  Status operator()(const Other& event) {
    return not_due(event_name(Event(event)));
  }

  void begin_shoe(int burns) {
    state.shoe = burns > 0 ? ShoeState::burning : ShoeState::in_play;
    state.burns_left = static_cast<std::uint32_t>(burns);
    state.cards_out = 0;
  }
};

class BlackjackEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "blackjack"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_law(rules);
  }
  [[nodiscard]] std::optional<ShoeNeed> shoe(const Table& table) const override {
    auto out = table.rules().shoe;
    const Law law(table);
    // A machine that shuffles all the time has no end, so no stop card.
    if (out)
      out->stop_depth =
          law.continuous() ? 0 : static_cast<std::uint32_t>(law.number("shoe", "reserve"));
    return out;
  }
  [[nodiscard]] std::optional<std::string> unplayable(const Table& table,
                                                      const BetRule& bet) const override {
    return no_stake_on(Law(table), bet);
  }
  [[nodiscard]] std::optional<json::Value> meter_terms(const Table& table,
                                                       std::string_view meter) const override {
    return blackjack::meter_terms(Law(table), meter);
  }

 protected:
  [[nodiscard]] std::vector<Meter> meters_of(const Table& /*table*/,
                                             const State& state) const override {
    return shown(state.meters);
  }
  [[nodiscard]] Result<State> start(const Table& table) const override {
    State out;
    out.meters = opening_meters(Law(table));
    return out;
  }
  [[nodiscard]] Result<State> continue_from(const Table& table,
                                            const json::Value& carried) const override {
    TALLA_TRY(auto state, state_from_carried(carried));
    TALLA_TRY_STATUS(check_meters(Law(table), state));
    return state;
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    return check_restored(Law(table), state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    const Law law(table);
    TALLA_TRY_STATUS(std::visit(Handler{law, state}, event));
    if (out_of_cards(law, state))
      void_round(law, state, law.cite("shoe"));  // no text rules it; the usual practice
    return {};
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return round_complete(Law(table), state);
  }
  void conclude(const Table& table, State& state) const override {
    conclude_round(Law(table), state);
  }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    Needs out;
    const Law law(table);
    if (auto cards = forced_cards(law, state); !cards.cards.empty())
      out.emplace_back(std::move(cards));
    if (auto meter = due_meter(law, state)) out.emplace_back(ReadMeter{*std::move(meter)});
    for (auto& decide : choices(law, state)) out.emplace_back(std::move(decide));
    if (!state.in_round() && !state.shoe_live() && (!state.closing || state.phase != Phase::over)) {
      const auto wanted = shoe(table);
      TALLA_CHECK(wanted.has_value());
      out.emplace_back(*wanted);
    }
    if (state.waits_for_shuffle()) out.emplace_back(cards_to_shuffle(law, state));
    if (state.phase == Phase::over) out.emplace_back(Settled{});
    if (state.bets_open()) out.emplace_back(BetsOpen{!state.bets.empty()});
    return out;
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return carried_json(state);
  }
  /// Every card of this game lies open, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    const Law law(table);
    if (!state.dealer.empty()) out["dealer_total"] = dealer_total(law, state.dealer);
    for (std::size_t i = 0; i < state.hands.size(); ++i) {
      const auto& hand = state.hands.at(i);
      if (hand.cards.empty()) continue;
      auto& shown = out["hands"].array().at(i);
      shown["total"] = hand_total(law, hand);
      if (is_blackjack(law, hand)) shown["blackjack"] = true;
    }
    return out;
  }
};

}  // namespace
}  // namespace blackjack

const Engine& blackjack_engine() {
  static const blackjack::BlackjackEngine engine;
  return engine;
}

}  // namespace talla::games
