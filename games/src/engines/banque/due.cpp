// Which card or word is due next in a hand.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

using Stage = Due::Stage;

Due reveal(std::string place) {
  Due out;
  out.kind = Due::Kind::reveal;
  out.place = std::move(place);
  return out;
}

Due deal(std::string place) {
  Due out;
  out.kind = Due::Kind::deal;
  out.cards = {DealPlace{std::move(place), Face::open}};
  return out;
}

Due ask(Stage stage, std::size_t cloth, Seat seat,
        std::initializer_list<std::string_view> actions) {
  Due out;
  out.kind = Due::Kind::decide;
  out.stage = stage;
  out.cloth = cloth;
  out.decide.seat = seat;
  for (const auto action : actions) {
    if (!action.empty()) out.decide.choices.push_back({std::string(action), "", 0, 0, 0});
  }
  return out;
}

/// The next card of a hand that is still closed.
std::optional<Due> turn_cloth(const Law& law, const Hand& hand, std::size_t cloth) {
  const auto& cards = hand.cloth.at(cloth);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!cards.first.at(i)) return reveal(cloth_place(law.cloths, cloth, i + 1));
  }
  return std::nullopt;
}

std::optional<Due> turn_bank(const Hand& hand) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!hand.bank.first.at(i)) return reveal(bank_place(i + 1));
  }
  return std::nullopt;
}

/// Cards that come before anything else: those an error laid out, and the first two of each hand.
std::optional<Due> first_cards(const Law& law, const Hand& hand, Seat banker) {
  Due out;
  out.kind = Due::Kind::deal;
  for (const auto& place : hand.to_deal) out.cards.push_back({place, Face::open});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
      if (hand.cloth.at(cloth).dealt <= i) {
        out.cards.push_back(
            {cloth_place(law.cloths, cloth, i + 1), Face::covered, {hand.holder.at(cloth)}});
      }
    }
    if (hand.bank.dealt <= i) out.cards.push_back({bank_place(i + 1), Face::covered, {banker}});
  }
  if (out.cards.empty()) return std::nullopt;
  return out;
}

/// Hands that somebody showed or that must be known now.
std::optional<Due> turned_cards(const Table& table, const Law& law, const Hand& hand) {
  if (!hand.to_reveal.empty()) return reveal(hand.to_reveal.front());
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    const auto& cards = hand.cloth.at(cloth);
    const bool turn = (cards.word == Word::show && cards.fixed == Fixed::none) ||
                      hand.timed_out.at(cloth) || hand.verify.at(cloth) ||
                      (hand.forgot && cloth == 0);
    if (turn && !cards.known()) return turn_cloth(law, hand, cloth);
  }
  if ((hand.bank.word == Word::show || hand.croupier_cards > 0) && !hand.bank.known())
    return turn_bank(hand);
  (void)table;
  return std::nullopt;
}

std::optional<Due> cloth_word(const Table& table, const Law& law, const Hand& hand) {
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    const auto& cards = hand.cloth.at(cloth);
    if (!in_play(cards) || cards.word != Word::none) continue;
    const Seat seat = hand.holder.at(cloth);
    if (!cards.known()) return ask(Stage::word, cloth, seat, {"abatir", "carta", "no"});
    const bool natural =
        law.points.natural_total.at(static_cast<std::size_t>(two_total(law, cards)));
    if (natural) return ask(Stage::word, cloth, seat, {"abatir", "carta", "no"});
    switch (cloth_duty(table, law, hand, cloth)) {
      case Cell::draw:
        return ask(Stage::word, cloth, seat, {"carta"});
      case Cell::stand:
        return ask(Stage::word, cloth, seat, {"no"});
      case Cell::optional:
        return ask(Stage::word, cloth, seat, {"carta", "no"});
    }
  }
  return std::nullopt;
}

bool anybody_asked(const Law& law, const Hand& hand) {
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    if (in_play(hand.cloth.at(cloth)) && hand.cloth.at(cloth).word == Word::card) return true;
  }
  return false;
}

/// The banker answers the words: he shows, or serves, or says his own word.
std::optional<Due> bank_answer(const Table& table, const Law& law, const Hand& hand, Seat banker) {
  if (hand.give) return ask(Stage::give, 0, banker, {"dar", "negar"});
  if (hand.served) return std::nullopt;
  if (duty_binds(table, law, hand)) return turn_bank(hand);
  const std::string_view show = hand.silent ? "" : "abatir";
  const std::string_view chart = hand.chart ? "" : "cuadro";
  if (anybody_asked(law, hand)) return ask(Stage::serve, 0, banker, {show, "dar", chart});
  return ask(Stage::serve, 0, banker, {show, "carta", "no", chart});
}

std::optional<Due> third_cards(const Law& law, const Hand& hand) {
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    const auto& cards = hand.cloth.at(cloth);
    if (in_play(cards) && cards.word == Word::card && cards.thirds.empty())
      return deal(cloth_place(law.cloths, cloth, 3));
  }
  return std::nullopt;
}

std::optional<Due> bank_third(const Table& table, const Law& law, const Hand& hand, Seat banker) {
  if (hand.bank.word == Word::card && hand.bank.thirds.empty()) return deal(bank_place(3));
  if (hand.bank.word != Word::none) return std::nullopt;
  if (duty_binds(table, law, hand)) {
    if (auto turn = turn_bank(hand)) return turn;
    // Of two third cards given by error the better one counts: his cards must be known for the
    // chart.
    if (hand.cloth[0].thirds.size() > 1) {
      if (auto turn = turn_cloth(law, hand, 0)) return turn;
    }
  }
  return ask(Stage::bank_word, 0, banker, {"carta", "no", hand.chart ? "" : "cuadro"});
}

/// At the end everything that counts is turned.
std::optional<Due> last_reveals(const Law& law, const Hand& hand) {
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    const auto fixed = hand.cloth.at(cloth).fixed;
    if (fixed != Fixed::none) continue;
    if (auto turn = turn_cloth(law, hand, cloth)) return turn;
  }
  if (hand.bank.fixed == Fixed::zero || hand.bank.fixed == Fixed::zero_start) return std::nullopt;
  return turn_bank(hand);
}

bool all_voided(const Law& law, const Hand& hand) {
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    if (hand.cloth.at(cloth).fixed != Fixed::voided) return false;
  }
  return true;
}

}  // namespace

bool hand_ended(const Law& law, const Hand& hand) {
  return hand.decided != Decided::none || all_voided(law, hand);
}

Due hand_due(const Table& table, const Law& law, const State& state) {
  const Hand& hand = *state.hand;
  const Seat banker = state.banker();
  if (hand.decided != Decided::none) return {};
  if (auto due = first_cards(law, hand, banker)) return *due;
  if (all_voided(law, hand)) return {};
  if (auto due = turned_cards(table, law, hand)) return *due;
  if (!hand.withdrawing.empty())
    return ask(Stage::withdraw, 0, hand.withdrawing.front(), {"retirar", "mantener"});
  bool someone = false;
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth)
    someone = someone || in_play(hand.cloth.at(cloth));
  if (someone && !hand.bank.shown) {
    if (auto due = cloth_word(table, law, hand)) return *due;
    if (auto due = bank_answer(table, law, hand, banker)) return *due;
    if (auto due = third_cards(law, hand)) return *due;
    if (auto due = bank_third(table, law, hand, banker)) return *due;
  }
  if (auto due = last_reveals(law, hand)) return *due;
  return {};
}

}  // namespace talla::games::banque
