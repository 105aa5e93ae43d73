/// \file
/// What the catalogue says about blackjack at one table: the data blocks of the family "blackjack", each figure either
/// printed or chosen by a parameter of the table. games/catalogues/README.md lists blocks and keys.
///
/// Threads: reads immutable tables only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/event.hpp"
#include "games/table.hpp"

namespace talla::games::blackjack {

class Law {
 public:
  /// The table must outlive it; its rules passed `check_law`.
  explicit Law(const Table& table) : table_(&table) {}

  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const GameRules& rules() const { return table_->rules(); }

  /// Whether the game has that block: insurance, even_money, split, double, surrender, stages, over_under,
  /// combinations, stakes are optional.
  [[nodiscard]] bool has(std::string_view block) const { return rules().data.contains(block); }
  [[nodiscard]] const Citation& cite(std::string_view block) const;
  /// Preconditions of the getters (checked by check_law): block and key exist, the value has that type.
  [[nodiscard]] const std::string& text(std::string_view block, std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view block, std::string_view key) const;
  [[nodiscard]] int number(std::string_view block, std::string_view key) const;
  [[nodiscard]] Fraction fraction(std::string_view block, std::string_view key) const;
  [[nodiscard]] std::vector<int> numbers(std::string_view block, std::string_view key) const;
  [[nodiscard]] const json::Value* find(std::string_view block, std::string_view key) const;
  /// A printed value, or that of the parameter it names.
  [[nodiscard]] const json::Value& resolve(const json::Value& value) const;
  [[nodiscard]] Fraction fraction_of(const json::Value& value) const;
  [[nodiscard]] bool is(std::string_view block, std::string_view key, std::string_view value) const {
    return text(block, key) == value;
  }

  /// Points of a card, an ace at its low value.
  [[nodiscard]] int points(Card card) const;
  [[nodiscard]] int target() const { return number("cards", "target"); }
  [[nodiscard]] int ace_extra() const { return number("cards", "ace_extra"); }
  /// Whether a machine takes the cards of each round back and shuffles them in.
  [[nodiscard]] bool continuous() const { return has("shuffler") && is("shuffler", "kind", "continuous"); }
  /// Whether cards are set aside before each round of a continuous shuffler; they go back with those of the round.
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
  [[nodiscard]] const BetRule& bet(std::string_view kind) const;

 private:
  [[nodiscard]] const json::Value& need(std::string_view block, std::string_view key) const;
  const Table* table_;
};

/// Refuses rules that the engine cannot play: blocks or keys missing or unknown, values outside what it knows, bets
/// of another form. Errors: catalogue_malformed.
[[nodiscard]] Status check_law(const GameRules& rules);

}  // namespace talla::games::blackjack
