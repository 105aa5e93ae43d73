// Which words and third cards the rules force, by the charts of the text.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

int value(const Law& law, Card card) {
  return baccarat::value_of(law.points, card);
}

/// The better (or worse) of the totals that two third cards make; with one or none there is no
/// choice.
int with_thirds(const Law& law, const Cards& hand, int start, bool best) {
  if (hand.thirds.empty()) return start;
  int out = (start + value(law, hand.thirds.front())) % 10;
  for (const auto card : hand.thirds) {
    const int other = (start + value(law, card)) % 10;
    out = best ? std::max(out, other) : std::min(out, other);
  }
  return out;
}

/// Column of the chart for a cloth: the points of the third card that counts, or 10 when it stood.
std::size_t column(const Law& law, const Cards& cloth) {
  if (cloth.thirds.empty()) return 10;
  Card counts = cloth.thirds.front();
  if (cloth.thirds.size() > 1 && cloth.known()) {
    const int start = two_total(law, cloth);
    for (const auto card : cloth.thirds) {
      if ((start + value(law, card)) % 10 > (start + value(law, counts)) % 10) counts = card;
    }
  }
  return static_cast<std::size_t>(value(law, counts));
}

Cell chart_cell(const Law& law, const Hand& hand, std::size_t cloth) {
  return law.chart.at(static_cast<std::size_t>(two_total(law, hand.bank)))
      .at(column(law, hand.cloth.at(cloth)));
}

bool strict_table(const Table& table, const Hand& hand) {
  return hand.exposed && table.params().choice(p_exposed) == "punto-banca";
}

Cell free_or_zero(bool zero_draws, int total) {
  return zero_draws && total == 0 ? Cell::draw : Cell::optional;
}

Cell one_cloth_duty(const Table& table, const Law& law, const Hand& hand) {
  const int total = two_total(law, hand.bank);
  if (hand.cloth[0].fixed == Fixed::nine)
    return total == 7 ? Cell::stand : free_or_zero(true, total);
  if (!hand.chart && !hand.exposed) return free_or_zero(true, total);
  const Cell cell = chart_cell(law, hand, 0);
  if (cell == Cell::optional && (hand.optionals || strict_table(table, hand))) return Cell::draw;
  return cell;
}

bool natural_binds(const Table& table, const Law& law, const Hand& hand) {
  bool shown = false;
  bool live = false;
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    shown = shown || hand.cloth.at(cloth).shown;
    live = live || in_play(hand.cloth.at(cloth));
  }
  return shown && live && (hand.fault != Fault::none || table.params().boolean(p_natural_binds));
}

Cell two_cloths_duty(const Table& table, const Law& law, const Hand& hand) {
  const int total = two_total(law, hand.bank);
  const Cell free = free_or_zero(table.params().choice(p_bank_zero) == "must-draw", total);
  std::vector<Cell> cells;
  for (std::size_t cloth = 0; cloth < law.cloths; ++cloth) {
    if (in_play(hand.cloth.at(cloth))) cells.push_back(chart_cell(law, hand, cloth));
  }
  if (cells.empty()) return Cell::stand;
  if (natural_binds(table, law, hand))
    return cells.front() == Cell::optional ? Cell::draw : cells.front();
  if (!hand.chart && hand.fault == Fault::none) return free;
  const bool same =
      std::all_of(cells.begin(), cells.end(), [&](Cell cell) { return cell == cells.front(); });
  if (same && cells.front() != Cell::optional) return cells.front();
  if (hand.fault == Fault::banker) return total <= 5 ? Cell::draw : Cell::stand;
  return free;
}

}  // namespace

int two_total(const Law& law, const Cards& hand) {
  if (hand.fixed == Fixed::zero || hand.fixed == Fixed::zero_start || !hand.known()) return 0;
  return (value(law, *hand.first[0]) + value(law, *hand.first[1])) % 10;
}

int cloth_total(const Law& law, const Cards& hand) {
  if (hand.fixed == Fixed::nine) return 9;
  if (hand.fixed == Fixed::zero) return 0;
  return with_thirds(law, hand, two_total(law, hand), true);
}

int bank_total(const Law& law, const Cards& hand) {
  if (hand.fixed == Fixed::zero) return 0;
  return with_thirds(law, hand, two_total(law, hand), false);
}

bool in_play(const Cards& cloth) {
  return !cloth.shown && cloth.fixed != Fixed::voided;
}

bool duty_binds(const Table& table, const Law& law, const Hand& hand) {
  if (hand.bank.fixed != Fixed::none) return false;
  if (law.cloths == 1) return hand.chart || hand.exposed || hand.cloth[0].fixed == Fixed::nine;
  return hand.chart || hand.fault != Fault::none || natural_binds(table, law, hand);
}

Cell bank_duty(const Table& table, const Law& law, const Hand& hand) {
  if (hand.bank.fixed != Fixed::none) return Cell::optional;
  return law.cloths == 1 ? one_cloth_duty(table, law, hand) : two_cloths_duty(table, law, hand);
}

Cell cloth_duty(const Table& table, const Law& law, const Hand& hand, std::size_t cloth) {
  if (hand.free && !hand.bound && !hand.exposed) return Cell::optional;
  const auto total = static_cast<std::size_t>(two_total(law, hand.cloth.at(cloth)));
  if (law.punto_draws.at(total)) return Cell::draw;
  if (!law.punto_free.at(total)) return Cell::stand;
  return law.cloths == 1 && strict_table(table, hand) ? Cell::draw : Cell::optional;
}

bool wrong_word(const Table& table, const Law& law, const Hand& hand, std::size_t cloth) {
  const auto& cards = hand.cloth.at(cloth);
  if (!in_play(cards) || cards.fixed != Fixed::none || !cards.known()) return false;
  const Cell duty = cloth_duty(table, law, hand, cloth);
  const bool bad = (duty == Cell::draw && cards.word == Word::stand) ||
                   (duty == Cell::stand && cards.word == Word::card);
  if (!bad || law.cloths == 2) return bad;
  const int total = two_total(law, cards);
  if (total == 0) return true;      // who has zero always gets his card
  if (cards.by_bank) return false;  // the banker chose
  if (law.points.natural_total.at(static_cast<std::size_t>(total)))
    return false;  // he gave the card
  return hand.exposed || table.params().choice(p_wrong_word) == "rectified";
}

}  // namespace talla::games::banque
