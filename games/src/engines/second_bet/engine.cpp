/// The engine of the family "second-bet": events to the parts, needs and views from them.
#include <algorithm>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/second_bet/decisions.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/round.hpp"
#include "engines/second_bet/stakes.hpp"
#include "engines/second_bet/state_check.hpp"

namespace talla::games {
namespace second_bet {
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
  Status operator()(const CardRevealed& event) { return card_revealed(law, state, event); }
  Status operator()(const Act& event) { return act(law, state, event); }
  Status operator()(const TimeOut& event) { return time_out(law, state, event.seat); }
  Status operator()(const MeterRead& event) { return meter_read(law, state, event); }
  Status operator()(const Misdeal& event) { return misdeal(law, state, event); }
  Status operator()(const ShoeOpened& event) {
    if (!state.wants_shoe()) return not_due("a deck");
    const auto& equipment = law.rules().shoe;
    TALLA_CHECK(equipment.has_value());  // check_law asked for it
    if (event.cards_count != equipment->cards_count) {
      return fail(Errc::card_invalid,
                  "the deck has " + std::to_string(equipment->cards_count) + " cards");
    }
    begin_round(state);
    state.shoe = true;
    return {};
  }
  /// Between rounds, or instead of a round on which nobody has staked.
  Status operator()(const ShoeClosed& /*event*/) {
    if (state.in_round() || (state.closing && state.phase == Phase::over))
      return not_due("closing the deck");
    if (!state.bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
    begin_round(state);
    state.shoe = false;
    return {};
  }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last hand is announced already");
    begin_round(state);  // announced between two hands it is the next that is the last
    state.closing = true;
    return {};
  }
  template <class Other>
  Status operator()(const Other& event) {
    return not_due(event_name(Event(event)));
  }
};

class SecondBetEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "second-bet"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return check_law(rules);
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return read_rules(table);
  }
  [[nodiscard]] std::optional<std::string> unplayable(const Table& table,
                                                      const BetRule& bet) const override {
    return no_stake_on(Law(table), bet);
  }
  [[nodiscard]] std::optional<json::Value> meter_terms(const Table& table,
                                                       std::string_view meter) const override {
    return second_bet::meter_terms(Law(table), meter);
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
    return std::visit(Handler{law, state}, event);
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return hand_complete(Law(table), state);
  }
  void conclude(const Table& table, State& state) const override {
    conclude_hand(Law(table), state);
  }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    Needs out;
    const Law law(table);
    if (auto cards = due_cards(law, state); !cards.empty())
      out.emplace_back(Deal{std::move(cards)});
    if (auto place = due_reveal(law, state)) out.emplace_back(Reveal{*std::move(place)});
    if (auto meter = due_meter(law, state)) out.emplace_back(ReadMeter{*std::move(meter)});
    for (auto& decide : choices(law, state)) out.emplace_back(std::move(decide));
    if (state.wants_shoe()) {
      const auto& wanted = law.rules().shoe;
      TALLA_CHECK(wanted.has_value());
      out.emplace_back(*wanted);
    }
    if (state.phase == Phase::over) out.emplace_back(Settled{});
    if (state.bets_open()) out.emplace_back(BetsOpen{!state.bets.empty()});
    return out;
  }
  [[nodiscard]] Forced forced_of(const Table& table, const State& state) const override {
    auto cards = due_cards(Law(table), state, 1);
    if (cards.empty()) return forced_in(needs_of(table, state));
    Forced out;
    out.kind = Forced::Kind::card;
    out.card = std::move(cards.front());
    return out;
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return carried_json(state);
  }
  /// The state knows no covered card, so that all viewers see the same; open hands say what they
  /// are.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    const Law law(table);
    const auto open = [&](const poker::house::Cards& cards) {
      return cards.size() == law.cards() &&
             poker::house::first_covered(cards, cards.size()) == cards.size();
    };
    for (std::size_t i = 0; i < state.hands.size(); ++i) {
      const auto cards = final_cards(state.hands.at(i));
      if (!open(cards)) continue;
      const auto hand = poker::house::open_cards(cards);
      out["hands"].array().at(i)["hand"] = poker::category_name(law.category(hand));
    }
    if (!state.bank.empty() &&
        poker::house::first_covered(state.bank, state.bank.size()) == state.bank.size()) {
      put_bank(law, state, out);
    }
    return out;
  }

 private:
  static void put_bank(const Law& law, const State& state, json::Value& out) {
    if (state.bank.size() < law.cards() || !due_cards(law, state, 1).empty()) return;
    const auto cards = bank_hand(law, state);
    if (cards.size() != law.cards()) return;  // its new cards have not come
    out["bank_hand"] = poker::category_name(law.category(cards));
    out["bank_plays"] = law.bank_plays(cards);
  }
};

}  // namespace
}  // namespace second_bet

const Engine& second_bet_engine() {
  static const second_bet::SecondBetEngine engine;
  return engine;
}

}  // namespace talla::games
