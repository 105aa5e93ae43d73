/// The engine of the family "trijoker": three equal bets, two of which may be taken back while the
/// cards come to light.
#include <algorithm>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/poker/card_ranks.hpp"
#include "engines/poker/house_deal.hpp"
#include "engines/poker/round_engine.hpp"
#include "engines/trijoker/state.hpp"

namespace talla::games {
namespace trijoker {
namespace {

using poker::not_due;
using poker::Stage;

struct Handler : poker::RoundHandler {
  const Rules& rules;
  State& state;
  using RoundHandler::operator();

  Status operator()(const PlaceBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    if (event.seat > rules.seats)
      return fail(Errc::seat_invalid, "the table has " + std::to_string(rules.seats) + " places");
    const auto* rule = table.rules().bet(event.kind);
    if (rule != nullptr && !rule->is_call()) {
      return fail(Errc::bet_not_offered,
                  "three equal bets are made at once (" + table.rules().rule(rule->cite) + ")");
    }
    return round.bets.place(table, event);
  }
  Status operator()(const WithdrawBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    if (event.bet.find('/') != std::string::npos)
      return fail(Errc::withdrawal_refused, "three equal bets lie on the table: they go together");
    return round.bets.withdraw(table, event);
  }
  Status operator()(const CloseBets& /*event*/) {
    TALLA_TRY_STATUS(round.check_betting());
    if (round.bets.empty())
      return fail(Errc::not_due, "nobody has a bet: there is nothing to deal");
    round.stage = Stage::playing;
    return {};
  }

  Status operator()(const CardDealt& event) {
    if (round.stage != Stage::playing) return not_due("a card");
    const auto due = due_of(state);
    if (due.kind != Due::Kind::deal) return not_due("a card");
    return round.deal(due.cards.front(), event);
  }
  Status operator()(const CardRevealed& event) {
    if (round.stage != Stage::playing) return not_due("turning a card");
    const auto due = due_of(state);
    if (due.kind != Due::Kind::reveal) return not_due("turning a card");
    TALLA_TRY_STATUS(round.turn(due.place, event));
    return state.exposing.empty() ? Status() : turned_by_mistake(event.card);
  }
  Status operator()(const Act& event) {
    TALLA_TRY_STATUS(poker::check_action(table.rules(), event));
    const auto due = round.stage == Stage::playing ? due_of(state) : Due();
    if (due.kind != Due::Kind::decide || due.seat != event.seat)
      return fail(Errc::action_refused, "it is not the turn of seat " + std::to_string(event.seat));
    if (event.action != stay && event.action != withdrawals.at(due.spot)) {
      return fail(Errc::action_refused, "seat " + std::to_string(event.seat) + " decides on bet " +
                                            std::to_string(due.spot + 1) + " now");
    }
    TALLA_TRY_STATUS(poker::check_plain(event));
    if (event.action != stay) take_back(due.seat, due.spot);
    ++state.decided;
    return {};
  }
  /// Silence leaves the bet where it lies.
  Status operator()(const TimeOut& event) {
    const auto due = round.stage == Stage::playing ? due_of(state) : Due();
    if (due.kind != Due::Kind::decide || due.seat != event.seat)
      return not_due("a time-out of this seat");
    ++state.decided;
    return {};
  }
  Status operator()(const Misdeal& event) {
    TALLA_TRY(const auto* error, error_of(event));
    if (error->effect == "void-hand") {
      annul(error->cite);
      return {};
    }
    return expose(*error, event);
  }
  /// Settles a complete hand.
  void conclude() {
    const auto players = state.players();
    for (auto seat = players.rbegin(); seat != players.rend(); ++seat) {
      const auto hand = hand_of(state, *seat);
      const auto category = rules.ranker.category(rules.ranker.best(hand));
      const bool low_pair =
          category == poker::Category::pair && poker::pair_rank(hand) < rules.pair_from;
      for (const auto& bet : round.bets.all()) {
        if (bet.seat == *seat) settle(bet, category, low_pair);
      }
    }
    round.bets.clear();
    round.finish();
    state.decided = state.exposed = 0;
  }

 private:
  void annul(const Citation& cite) {
    poker::void_round(table, round, cite, state.settled);
    state.decided = state.exposed = 0;
    state.exposing.clear();
  }
  Status expose(const ErrorRule& error, const Misdeal& event) {
    const auto* laid = event.place ? round.at(*event.place) : nullptr;
    const bool common = laid != nullptr && !poker::house::named_place(laid->place);
    if (laid == nullptr || common != (error.effect == "turn-common"))
      return fail(Errc::place_unknown, event.code + ": name the place of the card that was shown");
    if (laid->card) return not_due("showing a card that lies open");
    if (!state.exposing.empty()) return not_due("a second card before the first is turned");
    if (state.exposed > 0 && rules.second_voids) {
      annul(rules.exposure_cite);
      return {};
    }
    ++state.exposed;
    state.exposing = *event.place;
    return {};
  }
  Status turned_by_mistake(Card card) {
    const bool common = !poker::house::named_place(state.exposing);
    state.exposing.clear();
    if (common && poker::rank_of(card) >= rules.void_from) annul(rules.exposure_cite);
    return {};
  }
  void take_back(Seat seat, std::size_t spot) {
    const auto& cite =
        std::find_if(table.rules().actions.begin(), table.rules().actions.end(),
                     [&](const Named& one) { return one.id == withdrawals.at(spot); })
            ->cite;
    round.bets.update([&](const Bet& bet) {
      if (bet.seat != seat || bet.kind != spot_bets.at(spot)) return true;
      state.settled.push_back(
          settle_returned(table, bet, BetResult::push, Fraction(bet.stake), cite));
      return false;
    });
  }
  void settle(const Bet& bet, poker::Category category, bool low_pair) {
    const auto* rule = table.rules().bet(bet.kind);
    TALLA_CHECK(rule != nullptr);
    const auto* payout = rule->payout(poker::category_name(category), table.params());
    if (payout == nullptr || low_pair) {
      state.settled.push_back(settle_lose(table, bet, rule->cite));
    } else {
      state.settled.push_back(settle_win(table, bet, *payout));
    }
  }
};

class TrijokerEngine final : public poker::RoundEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "trijoker"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return trijoker::check_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return read_rules(table);
  }

 protected:
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    return trijoker::check_state(table, state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    return std::visit(Handler{{table, state.round}, table.prepared<Rules>(), state}, event);
  }
  [[nodiscard]] bool complete(const Table& /*table*/, const State& state) const override {
    return state.round.stage == Stage::playing && due_of(state).kind == Due::Kind::settle;
  }
  void conclude(const Table& table, State& state) const override {
    Handler{{table, state.round}, table.prepared<Rules>(), state}.conclude();
  }
  /// The state holds no card that lies covered, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    if (state.round.stage != Stage::playing) return out;
    const auto due = due_of(state);
    if (due.kind == Due::Kind::decide) out["turn"] = due.seat;
    json::Object hands;
    const auto& ranker = table.prepared<Rules>().ranker;
    for (const auto seat : state.players()) {
      bool open = state.round.is_open("common-1") && state.round.is_open("common-2");
      for (std::size_t card = 1; card <= own_cards; ++card)
        open = open && state.round.is_open(poker::house::hand_place(seat, card));
      if (!open) continue;
      const auto value = ranker.best(hand_of(state, seat));
      hands[std::to_string(seat)] = std::string(poker::category_name(ranker.category(value)));
    }
    if (!hands.empty()) out["hands"] = std::move(hands);
    return out;
  }

  void put_due(const Table& /*table*/, const State& state, Needs& out) const override {
    auto due = due_of(state);
    switch (due.kind) {
      case Due::Kind::deal:
        out.emplace_back(Deal{std::move(due.cards)});
        return;
      case Due::Kind::reveal:
        out.emplace_back(Reveal{std::move(due.place)});
        return;
      case Due::Kind::decide: {
        Decide decide{due.seat, {}, true};
        decide.choices.push_back({std::string(withdrawals.at(due.spot)), "", 0, 0, 0});
        decide.choices.push_back({std::string(stay), "", 0, 0, 0});
        out.emplace_back(std::move(decide));
        return;
      }
      case Due::Kind::settle:
        return;
    }
  }
};

}  // namespace
}  // namespace trijoker

const Engine& trijoker_engine() {
  static const trijoker::TrijokerEngine engine;
  return engine;
}

}  // namespace talla::games
