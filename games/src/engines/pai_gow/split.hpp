/// \file
/// Seven cards in two hands: five high, two low; what is set wrongly, and ways to set the bank's
/// cards.
///
/// The house way of the table below is NOT law: no text has one. It is the usual informative
/// example; `best_high` and `best_low` are plain rules beside it. A joker counts as an ace where it
/// completes nothing.
/// Threads: pure functions.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "games/poker_hand.hpp"

namespace talla::games::pai_gow {

using shuffle::Card;

inline constexpr std::size_t hand_cards = 7;
inline constexpr std::size_t low_cards = 2;
using Seven = std::span<const Card, hand_cards>;

/// Indices of the two cards of the low hand, ascending.
using Low = std::array<std::size_t, low_cards>;

struct Hands {
  poker::HandValue high;
  poker::HandValue low;
  bool foul = false;  ///< the high hand is not worth more than the low one
};

/// The two hands of seven cards set so.
[[nodiscard]] Hands hands_of(const poker::Ranker& ranker, Seven cards, Low low);
/// Whether the five are worth more than the two: by what they are (nothing or a pair for the two),
/// then by their ranks; with the same pair or the same two highest cards the five have more.
[[nodiscard]] bool outranks(const poker::Ranker& ranker, std::span<const Card, 5> high,
                            std::span<const Card, 2> low);

/// One way to set the cards that is not wrong.
struct Option {
  Low low{};
  Hands hands;
};
/// All of them, by the cards of the low hand.
[[nodiscard]] std::vector<Option> legal_options(const poker::Ranker& ranker, Seven cards);

enum class HouseWay : std::uint8_t { informative, best_high, best_low };
inline constexpr std::array all_house_ways = {HouseWay::informative, HouseWay::best_high,
                                              HouseWay::best_low};
inline constexpr std::size_t house_ways_count = all_house_ways.size();
/// How the bank sets its cards: never wrongly.
[[nodiscard]] Low house_low(const poker::Ranker& ranker, Seven cards, HouseWay way);
/// The same of cards whose `legal_options` are known. Precondition: `options` are theirs.
[[nodiscard]] Low house_low(const poker::Ranker& ranker, Seven cards,
                            const std::vector<Option>& options, HouseWay way);

}  // namespace talla::games::pai_gow
