/// \file
/// What a hand of blackjack is worth when every card comes with the chance that it has in full
/// decks: a table of values that holds the gain of any play from above. Private to games.
///
/// No value is less than that of any choice that the rules may leave open, and the value of a
/// choice is the average over the card that it brings. A hand may be split without limit; who has
/// a stake on somebody else's hand may leave it as it is when that is split.
/// Threads: immutable once made.
#pragma once

#include "odds/blackjack/hand_law.hpp"

namespace talla::games::blackjack {

/// A player's hand, as far as what it is worth depends on it.
struct OwnHand {
  int low = 0;            ///< points, aces one
  bool ace = false;       ///< an ace that may count high
  std::size_t cards = 0;  ///< how many
  std::size_t first = 0;  ///< class of the first card
  std::size_t second = 0;
  bool split = false;
  bool doubled = false;
  bool asked = false;    ///< a card is due
  bool done = false;     ///< stands
  bool follows = false;  ///< the stake is another's than of who plays the hand
};
/// The dealer's hand so far.
struct DealerHand {
  std::size_t first = 0;  ///< class of the first card
  int low = 0;
  bool ace = false;
  std::size_t cards = 0;
};

class PlayValues {
 public:
  using Parts = std::array<double, classes_count>;
  /// The law with the whole shoe.
  explicit PlayValues(const HandLaw& law);

  /// The chance of each class in the whole shoe.
  [[nodiscard]] const Parts& parts() const { return parts_; }
  /// Net gain of a stake of 1 that lies on the hand.
  [[nodiscard]] double value(const OwnHand& own, const DealerHand& dealer) const;
  /// The same of two first cards against the dealer's first one.
  [[nodiscard]] double first(std::size_t a, std::size_t b, std::size_t dealer, bool follows) const {
    return firsts_.at(follows ? 1 : 0).at(a).at(b).at(dealer);
  }
  /// The hand with one more card.
  [[nodiscard]] OwnHand with(OwnHand own, std::size_t card) const;
  [[nodiscard]] DealerHand with(DealerHand dealer, std::size_t card) const;
  /// Whether the dealer's hand is a blackjack.
  [[nodiscard]] bool blackjack(const DealerHand& dealer) const;

 private:
  static constexpr std::size_t lows_count = 32;
  /// Chances of a dealer's ends: over the target (0), totals, a blackjack (the last).
  using Ends = std::array<double, lows_count + 1>;
  using ByDealer = std::array<double, classes_count>;
  using Pairs = std::array<std::array<ByDealer, classes_count>, classes_count>;
  using Lows = std::array<std::array<ByDealer, lows_count>, 2>;
  enum class Kind : std::uint8_t { plain, split_target, blackjack };

  [[nodiscard]] const Ends& ends(const DealerHand& dealer) const;
  [[nodiscard]] double standing(int total, Kind kind, const Ends& ends) const;
  [[nodiscard]] double twice(std::size_t a, std::size_t b, std::size_t dealer) const;
  [[nodiscard]] double drawn_twice(int low, bool ace, const Ends& ends) const;
  [[nodiscard]] bool may_double(std::size_t a, std::size_t b) const;
  void later(std::size_t dealer);
  void splits(std::size_t dealer, bool follows);
  void first_cards(std::size_t dealer, bool follows);

  HandLaw law_;
  Parts parts_{};
  std::array<std::array<std::array<Ends, 2>, lows_count>, 2>
      dealer_{};  // [three or more][low][ace]
  std::array<Ends, classes_count> dealer_first_{};
  Lows hits_{};                                                 // [ace][low][dealer]: one more card
  Lows decisions_{};                                            // the best of it and standing
  std::array<std::array<ByDealer, classes_count>, 2> seeds_{};  // [follows]: one card of a split
  std::array<Pairs, 2> seconds_{};                              // two cards of a split
  std::array<Pairs, 2> firsts_{};
};

}  // namespace talla::games::blackjack
