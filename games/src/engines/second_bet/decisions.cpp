#include "engines/second_bet/decisions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.hpp"
#include "engines/second_bet/round.hpp"
#include "engines/second_bet/settle.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

constexpr std::string_view go = "voy";
constexpr std::string_view pass_word = "paso";
constexpr std::string_view buy = "comprar";
constexpr std::string_view change = "descartar";
constexpr std::string_view stand = "servido";

tl::unexpected<Error> refuse(const std::string& why) {
  return fail(Errc::action_refused, why);
}

/// Living main stakes of the seat on the box; seat 0: of everybody.
std::vector<std::string> main_bets(const Law& law, const State& state, Box box, Seat seat) {
  std::vector<std::string> out;
  for (const auto& bet : state.bets.all()) {
    const bool on_hand = bet.kind == law.main_bet() && bet.box == box && !state.is_lost(bet.id);
    if (on_hand && (seat == 0 || bet.seat == seat)) out.push_back(bet.id);
  }
  return out;
}

Units sum_of(const State& state, const std::vector<std::string>& bets) {
  Units out = 0;
  for (const auto& id : bets) out += state.bets.find(std::string_view(id))->stake;
  return out;
}

/// A stake that a decision makes out of another one.
Status place_derived(const Law& law, State& state, const std::string& from, const std::string& kind,
                     Units stake) {
  const Bet bet = *state.bets.find(std::string_view(from));
  return state.bets.place(law.table(), {derived_id(from, kind), bet.seat, bet.box, kind, {}, stake},
                          {.check_minimum = false, .check_limits = false, .check_chip = false});
}

Status go_with(const Law& law, State& state, const std::vector<std::string>& bets) {
  for (const auto& id : bets) {
    const Units stake = state.bets.find(std::string_view(id))->stake;
    TALLA_TRY_STATUS(place_derived(law, state, id, law.second_bet(), law.second_of(stake)));
  }
  return {};
}

/// The seat's stakes on the box are lost, its side bets as the table says; seat 0: everybody's.
void lose_by_pass(const Law& law, State& state, Box box, Seat seat) {
  std::vector<Lost> gone;
  for (const auto& bet : state.bets.all()) {
    if (bet.box != box || (seat != 0 && bet.seat != seat) || state.is_lost(bet.id)) continue;
    const bool lost = bet.kind == law.main_bet() ||
                      (law.is_side(bet.kind) && law.side(bet.kind, "fold").string() == "lost");
    if (lost) gone.push_back({bet.id, "pass"});
  }
  for (auto& one : gone) state.lost.push_back(std::move(one));
}

Status check_amount(const Act& event, Units due, std::string_view what) {
  if (!event.amount || *event.amount == due) return {};
  return refuse(std::string(what) + " is exactly " + std::to_string(due));
}

Status no_cards(const Act& event) {
  if (event.cards.empty()) return {};
  const bool about_cards = event.action == change || event.action == buy;
  return refuse(event.action + (about_cards ? " is not open now" : " names no cards"));
}

/// Numbers of the named cards, ascending: places of cards that were dealt to the hand, each once.
Result<std::vector<std::size_t>> named_cards(const Law& law, const Hand& hand, const Act& event,
                                             std::size_t most) {
  std::set<std::size_t> out;
  for (const auto& place : event.cards) {
    const auto named = house::named_place(place);
    if (!named || named->box != hand.box || named->card > law.cards())
      return refuse("no card of the hand lies at " + place.substr(0, 40));
    out.insert(named->card);
  }
  if (out.empty() || out.size() != event.cards.size() || out.size() > most) {
    return refuse(event.action + " names 1 to " + std::to_string(most) +
                  " cards of the hand, each once");
  }
  return std::vector<std::size_t>(out.begin(), out.end());
}

bool may_buy(const Law& law, const Hand& hand) {
  return law.sells_cards() && hand.seat == hand.box && hand.discards.empty();
}

bool may_pass(const Law& law, const Hand& hand) {
  return hand.seat == hand.box || law.flag("second", "blind_pass");
}

Status buy_card(const Law& law, State& state, Hand& hand, const Act& event) {
  if (!may_buy(law, hand))
    return refuse("this hand may not buy a card" +
                  law.cited(law.has("purchase") ? "purchase" : "second"));
  const auto own = main_bets(law, state, hand.box, hand.seat);
  const Units price = sum_of(state, own);
  TALLA_TRY_STATUS(check_amount(event, price, "the price of a card"));
  TALLA_TRY(hand.discards, named_cards(law, hand, event, 1));
  TALLA_TRY_STATUS(place_derived(law, state, own.front(), std::string(law.purchase_bet()), price));
  if (law.is("purchase", "side_bets", "kept")) return {};
  for (const auto& bet : state.bets.all()) {
    const bool own_side = bet.box == hand.box && bet.seat == hand.seat && law.is_side(bet.kind);
    if (own_side && !state.is_lost(bet.id)) state.lost.push_back({bet.id, "purchase"});
  }
  return {};
}

/// The holder of the hand in turn.
Status play_hand(const Law& law, State& state, Hand& hand, const Act& event) {
  if (event.seat != hand.seat) {
    return refuse("the hand of box " + std::to_string(hand.box) + " is in turn, seat " +
                  std::to_string(hand.seat) + " decides" + law.cited("second"));
  }
  const auto own = main_bets(law, state, hand.box, hand.seat);
  if (event.bet && std::find(own.begin(), own.end(), *event.bet) == own.end())
    return refuse("bet " + event.bet->substr(0, 40) + " is not the holder's on the hand in turn");
  if (event.action == buy) return buy_card(law, state, hand, event);
  TALLA_TRY_STATUS(no_cards(event));
  if (event.action == go) {
    TALLA_TRY_STATUS(check_amount(event, law.second_of(sum_of(state, own)), "the second bet"));
    const bool all = law.is("second", "backers", "forced");
    TALLA_TRY_STATUS(go_with(law, state, all ? main_bets(law, state, hand.box, 0) : own));
    hand.word = Word::went;
    return {};
  }
  if (event.action != pass_word) return refuse(event.action + " is not open now");
  if (event.amount) return refuse("a pass has no amount");
  if (!may_pass(law, hand)) return refuse("who plays blind goes" + law.cited("second"));
  hand.word = Word::passed;
  lose_by_pass(law, state, hand.box, 0);
  return {};
}

/// Others with stakes on the hand that goes.
Status answer(const Law& law, State& state, const Act& event) {
  std::vector<std::string> mine;
  Box box = 0;
  for (const auto* bet : waiting(law, state)) {
    if (bet->seat != event.seat || (event.bet && *event.bet != bet->id)) continue;
    mine.push_back(bet->id);
    box = *bet->box;
  }
  if (mine.empty())
    return refuse("first the other stakes on the hand go along or pass" + law.cited("second"));
  TALLA_TRY_STATUS(no_cards(event));
  if (event.action == go) {
    TALLA_TRY_STATUS(check_amount(event, law.second_of(sum_of(state, mine)), "the second bet"));
    return go_with(law, state, mine);
  }
  if (event.action != pass_word || event.amount)
    return refuse("the stake goes along (voy) or passes (paso)");
  for (const auto& id : mine) state.lost.push_back({id, "pass"});
  if (main_bets(law, state, box, event.seat).empty()) lose_by_pass(law, state, box, event.seat);
  return {};
}

Status change_cards(const Law& law, Hand& hand, const Act& event) {
  if (event.seat != hand.seat) {
    return refuse("the hand of box " + std::to_string(hand.box) + " is in turn, seat " +
                  std::to_string(hand.seat) + " decides" + law.cited("draw"));
  }
  if (event.amount || event.bet) return refuse(event.action + " has no amount and names no bet");
  if (event.action == stand) {
    TALLA_TRY_STATUS(no_cards(event));
  } else if (event.action == change) {
    TALLA_TRY(
        hand.discards,
        named_cards(law, hand, event, static_cast<std::size_t>(law.number("draw", "cards_max"))));
  } else {
    return refuse(event.action + " is not open now");
  }
  hand.stood = true;
  return {};
}

std::vector<std::string> places_of(const Law& law, const Hand& hand) {
  std::vector<std::string> out;
  for (std::size_t card = 1; card <= law.cards(); ++card)
    out.push_back(house::hand_place(hand.box, card));
  return out;
}

ActionChoice plain(std::string_view action, const std::string& bet) {
  return {std::string(action), bet, 0, 0, 0};
}

void add_turn(const Law& law, const State& state, std::vector<Decide>& out) {
  const auto index = turn(state);
  if (index == state.hands.size()) return;
  const auto& hand = state.hands.at(index);
  const auto bet = main_bets(law, state, hand.box, hand.seat).front();
  Decide decide{hand.seat, {plain(go, bet)}, true};
  if (may_pass(law, hand)) decide.choices.push_back(plain(pass_word, bet));
  if (may_buy(law, hand)) {
    auto choice = plain(buy, bet);
    choice.places = places_of(law, hand);
    choice.cards_min = choice.cards_max = 1;
    decide.choices.push_back(std::move(choice));
  }
  out.push_back(std::move(decide));
}

void add_changes(const Law& law, const State& state, std::vector<Decide>& out) {
  const auto index = changing_turn(law, state);
  if (index == state.hands.size()) return;
  const auto& hand = state.hands.at(index);
  ActionChoice choice = plain(change, "");
  choice.places = places_of(law, hand);
  choice.cards_min = 1;
  choice.cards_max = static_cast<std::uint32_t>(law.number("draw", "cards_max"));
  out.push_back({hand.seat, {plain(stand, ""), std::move(choice)}, true});
}

bool has_action(const Law& law, std::string_view action) {
  const auto& all = law.rules().actions;
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.id == action; });
}

/// The player who broke the rule loses what he has on the hand; what others have there comes back.
void forfeit(const Law& law, State& state, Hand& hand, const ErrorRule& rule) {
  const auto all = state.bets.all();
  const std::vector<Bet> bets(all.begin(), all.end());
  for (const auto& bet : bets) {
    if (bet.box != hand.box || state.is_lost(bet.id)) continue;
    if (bet.seat == hand.seat) {
      state.lost.push_back({bet.id, rule.code});
      continue;
    }
    state.settled.push_back(
        settle_returned(law.table(), bet, BetResult::void_, Fraction(bet.stake), rule.cite));
    state.bets.remove(bet.id);
  }
  hand.word = Word::passed;
}

}  // namespace

std::vector<Decide> choices(const Law& law, const State& state) {
  std::vector<Decide> out;
  if (state.phase == Phase::changing) add_changes(law, state, out);
  if (state.phase != Phase::playing || !due_cards(law, state, 1).empty()) return out;
  std::map<Seat, Decide> others;
  for (const auto* bet : waiting(law, state)) {
    auto& decide = others.try_emplace(bet->seat, Decide{bet->seat, {}, true}).first->second;
    decide.choices.push_back(plain(go, bet->id));
    decide.choices.push_back(plain(pass_word, bet->id));
  }
  for (auto& [seat, decide] : others) out.push_back(std::move(decide));
  if (out.empty()) add_turn(law, state, out);
  return out;
}

Status act(const Law& law, State& state, const Act& event) {
  if (!has_action(law, event.action)) {
    return fail(Errc::action_unknown,
                law.rules().id + " has no action " + event.action.substr(0, 40));
  }
  if (event.to) return refuse(event.action + " names no receiver");
  if (state.phase == Phase::changing) {
    TALLA_TRY_STATUS(change_cards(law, state.hands.at(changing_turn(law, state)), event));
  } else if (state.phase == Phase::playing && due_cards(law, state).empty()) {
    TALLA_TRY_STATUS(waiting(law, state).empty()
                         ? play_hand(law, state, state.hands.at(turn(state)), event)
                         : answer(law, state, event));
  } else {
    return refuse("nobody decides now");
  }
  advance(law, state);
  return {};
}

Status time_out(const Law& law, State& state, Seat seat) {
  const auto open = choices(law, state);
  const bool asked =
      std::any_of(open.begin(), open.end(), [&](const Decide& one) { return one.seat == seat; });
  if (!asked) return fail(Errc::not_due, "nothing is asked of seat " + std::to_string(seat));
  if (state.phase == Phase::changing) {
    state.hands.at(changing_turn(law, state)).stood = true;
  } else if (waiting(law, state).empty()) {
    auto& hand = state.hands.at(turn(state));
    hand.word = Word::passed;
    lose_by_pass(law, state, hand.box, 0);
  } else {
    TALLA_TRY_STATUS(answer(law, state, {seat, std::string(pass_word), {}, {}, {}, {}}));
  }
  advance(law, state);
  return {};
}

Status misdeal(const Law& law, State& state, const Misdeal& event) {
  const auto* rule = law.rules().error(event.code);
  if (rule == nullptr)
    return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
  if (!state.in_round() || state.concluded)
    return fail(Errc::not_due, "an error is not due now: no cards are dealt");
  if (rule->effect == "void-hand") {
    void_round(law, state, rule->cite);
    return {};
  }
  const auto named = house::named_place(event.place.value_or(""));
  const auto found = std::find_if(state.hands.begin(), state.hands.end(), [&](const Hand& hand) {
    return named && named->box == hand.box && named->card <= hand.cards.size();
  });
  if (found == state.hands.end()) {
    return fail(Errc::place_unknown, event.code + ": name the place of a card of the hand" + " (" +
                                         law.rules().rule(rule->cite) + ")");
  }
  const bool open_to_him = found->seat == found->box && found->seat != 0;
  const bool time = state.phase == Phase::playing || state.phase == Phase::changing;
  if (!open_to_him || !time || found->word == Word::passed || !due_cards(law, state).empty())
    return fail(Errc::not_due, "nobody holds those cards now");
  forfeit(law, state, *found, *rule);
  advance(law, state);
  return {};
}

}  // namespace talla::games::second_bet
