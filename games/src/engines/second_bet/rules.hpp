/// \file
/// What the catalogue says about one game of the family "second-bet" (three card poker, Caribbean
/// stud, draw poker against the house) at one table. games/catalogues/docs/families/second-bet.md
/// lists blocks and keys.
///
/// Threads: reads immutable tables only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/poker/house_deal.hpp"
#include "engines/shared/data_law.hpp"
#include "games/event.hpp"
#include "games/poker_hand.hpp"

namespace talla::games::second_bet {

/// Worked out once for each table.
struct Rules final : Prepared {
  explicit Rules(poker::Ranker order) : ranker(order) {}
  poker::Ranker ranker;
  poker::HandValue minimum{};  ///< of the lowest hand with which the bank plays
};

class Law : public DataLaw {
 public:
  using DataLaw::DataLaw;

  [[nodiscard]] const poker::Ranker& ranker() const { return table().prepared<Rules>().ranker; }
  /// Cards of a hand: 3 or 5.
  [[nodiscard]] std::size_t cards() const {
    return static_cast<std::size_t>(number("deal", "cards"));
  }
  [[nodiscard]] poker::HandValue value(std::span<const Card> cards) const;
  [[nodiscard]] poker::Category category(std::span<const Card> cards) const {
    return ranker().category(value(cards));
  }
  /// Whether the bank plays with these cards.
  [[nodiscard]] bool bank_plays(std::span<const Card> cards) const {
    return value(cards) >= table().prepared<Rules>().minimum;
  }

  [[nodiscard]] poker::house::DealMode deal_mode() const;
  /// The bank's card that is dealt face up; 0: none.
  [[nodiscard]] std::size_t exposed() const {
    return static_cast<std::size_t>(number("deal", "exposed"));
  }
  [[nodiscard]] const std::string& main_bet() const { return text("boxes", "bet"); }
  [[nodiscard]] const std::string& second_bet() const { return text("second", "bet"); }
  /// The second bet that goes with stakes of that sum.
  [[nodiscard]] Units second_of(Units stake) const { return stake * number("second", "multiple"); }
  /// Whether cards may be bought, and whether cards may be changed.
  [[nodiscard]] bool sells_cards() const { return has("purchase") && flag("purchase", "offered"); }
  [[nodiscard]] bool draws() const { return has("draw"); }
  [[nodiscard]] std::string_view purchase_bet() const {
    return has("purchase") ? std::string_view(text("purchase", "bet")) : std::string_view();
  }
  [[nodiscard]] std::string_view bonus_bet() const {
    return has("bonus") ? std::string_view(text("bonus", "bet")) : std::string_view();
  }
  /// A key of a side bet in block "sides". Precondition (checked): it is there.
  [[nodiscard]] const json::Value& side(std::string_view bet, std::string_view key) const;
  /// Whether that kind is a side bet: placed before the deal beside (or without) the main bet.
  [[nodiscard]] bool is_side(std::string_view kind) const { return find("sides", kind) != nullptr; }
  /// Whether that kind is placed by people before the deal.
  [[nodiscard]] bool is_placed(std::string_view kind) const {
    return kind == main_bet() || is_side(kind);
  }
  /// Own stake rule of a bet, or nullptr.
  [[nodiscard]] const json::Value* stake_rule(std::string_view kind) const {
    return find("stakes", kind);
  }
  /// The amount that stake rule names, in units (perhaps not a whole number).
  [[nodiscard]] Fraction stake_amount(std::string_view kind) const;
  /// What the table pays a side bet with that hand, profit per unit; nothing: the hand has no
  /// prize.
  [[nodiscard]] std::optional<Fraction> prize(std::string_view kind,
                                              poker::Category category) const;
};

/// Reads the rules of a table that passed `check_law`.
[[nodiscard]] std::shared_ptr<const Rules> read_rules(const Table& table);
/// Refuses rules that the engine cannot play: blocks or keys missing or unknown, values outside
/// what it knows, bets without the payouts that their hands need. Errors: catalogue_malformed.
[[nodiscard]] Status check_law(const GameRules& rules);

}  // namespace talla::games::second_bet
