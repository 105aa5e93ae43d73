#include "engines/second_bet/round.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/second_bet/bank.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/settle.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

/// The seats that may look at the own cards of a hand: who sits in front of them.
std::vector<Seat> seats_of(const Hand& hand) {
  return hand.seat == hand.box ? std::vector<Seat>{hand.seat} : std::vector<Seat>();
}

std::vector<DealPlace> opening_cards(const Law& law, const State& state, std::size_t most) {
  house::DealPlan plan;
  plan.cards = plan.bank_cards = law.cards();
  plan.mode = law.deal_mode();
  if (law.exposed() > 0) plan.exposed = {law.exposed()};
  std::size_t dealt = state.bank.size();
  for (const auto& hand : state.hands) {
    plan.hands.push_back({hand.box, seats_of(hand)});
    dealt += hand.cards.size();
  }
  return house::deal_order(plan, dealt, most);
}

/// A card that was bought.
DealPlace bought_card(const Law& law, const Hand& hand) {
  const auto place = house::hand_place(hand.box, hand.cards.size() + 1);
  if (law.is("purchase", "face", "open")) return {place, Face::open};
  return {place, Face::covered, seats_of(hand)};
}

bool owes_card(const Law& law, const Hand& hand) {
  return hand.cards.size() < law.cards() + hand.discards.size();
}

/// Cards that come for those given back, box by box; nobody may look at them.
std::vector<DealPlace> served_cards(const Law& law, const State& state) {
  std::vector<DealPlace> out;
  for (const auto& hand : state.hands) {
    for (auto card = hand.cards.size(); card < law.cards() + hand.discards.size(); ++card) {
      out.push_back({house::hand_place(hand.box, card + 1), Face::covered});
    }
  }
  return out;
}

std::vector<DealPlace> bank_cards(const Law& law, const State& state) {
  std::vector<DealPlace> out;
  const auto dealt = state.bank.size();
  if (!law.draws() || house::first_covered(state.bank, law.cards()) < dealt) return out;
  const auto first = house::open_cards(
      {state.bank.begin(), state.bank.begin() + static_cast<std::ptrdiff_t>(law.cards())});
  const auto wanted = law.cards() + bank_discards(law, first).size();
  for (auto card = dealt; card < wanted; ++card)
    out.push_back({house::bank_place(card + 1), Face::open});
  return out;
}

bool is_discarded(const Hand& hand, std::size_t index) {
  return std::find(hand.discards.begin(), hand.discards.end(), index + 1) != hand.discards.end();
}

/// The first card of the hand that must be turned so that its stakes can be settled, or
/// cards.size().
std::size_t card_to_turn(const Law& law, const State& state, const Hand& hand) {
  const auto needs = cards_needed(law, state, hand);
  for (std::size_t i = 0; i < hand.cards.size(); ++i) {
    if (hand.cards.at(i)) continue;
    const bool first = needs.first && i < law.cards();
    const bool last = needs.last && !is_discarded(hand, i);
    if (first || last) return i;
  }
  return hand.cards.size();
}

/// One step that nothing and nobody has to be waited for; false: the state stays as it is.
bool go_on(const Law& law, State& state) {
  switch (state.phase) {
    case Phase::dealing:
      if (!opening_cards(law, state, 1).empty()) return false;
      state.phase = Phase::playing;
      return true;
    case Phase::playing:
      if (turn(state) < state.hands.size() || !waiting(law, state).empty() ||
          !due_cards(law, state).empty())
        return false;
      state.phase = law.draws() && bank_needed(law, state) ? Phase::changing : Phase::bank;
      return true;
    case Phase::changing:
      if (changing_turn(law, state) < state.hands.size()) return false;
      state.phase = Phase::serving;
      return true;
    case Phase::serving:
      if (!due_cards(law, state).empty()) return false;
      state.phase = Phase::bank;
      return true;
    case Phase::bank:
      if (due_reveal(law, state) || !due_cards(law, state).empty()) return false;
      state.phase = Phase::showing;
      return true;
    case Phase::showing:
      if (!state.concluded || unread_meter(law, state) != nullptr) return false;
      settle_round(law, state);
      return false;
    case Phase::betting:
    case Phase::over:
      break;
  }
  return false;
}

Hand& hand_at(State& state, Box box) {
  const auto found = std::find_if(state.hands.begin(), state.hands.end(),
                                  [&](const Hand& hand) { return hand.box == box; });
  TALLA_CHECK(found != state.hands.end());
  return *found;
}

/// Cards that lie open by now, on hands and with the bank.
bool lies_open(const State& state, Card card) {
  const auto in = [&](const house::Cards& cards) {
    return std::find(cards.begin(), cards.end(), std::optional(card)) != cards.end();
  };
  return in(state.bank) || std::any_of(state.hands.begin(), state.hands.end(),
                                       [&](const Hand& hand) { return in(hand.cards); });
}

Status check_fresh(const State& state, const std::optional<Card>& card) {
  return card && lies_open(state, *card)
             ? Status(fail(Errc::card_invalid, card->text() + " is out already"))
             : Status();
}

}  // namespace

void begin_round(State& state) {
  if (state.phase != Phase::over) return;
  state.phase = Phase::betting;
  state.hands.clear();
  state.bank.clear();
  for (auto& meter : state.meters) meter.contribution = meter.award = 0;
}

bool has_live(const State& state, Box box, std::string_view kind) {
  const auto all = state.bets.all();
  return std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
    return bet.box == box && (kind.empty() || bet.kind == kind) && !state.is_lost(bet.id);
  });
}

bool bank_needed(const Law& law, const State& state) {
  return std::any_of(state.hands.begin(), state.hands.end(), [&](const Hand& hand) {
    return hand.word == Word::went && has_live(state, hand.box, law.main_bet());
  });
}

std::size_t turn(const State& state) {
  const auto found = std::find_if(state.hands.begin(), state.hands.end(), [](const Hand& hand) {
    return hand.seat != 0 && hand.word == Word::none;
  });
  return static_cast<std::size_t>(found - state.hands.begin());
}

std::size_t changing_turn(const Law& law, const State& state) {
  const auto found = std::find_if(state.hands.begin(), state.hands.end(), [&](const Hand& hand) {
    return hand.word == Word::went && !hand.stood && has_live(state, hand.box, law.main_bet());
  });
  return static_cast<std::size_t>(found - state.hands.begin());
}

std::vector<const Bet*> waiting(const Law& law, const State& state) {
  std::vector<const Bet*> out;
  for (const auto& hand : state.hands) {
    if (hand.word != Word::went) continue;
    for (const auto& bet : state.bets.all()) {
      if (bet.kind != law.main_bet() || bet.box != hand.box || state.is_lost(bet.id)) continue;
      if (state.bets.find(std::string_view(derived_id(bet.id, law.second_bet()))) == nullptr)
        out.push_back(&bet);
    }
  }
  return out;
}

house::Cards final_cards(const Hand& hand) {
  house::Cards out;
  for (std::size_t i = 0; i < hand.cards.size(); ++i) {
    if (!is_discarded(hand, i)) out.push_back(hand.cards.at(i));
  }
  return out;
}

std::vector<Card> bank_hand(const Law& law, const State& state) {
  auto all = house::open_cards(state.bank);
  if (!law.draws()) return all;
  const std::vector<Card> first(all.begin(),
                                all.begin() + static_cast<std::ptrdiff_t>(law.cards()));
  const auto gone = bank_discards(law, first);
  for (auto one = gone.rbegin(); one != gone.rend(); ++one)
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(*one) - 1);
  return all;
}

std::vector<DealPlace> due_cards(const Law& law, const State& state, std::size_t most) {
  if (state.phase == Phase::dealing) return opening_cards(law, state, most);
  if (state.phase == Phase::serving) return served_cards(law, state);
  if (state.phase == Phase::bank && bank_needed(law, state)) return bank_cards(law, state);
  if (state.phase != Phase::playing) return {};
  for (const auto& hand : state.hands) {
    if (owes_card(law, hand)) return {bought_card(law, hand)};
  }
  return {};
}

std::optional<std::string> due_reveal(const Law& law, const State& state) {
  if (state.phase == Phase::bank && bank_needed(law, state)) {
    const auto index = house::first_covered(state.bank, law.cards());
    if (index < state.bank.size()) return house::bank_place(index + 1);
  }
  if (state.phase != Phase::showing) return std::nullopt;
  for (const auto& hand : state.hands) {
    const auto index = card_to_turn(law, state, hand);
    if (index < hand.cards.size()) return house::hand_place(hand.box, index + 1);
  }
  return std::nullopt;
}

Status card_dealt(const Law& law, State& state, const CardDealt& event) {
  const auto due = due_cards(law, state, 1);
  if (due.empty()) return fail(Errc::not_due, "a card is not due now");
  const auto& place = due.front();
  if (event.place != place.place || event.face != place.face) {
    return fail(Errc::place_unknown,
                "the next card goes to " + place.place + ", " + std::string(face_name(place.face)));
  }
  TALLA_TRY_STATUS(check_fresh(state, event.card));
  const auto named = house::named_place(place.place);
  TALLA_CHECK(named.has_value());
  TALLA_TRY_STATUS(house::take(named->box == 0 ? state.bank : hand_at(state, named->box).cards,
                               event, place.face));
  advance(law, state);
  return {};
}

Status card_revealed(const Law& law, State& state, const CardRevealed& event) {
  const auto due = due_reveal(law, state);
  if (!due) return fail(Errc::not_due, "no card is to be turned now");
  if (event.place != *due)
    return fail(Errc::place_unknown, "the next card to turn lies at " + *due);
  TALLA_TRY_STATUS(check_fresh(state, event.card));
  const auto named = house::named_place(*due);
  TALLA_CHECK(named.has_value());
  auto& cards = named->box == 0 ? state.bank : hand_at(state, named->box).cards;
  TALLA_TRY_STATUS(house::turn(cards, named->card - 1, event.card));
  advance(law, state);
  return {};
}

bool hand_complete(const Law& law, const State& state) {
  return state.phase == Phase::showing && !state.concluded && !due_reveal(law, state) &&
         !due_meter(law, state);
}

void conclude_hand(const Law& law, State& state) {
  state.concluded = true;
  advance(law, state);
}

std::optional<std::string> due_meter(const Law& law, const State& state) {
  if (state.phase != Phase::showing || due_reveal(law, state)) return std::nullopt;
  if (law.table().confirms() && !state.concluded) return std::nullopt;
  const auto* meter = unread_meter(law, state);
  return meter == nullptr ? std::nullopt : std::optional(meter->id);
}

Status meter_read(const Law& law, State& state, const MeterRead& event) {
  const auto due = due_meter(law, state);
  if (!due) return fail(Errc::not_due, "no meter is to be read now");
  if (event.meter != *due) return fail(Errc::not_due, "the meter to read is " + *due);
  auto* meter = unread_meter(law, state);
  meter->value = event.value;
  meter->read = true;
  advance(law, state);
  return {};
}

void advance(const Law& law, State& state) {
  while (go_on(law, state)) {
  }
}

}  // namespace talla::games::second_bet
