// What players and banker say during a hand, and what a time-out says for them.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

/// The hand to which a place belongs; the card's number there (1 to 3) in `card`.
Cards* hand_of(Play& p, std::string_view place, std::size_t& card) {
  auto& hand = *p.state.hand;
  for (card = 1; card <= 3; ++card) {
    if (place == bank_place(card)) return &hand.bank;
    for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
      if (place == cloth_place(p.law.cloths, cloth, card)) return &hand.cloth.at(cloth);
    }
  }
  return nullptr;
}

Word word_of(const std::string& action) {
  return action == "abatir" ? Word::show : action == "carta" ? Word::card : Word::stand;
}

void withdraw(Play& p, Seat seat) {
  std::vector<std::string> mine;
  for (const auto& bet : p.state.bets.all()) {
    if (bet.seat == seat) mine.push_back(bet.id);
  }
  for (const auto& id : mine) free_stake(p, id, BetResult::void_, p.law.hand_cite);
  auto& hand = *p.state.hand;
  if (hand.holder[0] != seat || p.state.bets.empty()) return;
  // The cards go to the highest stake that is left.
  Units most = 0;
  for (const auto other : priority(p.table, p.law, p.state, 0)) {
    Units sum = 0;
    for (const auto& bet : p.state.bets.all()) sum += bet.seat == other ? bet.stake : 0;
    if (sum <= most) continue;
    most = sum;
    hand.holder[0] = other;
  }
  hand.free = false;
  hand.banco = false;
}

void answer_serve(Hand& hand, const std::string& action) {
  if (action == "cuadro") {
    hand.chart = true;
  } else if (action == "abatir") {
    hand.bank.word = Word::show;
  } else {
    hand.served = true;
    if (action != "dar") hand.bank.word = word_of(action);
  }
}

void apply_choice(Play& p, const Due& due, const std::string& action) {
  auto& hand = *p.state.hand;
  switch (due.stage) {
    case Due::Stage::withdraw: {
      const Seat seat = hand.withdrawing.front();
      hand.withdrawing.erase(hand.withdrawing.begin());
      if (action == "retirar") withdraw(p, seat);
      return;
    }
    case Due::Stage::word:
      hand.cloth.at(due.cloth).word = word_of(action);
      return;
    case Due::Stage::give:
      hand.give = false;
      hand.cloth[0].word = action == "dar" ? Word::card : Word::stand;
      hand.cloth[0].by_bank = action == "dar" || hand.cloth[0].known();
      if (action == "negar") hand.cloth[0].by_bank = true;
      return;
    case Due::Stage::serve:
      return answer_serve(hand, action);
    case Due::Stage::bank_word:
      if (action == "cuadro") {
        hand.chart = true;
      } else {
        hand.bank.word = word_of(action);
      }
      return;
    case Due::Stage::none:
      return;
  }
}

void go_on(Play& p) {
  if (p.state.bets.empty()) return void_hand(p, p.law.hand_cite);
  run_hand(p);
}

/// Of a complete hand: the banker may ask for a card where an error gave him the right to.
Status late_act(Play& p, const Act& act) {
  auto& hand = *p.state.hand;
  if (!hand.may_draw)
    return fail(Errc::action_refused, "the hand is complete: it is to be confirmed");
  if (act.seat != p.state.banker() || act.action != "carta") {
    return fail(Errc::action_refused, "only the banker, seat " + std::to_string(p.state.banker()) +
                                          ", may still ask for a card (carta)");
  }
  hand.may_draw = false;
  hand.bank.word = Word::card;
  run_hand(p);
  return {};
}

}  // namespace

Status hand_act(Play& p, const Act& act) {
  const Due due = hand_due(p.table, p.law, p.state);
  if (due.kind == Due::Kind::settle) return late_act(p, act);
  const auto& choices = due.decide.choices;
  const bool known = std::any_of(choices.begin(), choices.end(),
                                 [&](const ActionChoice& one) { return one.action == act.action; });
  if (due.kind != Due::Kind::decide) return fail(Errc::action_refused, "cards come first");
  if (due.decide.seat != act.seat) {
    return fail(Errc::action_refused, "seat " + std::to_string(due.decide.seat) + " speaks now");
  }
  if (!known) {
    return fail(Errc::action_refused,
                act.action + " is not open now (" + p.table.rules().rule(p.law.hand_cite) + ")");
  }
  apply_choice(p, due, act.action);
  go_on(p);
  return {};
}

Status hand_time_out(Play& p, Seat seat) {
  const Due due = hand_due(p.table, p.law, p.state);
  if (due.kind == Due::Kind::settle && p.state.hand->may_draw && seat == p.state.banker()) {
    p.state.hand->may_draw = false;
    return {};
  }
  if (due.kind != Due::Kind::decide || due.decide.seat != seat)
    return fail(Errc::not_due, "nobody waits for this seat");
  auto& hand = *p.state.hand;
  switch (due.stage) {
    case Due::Stage::withdraw:
      apply_choice(p, due, "mantener");
      break;
    case Due::Stage::word:
      hand.timed_out.at(due.cloth) = true;
      if (hand.cloth.at(due.cloth).known() && hand.cloth.at(due.cloth).word == Word::show)
        hand.cloth.at(due.cloth).word = Word::none;
      break;
    case Due::Stage::give:
      apply_choice(p, due, "dar");
      break;
    case Due::Stage::serve:
      if (hand.chart) {
        apply_choice(p, due, "abatir");
      } else {
        hand.chart = true;
      }
      break;
    case Due::Stage::bank_word:
      if (hand.bank.known() || hand.chart || hand.bank.fixed != Fixed::none) {
        apply_choice(p, due, "no");
      } else {
        hand.chart = true;
      }
      break;
    case Due::Stage::none:
      break;
  }
  go_on(p);
  return {};
}

Status deal_card(Play& p, const CardDealt& event) {
  const Due due = hand_due(p.table, p.law, p.state);
  if (due.kind != Due::Kind::deal) return fail(Errc::not_due, "no card is due");
  const auto& place = due.cards.front();
  if (event.place != place.place || event.face != place.face) {
    return fail(Errc::place_unknown,
                "the next card goes to " + place.place + ", " + std::string(face_name(place.face)));
  }
  if (event.card.has_value() != (place.face == Face::open))
    return fail(Errc::card_invalid, "an open card is named, a covered one is not");
  if (event.card && event.card->family() != shuffle::CardFamily::french)
    return fail(Errc::card_invalid, "a French card is due");
  auto& hand = *p.state.hand;
  if (p.state.shoe == ShoeState::last_hand) ++hand.behind;
  if (!hand.to_deal.empty()) hand.to_deal.erase(hand.to_deal.begin());
  if (event.place != discard_place) {
    std::size_t card = 0;
    auto* cards = hand_of(p, event.place, card);
    if (card == 3) {
      cards->thirds.push_back(*event.card);
      if (cards != &hand.bank && cards->thirds.size() > 1) bank_speaks_again(p);
    } else {
      ++cards->dealt;
    }
  }
  run_hand(p);
  return {};
}

Status reveal_card(Play& p, const CardRevealed& event) {
  const Due due = hand_due(p.table, p.law, p.state);
  if (due.kind != Due::Kind::reveal) return fail(Errc::not_due, "no card is to be turned");
  if (event.place != due.place)
    return fail(Errc::place_unknown, "the card to turn lies at " + due.place);
  if (event.card.family() != shuffle::CardFamily::french)
    return fail(Errc::card_invalid, "a French card is due");
  auto& hand = *p.state.hand;
  std::size_t card = 0;
  auto* cards = hand_of(p, event.place, card);
  cards->first.at(card - 1) = event.card;
  std::erase(hand.to_reveal, event.place);
  run_hand(p);
  return {};
}

}  // namespace talla::games::banque
