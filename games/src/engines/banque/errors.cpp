// Errors of the deal and of words, and how the text puts them right.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

tl::unexpected<Error> not_now(const std::string& code) {
  return fail(Errc::not_due, code + " cannot happen now");
}

/// Where an error happened: a cloth (0, 1) or the bank (2), and the card (1 to 3).
struct Spot {
  std::size_t hand = 0;
  std::size_t card = 0;
  [[nodiscard]] bool bank() const { return hand == 2; }
};

Result<Spot> spot_of(const Play& p, const Misdeal& event) {
  if (!event.place) return fail(Errc::place_unknown, event.code + " names the place of a card");
  for (std::size_t card = 1; card <= 3; ++card) {
    if (*event.place == bank_place(card)) return Spot{2, card};
    for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
      if (*event.place == cloth_place(p.law.cloths, cloth, card)) return Spot{cloth, card};
    }
  }
  return fail(Errc::place_unknown, "no such place: " + event.place->substr(0, 40));
}

Cards& cards_of(Hand& hand, const Spot& spot) {
  return spot.bank() ? hand.bank : hand.cloth.at(spot.hand);
}

void turn(Hand& hand, const std::string& place) {
  if (std::find(hand.to_reveal.begin(), hand.to_reveal.end(), place) == hand.to_reveal.end())
    hand.to_reveal.push_back(place);
}

/// A card dealt covered is open now.
Status expose(Play& p, const Misdeal& event, bool matching) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  auto& hand = *p.state.hand;
  auto& cards = cards_of(hand, spot);
  if (spot.card > 2 || cards.dealt < spot.card || cards.first.at(spot.card - 1) ||
      (matching && spot.bank())) {
    return not_now(event.code);
  }
  turn(hand, *event.place);
  if (matching) {
    if (!hand.bank.first.at(spot.card - 1)) turn(hand, bank_place(spot.card));
  } else {
    hand.exposed = true;
  }
  // Both cards of punto are open: the chart binds.
  const auto& punto = hand.cloth[0];
  const auto open = [&](std::size_t i) {
    const auto place = cloth_place(1, 0, i + 1);
    return punto.first.at(i).has_value() ||
           std::find(hand.to_reveal.begin(), hand.to_reveal.end(), place) != hand.to_reveal.end();
  };
  if (open(0) && open(1)) {
    hand.chart = true;
    hand.optionals = hand.optionals || !matching;
  }
  return {};
}

Status cloth_exposed(Play& p, const Misdeal& event, Fault fault) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  auto& hand = *p.state.hand;
  if (spot.bank() || hand.cloth.at(spot.hand).dealt < 2) return not_now(event.code);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!hand.cloth.at(spot.hand).first.at(i))
      turn(hand, cloth_place(p.law.cloths, spot.hand, i + 1));
  }
  hand.fault = std::max(hand.fault, fault);
  return {};
}

Status two_thirds(Play& p, const Misdeal& event) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  if (spot.card != 3 || cards_of(*p.state.hand, spot).thirds.size() != 1)
    return not_now(event.code);
  p.state.hand->to_deal.push_back(*event.place);
  return {};
}

/// Found when the hand is complete: the first card is the bank's with 0 to 5, every other one is
/// laid aside.
void croupier_card_late(const Law& law, Hand& hand, std::uint32_t drawn) {
  auto& bank = hand.bank;
  const auto had = static_cast<std::uint32_t>(bank.thirds.size());
  if (!bank.shown && bank.fixed == Fixed::none && two_total(law, bank) <= 5) {
    --drawn;
    bank.word = Word::card;
    if (had == 0) hand.to_deal.push_back(bank_place(3));
  } else {
    drawn -= std::min(drawn, had);
    bank.thirds.clear();
    if (bank.word == Word::card) bank.word = Word::stand;
  }
  hand.may_draw = false;
  hand.to_deal.insert(hand.to_deal.end(), drawn, std::string(discard_place));
}

Status croupier_card(Play& p, const Misdeal& event) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  auto& hand = *p.state.hand;
  if (spot.card != 3 || hand.cloth[0].word != Word::stand) return not_now(event.code);
  const std::uint32_t drawn = spot.bank() ? 2 : 1;
  if (hand_complete(p.table, p.law, p.state)) {
    croupier_card_late(p.law, hand, drawn);
    return {};
  }
  if (hand.served || hand.bank.word != Word::none) return not_now(event.code);
  hand.croupier_cards = drawn;
  return {};
}

Status bank_zero(Play& p, const Misdeal& event) {
  auto& hand = *p.state.hand;
  const auto& words = hand.cloth[0].word;
  if (hand.bank.dealt < 2 || words != Word::none) return not_now(event.code);
  hand.to_deal.emplace_back(discard_place);
  hand.bank.fixed = Fixed::zero_start;
  return {};
}

/// Punto's card fell into the basket: he has 9.
Status punto_nine(Play& p, const Misdeal& event) {
  auto& punto = p.state.hand->cloth[0];
  if (punto.dealt != 2 || punto.word != Word::none) return not_now(event.code);
  punto.fixed = Fixed::nine;
  punto.word = Word::show;
  punto.shown = true;
  return {};
}

/// The same with his third card: the bank has a right to one, unless it has 7; what it drew with 7
/// is laid aside.
Status punto_third_nine(Play& p, const Misdeal& event) {
  auto& hand = *p.state.hand;
  if (hand.cloth[0].thirds.size() != 1 || hand.cloth[0].fixed != Fixed::none)
    return not_now(event.code);
  hand.cloth[0].fixed = Fixed::nine;
  auto& bank = hand.bank;
  if (bank.fixed == Fixed::none && bank.known() && two_total(p.law, bank) == 7) {
    bank.thirds.clear();
    if (bank.word == Word::card) bank.word = Word::stand;
  } else {
    bank_speaks_again(p);
  }
  return {};
}

Status withdraw_stakes(Play& p, const Misdeal& event) {
  auto& hand = *p.state.hand;
  if (hand.bank.dealt < 2 || hand.cloth[0].word != Word::none || hand.bank.word != Word::none)
    return not_now(event.code);
  hand.bank.word = Word::show;
  for (const auto& bet : p.state.bets.all()) hand.withdrawing.push_back(bet.seat);
  std::sort(hand.withdrawing.begin(), hand.withdrawing.end());
  hand.withdrawing.erase(std::unique(hand.withdrawing.begin(), hand.withdrawing.end()),
                         hand.withdrawing.end());
  return {};
}

void decide(Play& p, const Misdeal& event, Decided decided) {
  p.state.hand->decided = decided;
  p.state.hand->decided_by = event.code;
}

Status cards_pass(Play& p, const Misdeal& event) {
  std::size_t cloth = 0;
  if (p.law.cloths == 2) {
    TALLA_TRY(const auto spot, spot_of(p, event));
    if (spot.bank()) return not_now(event.code);
    cloth = spot.hand;
  }
  auto& hand = *p.state.hand;
  if (hand.cloth.at(cloth).word != Word::none || hand.cloth.at(cloth).dealt < 2)
    return not_now(event.code);
  const Seat slow = hand.holder.at(cloth);
  Seat next = 0;
  Units most = -1;
  for (const auto seat : priority(p.table, p.law, p.state, cloth)) {
    if (seat == slow || cloth_of(p.table, p.law, p.state, seat) != cloth) continue;
    Units sum = 0;
    for (const auto& bet : p.state.bets.all()) sum += bet.seat == seat ? bet.stake : 0;
    if (p.law.cloths == 1 && sum == 0) continue;
    const Units weight = p.law.cloths == 1 ? sum : 0;  // with two cloths the turn decides
    if (weight > most) {
      most = weight;
      next = seat;
    }
  }
  if (next == 0) return {};  // nobody else has a stake: he plays the hand out
  hand.holder.at(cloth) = next;
  hand.free = false;
  hand.banco = false;
  return {};
}

Status bank_decides(Play& p, const Misdeal& event) {
  auto& hand = *p.state.hand;
  const auto word = hand.cloth[0].word;
  if ((word != Word::card && word != Word::stand) || hand.served || hand.cloth[0].by_bank)
    return not_now(event.code);
  hand.give = true;
  return {};
}

Status forgot_to_show(Play& p, const Misdeal& event) {
  auto& hand = *p.state.hand;
  const auto word = hand.cloth[0].word;
  if ((word != Word::card && word != Word::stand) || hand.served) return not_now(event.code);
  hand.forgot = true;
  return {};
}

Status rectify(Play& p, const Misdeal& event) {
  std::size_t cloth = 0;
  if (p.law.cloths == 2) {
    TALLA_TRY(const auto spot, spot_of(p, event));
    if (spot.bank()) return not_now(event.code);
    cloth = spot.hand;
  }
  auto& hand = *p.state.hand;
  const auto word = hand.cloth.at(cloth).word;
  if (word != Word::card && word != Word::stand) return not_now(event.code);
  hand.verify.at(cloth) = true;
  return {};
}

Status spoil(Play& p, const Misdeal& event, Fixed fixed) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  auto& hand = *p.state.hand;
  if (cards_of(hand, spot).dealt == 0) return not_now(event.code);
  if (fixed == Fixed::voided && spot.bank()) {
    hand.cloth[0].fixed = Fixed::voided;
    hand.cloth[1].fixed = Fixed::voided;
    return {};
  }
  cards_of(hand, spot).fixed = fixed;
  return {};
}

Status keep_turn(Play& p, const Misdeal& event) {
  TALLA_TRY(const auto spot, spot_of(p, event));
  if (spot.bank() || p.state.hand->cloth.at(spot.hand).word == Word::none)
    return not_now(event.code);
  p.state.hand->keep.at(spot.hand) = true;
  return {};
}

void misannounced(Hand& hand) {
  const bool shown =
      std::any_of(hand.cloth.begin(), hand.cloth.end(), [](const Cards& one) { return one.shown; });
  if (shown) hand.fault = Fault::banker;
}

/// Duties that an error puts on a banker whose hand is complete: his third card comes, or is laid
/// aside.
void put_bank_right(Play& p) {
  auto& bank = p.state.hand->bank;
  if (bank.shown || bank.fixed != Fixed::none) return;
  const Cell duty = bank_duty(p.table, p.law, *p.state.hand);
  if (duty == Cell::draw) bank.word = Word::card;
  if (duty != Cell::stand) return;
  bank.word = Word::stand;
  bank.thirds.clear();
}

/// An error of the restored hands, before the banker has spoken or after all is done.
Status restored(Play& p, const Misdeal& event, Effect effect) {
  auto& hand = *p.state.hand;
  const bool late = hand_complete(p.table, p.law, p.state);
  if (effect == Effect::restored) hand.fault = std::max(hand.fault, Fault::player);
  if (effect == Effect::restored_bank) hand.fault = Fault::banker;
  if (effect == Effect::bank_misannounced) misannounced(hand);
  if (effect == Effect::cloth_exposed) TALLA_TRY_STATUS(cloth_exposed(p, event, Fault::player));
  if (effect == Effect::cloth_exposed_bank)
    TALLA_TRY_STATUS(cloth_exposed(p, event, Fault::banker));
  if (late && hand.fault != Fault::none) put_bank_right(p);
  return {};
}

Status chart_effects(Play& p, const Misdeal& event, Effect effect) {
  auto& hand = *p.state.hand;
  switch (effect) {
    case Effect::follow_chart:
      if (hand_complete(p.table, p.law, p.state)) return not_now(event.code);
      hand.chart = true;
      hand.bound = true;
      return {};
    case Effect::restored:
    case Effect::restored_bank:
    case Effect::cloth_exposed:
    case Effect::cloth_exposed_bank:
    case Effect::bank_misannounced:
      return restored(p, event, effect);
    default:
      return expose(p, event, effect == Effect::expose_matching);
  }
}

Status word_effects(Play& p, const Misdeal& event, Effect effect) {
  auto& hand = *p.state.hand;
  switch (effect) {
    case Effect::fifth_card:
      if (hand.cloth[0].word != Word::none || hand.bank.dealt < 2) return not_now(event.code);
      hand.fifth = true;
      return {};
    case Effect::bank_keeps_silent:
      if (hand.served || hand.bank.word != Word::none) return not_now(event.code);
      hand.silent = true;
      return {};
    case Effect::cards_pass:
      return cards_pass(p, event);
    case Effect::bank_decides:
      return bank_decides(p, event);
    case Effect::forgot_to_show:
      return forgot_to_show(p, event);
    case Effect::rectify:
      return rectify(p, event);
    case Effect::keep_turn:
      return keep_turn(p, event);
    default:
      return withdraw_stakes(p, event);
  }
}

Status card_effects(Play& p, const Misdeal& event, Effect effect) {
  switch (effect) {
    case Effect::discard_next:
      p.state.hand->to_deal.emplace_back(discard_place);
      return {};
    case Effect::croupier_card:
      return croupier_card(p, event);
    case Effect::bank_zero:
      return bank_zero(p, event);
    case Effect::two_thirds:
      return two_thirds(p, event);
    case Effect::punto_shows_nine:
      return punto_nine(p, event);
    case Effect::punto_counts_nine:
      return punto_third_nine(p, event);
    case Effect::void_cloth:
      return spoil(p, event, Fixed::voided);
    default:
      return spoil(p, event, Fixed::zero);
  }
}

Status hand_effect(Play& p, const Misdeal& event, Effect effect) {
  switch (effect) {
    case Effect::play_on:
      return {};
    case Effect::void_hand:
      decide(p, event, Decided::nobody);
      return {};
    case Effect::bank_loses:
      decide(p, event, Decided::punto);
      return {};
    case Effect::punto_loses:
      decide(p, event, Decided::banker);
      return {};
    case Effect::follow_chart:
    case Effect::restored:
    case Effect::restored_bank:
    case Effect::cloth_exposed:
    case Effect::cloth_exposed_bank:
    case Effect::bank_misannounced:
    case Effect::expose:
    case Effect::expose_matching:
      return chart_effects(p, event, effect);
    case Effect::fifth_card:
    case Effect::bank_keeps_silent:
    case Effect::cards_pass:
    case Effect::bank_decides:
    case Effect::forgot_to_show:
    case Effect::rectify:
    case Effect::keep_turn:
    case Effect::withdraw_stakes:
      return word_effects(p, event, effect);
    default:
      return card_effects(p, event, effect);
  }
}

}  // namespace

Status misdeal(Play& p, const Misdeal& event) {
  const auto* rule = p.table.rules().error(event.code);
  if (rule == nullptr)
    return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
  const auto effect = effect_from(rule->effect);
  if (p.state.phase == Phase::betting && p.state.shoe == ShoeState::in_play) {
    if (*effect == Effect::discard_next && p.state.discards < 16) {
      ++p.state.discards;
      return {};
    }
    return *effect == Effect::play_on ? Status() : Status(not_now(event.code));
  }
  if (p.state.phase != Phase::hand) return not_now(event.code);
  if (p.state.hand->to_deal.size() >= 16) return not_now(event.code);
  TALLA_TRY_STATUS(hand_effect(p, event, *effect));
  run_hand(p);
  return {};
}

}  // namespace talla::games::banque
