/// The engine of the family "texas-holdem": two own cards and five common ones against the bank.
#include <algorithm>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/poker/house_boxes.hpp"
#include "engines/poker/house_deal.hpp"
#include "engines/poker/round_engine.hpp"
#include "engines/texas/settle.hpp"

namespace talla::games {
namespace texas {
namespace {

using poker::not_due;
using poker::Stage;

/// Ids of bets may be no longer than this, so that those of the bets made with them fit as well.
constexpr std::size_t id_size_max = 16;

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): an aggregate, its base is given
struct Handler : poker::RoundHandler {
  const Rules& rules;
  State& state;
  DataLaw law{table};
  using RoundHandler::operator();

  Status operator()(const PlaceBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    if (rules.is_stage_bet(event.kind)) {
      return fail(Errc::bets_closed,
                  event.kind + " is made as an action while the hand is played (" +
                      table.rules().rule(table.rules().bet(event.kind)->cite) + ")");
    }
    if (event.id.size() > id_size_max || event.id.find('.') != std::string::npos) {
      return fail(Errc::bet_unknown, "a bet id has at most " + std::to_string(id_size_max) +
                                         " characters and no point");
    }
    PlaceBet placed = event;
    const poker::house::Boxes boxes(law, round.bets);
    TALLA_TRY(placed.box, boxes.box_of(event));
    TALLA_TRY_STATUS(round.bets.place(table, placed));
    const Bet bet = *round.bets.find(std::string_view(placed.id));
    return check_bet(bet);
  }
  Status operator()(const WithdrawBet& event) {
    TALLA_TRY_STATUS(round.check_betting());
    TALLA_TRY_STATUS(round.bets.withdraw(table, event));
    for (const auto& bet : round.bets.all()) {
      if (auto fits = check_bet(bet); !fits) {
        return fail(Errc::withdrawal_refused,
                    "bet " + bet.id + " would stay alone: " + fits.error().detail);
      }
    }
    return {};
  }
  Status operator()(const CloseBets& /*event*/) {
    TALLA_TRY_STATUS(round.check_betting());
    if (round.bets.empty())
      return fail(Errc::not_due, "nobody has a bet: there is nothing to deal");
    seat_players();
    round.stage = Stage::playing;
    return {};
  }

  Status operator()(const CardDealt& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::deal) return not_due("a card");
    TALLA_TRY_STATUS(round.deal(due.cards.front(), event));
    state.removing = false;
    return advance();
  }
  Status operator()(const CardRevealed& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::reveal) return not_due("turning a card");
    TALLA_TRY_STATUS(round.turn(due.place, event));
    state.exposing.clear();
    return advance();
  }
  Status operator()(const Act& event) {
    TALLA_TRY_STATUS(poker::check_action(table.rules(), event));
    const auto due = due_now();
    if (due.kind != Due::Kind::decide || state.players.at(due.player).seat != event.seat)
      return fail(Errc::action_refused, "it is not the turn of seat " + std::to_string(event.seat));
    const auto& stage = rules.stages.at(state.stage);
    const bool bets = event.action == stage.bet_action();
    if (!bets && event.action != stage.other_action()) {
      return fail(Errc::action_refused, std::string(stage.bet_action()) + " or " +
                                            stage.other_action() + " is asked now");
    }
    TALLA_TRY_STATUS(poker::check_plain(event));
    if (!bets) return decline(due.player);
    TALLA_TRY_STATUS(bet_on(due.player));
    return spoken(due.player);
  }
  /// Silence adds no money.
  Status operator()(const TimeOut& event) {
    const auto due = due_now();
    if (due.kind != Due::Kind::decide || state.players.at(due.player).seat != event.seat)
      return not_due("a time-out of this seat");
    return decline(due.player);
  }
  Status operator()(const Misdeal& event) {
    TALLA_TRY(const auto* error, error_of(event));
    return mistake(*error, event);
  }

 private:
  [[nodiscard]] Due due_now() const {
    return round.stage == Stage::playing ? due_of(rules, state) : Due();
  }
  [[nodiscard]] Status check_bet(const Bet& bet) const {
    const poker::house::Boxes boxes(law, round.bets);
    return boxes.is_main(bet) ? boxes.check_main(bet) : boxes.check_side(bet);
  }
  /// By boxes; on each its holder, then the others in the order of their stakes.
  void seat_players() {
    const poker::house::Boxes boxes(law, round.bets);
    for (const auto box : boxes.staked()) {
      const auto holder = boxes.holder(box);
      TALLA_CHECK(holder != 0);
      state.players.push_back({box, holder});
      for (const auto& bet : round.bets.all()) {
        if (bet.box == box && boxes.is_main(bet) && state.player(bet.seat, box) == nullptr)
          state.players.push_back({box, bet.seat});
      }
    }
  }
  [[nodiscard]] Status bet_on(std::size_t index) {
    const auto player = state.players.at(index);
    const auto& stage = rules.stages.at(state.stage);
    const auto all = round.bets.all();
    const std::vector<Bet> antes(all.begin(), all.end());
    for (const auto& ante : antes) {
      if (ante.kind != rules.ante || ante.seat != player.seat || ante.box != player.box) continue;
      const PlaceBet placed{ante.id + "." + stage.bet,  ante.seat, ante.box, stage.bet, {},
                            ante.stake * stage.multiple};
      TALLA_TRY_STATUS(
          round.bets.place(table, placed, {.check_minimum = false, .check_limits = false}));
    }
    return {};
  }
  /// Passes, or retires; with the holder of a box everybody on it retires.
  [[nodiscard]] Status decline(std::size_t index) {
    if (rules.stages.at(state.stage).may_pass) return spoken(index);
    const auto player = state.players.at(index);
    const bool holder = index == 0 || state.players.at(index - 1).box != player.box;
    for (auto& one : state.players) {
      if (one.box == player.box && (holder || one.seat == player.seat)) one.out = true;
    }
    return spoken(index);
  }
  [[nodiscard]] Status spoken(std::size_t index) {
    state.turn = index + 1;
    return advance();
  }
  /// Does what waits for nobody.
  [[nodiscard]] Status advance() {
    for (;;) {
      const auto due = due_of(rules, state);
      if (due.kind == Due::Kind::side) {
        settle_first_five(table, state);
      } else if (due.kind == Due::Kind::next) {
        ++state.stage;
        state.turn = 0;
      } else {
        return {};
      }
    }
  }
  void annul(const Citation& cite) {
    auto kept = std::move(round);
    state = State();
    round = std::move(kept);
    poker::void_round(table, round, cite, state.settled);
  }
  /// The box of a place of own cards, or 0.
  [[nodiscard]] Box box_of(const Misdeal& event) const {
    const auto named = event.place ? poker::house::named_place(*event.place) : std::nullopt;
    const bool known = named && named->box != 0 && named->card >= 1 && named->card <= own_cards &&
                       state.box_in(named->box);
    return known ? named->box : 0;
  }
  Status mistake(const ErrorRule& error, const Misdeal& event) {
    if (error.effect == "play-on") return {};
    const bool void_all = error.effect == "void-hand" ||
                          (error.effect == "void-player" && !rules.void_one_player) ||
                          (error.effect == "dealer-exposure" && rules.dealer_exposure_voids);
    if (void_all) {
      annul(error.cite);
      return {};
    }
    if (error.effect == "remove-card") return remove_card(error);
    if (error.effect == "turn-card" || error.effect == "dealer-exposure") return show(event, error);
    const Box box = box_of(event);
    if (box == 0)
      return fail(Errc::place_unknown, event.code + ": name a card of the hand that it is about");
    if (error.effect == "void-player") {
      void_box(table, state, box, error.cite);
    } else {
      if (!round.lies(poker::house::bank_place(own_cards)))
        return not_due("this error before all have cards");
      // Both hands are withdrawn, so that both are named; with one alone nothing happens yet.
      if (state.touched == 0 || !state.box_in(state.touched)) {
        state.touched = box;
        return {};
      }
      if (state.touched == box)
        return not_due("naming the same hand again: the other one that it touched");
      withdraw_box(table, state, std::exchange(state.touched, 0), rules.touched_lose, error.cite);
      withdraw_box(table, state, box, rules.touched_lose, error.cite);
    }
    return advance();
  }
  /// A card that lies face up in the deck is set aside; a second one annuls the hand.
  Status remove_card(const ErrorRule& error) {
    if (state.removing || due_now().kind != Due::Kind::deal) return not_due("a card to set aside");
    if (round.lies("removed")) {
      annul(error.cite);
    } else {
      state.removing = true;
    }
    return {};
  }
  Status show(const Misdeal& event, const ErrorRule& error) {
    const auto* laid = event.place ? round.at(*event.place) : nullptr;
    const auto named = event.place ? poker::house::named_place(*event.place) : std::nullopt;
    const bool own = error.effect == "turn-card" && (!named || named->box == 0);
    if (laid == nullptr || !named || own)
      return fail(Errc::place_unknown, event.code + ": name the place of the card that was shown");
    if (laid->card || !state.exposing.empty()) return not_due("showing this card");
    state.exposing = *event.place;
    return {};
  }
};

class TexasEngine final : public poker::RoundEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "texas-holdem"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return texas::check_rules(rules);
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    return read_rules(table);
  }

 protected:
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    return texas::check_state(table, state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    return std::visit(Handler{{table, state.round}, table.prepared<Rules>(), state}, event);
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return state.round.stage == Stage::playing &&
           due_of(table.prepared<Rules>(), state).kind == Due::Kind::settle;
  }
  void conclude(const Table& table, State& state) const override { settle_hand(table, state); }
  /// The state holds no card that lies covered, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    if (state.round.stage != Stage::playing) return out;
    const auto due = due_of(table.prepared<Rules>(), state);
    if (due.kind == Due::Kind::decide) out["speaks"] = state.players.at(due.player).seat;
    return out;
  }

  void put_due(const Table& table, const State& state, Needs& out) const override {
    const auto& rules = table.prepared<Rules>();
    auto due = due_of(rules, state);
    switch (due.kind) {
      case Due::Kind::deal:
        out.emplace_back(Deal{std::move(due.cards)});
        return;
      case Due::Kind::reveal:
        out.emplace_back(Reveal{std::move(due.place)});
        return;
      case Due::Kind::decide: {
        const auto& stage = rules.stages.at(state.stage);
        Decide decide{state.players.at(due.player).seat, {}, true};
        decide.choices.push_back({stage.bet_action(), "", 0, 0, 0});
        decide.choices.push_back({stage.other_action(), "", 0, 0, 0});
        out.emplace_back(std::move(decide));
        return;
      }
      case Due::Kind::settle:
        return;
      default:
        TALLA_CHECK(false);  // what waits for nobody is done at once
    }
  }
};

}  // namespace
}  // namespace texas

const Engine& texas_engine() {
  static const texas::TexasEngine engine;
  return engine;
}

}  // namespace talla::games
