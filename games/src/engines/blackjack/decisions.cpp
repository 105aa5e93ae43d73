#include "engines/blackjack/decisions.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/options.hpp"
#include "engines/blackjack/round.hpp"

namespace talla::games::blackjack {
namespace {

tl::unexpected<Error> refuse_decision(const std::string& why) {
  return fail(Errc::action_refused, why);
}

std::string cited_option(const Law& law, std::string_view block) {
  return law.has(block) ? law.cited(block) : std::string(": the game has no such option");
}

const Bet& bet_of(const State& state, std::string_view id) {
  const auto* bet = state.bets.find(id);
  TALLA_CHECK(bet != nullptr);
  return *bet;
}

/// A stake of that seat on the hand; "" when it has none.
std::string own_bet(const State& state, const Hand& hand, Seat seat) {
  const auto found = std::find_if(hand.bets.begin(), hand.bets.end(), [&](const std::string& id) {
    return bet_of(state, id).seat == seat;
  });
  return found == hand.bets.end() ? std::string() : *found;
}

bool may_split(const Law& law, const State& state, const Hand& hand) {
  return can_split(law, hand, state.hands_of(hand.box));
}

/// The stake of a split hand: `b1` and `b1.2` give `b1.3` to the third hand of the box.
Status place_split_stake(const Law& law, State& state, const Bet& bet, std::size_t number,
                         Hand& to) {
  const std::string id = std::string(origin_of(bet.id)) + "." + std::to_string(number);
  const PlaceBet placed{id, bet.seat, bet.box, bet.kind, bet.on, bet.stake};
  TALLA_TRY_STATUS(
      state.bets.place(law.table(), placed, {.check_minimum = false, .check_limits = false}));
  to.bets.push_back(id);
  return {};
}

Status split_hand(const Law& law, State& state, std::size_t turn,
                  const std::vector<std::string>& taking) {
  const auto number = state.hands_of(state.hands.at(turn).box) + 1;
  Hand left;
  {
    auto& right = state.hands.at(turn);
    left.box = right.box;
    left.seat = right.seat;
    left.cards = {right.cards.back()};
    right.cards.pop_back();
    left.split = right.split = true;
  }
  for (const auto& id : taking) {
    const Bet bet = bet_of(state, id);
    TALLA_TRY_STATUS(place_split_stake(law, state, bet, number, left));
  }
  if (law.has("combinations") && law.is("combinations", "after_split", "ends")) {
    for (auto& first : state.firsts) {
      if (first.box == left.box) first.closed = true;
    }
  }
  state.hands.insert(state.hands.begin() + static_cast<std::ptrdiff_t>(turn) + 1, std::move(left));
  return {};
}

Status double_hand(const Law& law, State& state, std::size_t turn,
                   const std::vector<std::string>& taking) {
  state.hands.at(turn).doubled = true;
  state.asked = true;
  for (const auto& id : taking) {
    auto* bet = state.bets.find(std::string_view(id));
    TALLA_CHECK(bet != nullptr);
    const auto most =
        Fraction(units_max) / (Fraction(1) + law.bet(bet->kind).payout("blackjack")->pays);
    if (Fraction(bet->stake) * Fraction(2) > most) {
      return fail(Errc::amount_invalid, bet->id + ": the stake is beyond what can be paid");
    }
    bet->stake *= 2;
  }
  return {};
}

/// The stakes that were asked have answered.
Status go_along(const Law& law, State& state) {
  if (!state.follow || !state.follow->waiting.empty()) return {};
  const Follow follow = *std::exchange(state.follow, std::nullopt);
  const auto turn = state.turn();
  return follow.action == "double" ? double_hand(law, state, turn, follow.taking)
                                   : split_hand(law, state, turn, follow.taking);
}

/// The holder doubles or splits: his stakes go along, those of others if they say so (or always).
Status start_follow(const Law& law, State& state, const Hand& hand, const std::string& action) {
  Follow follow{action, {}, {}};
  const bool forced = law.is("backers", "follow", "forced");
  for (const auto& id : hand.bets) {
    (forced || bet_of(state, id).seat == hand.seat ? follow.taking : follow.waiting).push_back(id);
  }
  state.third_card = true;
  state.follow = std::move(follow);
  return go_along(law, state);
}

Status check_amount(const State& state, const Hand& hand, const Act& event) {
  if (!event.amount) return {};
  Units own = 0;
  for (const auto& id : hand.bets) {
    if (bet_of(state, id).seat == hand.seat) own += bet_of(state, id).stake;
  }
  if (*event.amount == own) return {};
  return refuse_decision(event.action +
                         " takes a second stake equal to the first: " + std::to_string(own));
}

Status play_hand(const Law& law, State& state, const Act& event) {
  const auto turn = state.turn();
  auto& hand = state.hands.at(turn);
  if (event.seat != hand.seat) {
    return refuse_decision("the hand of box " + std::to_string(hand.box) + " is in turn, seat " +
                           std::to_string(hand.seat) + " decides" + cited_option(law, "boxes"));
  }
  if (event.bet && std::find(hand.bets.begin(), hand.bets.end(), *event.bet) == hand.bets.end()) {
    return refuse_decision("bet " + event.bet->substr(0, 40) + " is not on the hand in turn (box " +
                           std::to_string(hand.box) + ")");
  }
  const auto& action = event.action;
  if (action == "stand" || action == "hit") {
    if (event.amount) return refuse_decision(action + " has no amount");
    if (action == "hit" && !can_hit(law, hand))
      return refuse_decision("this hand takes no card" + cited_option(law, "draw"));
    (action == "hit" ? state.asked : hand.done) = true;
    state.third_card = state.third_card || action == "hit";
    return {};
  }
  if (action == "double" && !can_double(law, hand))
    return refuse_decision("this hand may not be doubled" + cited_option(law, "double"));
  if (action == "split" && !may_split(law, state, hand))
    return refuse_decision("this hand may not be split" + cited_option(law, "split"));
  if (action != "double" && action != "split") return refuse_decision(action + " is not open now");
  TALLA_TRY_STATUS(check_amount(state, hand, event));
  return start_follow(law, state, hand, action);
}

/// One stake, or all of the seat, goes along or stays as it is.
Status answer(const Law& law, State& state, const Act& event) {
  if (event.action != "follow" && event.action != "stay") {
    return refuse_decision("first the other stakes on the hand go along or stay" +
                           cited_option(law, "backers"));
  }
  if (event.amount)
    return refuse_decision(event.action + " has no amount: an equal stake goes along");
  auto& follow = *state.follow;
  std::vector<std::string> mine;
  for (const auto& id : follow.waiting) {
    if (bet_of(state, id).seat == event.seat && (!event.bet || *event.bet == id))
      mine.push_back(id);
  }
  if (mine.empty())
    return refuse_decision("seat " + std::to_string(event.seat) + " is not asked" +
                           cited_option(law, "backers"));
  for (const auto& id : mine) {
    std::erase(follow.waiting, id);
    if (event.action == "follow") follow.taking.push_back(id);
  }
  return go_along(law, state);
}

bool has_action(const Law& law, std::string_view action) {
  const auto& all = law.rules().actions;
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.id == action; });
}

void add_follow(const State& state, std::map<Seat, Decide>& out) {
  for (const auto& id : state.follow->waiting) {
    const Seat seat = bet_of(state, id).seat;
    auto& decide = out.try_emplace(seat, Decide{seat, {}, true}).first->second;
    decide.choices.push_back({"follow", id, 0, 0, 0});
    decide.choices.push_back({"stay", id, 0, 0, 0});
  }
}

void add_turn(const Law& law, const State& state, std::map<Seat, Decide>& out) {
  const auto turn = state.turn();
  if (turn == state.hands.size()) return;
  const auto& hand = state.hands.at(turn);
  const auto bet = own_bet(state, hand, hand.seat);
  auto& decide = out.try_emplace(hand.seat, Decide{hand.seat, {}, true}).first->second;
  if (can_hit(law, hand)) decide.choices.push_back({"hit", bet, 0, 0, 0});
  decide.choices.push_back({"stand", bet, 0, 0, 0});
  if (can_double(law, hand)) decide.choices.push_back({"double", bet, 0, 0, 0});
  if (may_split(law, state, hand)) decide.choices.push_back({"split", bet, 0, 0, 0});
}

}  // namespace

bool waits_for_player(const Law& law, const State& state, std::size_t index) {
  const auto& hand = state.hands.at(index);
  if (hand.bets.empty()) return false;
  if (can_hit(law, hand) || can_double(law, hand) || may_split(law, state, hand)) return true;
  // A hand that is complete waits while its holder may still insure it or be paid at par.
  return std::any_of(hand.bets.begin(), hand.bets.end(), [&](const std::string& id) {
    const auto& bet = bet_of(state, id);
    if (bet.seat != hand.seat) return false;
    return can_insure(law, state, hand, bet) || can_take_even_money(law, state, hand, bet);
  });
}

std::vector<Decide> choices(const Law& law, const State& state) {
  std::vector<Decide> out;
  if (state.phase != Phase::playing || owed_hand(law, state) < state.hands.size()) return out;
  std::map<Seat, Decide> by_seat;
  if (state.follow) {
    add_follow(state, by_seat);
  } else {
    add_turn(law, state, by_seat);
    add_options(law, state, by_seat);
  }
  for (auto& [seat, decide] : by_seat) out.push_back(std::move(decide));
  return out;
}

Status act(const Law& law, State& state, const Act& event) {
  if (!has_action(law, event.action)) {
    return fail(Errc::action_unknown,
                law.rules().id + " has no action " + event.action.substr(0, 40));
  }
  if (state.phase != Phase::playing) return refuse_decision("no hand is being played");
  if (!event.cards.empty() || event.to)
    return refuse_decision(event.action + " names no cards and no receiver");
  if (owed_hand(law, state) < state.hands.size()) return refuse_decision("a card is due first");
  if (state.follow) {
    TALLA_TRY_STATUS(answer(law, state, event));
  } else if (is_option(event.action)) {
    TALLA_TRY_STATUS(take_option(law, state, event));
  } else {
    TALLA_TRY_STATUS(play_hand(law, state, event));
  }
  advance(law, state);
  return {};
}

Status time_out(const Law& law, State& state, Seat seat) {
  if (state.phase == Phase::playing && owed_hand(law, state) == state.hands.size()) {
    const auto turn = state.turn();
    if (state.follow) {
      const auto before = state.follow->waiting.size();
      std::erase_if(state.follow->waiting,
                    [&](const std::string& id) { return bet_of(state, id).seat == seat; });
      if (before != state.follow->waiting.size()) {
        TALLA_TRY_STATUS(go_along(law, state));
        advance(law, state);
        return {};
      }
    } else if (turn < state.hands.size() && state.hands.at(turn).seat == seat) {
      state.hands.at(turn).done = true;
      advance(law, state);
      return {};
    }
    const auto open = choices(law, state);
    // Open options lapse by themselves with the third card.
    if (std::any_of(open.begin(), open.end(), [&](const Decide& one) { return one.seat == seat; }))
      return {};
  }
  return fail(Errc::not_due, "nothing is asked of seat " + std::to_string(seat));
}

}  // namespace talla::games::blackjack
