// The course of a hand: what follows by itself until somebody must speak or a card must come.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

bool natural(const Law& law, const Cards& hand) {
  return hand.fixed == Fixed::none && hand.known() &&
         law.points.natural_total.at(static_cast<std::size_t>(two_total(law, hand)));
}

bool word_missing(const Play& p) {
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
    const auto& cards = p.state.hand->cloth.at(cloth);
    if (in_play(cards) && (cards.word == Word::none || cards.word == Word::show)) return true;
  }
  return false;
}

bool asked(const Play& p) {
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
    const auto& cards = p.state.hand->cloth.at(cloth);
    if (in_play(cards) && cards.word == Word::card) return true;
  }
  return false;
}

/// Shown cards are a natural, or a mistake.
bool judge_shown(Play& p, std::size_t cloth) {
  auto& hand = *p.state.hand;
  auto& cards = hand.cloth.at(cloth);
  if (cards.word != Word::show || cards.shown || !cards.known() || cards.fixed != Fixed::none)
    return false;
  if (natural(p.law, cards)) {
    cards.shown = true;
    return true;
  }
  // Who plays the whole bank bears his mistake: he stands, unless he has zero and may always ask.
  const bool bears = hand.free && !hand.bound && !hand.exposed && two_total(p.law, cards) != 0;
  cards.word = bears ? Word::stand : Word::none;
  return true;
}

/// Words that are forced once the cards are known.
bool forced_word(Play& p, std::size_t cloth) {
  auto& hand = *p.state.hand;
  auto& cards = hand.cloth.at(cloth);
  if (!in_play(cards) || cards.word != Word::none || !cards.known() || hand.bank.shown)
    return false;
  if (natural(p.law, cards)) {
    if (!hand.timed_out.at(cloth)) return false;
    cards.word = Word::show;
    cards.shown = true;
    return true;
  }
  Cell duty = cloth_duty(p.table, p.law, hand, cloth);
  if (duty == Cell::optional && hand.timed_out.at(cloth)) {
    const auto total = static_cast<std::size_t>(two_total(p.law, cards));
    duty = p.law.punto_draws.at(total) ? Cell::draw
                                       : Cell::stand;  // with 5 the croupier advises to stand
  }
  if (duty == Cell::optional) return false;
  cards.word = duty == Cell::draw ? Word::card : Word::stand;
  return true;
}

bool judge_bank_shown(Play& p) {
  auto& hand = *p.state.hand;
  if (hand.bank.word != Word::show || hand.bank.shown || !hand.bank.known()) return false;
  if (natural(p.law, hand.bank) && !hand.silent) {
    hand.bank.shown = true;
  } else {
    hand.bank.word = Word::none;
    hand.silent = true;
  }
  return true;
}

bool judge_forgot(Play& p) {
  auto& hand = *p.state.hand;
  if (!hand.forgot || !hand.cloth[0].known()) return false;
  hand.forgot = false;
  if (natural(p.law, hand.cloth[0]) && hand.cloth[0].word == Word::card && !hand.served)
    hand.give = true;
  return true;
}

/// The croupier called "carta" for "no": the bank keeps the first card with 0 to 5.
bool judge_croupier_cards(Play& p) {
  auto& hand = *p.state.hand;
  if (hand.croupier_cards == 0 || !hand.bank.known()) return false;
  std::uint32_t aside = hand.croupier_cards;
  if (two_total(p.law, hand.bank) <= 5) {
    hand.bank.word = Word::card;
    hand.to_deal.push_back(bank_place(3));
    --aside;
  } else if (natural(p.law, hand.bank) && !hand.silent) {
    hand.bank.shown = true;
  } else {
    hand.bank.word = Word::stand;
  }
  hand.to_deal.insert(hand.to_deal.end(), aside, std::string(discard_place));
  hand.served = true;
  hand.croupier_cards = 0;
  return true;
}

bool judge_verified(Play& p, std::size_t cloth) {
  auto& hand = *p.state.hand;
  auto& cards = hand.cloth.at(cloth);
  if (!hand.verify.at(cloth) || !cards.known()) return false;
  hand.verify.at(cloth) = false;
  const bool free = hand.free && !hand.bound && !hand.exposed;
  if (free && p.law.cloths == 1) {
    if (two_total(p.law, cards) == 0 && cards.word == Word::stand) cards.word = Word::none;
    return true;
  }
  const Cell duty = cloth_duty(p.table, p.law, hand, cloth);
  const bool bad = (duty == Cell::draw && cards.word == Word::stand) ||
                   (duty == Cell::stand && cards.word == Word::card);
  if (bad && in_play(cards)) restore(p, cloth, Fault::player);
  return true;
}

/// The banker's answer that needs no choice.
bool forced_answer(Play& p) {
  auto& hand = *p.state.hand;
  if (hand.served || hand.give || hand.bank.shown || hand.bank.word == Word::show ||
      word_missing(p))
    return false;
  if (hand.fifth && !asked(p)) {
    hand.bank.word = Word::card;
    hand.served = true;
    return true;
  }
  if (!hand.bank.known()) return false;
  if (duty_binds(p.table, p.law, hand)) {
    if (natural(p.law, hand.bank) && !hand.silent) {
      hand.bank.word = Word::show;
      hand.bank.shown = true;
    } else {
      hand.served = true;
    }
    return true;
  }
  if (natural(p.law, hand.bank) && !hand.silent) return false;
  hand.served = true;
  return true;
}

bool thirds_missing(const Play& p) {
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
    const auto& cards = p.state.hand->cloth.at(cloth);
    if (in_play(cards) && cards.word == Word::card && cards.thirds.empty()) return true;
  }
  return false;
}

/// The banker's third card, where he has no choice or it lies there already.
bool forced_third(Play& p) {
  auto& hand = *p.state.hand;
  if (!hand.served || hand.bank.shown || word_missing(p) || thirds_missing(p)) return false;
  if (hand.bank.word == Word::card && hand.bank.thirds.empty() && !hand.pool.empty()) {
    hand.bank.thirds.push_back(hand.pool.front());
    hand.pool.erase(hand.pool.begin());
    return true;
  }
  if (hand.bank.word != Word::none || !hand.bank.known()) return false;
  if (duty_binds(p.table, p.law, hand) && hand.cloth[0].thirds.size() > 1 && !hand.cloth[0].known())
    return false;
  const Cell duty = bank_duty(p.table, p.law, hand);
  if (duty == Cell::optional) return false;
  hand.bank.word = duty == Cell::draw ? Word::card : Word::stand;
  return true;
}

/// Everything is open and nothing is left to draw: words and stands that the rules forbid are put
/// right.
bool last_check(Play& p) {
  auto& hand = *p.state.hand;
  if (hand.bank.shown) return false;
  bool live = false;
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
    live = live || in_play(hand.cloth.at(cloth));
    if (!wrong_word(p.table, p.law, hand, cloth)) continue;
    restore(p, cloth, Fault::player);
    return true;
  }
  if (!live || hand.bank.word != Word::stand || !hand.bank.known()) return false;
  if (two_total(p.law, hand.bank) != 0 || bank_duty(p.table, p.law, hand) != Cell::draw)
    return false;
  hand.bank.word = Word::card;
  return true;
}

bool step(Play& p) {
  const auto& hand = *p.state.hand;
  if (hand.decided != Decided::none) return false;
  if (!hand.to_deal.empty() || hand.bank.dealt < 2 || !hand.to_reveal.empty() ||
      !hand.withdrawing.empty())
    return false;
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
    if (judge_shown(p, cloth) || judge_verified(p, cloth) || forced_word(p, cloth)) return true;
    // The second cloth speaks after the first.
    if (in_play(hand.cloth.at(cloth)) && hand.cloth.at(cloth).word == Word::none) break;
  }
  return judge_bank_shown(p) || judge_forgot(p) || judge_croupier_cards(p) || forced_answer(p) ||
         forced_third(p);
}

}  // namespace

bool out_of_cards(const Table& table, const Law& law, const State& state) {
  return state.shoe == ShoeState::last_hand && state.hand && state.hand->behind >= law.reserve &&
         hand_due(table, law, state).kind == Due::Kind::deal;
}

void run_hand(Play& p) {
  for (;;) {
    while (step(p)) {
    }
    if (out_of_cards(p.table, p.law, p.state)) return void_hand(p, p.law.stop_cite);
    if (hand_due(p.table, p.law, p.state).kind != Due::Kind::settle) return;
    if (hand_ended(p.law, *p.state.hand)) return settle_hand(p);
    if (!last_check(p)) return;
  }
}

bool hand_complete(const Table& table, const Law& law, const State& state) {
  return state.hand && state.phase == Phase::hand &&
         hand_due(table, law, state).kind == Due::Kind::settle;
}

void bank_speaks_again(Play& p) {
  auto& bank = p.state.hand->bank;
  if (!p.table.confirms() || bank.shown || bank.word != Word::stand || !bank.thirds.empty()) return;
  const Cell duty = bank.known() ? bank_duty(p.table, p.law, *p.state.hand) : Cell::optional;
  if (duty == Cell::draw) bank.word = Word::card;
  p.state.hand->may_draw = duty == Cell::optional;
}

void restore(Play& p, std::size_t cloth, Fault fault) {
  auto& hand = *p.state.hand;
  auto& cards = hand.cloth.at(cloth);
  cards.word = cloth_duty(p.table, p.law, hand, cloth) == Cell::draw ? Word::card : Word::stand;
  hand.bank.word = Word::none;
  hand.may_draw = false;
  if (hand.fault != Fault::banker) hand.fault = fault;
  if (p.law.cloths == 1) {
    // What was drawn by the error is laid aside; the hand goes on by the chart.
    if (cards.word == Word::stand) cards.thirds.clear();
    hand.bank.thirds.clear();
    hand.chart = true;
    return;
  }
  // The third cards go, in the order in which they came, to the cloths that should have them, then
  // to the bank.
  std::vector<Card> pool;
  for (auto& one : hand.cloth) {
    pool.insert(pool.end(), one.thirds.begin(), one.thirds.end());
    one.thirds.clear();
  }
  pool.insert(pool.end(), hand.bank.thirds.begin(), hand.bank.thirds.end());
  pool.insert(pool.end(), hand.pool.begin(), hand.pool.end());
  hand.bank.thirds.clear();
  for (auto& one : hand.cloth) {
    if (!in_play(one) || one.word != Word::card || pool.empty()) continue;
    one.thirds.push_back(pool.front());
    pool.erase(pool.begin());
  }
  hand.pool = std::move(pool);
}

}  // namespace talla::games::banque
