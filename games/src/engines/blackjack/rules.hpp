/// \file
/// What the catalogue says about blackjack at one table: the data blocks of the family "blackjack",
/// each figure either printed or chosen by a parameter of the table.
/// games/catalogues/docs/families/blackjack.md lists blocks and keys.
///
/// Threads: reads immutable tables only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/shared/data_law.hpp"
#include "games/event.hpp"

namespace talla::games::blackjack {

class Law : public DataLaw {
 public:
  using DataLaw::DataLaw;

  /// Points of a card, an ace at its low value.
  [[nodiscard]] int points(Card card) const;
  [[nodiscard]] int target() const { return number("cards", "target"); }
  [[nodiscard]] int ace_extra() const { return number("cards", "ace_extra"); }
  /// Whether a machine takes the cards of each round back and shuffles them in.
  [[nodiscard]] bool continuous() const {
    return has("shuffler") && is("shuffler", "kind", "continuous");
  }
  /// Whether cards are set aside before each round of a continuous shuffler; they go back with
  /// those of the round.
  [[nodiscard]] bool burns_each_round() const {
    return continuous() && is("shuffler", "burn", "every-round");
  }
  /// Cards set aside when a shoe opens.
  [[nodiscard]] int opening_burns() const {
    return continuous() && is("shuffler", "burn", "none") ? 0 : number("shoe", "burn");
  }
  /// Boxes in use at this table.
  [[nodiscard]] Box boxes() const { return static_cast<Box>(number("boxes", "count")); }
  /// Hands of the dealer in one round: 1, or the stages of triple black jack.
  [[nodiscard]] int stages() const { return has("stages") ? number("stages", "count") : 1; }

  [[nodiscard]] const std::string& main_bet() const { return text("boxes", "bet"); }
  /// Id of the insurance bet, or "" in a game without.
  [[nodiscard]] std::string_view insurance_bet() const;
};

/// Refuses rules that the engine cannot play: blocks or keys missing or unknown, values outside
/// what it knows, bets of another form. Errors: catalogue_malformed.
[[nodiscard]] Status check_law(const GameRules& rules);

}  // namespace talla::games::blackjack
