/// \file
/// How a bank of five cards that changes up to two of them by a fixed rule comes to each hand that
/// it may end with. Private to games.
///
/// Course:  the cards dealt first, those that go (none, one or two) and those that come for them. A
///          course ends with a hand; seen from that hand it is the cards that came, which are some
///          of it, and the cards that went.
/// Method:  all hands dealt first, grouped by what is kept of them.
/// Threads: immutable.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "odds/poker/bank_counts.hpp"
#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

/// Which of five cards go: bit i for the i-th, two bits at most.
using ChangeRule = std::function<unsigned(std::span<const Card, five_cards>)>;
/// Two cards, the lower place first.
using PlacePair = std::pair<Place, Place>;
inline constexpr std::size_t three_kept = 3;
inline constexpr std::size_t four_kept = 4;

/// The courses that end with one hand, by the cards that went: none, that one, those two.
struct Courses {
  bool stood = false;  ///< it was dealt so and nothing went
  std::vector<std::pair<Place, std::uint32_t>> one;
  std::vector<std::pair<PlacePair, std::uint32_t>> two;
};

class BankDraws {
 public:
  /// Cards in the deck by their places.
  BankDraws(std::span<const Card> deck, const ChangeRule& rule);
  /// `hand` ascending; `out` is written anew.
  void courses(std::span<const Place, five_cards> hand, Courses& out) const;

 private:
  std::vector<bool> stands_;                 // by the number of the hand
  std::vector<std::vector<Place>> one_;      // by the number of the four kept
  std::vector<std::vector<PlacePair>> two_;  // of the three kept
};

}  // namespace talla::games::poker
