#include "engines/blackjack/hands.hpp"

#include <algorithm>

namespace talla::games::blackjack {
namespace {

/// Whether the total of the first two cards, an ace at its low value where the table reads it so,
/// may be doubled.
bool total_may_double(const Law& law, const Hand& hand) {
  const auto* printed = law.find("double", "totals");
  if (printed == nullptr) return true;
  const bool soft = std::any_of(hand.cards.begin(), hand.cards.end(), is_ace);
  if (soft && law.is("double", "soft", "hard-only")) return false;
  const auto totals = law.numbers("double", "totals");
  return std::find(totals.begin(), totals.end(), low_points(law, hand.cards)) != totals.end();
}

}  // namespace

int low_points(const Law& law, std::span<const Card> cards) {
  int sum = 0;
  for (const auto card : cards) sum += law.points(card);
  return sum;
}

int total(const Law& law, std::span<const Card> cards, std::size_t fixed_aces) {
  const int low = low_points(law, cards);
  const auto free = cards.subspan(std::min(fixed_aces, cards.size()));
  const bool ace = std::any_of(free.begin(), free.end(), is_ace);
  return ace && low + law.ace_extra() <= law.target() ? low + law.ace_extra() : low;
}

int hand_total(const Law& law, const Hand& hand) {
  const bool fixed = hand.doubled && law.is("double", "initial_ace", "one");
  return total(law, hand.cards, fixed ? 2 : 0);
}

bool busted(const Law& law, const Hand& hand) {
  return hand_total(law, hand) > law.target();
}

bool is_blackjack(const Law& law, const Hand& hand) {
  return hand.cards.size() == 2 && !hand.split && total(law, hand.cards) == law.target();
}

int dealer_total(const Law& law, std::span<const Card> cards) {
  const int low = low_points(law, cards);
  const int high = low + law.ace_extra();
  const bool ace = std::any_of(cards.begin(), cards.end(), is_ace);
  return ace && high >= law.number("dealer", "stands_on") && high <= law.target() ? high : low;
}

bool dealer_blackjack(const Law& law, std::span<const Card> cards) {
  return cards.size() == 2 && dealer_total(law, cards) == law.target();
}

bool dealer_draws(const Law& law, std::span<const Card> cards) {
  return dealer_total(law, cards) < law.number("dealer", "stands_on");
}

bool is_split_ace(const Hand& hand) {
  return hand.split && !hand.cards.empty() && is_ace(hand.cards.front());
}

bool can_hit(const Law& law, const Hand& hand) {
  if (hand.cards.size() < 2 || hand.doubled || is_split_ace(hand)) return false;
  if (hand_total(law, hand) < law.target()) return true;
  const auto& on_target = law.text("draw", "on_target");
  if (hand_total(law, hand) > law.target() || on_target == "never") return false;
  return on_target == "always" || !is_blackjack(law, hand);
}

bool can_double(const Law& law, const Hand& hand) {
  if (!law.has("double") || !law.flag("double", "offered")) return false;
  if (hand.cards.size() != 2 || hand.doubled || is_split_ace(hand) || is_blackjack(law, hand))
    return false;
  if (is_ace(hand.cards.front()) && is_ace(hand.cards.back()) && !law.flag("double", "aces"))
    return false;
  if (total(law, hand.cards) == law.target())
    return law.flag("double", "split_ten_ace") && total_may_double(law, hand);
  return total_may_double(law, hand);
}

bool can_split(const Law& law, const Hand& hand, std::size_t hands_of_box) {
  if (!law.has("split") || !law.flag("split", "offered")) return false;
  if (hand.cards.size() != 2 || hand.doubled) return false;
  if (law.points(hand.cards.front()) != law.points(hand.cards.back())) return false;
  if (is_split_ace(hand) && !law.flag("split", "resplit_aces")) return false;
  const int most = law.number("split", "hands_max");
  return most == 0 || hands_of_box < static_cast<std::size_t>(most);
}

}  // namespace talla::games::blackjack
