#include "engines/blackjack/round.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/decisions.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/settle.hpp"

namespace talla::games::blackjack {
namespace {

DealPlace box_place(Box box, std::size_t card) {
  std::string place = "box-" + std::to_string(box);
  if (card <= 2) place += "-" + std::to_string(card);
  return {std::move(place), Face::open};
}

DealPlace dealer_place(std::size_t card) {
  return {card <= 2 ? "dealer-" + std::to_string(card) : "dealer", Face::open};
}

/// First cards, then the dealer's one, then second cards, from the dealer's left.
std::vector<DealPlace> opening_cards(const State& state) {
  std::vector<DealPlace> out;
  for (const auto& hand : state.hands) {
    if (hand.cards.empty()) out.push_back(box_place(hand.box, 1));
  }
  if (state.dealer.empty()) out.push_back(dealer_place(1));
  for (const auto& hand : state.hands) {
    if (hand.cards.size() < 2) out.push_back(box_place(hand.box, 2));
  }
  return out;
}

void note_first_card(State& state, Box box, Card card) {
  for (auto& first : state.firsts) {
    if (first.box == box && !first.closed && first.cards.size() < 3) first.cards.push_back(card);
  }
}

void deal_opening(const Law& law, State& state, Card card) {
  const auto due = opening_cards(state);
  TALLA_CHECK(!due.empty());
  const auto& place = due.front().place;
  if (place.starts_with("dealer")) {
    state.dealer.push_back(card);
    return;
  }
  const bool second = place.ends_with("-2");
  const auto hand = std::find_if(state.hands.begin(), state.hands.end(), [&](const Hand& one) {
    return one.cards.size() == (second ? 1U : 0U);
  });
  TALLA_CHECK(hand != state.hands.end());
  hand->cards.push_back(card);
  note_first_card(state, hand->box, card);
  if (second) settle_two_cards(law, state, *hand);
  if (due.size() == 1) state.phase = Phase::playing;
}

void deal_to_hand(const Law& law, State& state, std::size_t index, Card card) {
  auto& hand = state.hands.at(index);
  hand.cards.push_back(card);
  note_first_card(state, hand.box, card);
  if (hand.cards.size() > 2) state.asked = false;
  if (hand.doubled) hand.done = true;
  if (busted(law, hand)) lose_hand(law, state, hand);
}

void deal_to_dealer(const Law& law, State& state, Card card) {
  state.dealer.push_back(card);
  if (state.dealer.size() == 2) settle_insurance(law, state);
}

void finish_round(State& state) {
  TALLA_CHECK(state.bets.empty());
  for (auto& hand : state.hands) hand.done = true;
  state.firsts.clear();
  for (auto& meter : state.meters) meter.read = false;
  state.follow.reset();
  state.asked = false;
  state.third_card = false;
  state.concluded = false;
  state.removing = false;
  state.behind = 0;
  state.stage = 0;
  state.phase = Phase::over;
  if (state.shoe == ShoeState::last_hand) state.shoe = ShoeState::over;
}

bool has_stake_in_stage(const State& state, const Hand& hand) {
  return std::any_of(hand.bets.begin(), hand.bets.end(), [&](const std::string& id) {
    const auto* bet = state.bets.find(std::string_view(id));
    return bet != nullptr && stage_of(*bet) == state.stage;
  });
}

bool insured_in_stage(const Law& law, const State& state) {
  const auto kind = law.insurance_bet();
  const auto& all = state.bets.all();
  return std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
    return bet.kind == kind && stage_of(bet) == state.stage;
  });
}

/// A first card that a second one may make a blackjack.
bool may_be_blackjack(const Law& law, Card first) {
  return is_ace(first) || law.points(first) + 1 + law.ace_extra() == law.target();
}

void advance_dealer(const Law& law, State& state) {
  while (!dealer_owed(law, state)) {
    if (state.stage == law.stages() && !state.concluded)
      return;  // complete: it waits to be settled
    if (due_meter(law, state)) return;
    settle_stage(law, state);
    if (state.stage == 1) settle_combinations(law, state);
    if (state.stage == law.stages()) return finish_round(state);
    ++state.stage;
    state.dealer.resize(1);  // the first card serves every stage
  }
}

}  // namespace

void begin_round(State& state) {
  if (state.phase != Phase::over) return;
  state.phase = Phase::betting;
  state.hands.clear();
  state.dealer.clear();
  for (auto& meter : state.meters) meter.contribution = meter.award = 0;
}

std::size_t owed_hand(const Law& law, const State& state) {
  const auto none = state.hands.size();
  if (state.phase != Phase::playing || state.follow) return none;
  if (law.has("split") && law.is("split", "deal", "both-at-once")) {
    const auto one = std::find_if(state.hands.begin(), state.hands.end(),
                                  [](const Hand& hand) { return hand.cards.size() == 1; });
    if (one != state.hands.end()) return static_cast<std::size_t>(one - state.hands.begin());
  }
  const auto turn = state.turn();
  if (turn == none) return none;
  return state.asked || state.hands.at(turn).cards.size() < 2 ? turn : none;
}

bool dealer_owed(const Law& law, const State& state) {
  if (state.phase != Phase::dealer) return false;
  bool live = false;
  bool other = false;  // a live hand that is no blackjack
  for (const auto& hand : state.hands) {
    if (!has_stake_in_stage(state, hand)) continue;
    live = true;
    other = other || !is_blackjack(law, hand);
  }
  const bool plays = live && (other || law.flag("dealer", "for_blackjack_only"));
  if (plays || (!live && law.flag("dealer", "without_live_hand")))
    return dealer_draws(law, state.dealer);
  if (state.dealer.size() > 1) return false;
  return insured_in_stage(law, state) || (live && may_be_blackjack(law, state.dealer.front()));
}

std::optional<DealPlace> due_card(const Law& law, const State& state) {
  auto cards = forced_cards(law, state).cards;
  if (cards.empty()) return std::nullopt;
  return std::move(cards.front());
}

Deal forced_cards(const Law& law, const State& state) {
  Deal out;
  if (state.shoe == ShoeState::burning) {
    out.cards.assign(state.burns_left, DealPlace{"burn", Face::unseen});
    return out;
  }
  if (state.phase == Phase::dealing) {
    out.cards = opening_cards(state);
  } else if (const auto owed = owed_hand(law, state); owed < state.hands.size()) {
    out.cards.push_back(box_place(state.hands.at(owed).box, 3));
  } else if (dealer_owed(law, state)) {
    out.cards.push_back(dealer_place(state.dealer.size() + 1));
  }
  if (state.removing && !out.cards.empty()) {
    out.cards.insert(out.cards.begin(), DealPlace{"removed", Face::open});
  }
  return out;
}

bool round_complete(const Law& law, const State& state) {
  return state.phase == Phase::dealer && state.stage == law.stages() && !state.concluded &&
         !dealer_owed(law, state) && !due_meter(law, state);
}

void conclude_round(const Law& law, State& state) {
  state.concluded = true;
  advance(law, state);
}

std::optional<std::string> due_meter(const Law& law, const State& state) {
  const bool held = law.table().confirms() && state.stage == law.stages() && !state.concluded;
  if (held || state.phase != Phase::dealer || state.stage != 1 || dealer_owed(law, state))
    return std::nullopt;
  return unread_meter(law, state);
}

Status meter_read(const Law& law, State& state, const MeterRead& event) {
  const auto due = due_meter(law, state);
  if (!due) return fail(Errc::not_due, "no meter is to be read now");
  if (event.meter != *due) return fail(Errc::not_due, "the meter to read is " + *due);
  read_meter(state, *due, event.value);
  advance(law, state);
  return {};
}

Shuffle cards_to_shuffle(const Law& law, const State& state) {
  Shuffle out;
  out.cards_count = state.cards_out;
  if (law.burns_each_round())
    out.cards_count += static_cast<std::uint32_t>(law.number("shoe", "burn"));
  out.rule = law.rules().rule(law.cite("shuffler"));
  for (const auto& place : law.rules().places) {
    const bool stays = place.id == "removed" || (place.id == "burn" && !law.burns_each_round());
    if (!stays) out.places.push_back(place.id);
  }
  return out;
}

Status card_dealt(const Law& law, State& state, const CardDealt& event) {
  const auto due = due_card(law, state);
  if (!due) return fail(Errc::not_due, "a card is not due now");
  if (event.place != due->place || event.face != due->face) {
    return fail(Errc::place_unknown,
                "the next card goes to " + due->place + ", " + std::string(face_name(due->face)));
  }
  if (event.card.has_value() != (due->face == Face::open))
    return fail(Errc::card_invalid, "an open card is named");
  if (event.card && event.card->family() != shuffle::CardFamily::french) {
    return fail(Errc::card_invalid, "a French card is due");
  }
  if (state.shoe == ShoeState::burning) {
    if (--state.burns_left == 0) state.shoe = ShoeState::in_play;
    return {};
  }
  if (state.shoe == ShoeState::last_hand) ++state.behind;
  if (state.removing) {
    state.removing = false;
    return {};
  }
  if (law.continuous()) ++state.cards_out;
  if (state.phase == Phase::dealing) {
    deal_opening(law, state, *event.card);
  } else if (const auto owed = owed_hand(law, state); owed < state.hands.size()) {
    deal_to_hand(law, state, owed, *event.card);
  } else {
    deal_to_dealer(law, state, *event.card);
  }
  advance(law, state);
  return {};
}

void advance(const Law& law, State& state) {
  while (state.phase == Phase::playing) {
    if (state.follow || owed_hand(law, state) < state.hands.size()) return;
    const auto turn = state.turn();
    if (turn == state.hands.size()) {
      state.phase = Phase::dealer;
      state.stage = 1;
      break;
    }
    if (waits_for_player(law, state, turn)) return;
    state.hands.at(turn).done = true;
  }
  if (state.phase == Phase::dealer) advance_dealer(law, state);
}

bool out_of_cards(const Law& law, const State& state) {
  return state.shoe == ShoeState::last_hand &&
         state.behind >= static_cast<std::uint32_t>(law.number("shoe", "reserve")) &&
         due_card(law, state).has_value();
}

void void_round(const Law& law, State& state, const Citation& cite) {
  for (const auto& bet : state.bets.all()) {
    state.settled.push_back(
        settle_returned(law.table(), bet, BetResult::void_, Fraction(bet.stake), cite));
  }
  state.bets.clear();
  for (auto& hand : state.hands) hand.bets.clear();
  finish_round(state);
}

}  // namespace talla::games::blackjack
