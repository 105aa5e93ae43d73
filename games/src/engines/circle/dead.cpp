// Dead cards and the last card, where the deck does not last.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

bool is_last(const Play& p) {
  return p.state.street + 1 == p.law.streets.size();
}

std::size_t count_of(const Street& street, bool (*counts)(Token)) {
  return static_cast<std::size_t>(std::count_if(street.deal.begin(), street.deal.end(), counts));
}

/// Cards of hands that are out of play.
std::size_t discards(const State& state) {
  std::size_t out = 0;
  for (const auto& one : state.players) out += one.live() ? 0 : one.cards.size();
  return out;
}

/// Cards still in the deck when all cards of the streets up to this one, itself left out, are
/// dealt.
std::size_t undealt(const Play& p) {
  const auto& state = p.state;
  std::size_t out = p.table.rules().shoe->cards_count;
  for (const auto& one : state.players) out -= one.cards.size();
  const auto first = count_of(p.law.streets.front(), is_own);
  for (const auto& stray : state.strays) out -= first - stray.from;
  for (std::uint32_t i = 0; i < state.street; ++i)
    out -= count_of(p.law.streets.at(i), [](Token token) { return token == Token::dead; });
  return out - state.early.laid;
}

}  // namespace

void begin_last_card(Play& p) {
  auto& state = p.state;
  const std::size_t dead = p.law.dead_cards();
  if (dead == 0 || !is_last(p)) return;
  const std::size_t wanted = state.live_count();
  const std::size_t left = undealt(p);
  if (left >= wanted) return;
  if (left + dead >= wanted) {
    state.deck.to_mix = 1;
  } else if (p.law.dead.discards_mixed && left + dead + discards(state) >= wanted) {
    state.deck.to_mix = 2;
  } else {
    state.deck.single = true;
    if (left == 0) state.deck.to_mix = 1;
  }
}

Shuffle mix_need(const Play& p) {
  const auto& state = p.state;
  TALLA_CHECK(state.deck.to_mix != 0);
  Shuffle out;
  const std::size_t last = state.deck.to_mix == first_alone ? 1 : p.law.dead_cards();
  for (std::size_t i = 1; i <= last; ++i) out.places.push_back(numbered("dead", i));
  if (state.deck.to_mix == 2) {
    for (const auto& one : state.players) {
      if (one.live()) continue;
      for (std::size_t i = 1; i <= one.cards.size(); ++i)
        out.places.push_back(own_place(one.seat, i));
    }
  }
  out.cards_count = static_cast<std::uint32_t>(out.places.size());
  out.rule = p.rule(p.law.dead.cite);
  return out;
}

Status mixed(Play& p, const Shuffled& event) {
  auto& state = p.state;
  if (event.places != mix_need(p).places) return fail(Errc::not_due, "no such shuffle is due");
  if (state.deck.to_mix == 2) {  // they may come again
    for (auto& one : state.players) {
      if (!one.live()) one.cards.clear();
    }
  }
  state.deck.mixed = std::exchange(state.deck.to_mix, 0);
  return {};
}

Result<bool> dealt_early(Play& p) {
  auto& state = p.state;
  if (state.phase != Phase::bet || is_last(p) || state.early.due ||
      !state.showing.to_reveal.empty())
    return fail(Errc::not_due,
                "cards are dealt too early while somebody may speak and more are to come");
  // Whoever is in the hand now may get a card in each further street but the last, where other
  // cards do.
  std::size_t wanted = 1 + state.live_count();
  for (std::size_t i = state.street + 1; i + 1 < p.law.streets.size(); ++i) {
    const auto& street = p.law.streets.at(i);
    wanted += count_of(street, is_own) * state.live_count();
    wanted += count_of(street, [](Token token) { return token == Token::dead; });
  }
  const auto here =
      count_of(p.law.streets.at(state.street), [](Token token) { return token == Token::dead; });
  if (undealt(p) < here + wanted) return false;
  state.early.due = true;
  return true;
}

Status passed_over(Play& p, const Misdeal& event) {
  auto& state = p.state;
  const auto where = own_place_of(event.place.value_or(""));
  const auto* player = state.player(where.seat);
  if (player == nullptr || !player->live() || where.card != p.law.own_cards())
    return fail(Errc::place_unknown,
                event.code + " names the last card of a player who is in the hand");
  const bool last = state.phase == Phase::deal && is_last(p) && !state.deck.single;
  if (!last || state.deck.to_mix != 0 || state.deck.mixed != 0 || state.deck.passed != 0)
    return fail(Errc::not_due,
                "one seat is passed over with the last card, while no dead card is in the deck");
  const auto all = street_cards(p);
  if (all.at(state.dealt).seat != where.seat || state.dealt + 1 == all.size())
    return fail(Errc::not_due, "the next card does not go past that seat to another");
  state.deck.aside = static_cast<std::uint32_t>(undealt(p) - (all.size() - state.dealt - 1));
  state.deck.passed = where.seat;
  return {};
}

void lay_early(Play& p) {
  auto& state = p.state;
  state.early.before = 0;
  if (!std::exchange(state.early.due, false)) return;
  state.early.before = static_cast<std::uint32_t>(1 + state.live_count());
  state.early.laid += state.early.before;
}

}  // namespace talla::games::circle
