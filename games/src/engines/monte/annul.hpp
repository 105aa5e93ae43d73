/// \file
/// Which cards still to come decide nothing ("anular"), because a doubled or tripled card lies on
/// the layout.
///
/// The text gives the first card doubled or tripled, alone or with the second; the second alone is
/// its mirror. A card in the lower row counts as stacked only when its rank was burned before
/// (reading A35); the same table, turned over, then holds for it, and of two stacked cards the
/// lower stack is not let off: the higher one annuls, equals do not.
#pragma once

#include <vector>

#include "engines/monte/rules.hpp"

namespace talla::games::monte {

/// Cards beyond the one on the place: its extras; two when its rank was burned before (A35).
[[nodiscard]] std::size_t stack_level(const Rules& rules, const State& state, std::size_t place);

/// What the layout annuls in Cartas, both rows.
[[nodiscard]] std::vector<AnnulRow> annulments(const Rules& rules, const State& state);

/// The two sides of a Cartas bet.
struct Sides {
  std::vector<std::size_t> chosen;
  std::vector<std::size_t> against;
  [[nodiscard]] bool diagonal() const;
  [[nodiscard]] bool on_chosen(std::size_t place) const;
  [[nodiscard]] bool concerns(std::size_t place) const;
};
/// Precondition: the form is one of Cartas, `on` one of its positions.
[[nodiscard]] Sides sides_of(const Form& form, const std::vector<std::string>& on);

/// Whether a card of this relation to the placed card decides nothing between these sides.
[[nodiscard]] bool annulled_in_cartas(const Rules& rules, const State& state, const Sides& sides,
                                      std::size_t place, Relation relation);
/// The same for Salto. `card` has the rank of the place.
[[nodiscard]] bool annulled_in_salto(const Rules& rules, const State& state, std::size_t place,
                                     Card card);

/// Cards of the place's rank that nobody has seen yet, by their relation to it.
[[nodiscard]] std::vector<Relation> live_cards(const Rules& rules, const State& state,
                                               std::size_t place);

}  // namespace talla::games::monte
