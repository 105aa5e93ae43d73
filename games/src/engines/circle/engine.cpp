// The engine of the family "circle-poker": events to the parts of play, needs and views from them.
#include <algorithm>
#include <functional>
#include <set>

#include "base/check.hpp"
#include "engines/circle/play.hpp"
#include "engines/engines.hpp"

namespace talla::games {
namespace circle {
namespace {

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

/// The first event after a hand begins the next round.
void begin_round(State& state) {
  if (state.round_over) state.clear_hand();
}

struct Handler {
  const Table& table;
  const Law& law;
  State& state;
  Play p{table, law, state};

  Status operator()(const PlaceBet& event) {
    TALLA_TRY_STATUS(require_open());
    begin_round(state);
    return buy(p, event);
  }
  Status operator()(const WithdrawBet& event) {
    TALLA_TRY_STATUS(require_open());
    begin_round(state);
    return take_back(p, event);
  }
  Status operator()(const CloseBets& /*event*/) {
    TALLA_TRY_STATUS(require_open());
    if (!state.shoe) return fail(Errc::no_shoe, "a hand needs a fresh deck");
    begin_round(state);
    return begin_hand(p);
  }
  Status operator()(const ShoeOpened& event) {
    if (state.phase != Phase::open || state.shoe || state.over) return not_due("a shoe");
    if (event.cards_count != law.shoe.cards_count)
      return fail(Errc::card_invalid,
                  "the deck has " + std::to_string(law.shoe.cards_count) + " cards");
    begin_round(state);
    state.shoe = true;
    return {};
  }
  Status operator()(const ShoeClosed& /*event*/) {
    if (state.phase != Phase::open || !state.shoe) return not_due("closing the shoe");
    begin_round(state);
    state.shoe = false;
    return {};
  }
  Status operator()(const CardDealt& event) {
    if (!state.open.repairs.empty()) return repair_card(p, event);
    if (state.phase == Phase::draw && state.showing.to_reveal.empty()) return draw_card(p, event);
    return state.phase == Phase::deal ? deal_card(p, event) : not_due("a card");
  }
  Status operator()(const CardRevealed& event) {
    return !state.showing.to_reveal.empty() || turn_due(p).empty() ? reveal(p, event)
                                                                   : turn_common(p, event);
  }
  Status operator()(const Act& event) {
    if (state.over) return fail(Errc::action_refused, "the session is over");
    const auto& actions = table.rules().actions;
    if (std::none_of(actions.begin(), actions.end(),
                     [&](const Named& one) { return one.id == event.action; })) {
      return fail(Errc::action_unknown,
                  table.rules().id + " has no action " + event.action.substr(0, 48));
    }
    switch (state.phase) {
      case Phase::open:
        begin_round(state);
        return seat_act(p, event);
      case Phase::deal:
        return fail(Errc::action_refused, "cards are dealt");
      case Phase::bet:
        if (!state.open.repairs.empty())
          return fail(Errc::action_refused, "an error is put right first");
        if (!state.showing.to_reveal.empty())
          return fail(Errc::action_refused, "an exposed card is to be turned first");
        return state.showing.asked.empty() ? bet_act(p, event) : asked_act(p, event);
      case Phase::show:
        return show_act(p, event);
      case Phase::draw:
        if (!state.showing.to_reveal.empty())
          return fail(Errc::action_refused, "an exposed card is to be turned first");
        return draw_act(p, event);
      case Phase::blind:
        return blind_act(p, event);
    }
    return not_due("a decision");
  }
  Status operator()(const TimeOut& event) {
    if (state.phase == Phase::bet && state.showing.to_reveal.empty() && state.open.repairs.empty())
      return state.showing.asked.empty() ? bet_time_out(p, event.seat)
                                         : asked_time_out(p, event.seat);
    if (state.phase == Phase::show) return show_time_out(p, event.seat);
    if (state.phase == Phase::draw && state.showing.to_reveal.empty() && state.open.repairs.empty())
      return draw_time_out(p, event.seat);
    if (state.phase == Phase::blind) return blind_time_out(p, event.seat);
    if (state.phase == Phase::open && !state.over && state.player(event.seat) != nullptr) return {};
    return fail(Errc::not_due, "nobody waits for this seat");
  }
  Status operator()(const Misdeal& event) { return misdeal(p, event); }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last hand is announced already");
    begin_round(state);
    state.closing = true;
    return {};
  }
  Status operator()(const StopCard& /*event*/) { return not_due("a stop card"); }
  Status operator()(const DrawResult& /*event*/) { return not_due("a draw"); }
  Status operator()(const VoidDraw& /*event*/) { return not_due("a void draw"); }
  Status operator()(const MeterRead& /*event*/) { return not_due("a meter"); }
  Status operator()(const ConfirmHand& /*event*/) { return not_due("a confirmation"); }
  Status operator()(const Shuffled& event) {
    if (state.phase == Phase::draw && state.open.repairs.empty()) return draw_shuffled(p, event);
    return state.deck.to_mix != 0 ? mixed(p, event) : repair_shuffled(p, event);
  }

 private:
  [[nodiscard]] Status require_open() const {
    if (state.over) return fail(Errc::bets_closed, "the session is over");
    if (state.phase == Phase::open) return {};
    return fail(Errc::bets_closed,
                "chips are bought between hands (" + table.rules().rule(law.seats.cite) + ")");
  }
};

tl::unexpected<Error> bad(const std::string& why) {
  return fail(Errc::state_malformed, why);
}

/// Own cards that a player in the hand has now.
std::size_t cards_due(const Play& p, const Player& player) {
  std::size_t out = 0;
  if (p.state.phase == Phase::blind) return 0;
  for (std::uint32_t street = 0; street < p.state.street; ++street) {
    for (const auto token : p.law.streets.at(street).deal) {
      if (token == Token::own || token == Token::own_open) ++out;
    }
  }
  if (p.state.phase != Phase::deal) {
    if (p.state.deck.single) return out;
    for (const auto token : p.law.streets.at(p.state.street).deal) {
      if (token == Token::own || token == Token::own_open) ++out;
    }
    return out;
  }
  const auto all = street_cards(p);
  return out + static_cast<std::size_t>(std::count_if(
                   all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p.state.dealt),
                   [&](const Due& due) { return due.seat == player.seat; }));
}

std::size_t row_due(const Play& p, Token kind) {
  std::size_t out = 0;
  for (std::uint32_t street = 0; street < p.state.street; ++street) {
    const auto& deal = p.law.streets.at(street).deal;
    out += static_cast<std::size_t>(std::count(deal.begin(), deal.end(), kind));
  }
  const auto& deal = p.law.streets.at(p.state.street).deal;
  if (p.state.phase != Phase::deal && p.state.deck.single) return kind == Token::common ? 1 : 0;
  if (p.state.phase != Phase::deal)
    return out + static_cast<std::size_t>(std::count(deal.begin(), deal.end(), kind));
  const auto all = street_cards(p);
  return out + static_cast<std::size_t>(std::count_if(
                   all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p.state.dealt),
                   [&](const Due& due) { return due.token == kind; }));
}

Status check_money(const Play& p) {
  const auto& state = p.state;
  Int128 all = Int128{state.dead} + state.house;
  Units credit = 0;
  Units put = 0;
  for (const auto& one : state.players) {
    all += Int128{one.stack} + one.put + one.credit + one.waiting + one.paid;
    if (one.stack > units_max / 2 || one.put > units_max / 2 || all > units_max)
      return bad("too many chips");
    credit += one.credit + one.waiting;
    put += one.put;
    const auto bets = state.bets.all();
    const bool owns =
        std::any_of(bets.begin(), bets.end(), [&](const Bet& bet) { return bet.seat == one.seat; });
    const bool needs = one.stack > 0 || (one.in && state.phase != Phase::open);
    if (needs && !owns) return bad("chips that nobody bought");
    if (state.phase != Phase::open && one.street > state.betting.level)
      return bad("more than is to be matched");
  }
  if (credit > state.dead) return bad("antes that do not wait");
  if (state.phase == Phase::open) return {};
  if (state.fees.of_hand > put + state.dead || state.fees.seen > put + state.dead)
    return bad("a fee beyond the pot");
  if (p.law.fee.cap > 0 && state.fees.of_hand > p.law.fee.cap) return bad("a fee beyond its cap");
  return {};
}

/// Common cards that lie covered, and what is to be put right.
Status check_laid(const Play& p) {
  const auto& state = p.state;
  const auto place = [&](const std::string& text) {
    for (std::size_t i = state.open.common.size() + 1; i <= 9; ++i) {
      if (text == numbered("common", i)) return true;
    }
    return false;
  };
  if (!std::all_of(state.open.laid.begin(), state.open.laid.end(), place) ||
      std::adjacent_find(state.open.laid.begin(), state.open.laid.end(), std::greater_equal<>()) !=
          state.open.laid.end()) {
    return bad("covered common cards lie in order");
  }
  for (std::size_t i = 0; i < state.open.repairs.size(); ++i) {
    const auto& step = state.open.repairs.at(i);
    const bool mixes = step == "mix" || step == "burn-1";
    if (mixes && p.law.exchange.most == 0)
      return bad("the deck is mixed where cards are exchanged");
    const bool word = mixes || step == "void" || step == "turn" || step == "shuffle";
    if (!word && !place(step)) return bad("no step of a repair");
    if (step == "shuffle" && i == 0 && state.open.voided.empty()) return bad("no card to be mixed");
  }
  return {};
}

bool is_listed(const State& state, const std::string& place) {
  return std::find(state.showing.to_reveal.begin(), state.showing.to_reveal.end(), place) !=
         state.showing.to_reveal.end();
}

/// Who was passed over with the last card has the first dead one to come, or has got it.
Status check_passed(const Play& p) {
  const auto& state = p.state;
  const bool given = state.deck.mixed == first_alone;
  const bool goes_back = state.deck.to_mix == first_alone;
  if (state.deck.passed == 0)
    return given || goes_back || state.deck.aside != 0 ? Status(bad("nobody was passed over"))
                                                       : Status();
  const auto* player = state.player(state.deck.passed);
  const bool deals = state.phase == Phase::deal;
  const bool last = state.street + 1 == p.law.streets.size() && p.law.dead_cards() > 0;
  const bool others = state.deck.single || (state.deck.mixed != 0 && !given) ||
                      (state.deck.to_mix != 0 && !goes_back);
  if (!last || others || player == nullptr || !player->in ||
      state.deck.aside > p.law.shoe.cards_count || (deals && !player->live()) ||
      (!deals && !given)) {
    return bad("that seat was not passed over");
  }
  return {};
}

/// What is said of dead cards, exposed first cards and a last card dealt open.
Status check_last_card(const Play& p) {
  const auto& state = p.state;
  const bool last = state.street + 1 == p.law.streets.size();
  const bool dead = p.law.dead_cards() > 0;
  if ((state.deck.to_mix != 0 || state.deck.mixed != 0 || state.deck.single) && (!last || !dead))
    return bad("dead cards do for the last card");
  const bool before = state.deck.passed == 0 ? state.dealt == 0 : state.dealt == street_count(p);
  if (state.deck.to_mix != 0 && (!before || state.deck.mixed != 0))
    return bad("cards go back once, before the deal");
  TALLA_TRY_STATUS(check_passed(p));
  if (!dead && (state.early.due || state.early.laid != 0 || state.early.before != 0))
    return bad("no cards are laid aside");
  if (state.early.before > state.early.laid ||
      state.early.laid >= p.table.rules().shoe->cards_count)
    return bad("cards are laid aside that were not dealt");
  if (!last && !state.showing.asked.empty()) return bad("somebody is asked before the last card");
  for (const auto& one : state.players) {
    if (one.stands && !last) return bad("somebody takes no part before the last interval");
    const auto& deal = p.law.streets.front().deal;
    const bool third = deal.size() > 2 && deal.at(2) == Token::own_open;
    if (one.exposed > 0 && (one.cards.size() < one.exposed || !third))
      return bad("no such card was exposed");
  }
  return {};
}

/// What each player has exchanged.
Status check_exchange_in_phase(const Play& p, const Player& one, bool before) {
  const auto& state = p.state;
  if (before && one.said) return bad("an exchange that is still to come");
  if (one.discards.size() > static_cast<std::size_t>(p.law.exchange.most))
    return bad("too many discards");
  if (one.false_opening && one.seat != state.betting.opened)
    return bad("a false opening of another");
  const bool done = !before && state.phase != Phase::draw && one.live();
  const bool alone = state.live_count() == 1;
  if (done && !alone && (!one.said || one.drawn.size() != one.discards.size()))
    return bad("a player waits for cards");
  const bool kept = !p.law.opening.pairs.empty() && one.seat == state.betting.opened && one.live();
  const bool gone = std::find(one.cards.begin(), one.cards.end(), gone_card) != one.cards.end();
  return gone && (before || kept) ? Status(bad("a card is gone that was not mixed in")) : Status();
}

/// Who has opened, blinds before the deal, and the cards that were exchanged.
Status check_exchanges(const Play& p) {
  const auto& state = p.state;
  const auto plays = [&](Seat seat) {
    return state.player(seat) != nullptr && state.player(seat)->in;
  };
  if (state.betting.opened != 0 && (p.law.opening.pairs.empty() || !plays(state.betting.opened)))
    return bad("nobody has opened there");
  if (!p.law.forced.chain && (state.betting.last_blind != 0 || state.phase == Phase::blind))
    return bad("a blind too many");
  if (state.phase == Phase::blind && state.street != 0)
    return bad("blinds are put in before the deal");
  if (state.betting.last_blind != 0 && !plays(state.betting.last_blind))
    return bad("nobody has put in that blind");
  bool before = true;  // the exchange is still to come
  for (std::size_t street = 0; street <= state.street; ++street) {
    before = before && !is_draw(p.law, street);
  }
  const bool draws = is_draw(p.law, state.street);
  if ((state.phase == Phase::draw && !draws) || (state.phase == Phase::deal && draws))
    return bad("a street of exchange has no deal of its own");
  for (const auto& one : state.players) TALLA_TRY_STATUS(check_exchange_in_phase(p, one, before));
  if (state.phase == Phase::draw && !can_serve(p))
    return bad("more cards are asked for than there are");
  return {};
}

/// The cards of a hand that is played.
Status check_cards(const Play& p) {
  const auto& state = p.state;
  if (state.street >= p.law.streets.size()) return bad("no such street");
  for (const auto& stray : state.strays) {
    const auto* there = state.player(stray.seat);
    if (stray.seat == 0 || stray.seat > p.table.rules().seats_max ||
        (there != nullptr && there->in))
      return bad("a seat where somebody plays");
  }
  if (state.phase == Phase::deal && state.deck.to_mix != first_alone &&
      state.dealt >= street_count(p))
    return bad("all cards are dealt");
  for (const auto& one : state.players) {
    if (one.live() && one.cards.size() != cards_due(p, one))
      return bad("a player has another number of cards");
    std::size_t index = 0;
    bool first = true;
    for (const auto& street : p.law.streets) {
      for (const auto token : street.deal) {
        if (token != Token::own && token != Token::own_open) continue;
        // With an exposed first card that one lies open instead.
        const std::size_t lies =
            one.exposed != 0 && token == Token::own_open && first ? one.exposed - 1 : index;
        if (token == Token::own_open) first = false;
        if (token == Token::own_open && index < one.cards.size() &&
            one.cards.at(lies) == covered_card && !is_listed(state, own_place(one.seat, lies + 1)))
          return bad("an open card lies covered");
        ++index;
      }
    }
  }
  if (state.open.common.size() != row_due(p, Token::common) ||
      state.open.second.size() != row_due(p, Token::second))
    return bad("another number of common cards");
  for (const auto& place : state.showing.to_reveal) {
    const auto where = own_place_of(place);
    const auto* one = state.player(where.seat);
    if (one == nullptr || !one->live() || where.card == 0 || where.card > one->cards.size() ||
        one->cards.at(where.card - 1) != covered_card) {
      return bad("no covered card lies there");
    }
  }
  TALLA_TRY_STATUS(check_last_card(p));
  TALLA_TRY_STATUS(check_laid(p));
  TALLA_TRY_STATUS(check_exchanges(p));
  if (state.phase != Phase::show) return {};
  if (state.street + 1 != p.law.streets.size() && state.live_count() > 1)
    return bad("hands are shown at the end");
  for (const auto& one : state.players) {
    const bool covered = !covered_place(p, one).empty();
    const bool waits = std::find(state.showing.queue.begin(), state.showing.queue.end(),
                                 one.seat) != state.showing.queue.end();
    if (one.live() && covered && !waits) return bad("who plays shows");
    if (!covered && waits && (!p.law.showdown.may_renounce || one.shows) &&
        state.showing.queue.front() == one.seat && state.showing.to_reveal.empty()) {
      return bad("who has shown waits no more");
    }
  }
  return {};
}

/// For whoever only reads.
Play reading(const Table& table, const State& state) {
  return {table, law_of(table), const_cast<State&>(state)};  // NOLINT: a const Play changes nothing
}

class CircleEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "circle-poker"; }
  [[nodiscard]] bool holds_hands() const override { return true; }
  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    return circle::check_rules(rules);
  }
  [[nodiscard]] bool knows_window(std::string_view window) const override {
    return window_from(window).has_value();
  }
  [[nodiscard]] bool takes_error_amounts() const override { return true; }
  /// The deck that the table has chosen.
  [[nodiscard]] std::optional<ShoeNeed> shoe(const Table& table) const override {
    const auto& law = table.prepared<PreparedLaw>().law;
    return law ? law->shoe : table.rules().shoe;
  }
  [[nodiscard]] std::shared_ptr<const Prepared> prepare(const Table& table) const override {
    const TableView view{&table.params(), table.min(), table.currency().chip};
    auto out = std::make_shared<PreparedLaw>();
    out->law = read_law(table.rules(), &view);
    return out;
  }

 protected:
  [[nodiscard]] Result<State> start(const Table& table) const override {
    const auto& law = table.prepared<PreparedLaw>().law;
    if (!law) return fail(Errc::parameter_not_allowed, law.error().detail);
    if (table.config().max) {
      return fail(Errc::table_invalid,
                  "restos have their own bounds and bets the limits of the pot: no maximum");
    }
    return State();
  }
  [[nodiscard]] Result<State> continue_from(const Table& table,
                                            const json::Value& carried) const override {
    TALLA_TRY(auto state, state_from_carried(carried));
    TALLA_TRY_STATUS(check_state(table, state));
    return state;
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    if (!table.prepared<PreparedLaw>().law) return bad("the table does not open");
    TALLA_TRY_STATUS(state.bets.check(table));
    const Play p = reading(table, state);
    for (const auto& one : state.players) {
      if (one.seat > table.rules().seats_max) return bad("no such seat");
      if (one.cards.size() > p.law.own_cards()) return bad("too many cards");
    }
    TALLA_TRY_STATUS(check_money(p));
    return state.phase == Phase::open ? Status() : check_cards(p);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    return std::visit(Handler{table, law_of(table), state}, event);
  }
  [[nodiscard]] bool complete(const Table& /*table*/, const State& state) const override {
    return show_complete(state);
  }
  void conclude(const Table& table, State& state) const override {
    Play p{table, law_of(table), state};
    divide(p, true);
  }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    if (state.over) return {Settled{}};
    const Play p = reading(table, state);
    Needs out;
    if (!state.open.repairs.empty()) return {repair_need(p)};
    if (state.deck.to_mix != 0) return {mix_need(p)};
    const bool turns = state.phase == Phase::deal && state.showing.to_reveal.empty();
    if (const auto due = turns ? turn_due(p) : reveal_due(p); !due.empty()) {
      out.emplace_back(Reveal{due});
      return out;
    }
    switch (state.phase) {
      case Phase::open:
        if (!state.shoe) out.emplace_back(p.law.shoe);
        if (state.round_over) out.emplace_back(Settled{});
        out.emplace_back(BetsOpen{state.shoe && enough_players(p)});
        add_seat_choices(p, out);
        break;
      case Phase::deal: {
        const auto all = street_cards(p, state.dealt);
        Deal deal;
        for (std::size_t i = state.dealt; i < all.size() && !all.at(i).turn; ++i)
          deal.cards.push_back(all.at(i).place);
        out.emplace_back(std::move(deal));
        break;
      }
      case Phase::bet:
        if (state.showing.asked.empty()) add_bet_choices(p, out);
        add_asked_choices(p, out);
        break;
      case Phase::show:
        add_show_choices(p, out);
        break;
      case Phase::draw:
        add_draw_needs(p, out);
        break;
      case Phase::blind:
        add_blind_choices(p, out);
        break;
    }
    return out;
  }
  [[nodiscard]] Forced forced_of(const Table& table, const State& state) const override {
    const bool deals = state.phase == Phase::deal && !state.over && state.open.repairs.empty() &&
                       state.deck.to_mix == 0 && state.showing.to_reveal.empty();
    const Play p = reading(table, state);
    if (!deals || !turn_due(p).empty()) return forced_in(needs_of(table, state));
    Forced out;
    out.kind = Forced::Kind::card;
    out.card = std::move(street_cards(p, state.dealt, state.dealt + 1).at(state.dealt).place);
    return out;
  }
  [[nodiscard]] std::vector<Meter> meters_of(const Table& /*table*/,
                                             const State& state) const override {
    return {{"beneficio", state.house, state.fees.since, 0}};
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return carried_json(state);
  }
  /// No covered card is in the state, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& /*table*/, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    if (state.phase != Phase::open) out["pot"] = state.pot();
    return out;
  }
};

}  // namespace
}  // namespace circle

const Engine& circle_engine() {
  static const circle::CircleEngine engine;
  return engine;
}

}  // namespace talla::games
