/// \file
/// Points of a blackjack hand, of a player and of the dealer.
#pragma once

#include <span>
#include <vector>

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

[[nodiscard]] inline bool is_ace(Card card) {
  return card.rank() == 1;
}

/// All cards with aces at their low value.
[[nodiscard]] int low_points(const Law& law, std::span<const Card> cards);
/// The best total that does not pass the target, or the low total when every total passes it. Aces
/// among the first `fixed_aces` cards keep their low value.
[[nodiscard]] int total(const Law& law, std::span<const Card> cards, std::size_t fixed_aces = 0);
/// A player's hand; a doubled hand keeps its initial aces low where the text says so.
[[nodiscard]] int hand_total(const Law& law, const Hand& hand);
[[nodiscard]] bool busted(const Law& law, const Hand& hand);
/// The target with the first two cards; what comes from a split is none.
[[nodiscard]] bool is_blackjack(const Law& law, const Hand& hand);

/// The dealer's cards: an ace counts high when that reaches the standing total without passing the
/// target.
[[nodiscard]] int dealer_total(const Law& law, std::span<const Card> cards);
[[nodiscard]] bool dealer_blackjack(const Law& law, std::span<const Card> cards);
/// Whether the dealer's hand, played out by its rule, takes another card.
[[nodiscard]] bool dealer_draws(const Law& law, std::span<const Card> cards);

/// A hand of a split pair of aces: one card only.
[[nodiscard]] bool is_split_ace(const Hand& hand);
[[nodiscard]] bool can_hit(const Law& law, const Hand& hand);
[[nodiscard]] bool can_double(const Law& law, const Hand& hand);
/// `hands_of_box`: hands that came from the box's first one, itself included.
[[nodiscard]] bool can_split(const Law& law, const Hand& hand, std::size_t hands_of_box);

}  // namespace talla::games::blackjack
