/// \file
/// Exact frequencies of hands, counted by the laboratory itself: it shares nothing with the engines
/// that it judges.
///
/// Rules: punto y banca with the usual third-card table; row totals of trente et quarante;
///        five-card poker; two-card naturals of blackjack. Figures: equal to the published integers
///        (8 and 6 decks; 2,598,960 hands of five).
/// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shuffle/card.hpp"
#include "stats/outcome/stream.hpp"

namespace talla::lab {

/// Results of a hand and how likely each is, in the order of the class numbers of the functions
/// below.
stats::outcome::Alphabet baccarat_hands(std::uint32_t decks);
stats::outcome::Alphabet trente_rows(std::uint32_t decks);
stats::outcome::Alphabet poker_hands();
stats::outcome::Alphabet blackjack_naturals(std::uint32_t decks);

/// Ordered draws of six cards by the class of their coup: punto, banca, tie, each without and with
/// a natural.
[[nodiscard]] std::array<std::uint64_t, 6> count_baccarat(std::uint32_t decks);

/// A coup from the next cards of a shoe.
struct Coup {
  std::size_t klass = 0;
  std::size_t cards = 0;  ///< how many it took, 4 to 6
};
/// Precondition: six French cards.
[[nodiscard]] Coup play_baccarat(std::span<const shuffle::Card> cards);
/// Preconditions: five cards of one French deck; two French cards.
[[nodiscard]] std::size_t poker_hand(std::span<const shuffle::Card> cards);
[[nodiscard]] std::size_t blackjack_natural(std::span<const shuffle::Card> cards);

}  // namespace talla::lab
