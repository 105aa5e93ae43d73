#include "engines/monte/deal.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::games::monte {
namespace {

enum class Fate : std::uint8_t { open, win, lose };

/// One card turned, and what it is on the layout.
struct Turned {
  Card card;
  bool first = false;                ///< of the round
  std::size_t place = places_count;  ///< of the face-up card of its rank; places_count: none
  bool in_play = false;
  [[nodiscard]] bool on_layout() const { return place < places_count; }
};

void annul_deal(State& state) {
  const bool last = state.last;
  state = State();
  state.last = last;
}

std::size_t seen_of_rank(const State& state, int rank) {
  const auto out = state.out();
  return static_cast<std::size_t>(
      std::count_if(out.begin(), out.end(), [&](Card card) { return card.rank() == rank; }));
}

bool is_place(const Bet& bet, std::size_t place) {
  return bet.on.size() == 1 && bet.on.front() == std::to_string(place + 1);
}

Fate fate_of(const Rules& rules, const State& state, const Bet& bet, const Turned& now) {
  const auto& form = rules.form(bet.kind);
  const auto exact = [&] {
    return now.in_play && is_place(bet, now.place) &&
           rules.relation(state.layout.at(now.place).card, now.card) == form.relation;
  };
  switch (form.kind) {
    case FormKind::vista:
      return exact() ? Fate::win : Fate::lose;  // the first card decides it, whatever it is
    case FormKind::exact:
      if (!now.in_play) return Fate::open;
      return exact() ? Fate::win : Fate::lose;
    case FormKind::salto:
      if (!now.in_play || annulled_in_salto(rules, state, now.place, now.card)) return Fate::open;
      return is_place(bet, now.place) ? Fate::win : Fate::lose;
    case FormKind::horizontal:
    case FormKind::vertical:
    case FormKind::two:
      break;
  }
  const auto sides = sides_of(form, bet.on);
  if (!now.on_layout() || !sides.concerns(now.place)) return Fate::open;
  const auto relation = rules.relation(state.layout.at(now.place).card, now.card);
  if (annulled_in_cartas(rules, state, sides, now.place, relation)) return Fate::open;
  return sides.on_chosen(now.place) ? Fate::win : Fate::lose;
}

/// Points taken off the price of an exact card for what lies stacked or burned.
std::int64_t points_of(const Rules& rules, const State& state, const Form& form) {
  const auto extras = static_cast<std::int64_t>(state.extras_count());
  if (form.kind == FormKind::vista) {
    return rules.points_extra_vista * extras +
           rules.points_burned_vista * static_cast<std::int64_t>(state.burned.size());
  }
  if (form.kind != FormKind::exact || (form.segundas && !rules.segundas_points)) return 0;
  std::int64_t points = 0;
  for (std::size_t place = 0; place < places_count; ++place) {
    if (form.segundas && row_of(place) != state.second_row()) continue;
    const auto stacked = static_cast<std::int64_t>(state.layout.at(place).extras.size());
    points += rules.points_per_place ? std::min<std::int64_t>(stacked, 1) : stacked;
  }
  return rules.points_extra_exact * points;
}

Settlement win(const Table& table, const State& state, const Bet& bet, bool first_card) {
  const auto& rules = table.prepared<Rules>();
  const auto& form = rules.form(bet.kind);
  const auto* rule = table.rules().bet(bet.kind);
  TALLA_CHECK(rule != nullptr);
  const auto& payout = *rule->payout("win");
  Fraction pays = payout.pays - Fraction(points_of(rules, state, form));
  if (pays < Fraction(0)) pays = Fraction(0);
  const Fraction stake(bet.stake);
  Fraction winnings = stake * pays;
  const bool reduced = form.kind != FormKind::vista && state.matched_first &&
                       (first_card || rules.deduct_whole_round);
  if (reduced) winnings = winnings - rules.deduction * (rules.deduct_from_stake ? stake : winnings);
  return settle_returned(table, bet, BetResult::win, stake + winnings,
                         reduced ? rules.deduction_cite : payout.cite);
}

void give_back(const Table& table, State& state, const Bet& bet) {
  state.settled.push_back(settle_returned(table, bet, BetResult::void_, Fraction(bet.stake),
                                          table.prepared<Rules>().rounds_cite));
}

/// Whether an undecided bet waits for Segundas.
bool goes_on(const Rules& rules, const State& state, const Bet& bet) {
  const auto& form = rules.form(bet.kind);
  if (!form.cartas() || rules.return_untouched) return false;
  const auto sides = sides_of(form, bet.on);
  for (std::size_t place = 0; place < places_count; ++place) {
    if (sides.concerns(place) && state.layout.at(place).face_down) return false;
  }
  return true;
}

void remove_settled(State& state) {
  for (const auto& one : state.settled) {
    state.bets.remove(one.bet);
    std::erase(state.held, one.bet);
  }
}

bool deck_is_out(const Rules& rules, const State& state) {
  return state.out().size() == rules.shoe.cards_count;
}

/// After Primeras comes Segundas, while there is a card for it.
void end_round(const Table& table, State& state) {
  const auto& rules = table.prepared<Rules>();
  const bool again = state.phase == Phase::primeras && !deck_is_out(rules, state);
  state.held.clear();
  for (const auto& bet : state.bets.all()) {
    if (again && goes_on(rules, state, bet)) {
      state.held.push_back(bet.id);
    } else {
      give_back(table, state, bet);
    }
  }
  remove_settled(state);
  state.turned_here = 0;
  state.matched_first = false;
  state.round_over = again;
  state.phase = again ? Phase::segundas_open : state.last ? Phase::finished : Phase::over;
}

Turned look(const State& state, Card card) {
  Turned out{card, state.turned_here == 1};
  for (std::size_t place = 0; place < places_count; ++place) {
    const auto& placed = state.layout.at(place);
    if (placed.card.rank() != card.rank() || placed.face_down) continue;
    out.place = place;
    out.in_play = state.in_play(place);
  }
  return out;
}

/// The bets that this card decides.
void settle_by(const Table& table, State& state, const Turned& now) {
  const auto& rules = table.prepared<Rules>();
  for (const auto& bet : state.bets.all()) {
    const auto fate = fate_of(rules, state, bet, now);
    if (fate == Fate::win) state.settled.push_back(win(table, state, bet, now.first));
    if (fate == Fate::lose)
      state.settled.push_back(settle_lose(table, bet, table.rules().bet(bet.kind)->cite));
  }
  remove_settled(state);
}

/// Whether the card takes one side of a row, which ends the round.
bool decides_row(const Rules& rules, const State& state, const Turned& now) {
  if (!now.in_play) return false;
  const Sides row{{now.place}, {beside(now.place)}};
  const auto relation = rules.relation(state.layout.at(now.place).card, now.card);
  return !annulled_in_cartas(rules, state, row, now.place, relation);
}

}  // namespace

void place_card(const Table& table, State& state, Card card) {
  const auto& rules = table.prepared<Rules>();
  auto& layout = state.layout;
  const auto same = std::find_if(layout.begin(), layout.end(),
                                 [&](const Placed& one) { return one.card.rank() == card.rank(); });
  if (same == layout.end()) {
    layout.push_back({card, {}, false});
  } else if (layout.size() == 1 ||
             same - layout.begin() == 2) {  // first and second, or third and fourth, are equal
    if (layout.size() == 3 && rules.fourth_redeals) return annul_deal(state);
    state.burned.push_back(layout.back().card);
    state.burned.push_back(card);
    layout.pop_back();
  } else {
    same->extras.push_back(card);
    if (seen_of_rank(state, card.rank()) == 4) return annul_deal(state);
  }
  if (deck_is_out(rules, state)) {
    annul_deal(state);  // nothing is left to fill the places with, or to turn
  } else if (layout.size() == places_count) {
    state.phase = Phase::primeras_open;
  }
}

bool round_complete(const Rules& rules, const State& state) {
  if (!state.turning() || state.turned_here == 0) return false;
  return decides_row(rules, state, look(state, state.turned.back())) || deck_is_out(rules, state);
}

void turn_card(const Table& table, State& state, Card card) {
  ++state.turned_here;
  state.turned.push_back(card);
  const auto now = look(state, card);
  if (now.first) state.matched_first = now.in_play;
  if (!round_complete(table.prepared<Rules>(), state)) settle_by(table, state, now);
}

void settle_round(const Table& table, State& state) {
  const auto& rules = table.prepared<Rules>();
  const auto now = look(state, state.turned.back());
  settle_by(table, state, now);
  if (decides_row(rules, state, now)) state.layout.at(beside(now.place)).face_down = true;
  end_round(table, state);  // a deck that is out without a decision: what is left comes back
}

}  // namespace talla::games::monte
