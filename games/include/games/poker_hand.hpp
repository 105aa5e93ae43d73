/// \file
/// What a poker hand is worth, in the order of one game: the order of the categories, the lowest
/// rank of the deck, the joker and the reading of ties are data of the catalogue.
///
/// Method:  every category is a property of the cards ("holds a pair", "five of one suit"); a hand
///          counts as the highest category of the game's list that it has, then by the ranks that
///          the category compares, high to low. Suits never break ties. The best of six or seven
///          cards is the best of all choices of five, one after the other.
/// Aces:    above the king, or below the lowest rank of the deck (never in the middle); a straight
///          with a low ace is worth its highest other card, or stands just below ace-king-...
///          (`wheel_second`).
/// Tables:  games/src/engines/poker/hand_table.hpp looks the same values up, hundreds of millions
///          of hands a second; here every hand is worked out from its cards.
/// Sources: es-aragon-2010 10.1.A, 10.1.C, 10.1.D, 10.2; es-euskadi-2010 11 to 17; es-valencia-2003
///          11, 12.
/// Errors:  Errc::catalogue_malformed from `create` and `category_from`. Wrong numbers of cards,
///          balls, Spanish cards, more than one joker, or a joker in a game without one are
///          programmer errors.
/// Threads: everything is a plain value.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shuffle/card.hpp"

namespace talla::games::poker {

using shuffle::Card;

/// What a hand can be. `ace_king`: an ace and a king, nothing better. `figuras`: five cards all A,
/// K, Q or J. `five_aces`: four aces and the joker. `royal_flush`: the highest straight of the deck
/// in one suit (of three cards: A-K-Q).
enum class Category : std::uint8_t {
  high_card,
  ace_king,
  pair,
  two_pair,
  figuras,
  trio,
  straight,
  flush,
  full,
  four,
  straight_flush,
  royal_flush,
  five_aces
};
inline constexpr std::size_t categories_count = 13;
/// The id in catalogue data and in a payout's `when`: "royal-flush", "four", "trio"...
[[nodiscard]] std::string_view category_name(Category category);
[[nodiscard]] Result<Category> category_from(std::string_view name);

/// `ace_or_completer`: an ace, or the missing card of a straight, a flush or a straight flush (of a
/// flush the highest rank that the suit lacks), whichever makes the best hand. `ace_only`: an ace
/// of any suit that is not in the hand.
enum class JokerMode : std::uint8_t { none, ace_or_completer, ace_only };

/// How a game ranks hands: data of the catalogue.
struct HandOrder {
  /// The categories that exist in this game, each once, `high_card` first: `flush` above `full` for
  /// stripped decks, `straight` above `flush` for three cards. A hand whose category is left out
  /// counts as the best one listed that it has (without `royal_flush` the highest straight flush is
  /// a straight flush).
  std::vector<Category> low_to_high;
  /// Lowest rank of the deck but the ace, 2 to 10; the ace may stand below it.
  int lowest_rank = 2;
  bool ace_low_straight = true;
  /// The straight with the low ace stands just below the one to the ace.
  bool wheel_second = false;
  JokerMode joker = JokerMode::none;
  /// false: only the cards that the lists of ties name break them. Of a pair the highest other
  /// card, of a flush the highest card, of figuras the highest pair and the highest other card, of
  /// four, full and three no other card.
  bool full_kickers = true;
};

/// A hand's worth; larger is better; equal values are exactly equal hands. Comparable only between
/// values of one Ranker and one number of cards.
struct HandValue {
  std::uint32_t key = 0;  ///< category in the upper bits, ranks below
  auto operator<=>(const HandValue&) const = default;
};

/// Ranks hands in one order. Immutable, cheap to copy.
class Ranker {
 public:
  [[nodiscard]] static Result<Ranker> create(const HandOrder& order);

  [[nodiscard]] HandValue five(std::span<const Card, 5> cards) const;
  /// Games of three cards: straights and flushes are of three.
  [[nodiscard]] HandValue three(std::span<const Card, 3> cards) const;
  /// The low hand of pai gow: a pair or high cards; a joker is an ace.
  [[nodiscard]] HandValue two(std::span<const Card, 2> cards) const;
  /// The best five of five, six or seven cards.
  [[nodiscard]] HandValue best(std::span<const Card> cards) const;
  /// Omaha, synthetic: exactly two own cards (of at least two) and three common ones (of at least
  /// three).
  [[nodiscard]] HandValue best_two_three(std::span<const Card> own,
                                         std::span<const Card> common) const;
  /// Open cards of stud, one to four: four, three, two pair, pair or high cards; straights and
  /// flushes do not count.
  [[nodiscard]] HandValue showing(std::span<const Card> cards) const;

  [[nodiscard]] Category category(HandValue value) const;
  /// Whether any hand of `higher` beats any of `lower`; a category that the game has not is beaten
  /// by all it has.
  [[nodiscard]] bool beats(Category higher, Category lower) const {
    return level_[static_cast<std::size_t>(higher)] > level_[static_cast<std::size_t>(lower)];
  }
  [[nodiscard]] bool has_joker() const { return joker_ != JokerMode::none; }
  /// The five that make `best`, in the order given; of equal choices the one whose cards come
  /// first.
  [[nodiscard]] std::vector<Card> cards_of_best(std::span<const Card> cards) const;
  /// The five that make `best_two_three`: two own ones, then three common ones.
  [[nodiscard]] std::vector<Card> cards_of_best_two_three(std::span<const Card> own,
                                                          std::span<const Card> common) const;

 private:
  Ranker() = default;

  std::array<std::int8_t, categories_count>
      level_{};  // place in low_to_high, -1 when the game has it not
  std::array<Category, categories_count> category_at_level_{};  // the inverse
  std::int8_t lowest_rank_ = 2;
  bool ace_low_straight_ = true;
  bool wheel_second_ = false;
  JokerMode joker_ = JokerMode::none;
  bool full_kickers_ = true;

  friend class HandReading;
};

/// The low hand from exactly two own and three common cards, ace to five: five different ranks none
/// above `highest_rank` (the ace is 1), straights and flushes count for nothing. No value when no
/// choice qualifies. A smaller key is the better low.
[[nodiscard]] std::optional<HandValue> low_of_two_three(std::span<const Card> own,
                                                        std::span<const Card> common,
                                                        int highest_rank = 8);

}  // namespace talla::games::poker
