/// The engine of the family "pai-gow": seven cards set as two hands against the two of the bank.
#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/pai_gow/settle.hpp"
#include "engines/poker/round_engine.hpp"

namespace talla::games {
namespace pai_gow {
namespace {

using poker::not_due;
using poker::Stage;

/// What a player may lay down as bank: at least what is asked of it (a minimum bet while there is
/// none), at most what the table allows.
ActionChoice bank_range(const Table& table, const State& state) {
  const auto& rules = table.prepared<Rules>();
  const Units chip = table.currency().chip;
  const auto least = bank_needed(table, state) + (state.clients().empty() ? table.min() : 0);
  return {std::string(take_action), "", (least + chip - 1) / chip * chip,
          rules.bank_max * table.min() / chip * chip, chip};
}

struct Handler : poker::RoundHandler {
  const Rules& rules;
  State& state;
  using RoundHandler::operator();

  Status operator()(const PlaceBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    if (event.seat > rules.boxes)
      return fail(Errc::seat_invalid, "the table has " + std::to_string(rules.boxes) + " boxes");
    if (event.kind == rules.bank_bet)
      return fail(Errc::bets_closed,
                  "the bank is taken as an action when it is offered" + cited("bank"));
    if (event.id == rules.bank_bet) return fail(Errc::bet_duplicate, "that id is the bank's");
    if (event.seat == state.banker)
      return fail(Errc::seat_invalid, "the banker does not bet against himself" + cited("bank"));
    TALLA_TRY_STATUS(round.bets.place(table, event));
    const auto* bank = round.bets.find(std::string_view(rules.bank_bet));
    if (bank != nullptr && bank_needed(table, state) > bank->stake)
      return fail(Errc::above_maximum, "more than the bank holds" + cited("bank"));
    return {};
  }
  Status operator()(const WithdrawBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    if (event.bet != rules.bank_bet || state.banker == 0) return round.bets.withdraw(table, event);
    if (event.amount || !state.clients().empty())
      return fail(Errc::withdrawal_refused,
                  "the bank stays while somebody bets against it" + cited("bank"));
    round.bets.remove(rules.bank_bet);
    pass_offer(std::exchange(state.banker, 0));
    return {};
  }
  Status operator()(const CloseBets& /*event*/) {
    TALLA_TRY_STATUS(round.check_betting());
    if (state.clients().empty()) return fail(Errc::not_due, "nobody has a bet against the bank");
    if (state.banker == 0) state.offer = 0;  // nobody took it: the dealer must
    round.stage = Stage::playing;
    return {};
  }

  Status operator()(const DrawResult& event) {
    if (!throw_due()) return not_due("a throw");
    std::uint32_t sum = 0;
    const bool three = event.kind == DrawKind::dice && event.values.size() == 3;
    for (const auto& value : event.values) {
      const bool face = value.size() == 1 && value.front() >= '1' && value.front() <= '6';
      if (!three || !face) return fail(Errc::outcome_invalid, "three dice of 1 to 6 are due");
      sum += static_cast<std::uint32_t>(value.front() - '0');
    }
    if (!three) return fail(Errc::outcome_invalid, "three dice of 1 to 6 are due");
    state.dice = sum;
    return {};
  }
  /// The dice are thrown again.
  Status operator()(const VoidDraw& /*event*/) {
    return throw_due() ? Status() : not_due("a void draw");
  }
  Status operator()(const CardDealt& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::deal) return not_due("a card");
    return round.deal(due.cards.front(), event, true);
  }
  Status operator()(const CardRevealed& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::reveal) return not_due("turning a card");
    return round.turn(due.place, event, true);
  }
  Status operator()(const Act& event) {
    TALLA_TRY_STATUS(poker::check_action(table.rules(), event));
    if (event.action == set_action) return set(event);
    if (round.stage != Stage::betting || event.seat != state.offer || state.banker != 0)
      return fail(Errc::action_refused,
                  "the bank is not offered to seat " + std::to_string(event.seat));
    if (event.action == take_action) return take_bank(event);
    TALLA_TRY_STATUS(poker::check_plain(event));
    pass_offer(state.offer);
    return {};
  }
  /// Silence passes the bank; cards that are not set are set as the table has it.
  Status operator()(const TimeOut& event) {
    if (round.stage == Stage::betting && event.seat == state.offer && event.seat != 0 &&
        state.banker == 0) {
      pass_offer(state.offer);
      return {};
    }
    const auto due = due_now();
    if (due.kind != Due::Kind::decide ||
        std::count(due.seats.begin(), due.seats.end(), event.seat) == 0)
      return not_due("a time-out of this seat");
    state.settings.push_back({event.seat, std::nullopt});
    return {};
  }
  Status operator()(const Misdeal& event) {
    TALLA_TRY(const auto* error, error_of(event));
    end([&] { poker::void_round(table, round, error->cite, state.settled); });
    return {};
  }
  void conclude() {
    end([&] { settle_hand(table, state); });
  }

 private:
  [[nodiscard]] bool throw_due() const {
    return round.stage == Stage::playing && due_now().kind == Due::Kind::dice;
  }
  [[nodiscard]] std::string cited(std::string_view block) const {
    return " (" + table.rules().rule(table.rules().data.find(block)->second.cite) + ")";
  }
  [[nodiscard]] Due due_now() const {
    return round.stage == Stage::playing ? due_of(rules, state) : Due();
  }
  /// The offer goes on to the next place, after the last one to the dealer.
  void pass_offer(Seat from) { state.offer = from < rules.boxes ? from + 1 : 0; }
  template <class Finish>
  void end(Finish finish) {
    finish();
    if (rules.player_banks) pass_offer(state.banker);
    state.banker = 0;
    state.dice = 0;
    state.settings.clear();
  }
  [[nodiscard]] Status take_bank(const Act& event) {
    const auto range = bank_range(table, state);
    if (event.bet || !event.cards.empty() || event.to || !event.amount)
      return fail(Errc::action_refused, "tomar-banca has an amount and nothing else");
    if (*event.amount < range.min || *event.amount > range.max || *event.amount % range.step != 0) {
      return fail(Errc::action_refused, "the bank holds " + std::to_string(range.min) + " to " +
                                            std::to_string(range.max) + cited("bank"));
    }
    const auto clients = state.clients();
    if (std::find(clients.begin(), clients.end(), event.seat) != clients.end())
      return fail(Errc::action_refused, "the banker does not bet against himself" + cited("bank"));
    TALLA_TRY_STATUS(
        round.bets.place(table, {rules.bank_bet, event.seat, {}, rules.bank_bet, {}, *event.amount},
                         {.check_minimum = false, .check_limits = false}));
    state.banker = event.seat;
    return {};
  }
  [[nodiscard]] Status set(const Act& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::decide ||
        std::count(due.seats.begin(), due.seats.end(), event.seat) == 0)
      return fail(Errc::action_refused,
                  "seat " + std::to_string(event.seat) + " has no cards to set now");
    if (event.bet || event.amount || event.to || event.cards.size() != low_cards)
      return fail(Errc::action_refused, "componer names the two cards of the low hand");
    const auto places = places_of(event.seat);
    Low low{};
    for (std::size_t i = 0; i < low_cards; ++i) {
      const auto found = std::find(places.begin(), places.end(), event.cards.at(i));
      if (found == places.end())
        return fail(Errc::action_refused, "no card of this seat lies there");
      low.at(i) = static_cast<std::size_t>(found - places.begin());
    }
    if (low[0] == low[1]) return fail(Errc::action_refused, "two cards make the low hand");
    if (low[0] > low[1]) std::swap(low[0], low[1]);
    state.settings.push_back({event.seat, low});
    return {};
  }
};

class PaiGowEngine final : public poker::RoundEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "pai-gow"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return pai_gow::check_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return read_rules(table);
  }

 protected:
  [[nodiscard]] Result<State> start(const Table& table) const override {
    State out;
    if (table.prepared<Rules>().player_banks) out.offer = 1;
    return out;
  }
  [[nodiscard]] Result<State> continue_from(const Table& table,
                                            const json::Value& carried) const override {
    TALLA_TRY(auto state, State::from_carried(carried));
    TALLA_TRY_STATUS(pai_gow::check_state(table, state));
    return state;
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    return pai_gow::check_state(table, state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    return std::visit(Handler{{table, state.round}, table.prepared<Rules>(), state}, event);
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return state.round.stage == Stage::playing &&
           due_of(table.prepared<Rules>(), state).kind == Due::Kind::settle;
  }
  void conclude(const Table& table, State& state) const override {
    Handler{{table, state.round}, table.prepared<Rules>(), state}.conclude();
  }
  void put_between(const Table& table, const State& state, Needs& out) const override {
    const bool offered =
        state.round.stage == Stage::betting && state.offer > 0 && state.banker == 0;
    if (offered) {
      Decide decide{state.offer, {}, false};
      const auto clients = state.clients();
      const auto range = bank_range(table, state);
      if (range.min <= range.max &&
          std::find(clients.begin(), clients.end(), state.offer) == clients.end())
        decide.choices.push_back(range);
      decide.choices.push_back({std::string(pass_action), "", 0, 0, 0});
      out.emplace_back(std::move(decide));
    }
    state.round.put_needs(table, out, !state.clients().empty());
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return state.carried();
  }
  void put_due(const Table& table, const State& state, Needs& out) const override {
    auto due = due_of(table.prepared<Rules>(), state);
    switch (due.kind) {
      case Due::Kind::dice:
        out.emplace_back(*table.rules().draw);
        return;
      case Due::Kind::deal:
        out.emplace_back(Deal{std::move(due.cards)});
        return;
      case Due::Kind::reveal:
        out.emplace_back(Reveal{std::move(due.place)});
        return;
      case Due::Kind::decide:
        for (const auto seat : due.seats) {
          ActionChoice choice{std::string(set_action), "", 0, 0, 0};
          choice.places = places_of(seat);
          choice.cards_min = choice.cards_max = low_cards;
          out.emplace_back(Decide{seat, {std::move(choice)}, true});
        }
        return;
      case Due::Kind::settle:
        return;
    }
  }
};

}  // namespace
}  // namespace pai_gow

const Engine& pai_gow_engine() {
  static const pai_gow::PaiGowEngine engine;
  return engine;
}

}  // namespace talla::games
