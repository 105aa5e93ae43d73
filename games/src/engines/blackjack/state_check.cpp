#include "engines/blackjack/state_check.hpp"

#include <algorithm>
#include <set>

#include "engines/blackjack/boxes.hpp"
#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/decisions.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/options.hpp"
#include "engines/blackjack/round.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::blackjack {
namespace {

Status check_betting(const Law& law, const State& state) {
  if (!state.hands.empty() || !state.dealer.empty()) return bad_state("cards without a round");
  if (!state.bets.empty() && !state.shoe_live()) return bad_state("stakes without a shoe");
  for (const auto& bet : state.bets.all()) {
    if (!bet.box || *bet.box > law.boxes()) return bad_state("a stake on no box of the table");
    if (form_of(law, bet) == "insurance" || is_derived_id(bet.id, law.insurance_bet())) {
      return bad_state("a stake that comes only while hands are played");
    }
  }
  return {};
}

Status check_between(const Law& law, const State& state) {
  if (state.stage != 0 || state.asked || state.third_card || state.removing || state.follow ||
      !state.firsts.empty() || state.behind > 0 || state.shoe == ShoeState::last_hand) {
    return bad_state("what belongs to a round stands outside of one");
  }
  if (state.phase == Phase::betting) return check_betting(law, state);
  if (!state.bets.empty()) return bad_state("stakes in a round that is over");
  const bool alive = std::any_of(state.hands.begin(), state.hands.end(),
                                 [](const Hand& hand) { return !hand.bets.empty() || !hand.done; });
  return alive ? Status(bad_state("a live hand in a round that is over")) : Status();
}

/// Main stakes stand on hands, each once; collects them.
Status check_hand(const Law& law, const State& state, const Hand& hand,
                  std::set<std::string>& seen) {
  if (hand.box > law.boxes()) return bad_state("a hand on no box of the table");
  for (const auto& id : hand.bets) {
    const auto* bet = state.bets.find(std::string_view(id));
    if (bet == nullptr || bet->kind != law.main_bet() || bet->box != hand.box) {
      return bad_state("a hand without its stake");
    }
    if (!seen.insert(id).second) return bad_state("a stake on two hands");
    if (state.phase == Phase::dealer && stage_of(*bet) < state.stage)
      return bad_state("a stake of a stage that is over");
  }
  if (state.phase == Phase::dealing) {
    const bool fresh =
        !hand.split && !hand.doubled && !hand.done && !hand.bets.empty() && hand.cards.size() <= 2;
    return fresh ? Status() : Status(bad_state("the hands do not follow the order of dealing"));
  }
  if (hand.cards.empty() || (hand.cards.size() == 1 && !hand.split))
    return bad_state("a hand without its cards");
  if (hand.doubled && hand.cards.size() > 3) return bad_state("a doubled hand has three cards");
  if (!hand.bets.empty() && busted(law, hand))
    return bad_state("a hand beyond the target has lost");
  if (hand.bets.empty() && !hand.done && hand.cards.size() > 2)
    return bad_state("a hand without stakes is out");
  return {};
}

Status check_order(const State& state) {
  std::size_t first = 0;   // hands with at least one card
  std::size_t second = 0;  // with two
  Box box = 0;
  for (const auto& hand : state.hands) {
    if (hand.box < box || (hand.box == box && !hand.split))
      return bad_state("the hands do not follow the boxes");
    box = hand.box;
    if (state.phase != Phase::dealing) continue;
    const auto index = static_cast<std::size_t>(&hand - state.hands.data());
    if (!hand.cards.empty() && first++ != index)
      return bad_state("the cards do not follow the order of dealing");
    if (hand.cards.size() == 2 && second++ != index)
      return bad_state("the cards do not follow the order of dealing");
  }
  if (state.phase != Phase::dealing) return {};
  const bool fits =
      state.dealer.empty() ? second == 0 : state.dealer.size() == 1 && first == state.hands.size();
  const bool ends = second == state.hands.size() && !state.dealer.empty();
  return fits && !ends ? Status()
                       : Status(bad_state("the cards do not follow the order of dealing"));
}

bool second_card_out(const State& state, Box box) {
  return std::any_of(state.hands.begin(), state.hands.end(),
                     [&](const Hand& hand) { return hand.box == box && hand.cards.size() >= 2; });
}

Status check_beside(const Law& law, const State& state, const Bet& bet) {
  const auto& form = form_of(law, bet);
  if (!bet.box || state.hands_of(*bet.box) == 0) return bad_state("a stake beside no hand");
  if (form == "insurance") {
    const bool open = state.phase == Phase::playing ||
                      (state.phase == Phase::dealer &&
                       (stage_of(bet) > state.stage ||
                        (stage_of(bet) == state.stage && state.dealer.size() == 1)));
    const bool ace = !state.dealer.empty() && is_ace(state.dealer.front());
    return open && ace && is_derived_id(bet.id, bet.kind)
               ? Status()
               : Status(bad_state("an insurance that is over"));
  }
  if (form == "combination") {
    const bool noted = std::any_of(state.firsts.begin(), state.firsts.end(),
                                   [&](const FirstCards& first) { return first.box == *bet.box; });
    return noted ? Status() : Status(bad_state("a bet on combinations without its cards"));
  }
  if (form == "hand") return bad_state("a stake on no hand");
  const bool open = state.phase == Phase::dealing && !second_card_out(state, *bet.box);
  return open ? Status() : Status(bad_state("a bet on two cards that is decided"));
}

Status check_follow(const Law& law, const State& state) {
  if (!state.follow) return {};
  const auto turn = state.turn();
  if (state.phase != Phase::playing || state.asked || turn == state.hands.size())
    return bad_state("follow without a hand");
  const auto& hand = state.hands.at(turn);
  std::set<std::string> named(state.follow->taking.begin(), state.follow->taking.end());
  named.insert(state.follow->waiting.begin(), state.follow->waiting.end());
  const bool once = named.size() == state.follow->taking.size() + state.follow->waiting.size();
  const bool own = std::all_of(hand.bets.begin(), hand.bets.end(), [&](const std::string& id) {
    const auto& taking = state.follow->taking;
    const bool holder = state.bets.find(std::string_view(id))->seat == hand.seat;
    return !holder || std::find(taking.begin(), taking.end(), id) != taking.end();
  });
  const std::set<std::string> bets(hand.bets.begin(), hand.bets.end());
  if (!once || !own || !std::includes(bets.begin(), bets.end(), named.begin(), named.end())) {
    return bad_state("follow names other stakes than those of the hand");
  }
  const bool able = state.follow->action == "double"
                        ? can_double(law, hand)
                        : can_split(law, hand, state.hands_of(hand.box));
  return able && state.third_card ? Status()
                                  : Status(bad_state("follow for what the hand may not do"));
}

Status check_asked(const Law& law, const State& state) {
  for (std::size_t i = 0; i < state.hands.size(); ++i) {
    const auto& hand = state.hands.at(i);
    const bool waits = hand.doubled && hand.cards.size() == 2;
    if (waits && (!state.asked || i != state.turn()))
      return bad_state("a doubled hand waits for its card");
  }
  if (!state.asked) return {};
  const auto turn = state.turn();
  if (state.phase != Phase::playing || !state.third_card || turn == state.hands.size()) {
    return bad_state("a card is asked for and no hand is in turn");
  }
  const auto& hand = state.hands.at(turn);
  const bool may = hand.doubled ? hand.cards.size() == 2 : can_hit(law, hand);
  return may && !hand.bets.empty() ? Status()
                                   : Status(bad_state("a card for a hand that takes none"));
}

Status check_phase(const Law& law, const State& state) {
  if (state.shoe == ShoeState::none || state.shoe == ShoeState::over)
    return bad_state("a round without a shoe");
  if (state.shoe == ShoeState::burning &&
      (state.phase != Phase::dealing || !state.hands.front().cards.empty())) {
    return bad_state("a round before the burns");
  }
  if (state.phase == Phase::playing && state.dealer.size() != 1)
    return bad_state("the dealer has one card");
  if ((state.phase == Phase::dealer) != (state.stage > 0) || state.stage > law.stages()) {
    return bad_state("no such stage");
  }
  if (state.phase == Phase::dealer &&
      (state.dealer.empty() || state.turn() != state.hands.size())) {
    return bad_state("the dealer plays last");
  }
  if (state.third_card && state.phase == Phase::dealing)
    return bad_state("a third card before the second");
  if (state.stage > 1 && !state.firsts.empty())
    return bad_state("bets on combinations are decided");
  return {};
}

Status check_round(const Law& law, const State& state) {
  if (state.hands.empty()) return bad_state("a round without hands");
  TALLA_TRY_STATUS(check_phase(law, state));
  std::set<std::string> seen;
  for (const auto& hand : state.hands) TALLA_TRY_STATUS(check_hand(law, state, hand, seen));
  TALLA_TRY_STATUS(check_order(state));
  for (const auto& bet : state.bets.all()) {
    if (!seen.contains(bet.id)) TALLA_TRY_STATUS(check_beside(law, state, bet));
  }
  std::set<Box> boxes;
  for (const auto& first : state.firsts) {
    if (state.hands_of(first.box) == 0 || !boxes.insert(first.box).second)
      return bad_state("cards of no box");
  }
  TALLA_TRY_STATUS(check_follow(law, state));
  TALLA_TRY_STATUS(check_asked(law, state));
  if (state.removing && !due_card(law, state)) return bad_state("a card to remove and none is due");
  const bool last = state.shoe == ShoeState::last_hand;
  if (state.behind > static_cast<std::uint32_t>(last ? law.number("shoe", "reserve") : 0) ||
      out_of_cards(law, state))
    return bad_state("more cards behind the stop card than there are");
  State rest = state;
  advance(law, rest);
  return rest.to_json() == state.to_json() ? Status()
                                           : Status(bad_state("the round would have gone on"));
}

}  // namespace

Status check_meters(const Law& law, const State& state) {
  if (!same_names(opening_meters(law), state.meters))
    return bad_state("the jackpots are not those of the table");
  if (state.concluded && (!law.table().confirms() || !due_meter(law, state)))
    return bad_state("what was confirmed waits for a jackpot alone");
  const bool read = std::any_of(state.meters.begin(), state.meters.end(), [&](const Jackpot& one) {
    return one.read &&
           (state.phase != Phase::dealer || state.stage != 1 || !law.table().shares(one.id));
  });
  if (read)
    return bad_state("a jackpot is read when its bets are settled, by tables that share it");
  return any_moved(state.meters) && state.phase == Phase::betting
             ? Status(bad_state("jackpots move in rounds"))
             : Status();
}

namespace {

/// Cards that a continuous shuffler gets back: at least those that lie there, and only at its
/// table.
Status check_out(const Law& law, const State& state) {
  std::size_t lying = state.dealer.size();
  for (const auto& hand : state.hands) lying += hand.cards.size();
  const bool fits =
      law.continuous() ? !state.in_round() || state.cards_out >= lying : state.cards_out == 0;
  const bool staked = state.cards_out > 0 && !state.in_round() && !state.bets.empty();
  return fits && !staked && (state.cards_out == 0 || state.shoe != ShoeState::none)
             ? Status()
             : Status(bad_state("cards for the shuffler"));
}

}  // namespace

Status check_restored(const Law& law, const State& state) {
  TALLA_TRY_STATUS(check_out(law, state));
  TALLA_TRY_STATUS(state.bets.check(law.table()));
  TALLA_TRY_STATUS(check_meters(law, state));
  return state.in_round() ? check_round(law, state) : check_between(law, state);
}

}  // namespace talla::games::blackjack
