#include "engines/monte/annul.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::games::monte {
namespace {

bool contains(const std::vector<Relation>& all, Relation one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::size_t place_of(const std::string& code) {
  TALLA_CHECK(code.size() == 1 && code.front() >= '1' && code.front() <= '4');
  return static_cast<std::size_t>(code.front() - '1');
}

/// What one row's stacks annul; the other row counts as plain. The table has the first card as the
/// higher stack.
std::vector<AnnulRow> row_annulments(const Rules& rules, std::size_t left, std::size_t right,
                                     std::size_t row) {
  const std::size_t turn = (right > left ? 1U : 0U) | (row == 1 ? 2U : 0U);
  const auto first = std::max(left, right);
  const auto second = std::min(left, right);
  std::vector<AnnulRow> out;
  for (const auto& one : rules.annulled) {
    if (one.first != first || one.second != second) continue;
    if (rules.diagonals_free && first == 1 && second == 0 && one.annuls.size() == 1) {
      out.push_back(one);
      out.back().diagonals = false;
    } else {
      out.push_back(one);
    }
    out.back().card ^= turn;
    out.back().by ^= turn;
  }
  return out;
}

/// All cards of that rank still to come, the ones that live longest first.
std::vector<Relation> salto_order(const Rules& rules, const State& state, std::size_t place) {
  const auto live = live_cards(rules, state, place);
  std::vector<Relation> out;
  for (const auto relation : rules.salto_keeps) {
    if (contains(live, relation)) out.push_back(relation);
  }
  return out;
}

}  // namespace

std::size_t stack_level(const Rules& rules, const State& state, std::size_t place) {
  const auto& placed = state.layout.at(place);
  const bool burned = std::any_of(state.burned.begin(), state.burned.end(),
                                  [&](Card card) { return card.rank() == placed.card.rank(); });
  if (burned && !rules.burned_is_plain) return 2;
  return placed.extras.size();
}

std::vector<AnnulRow> annulments(const Rules& rules, const State& state) {
  std::array<std::size_t, places_count> level{};
  for (std::size_t place = 0; place < places_count; ++place)
    level.at(place) = stack_level(rules, state, place);
  auto out = row_annulments(rules, level.at(0), level.at(1), 0);
  const auto lower = row_annulments(rules, level.at(2), level.at(3), 1);
  const bool both = !out.empty() && !lower.empty();
  out.insert(out.end(), lower.begin(), lower.end());
  if (both) {
    std::erase_if(out, [&](const AnnulRow& one) {
      return row_of(one.card) != row_of(one.by) && level.at(one.card) >= level.at(one.by);
    });
  }
  return out;
}

bool Sides::diagonal() const {
  return chosen.size() == 2 && (chosen.front() ^ chosen.back()) == 3U;
}

bool Sides::on_chosen(std::size_t place) const {
  return std::find(chosen.begin(), chosen.end(), place) != chosen.end();
}

bool Sides::concerns(std::size_t place) const {
  return on_chosen(place) || std::find(against.begin(), against.end(), place) != against.end();
}

Sides sides_of(const Form& form, const std::vector<std::string>& on) {
  TALLA_CHECK(form.cartas());
  Sides out;
  for (const auto& code : on) out.chosen.push_back(place_of(code));
  if (form.kind == FormKind::horizontal) out.against = {beside(out.chosen.front())};
  if (form.kind == FormKind::vertical) out.against = {across(out.chosen.front())};
  if (form.kind != FormKind::two) return out;
  for (std::size_t place = 0; place < places_count; ++place) {
    if (!out.on_chosen(place)) out.against.push_back(place);
  }
  return out;
}

bool annulled_in_cartas(const Rules& rules, const State& state, const Sides& sides,
                        std::size_t place, Relation relation) {
  const auto all = annulments(rules, state);
  return std::any_of(all.begin(), all.end(), [&](const AnnulRow& one) {
    if (one.card != place || !contains(one.annuls, relation)) return false;
    if (sides.diagonal() && !one.diagonals) return false;
    if (rules.annul_everywhere) return true;
    return sides.concerns(one.by) && sides.on_chosen(one.by) != sides.on_chosen(place);
  });
}

bool annulled_in_salto(const Rules& rules, const State& state, std::size_t place, Card card) {
  const auto relation = rules.relation(state.layout.at(place).card, card);
  if (rules.salto_by_table) {
    const auto all = annulments(rules, state);
    return std::any_of(all.begin(), all.end(), [&](const AnnulRow& one) {
      return one.card == place && contains(one.annuls, relation);
    });
  }
  std::size_t highest = 0;
  for (std::size_t other = 0; other < places_count; ++other) {
    highest = std::max(highest, stack_level(rules, state, other));
  }
  if (highest == 0) return false;
  // Against the highest stack every card plays with as many cards as that one has left.
  State before = state;
  before.turned.clear();
  const auto order = salto_order(rules, before, place);
  const auto found =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), relation) - order.begin());
  return found >= 3 - highest;
}

std::vector<Relation> live_cards(const Rules& rules, const State& state, std::size_t place) {
  const auto& placed = state.layout.at(place).card;
  const auto out = state.out();
  std::vector<Relation> all = {Relation::camo, Relation::anti, Relation::viudo};
  for (const auto card : out) {
    if (card.rank() != placed.rank() || card == placed) continue;
    std::erase(all, rules.relation(placed, card));
  }
  return all;
}

}  // namespace talla::games::monte
