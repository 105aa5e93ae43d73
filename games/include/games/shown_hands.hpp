/// \file
/// The poker hands of a round in words: "escalera de color al rey", "four of a kind, aces".
///
/// Read from the events of the round alone: a card counts for its seat (or the bank) from when it
/// was dealt open or turned until it was discarded. A hand of which a card was never shown is not
/// named, nor is a bank that exchanged cards. Order of the hands: the table's own.
/// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/engine.hpp"
#include "games/poker_hand.hpp"

namespace talla::games {

/// One hand that lies open.
struct ShownHand {
  std::string holder;  ///< "seat-3", "bank"
  /// "" (the hand), "high", "low" (two hands of one holder), "second" (second row).
  std::string which;
  poker::Category category = poker::Category::high_card;
  std::vector<Card> cards;  ///< those that make it, the ones that count most first
  bool operator==(const ShownHand&) const = default;
};

/// Of one round, in the order of seats, the bank last; empty for games without poker hands.
/// `events` begin with the round.
[[nodiscard]] std::vector<ShownHand> shown_hands(const Table& table, std::span<const Event> events);

/// The hand's name in "es" or "en".
[[nodiscard]] std::string hand_words(const ShownHand& hand, std::string_view language);
/// {"holder","which"?,"category","cards"}
[[nodiscard]] json::Value to_json(const ShownHand& hand);

}  // namespace talla::games
